"""Claims RW-22 and RW-23: what the page computes is the library's.

Chapter `random_walk`, our own code. The page trains textbooks in plain Python, translated, and draws portable theory.
The claims hold the training to the fast model, the theory to matrix powers and to steps of the layer; and what other
figures do beside: sums on the knife edge rounded and reordered, the population by its turns, the parity of a start.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs import record_of
from hal.chapters.random_walk.runs.fast import twin
from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_edge, textbook_parity, textbook_questions, textbook_turns
from lib.models.random_walk.textbook_task import Settings
from lib.portable.textbooks import Textbook
from lib.theory import random_walk as theory
from lib.theory.random_walk import portable
from lib.train import GivenBatches, Trajectory, train

Array = NDArray[np.float64]
_KINDS = (
    Settings(K=5, N=13, M=60, p=0.7, n=40, steps=12),
    Settings(K=6, N=13, M=60, p=0.5, n=40, sigma=0.01, unit=1, lr=10.0, steps=12),
    Settings(K=4, N=9, M=30, p=0.9, n=40, loss=1, lr=0.1, sigma=0.001, steps=12),
    Settings(K=7, N=8, M=8, p=0.2, n=40, loss=2, lr=0.3, sigma=0.01, steps=12),
    Settings(K=3, N=10, M=20, p=0.6, n=40, loss=3, lr=0.05, sigma=0.01, steps=12),
)


def _ended(module: Textbook, state: Any) -> Any:
    """The state of a textbook's run at its end."""
    while not module.done(state):
        module.step(state)
    return state


def _followed(state: textbook.State, late: int, record: Callable[..., Any] | None = None, **layer: Any) -> Trajectory:
    """The fast model's run from where a textbook's is, on its walks, their targets `late` walks late.

    Of every step it has what `record`, given the model and the walks, says.
    """
    model, walks, start = twin(state, **layer)
    walks.s[..., -1] = np.roll(walks.s[..., -1], late, axis=-1)
    steps, given = state.settings.steps, GivenBatches(model, [walks])
    what = record(model, walks) if record else None
    return train(given, start, model.optimiser(state.settings.lr), steps, record=what, record_at=range(steps + 1))


def _training_off(settings: Settings, seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model after one training on the same walks: V, u, g, and what is recorded.

    The fast model sees the targets `late` walks late.
    """
    state, walk = textbook.start(settings, seed), rw.Walk(settings.K, settings.N, settings.p)
    run = _followed(state, late, lambda model, walks: record_of(model, walk, walks))
    own = textbook.read(_ended(textbook, state))
    ends = [np.abs(np.array(x) - y[0]).max() for x, y in zip((state.V, state.u, state.g), run.params, strict=True)]
    names = "accuracy", "divergence", "parent", "to_step", "to_root"
    read = [np.abs(own[name] - run[name][0]).max() for name in names]
    read.append(np.abs(np.array(own["loss"][:-1]) - run["loss"][0][1:]).max())
    return float(max(ends)), float(max(*read, abs(own["lag"][-1] - run["lag"][0, -1])))


def _questions_off(seed: int, late: int) -> float:
    """Textbook minus fast model on both question tasks: words, accuracy, odds of the fruits, attention."""
    off = []
    for task, walks in ((1, rw.most_frequent()), (2, rw.preferred())):
        asked = textbook_questions.Asked(task=task, question=2, unit=task - 1, sigma=0.002, lr=0.1, steps=8)
        state = textbook_questions.start(asked, seed)
        off.append(np.abs(np.array(textbook_questions.questions(task)) - walks.s[0]).max())
        run = _followed(state.inner, late, _question_record)
        own = textbook_questions.read(_ended(textbook_questions, state))
        off += [np.abs(np.array(own[name]) - run[name][0].ravel()).max() for name in ("accuracy", "attention")]
    return float(max(off))


def _question_record(model: rw.MinimalTransformer, walks: rw.Walks) -> dict[str, Any]:
    """Right answers to all questions, and the attention of the second one."""
    return {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "attention": lambda p: model.attention(p, walks)[:, 1],
    }


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
        largest = max(1.0, np.abs(signal).max())  # some are zero but for rounding
        off.append(float(np.abs(found - signal).max() / largest))
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


def _edge_off(seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model where each place's sum begins elsewhere, the fast model's targets `late` walks late;
    and single minus double precision, relative to the largest number, all of it if a number has more digits.
    """
    edge = textbook_edge.Edge(K=5, N=12, M=30, n=40, steps=6, mixed=1)
    state = textbook_edge.start(edge, seed)
    run = _followed(state.inner, late, sums="rolled")
    own = _numbers(_ended(textbook_edge, state))
    off = [np.abs(mine - other[0]).max() / np.abs(other).max() for mine, other in zip(own, run.params, strict=True)]
    random = edge._replace(mixed=0, sigma=0.01, unit=1, lr=10.0)
    both = [_numbers(_ended(textbook_edge, textbook_edge.start(random._replace(bits=bits), seed))) for bits in (64, 32)]
    apart = [
        np.abs(one - other).max() / np.abs(one).max() if np.array_equal(other, other.astype(np.float32)) else 1.0
        for one, other in zip(*both, strict=True)
    ]
    return float(max(off)), float(max(apart))


def _numbers(state: textbook_edge.Rounded) -> list[Array]:
    """V, u and g."""
    return [np.array(x) for x in (state.inner.V, state.inner.u, state.inner.g)]


def _turns_off(seed: int, late: int) -> float:
    """The population by turns minus the fast model on the same walks in all their turns: values, scores, readings."""
    settings = Settings(K=5, N=9, p=0.7, M=60, n=12, steps=8)
    state = _ended(textbook_turns, textbook_turns.start(settings, seed))
    turns = np.roll(np.array(state.turns), late, axis=1)
    ends = (np.arange(5)[:, None] + np.zeros(12, dtype=int)).ravel()  # every walk ends everywhere
    s = np.concatenate([(ends[:, None] - np.tile(turns, (5, 1))) % 5, ends[:, None]], axis=1)
    walks = rw.Walks(s[None], np.full((1, 60), 1 / 60))
    model = rw.MinimalTransformer(K=5, N=9, M=60)
    record = {"accuracy": lambda p: rw.accuracy(model.output(p, walks), walks)}
    run = train(GivenBatches(model, [walks]), None, model.optimiser(1.0), 8, record=record, record_at=range(9))
    values = np.array([[state.nu[(i - k) % 5] for k in range(5)] for i in range(5)])
    shown = textbook_turns.read(state)
    return float(
        max(
            relative_error(values, run.params.V[0]),
            np.abs(np.array(state.g) - run.params.g[0]).max() / np.abs(run.params.g).max(),
            np.abs(np.array(shown["accuracy"]) - run["accuracy"][0]).max(),
        )
    )


def _leaning_off(seed: int, late: int) -> float:
    """The page's projection of a random start minus the library's, of positions `late` longer."""
    settings = Settings(K=6, N=13, M=30, n=12, sigma=0.01, unit=1)
    state = textbook_parity.start(settings, seed)
    V, g = (np.array([x], dtype=float) for x in (state.inner.V, state.inner.g))
    known = theory.parity_projection(V, g, settings.M + late, settings.sigma)[0]
    return abs(textbook_parity.read(state)["leaning"][0] - float(known))


def _settled_off(seed: int, late: int) -> float:
    """The layer with all attention `late` places before the parent, relative to the recursion of settled values."""
    model, start = rw.MinimalTransformer(K=5, N=6, M=6), rw.MinimalTransformer(K=5, N=6, M=6).init()
    start.V[:] = 0.3 + np.random.default_rng(seed).random((1, 5, 5))
    start.g[:, -2 - late] = 1e6
    off = []
    for p in (0.5, 0.8):
        run = train(GivenBatches(model, [rw.Walk(5, 6, p).population()]), start, model.optimiser(0.5), 20)
        off.append(relative_error(run.params.V[0], theory.saturated(start.V[0], 5, p, 0.5, 20)))
    return max(off)


def _steps_of_walks(seed: int) -> tuple[float, float]:
    """Of drawn walks at p = 0.8: the share of clockwise steps, and steps that are neither clockwise nor back."""
    s = np.array(textbook.start(Settings(K=7, N=60, M=60, p=0.8, n=200), seed).walks)
    step = (s[:, 1:] - s[:, :-1]) % 7
    return float(np.mean(step == 1)), float(np.sum((step != 1) & (step != 6)))


@claim(
    "RW-23",
    where="our own code",
    says="What the other figures compute in the page is the library's too: sums on the knife edge in another order or "
    "in single precision, the population by its turns, the parity to which a start leans, the steps of a walk. The "
    "layer whose attention has settled makes the steps of the recursion for its values.",
    control={"late": 1},
    breaks="the library's targets come one walk late, its turns one place late, its positions are one entry longer; "
    "attention has settled one place before the parent",
)
def _check_23(late: int = 0, block: int = 0) -> Result:
    """With the library `late` walks or places late, and so many entries more in its positions."""
    (seed,) = seed_block(block, 1)
    rolled, single = _edge_off(seed, late)
    share, strange = _steps_of_walks(seed)
    return result(
        Part("V, u, g with mixed sums, relative difference", rolled, 1e-9, kind="rounding"),
        Part("single against double precision, relative difference", single, 1e-4, kind="rounding"),
        Part("population by turns against all turns, relative difference", _turns_off(seed, late), 1e-9,
             kind="rounding"),
        Part("parity to which a start leans, difference", _leaning_off(seed, late), 1e-9, kind="rounding"),
        Part("values after attention has settled, relative difference", _settled_off(seed, late), 1e-9,
             kind="rounding"),
        Part("share of clockwise steps at p = 0.8", share, 0.8, 0.02),
        Part("steps that are neither clockwise nor back", strange, 0, 0),
        seeds=(seed,),
    )  # fmt: skip
