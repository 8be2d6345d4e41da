"""Claim RW-22: what the page computes is the library's.

Chapter `random_walk`, our own code. The page trains a textbook in plain Python, translated, and draws portable theory;
this claim holds the one to the fast model, the other to matrix powers and to steps of the layer.
"""

import numpy as np
from numpy.typing import NDArray

from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_questions
from lib.models.random_walk.textbook_task import Settings
from lib.theory import random_walk as theory
from lib.theory.random_walk import portable
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
_KINDS = (
    Settings(K=5, N=13, M=60, p=0.7, n=40, steps=12),
    Settings(K=6, N=13, M=60, p=0.5, n=40, sigma=0.01, unit=1, lr=10.0, steps=12),
    Settings(K=4, N=9, M=30, p=0.9, n=40, loss=1, lr=0.1, sigma=0.001, steps=12),
    Settings(K=7, N=8, M=8, p=0.2, n=40, loss=2, lr=0.3, sigma=0.01, steps=12),
    Settings(K=3, N=10, M=20, p=0.6, n=40, loss=3, lr=0.05, sigma=0.01, steps=12),
)


def _training_off(settings: Settings, seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model after one training on the same walks: V, u, g, and what is recorded.

    The fast model sees the targets `late` walks late.
    """
    s = settings
    state = textbook.start(s, seed)
    model = rw.MinimalTransformer(
        K=s.K, N=s.N, M=s.M, loss=rw.LOSSES[s.loss], epsilon=s.epsilon, unit_length=bool(s.unit), sigma=s.sigma
    )
    paths = np.array(state.walks)
    paths[:, -1] = np.roll(paths[:, -1], late)
    walks = rw.Walks(paths[None], np.full((1, s.n), 1 / s.n))
    start = rw.Minimal(*(np.array([x], dtype=float) for x in (state.V, state.u, state.g)))
    law, Pi = rw.Walk(s.K, s.N, s.p).next_law(walks.s), theory.step_matrix(s.K, s.p).T
    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "divergence": lambda p: rw.divergence(model.output(p, walks), law, walks.weight),
        "parent": lambda p: model.attention(p, walks).mean(axis=1)[:, -2],
        "to_step": lambda p: rw.direction_distance(p.V, Pi),
        "to_root": lambda p: rw.direction_distance(p.V, np.sqrt(Pi)),
    }
    every = range(s.steps + 1)
    fixed = GivenBatches(model, [walks])
    run = train(fixed, start, model.optimiser(s.lr), s.steps, record=record, record_at=every)
    while not textbook.done(state):
        textbook.step(state)
    own = textbook.read(state)
    ends = [np.abs(np.array(x) - y[0]).max() for x, y in zip((state.V, state.u, state.g), run.params, strict=True)]
    read = [np.abs(own[name] - run[name][0]).max() for name in record]
    read.append(np.abs(np.array(own["loss"][:-1]) - run["loss"][0][1:]).max())
    lag = abs(own["lag"][-1] - rw.attended_lag(model.attention(run.params, walks))[0])
    return float(max(ends)), float(max(*read, lag))


def _questions_off(seed: int, late: int) -> float:
    """Textbook minus fast model on both question tasks: words, accuracy, odds of the fruits, attention."""
    off = []
    for task, walks in ((1, rw.most_frequent()), (2, rw.preferred())):
        asked = textbook_questions.Asked(task=task, question=2, unit=task - 1, sigma=0.002, lr=0.1, steps=8)
        state = textbook_questions.start(asked, seed)
        off.append(np.abs(np.array(textbook_questions.questions(task)) - walks.s[0]).max())
        answered = walks.s.copy()
        answered[..., -1] = np.roll(answered[..., -1], late, axis=-1)
        walks = rw.Walks(answered, walks.weight)
        model = rw.MinimalTransformer(K=19, N=walks.s.shape[-1], unit_length=bool(asked.unit))
        begin = rw.Minimal(*(np.array([x]) for x in (state.inner.V, state.inner.u, state.inner.g)))
        record = {
            "accuracy": lambda p, model=model, walks=walks: rw.accuracy(model.output(p, walks), walks),
            "attention": lambda p, model=model, walks=walks: model.attention(p, walks)[:, 1],
        }
        fixed = GivenBatches(model, [walks])
        run = train(fixed, begin, model.optimiser(0.1), 8, record=record, record_at=range(9))
        while not textbook_questions.done(state):
            textbook_questions.step(state)
        own = textbook_questions.read(state)
        off += [np.abs(np.array(own[name]) - run[name][0].ravel()).max() for name in record]
    return float(max(off))


def _even_path(K: int, N: int, lr: float, epsilon: float, start: float) -> Array:
    """The layer's values before and after five steps on the ridge, (6,), all attention even and on tokens."""
    model = rw.MinimalTransformer(K=K, N=N, M=N, epsilon=epsilon, unit_length=True)
    begin = model.init()
    begin.V[:] = start
    begin.g[:, -1] = -1e6 / model.own_factor
    record = {"value": lambda p: p.V.mean(axis=(1, 2))}
    fixed = GivenBatches(model, [rw.Walk(K, N, 1.0).population()])
    found: Array = train(fixed, begin, model.optimiser(lr), 5, record=record, record_at=range(6))["value"][0]
    return found


def _theory_off(seed: int, late: int) -> float:
    """Largest relative difference of the page's theory, on a circle `late` larger, from matrix powers and from steps of
    the layer, at six random settings.
    """
    rng, off = np.random.default_rng(seed), []
    for _ in range(6):
        K, r, p = int(rng.integers(3, 31)), int(rng.integers(1, 5)), float(rng.uniform(0.05, 0.95))
        N, own = r * K + 1, K + late
        lr, epsilon = float(10 ** rng.uniform(-2, 1)), float(rng.uniform(0.05, 1))
        Pi, root = theory.step_matrix(K, p), theory.root_target(K, p)
        powers = np.array([np.linalg.matrix_power(Pi, lag)[0] for lag in range(1, N)])
        signal, found = powers @ theory.visits(K, p, N), np.array(portable.lag_signal(own, p, N, N - 1))
        off.append(
            float(np.abs(found - signal).max() / max(1.0, np.abs(signal).max()))
        )  # some are zero but for rounding
        off.append(float(portable.best_lag(own, p, N, N - 1) != 1 + np.argmax(signal >= signal.max() - 1e-9)))
        turned = Pi[0] / np.linalg.norm(Pi[0]), root[:, 0]
        off += [np.abs(np.array(x)[:K] - y).max() for x, y in zip(portable.turn_laws(own, p), turned, strict=True)]
        apart = float(np.linalg.norm(Pi.T / np.linalg.norm(Pi) - root / np.linalg.norm(root)))
        off += [abs(portable.law_distance(p) - apart), abs(portable.best_accuracy(p) - float(Pi.max()))]
        path = _even_path(K, N, lr, epsilon, 0.2)
        off.append(relative_error(portable.even_output(own, 5, lr, epsilon, 0.2), path))
    return float(max(off))


@claim(
    "RW-22",
    where="our own code",
    says="The program that the page runs is the model of the library: trained on the same walks or questions both go "
    "the same way, with any loss. The theory that the page draws is that of the library.",
    control={"late": 1},
    breaks="the library sees each target one walk late, and the page's theory is that of a circle with one node more",
)
def _check_22(late: int = 0, block: int = 0) -> Result:
    """With targets `late` walks late for the library, and so many nodes more for the page's theory."""
    (seed,) = seed_block(block, 1)
    trained = np.array([_training_off(settings, seed, late) for settings in _KINDS])
    return result(
        Part("V, u and g after twelve steps, largest difference", trained[:, 0].max(), 1e-9, kind="rounding"),
        Part("what is recorded on the way, largest difference", trained[:, 1].max(), 1e-9, kind="rounding"),
        Part("questions: words, accuracy, attention, largest difference", _questions_off(seed, late), 1e-9,
             kind="rounding"),
        Part("theory at six settings, largest relative difference", _theory_off(seed, late), 1e-9, kind="rounding"),
        seeds=(seed,),
    )  # fmt: skip
