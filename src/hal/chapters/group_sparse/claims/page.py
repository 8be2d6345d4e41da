"""Claim GS-21: what the page computes is the library's.

Chapter `group_sparse`, our own code. The page trains a textbook in plain Python, translated, and draws portable theory;
this claim holds both to the fast model and to the theory in NumPy, which uses another quadrature.
"""

import numpy as np
from scipy import integrate

from hal.chapters.group_sparse.models import PairTransformer
from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib import optim
from lib.attention import sine_positions
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.portable.textbooks import recorded
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable
from lib.train import GivenBatches, flow, train

_STEPS = 20


def _training_off(seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model after one training on the same examples: both parameters, and what is recorded.

    Args:
        seed: of the examples.
        late: by how many examples the fast model sees the labels late.
    """
    settings = textbook.Settings(D=4, d=2, n=30, lr=0.4, sigma=1.3, flips=0.1, steps=_STEPS)
    made = recorded(textbook)
    recording = made.start(settings, seed)
    state = recording.state
    task = gs.Task(D=4, d=2, sigma_x=1.3, flips=0.1)
    model = gs.GroupTransformer(task, np.sqrt((4 + 1) / 2) * np.eye(4))
    X = np.array(state.tokens).reshape(30, 4, -1)[None, :, :, :2]
    examples = gs.Examples(X, np.roll(state.y, late)[None])
    record = {
        "cosine": lambda p: gs.cosine(p, task),
        "ratio": lambda p: gs.norm_ratio(p, task),
        "attention": lambda p: gs.mean_attention(p, model, X),
        "accuracy": lambda p: gs.accuracy(model.output(p, X), examples.y),
    }
    every = range(_STEPS + 1)
    run = train(GivenBatches(model, [examples]), None, optim.sgd(0.4), _STEPS, record=record, record_at=every)
    while not made.done(recording):
        made.step(recording)
    own = made.read(recording)
    at = np.array(own["steps"]).astype(int)[1:]  # before a first step the value has no direction
    ends = max(np.abs(state.v - run.params.v[0]).max(), np.abs(np.array(state.W) - run.params.W[0]).max())
    return float(ends), max(float(np.abs(own[name][1:] - run[name][0][at]).max()) for name in record)


def _theory_off(seed: int, late: int) -> tuple[float, float]:
    """Largest relative differences of the page's theory: laws and constants, and the flow.

    The laws are held to what they were derived from: C to its integral, A to its equation, loss and time to the value's
    strength, the rate to the length of the sum of sine positions.

    Args:
        seed: of size, scale, time and level.
        late: by how many groups the page has more.
    """
    rng = np.random.default_rng(seed)
    D, sigma = int(rng.integers(3, 33)), float(rng.uniform(0.5, 2.0))
    time, level = float(10 ** rng.uniform(0.5, 5)), float(10 ** rng.uniform(-2.5, -1))
    more, rho = D + late, (D + 1) / 2
    C = np.sqrt(2 / np.pi) * integrate.quad(lambda u: np.log1p(np.exp(-u)), 0, np.inf)[0]
    A, c = portable.late_leak(time, more) * time ** (2 / 3), np.cbrt(3 * C / D)
    closing = D * rho**2 / (D - 1) * (C * A / (c * D**2) + c * A**2 / (np.sqrt(2 * np.pi) * (D - 1)))
    reached = theory.late_strength(portable.time_to_loss(level, more), D)
    laws = [
        relative_error(portable.late_loss(time, more), theory.loss_of_strength(theory.late_strength(time, D), D)),
        relative_error(closing, 2 / 3),
        relative_error(theory.loss_of_strength(reached, D), level),
        relative_error(portable.largest_rate(more), 8 / np.sum(sine_positions(D, D).sum(axis=0) ** 2)),
        relative_error(portable.MARGIN_CONSTANT, C),
    ]
    pair, times = PairTransformer(D, sigma), [0.5, 5.0, 20.0, 300.0, 4e3, 1e6]
    known = flow(pair, None, times, pair.rates)
    alpha, leak, loss = portable.path(portable.law_of(D + late, sigma), times, 1e-5)
    wanted = (known.params.alpha[-6:], 1 - pair.attention(known.params)[-6:], known.loss[-6:])
    flows = [relative_error(mine, other) for mine, other in zip((alpha, leak, loss), wanted, strict=True)]
    return max(laws), max(flows)


@claim(
    "GS-21",
    where="our own code",
    says="The program that the page runs is the model of the library: trained on the same examples both go the same "
    "way. The theory that the page draws is that of the library.",
    control={"late": 1},
    breaks="the library sees each label one example late, and the page's theory is that of one group more",
)
def _check_21(late: int = 0, block: int = 0) -> Result:
    """What the page trains and draws; `late` examples late and of `late` groups more in the control."""
    seeds = seed_block(block, 3)
    trained = np.array([_training_off(seed, late) for seed in seeds])
    laws, flows = _theory_off(seeds[0], late)
    return result(
        Part("v and W after twenty steps, largest difference", trained[:, 0].max(), 1e-10, kind="rounding"),
        Part("cosine, norm ratio, attention, accuracy, largest difference", trained[:, 1].max(), 1e-9, kind="rounding"),
        Part("late laws and constants, largest relative difference", laws, 1e-9, kind="rounding"),
        Part("flow to t = 1000000, largest relative difference", flows, 3e-3, kind="rounding"),
        seeds=seeds,
    )
