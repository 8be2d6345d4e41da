"""Claim NN-26: what the page computes is the library's.

Chapter `one_nn`, our own code. The page trains a textbook in plain Python, translated, and draws portable theory; the
claim holds both to the fast model and to the theory in NumPy, which uses another quadrature.
"""

import numpy as np

from hal.chapters.one_nn.claims._shared import Array
from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.chapters.one_nn.theory.portable_reduced import loss_and_slopes
from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib import optim
from lib.models import one_nn as model
from lib.models.one_nn import textbook
from lib.theory import one_nn as theory
from lib.theory.one_nn import portable as sphere
from lib.train import GivenBatches, train

_STEPS = 12


def _drawn(state: textbook.State, prompts: int, late: int) -> tuple[Array, Array, Array]:
    """Points, labels and queries of the next prompts of the textbook, each label `late` examples late."""
    tokens = []
    for _ in range(prompts):
        textbook.draw_prompt(state)
        tokens.append(np.array(state.tokens))
    found, d = np.array(tokens), state.settings.d  # (prompts, N + 1, d + 2)
    return found[:, :-1, :d], np.roll(found[:, :-1, d], late, axis=1), found[:, -1, :d]


def _replayed(settings: textbook.Settings, seed: int, late: int) -> list[model.Prompts]:
    """The batches that the textbook's run draws, for the fast model, each label `late` examples late."""
    state, found = textbook.start(settings, seed), []
    for _ in range(settings.steps):
        x, y, query = _drawn(state, settings.batch, late)
        found.append(model.Prompts(x[None], query[None], y[None]))
    return found


def _training_off(seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model after one training on the same prompts: the matrix W, and the loss at each step."""
    settings = textbook.Settings(N=5, d=3, lr=1.5, batch=4, sigma=1.0, steps=_STEPS)
    state, losses = textbook.start(settings, seed), []
    for _ in range(_STEPS):
        textbook.step(state)
        losses.append(state.loss)
    fast = train(
        GivenBatches(model.FullMatrix(model.Task(3, 5)), _replayed(settings, seed, late)),
        model.Full(np.array([textbook.family(settings.start, settings.sigma, 3)])),
        optim.sgd(1.5),
        _STEPS,
        record_at=range(_STEPS + 1),
    )
    return float(np.abs(np.array(state.W) - fast.params.W[0]).max()), float(np.abs(losses - fast["loss"][0, 1:]).max())


def _theory_off(seed: int, late: int) -> tuple[float, float, float]:
    """Largest relative differences of the page's theory: constants, the reduced loss, its flow."""
    rng = np.random.default_rng(seed)
    constants, losses = [], []
    for _ in range(6):
        d, N = int(rng.integers(3, 13)), int(rng.integers(2, 33))
        law = sphere.law_of(d, N + late)
        kappa, w = sphere.gap_density(law), rng.uniform(-0.9, 0.9)
        ratio = float(rng.uniform(0.5, 1.9))
        late_xi1 = sphere.late_xi1(1e5, kappa, d, ratio)
        late_loss = sphere.late_loss(late_xi1, kappa, d, ratio, sphere.hazard(law, 1 - ratio))
        constants += [
            relative_error(kappa, theory.gap_density(d, N)),
            abs(sphere.share_below(law, w) - float(theory.cdf(w * (3 - w * w) / 2, d))),
            relative_error(theory.time_to_loss(late_loss, d, N, ratio), 1e5),
        ]
        xi1 = float(rng.uniform(1.0, 25.0))
        xi2 = xi1 + float(rng.uniform(-3.0, 3.0))
        loss_and_slopes(law, xi1, xi2)
        losses.append(relative_error(law.slopes[0], theory.reduced_gradient(xi1, xi2, d, N)[0]))
    d, N, at = int(rng.integers(3, 9)), int(rng.integers(3, 13)), [8, 16, 24, 33]
    times = log_times(1e4, 34)
    own = path(sphere.law_of(d, N + late), 0.0, 3.0, times, 1e-3)
    known = theory.flow(np.array(times)[at], d, N)
    paths = [relative_error(np.array(x)[at], y) for x, y in zip(own, (known.xi1, known.xi2, known.loss), strict=True)]
    return max(constants), max(losses), max(paths)


@claim(
    "NN-26",
    where="our own code",
    says="The program that the page runs is the model of the library: trained on the same prompts both go the same "
    "way. The theory that the page draws is that of the library.",
    control={"late": 1},
    breaks="the library sees each label one example late, and the page's theory is that of one example more",
)
def _check_26(late: int = 0, block: int = 0) -> Result:
    """Hold the page to the library; `late`: by how many examples the labels come late, and how many more the page's
    theory has.
    """
    seeds = seed_block(block, 4)
    trained = np.array([_training_off(seed, late) for seed in seeds])
    constants, loss, flow = _theory_off(seeds[0], late)
    return result(
        Part("W after twelve steps, largest difference", trained[:, 0].max(), 1e-10, kind="rounding"),
        Part("loss on the way, largest difference", trained[:, 1].max(), 1e-10, kind="rounding"),
        Part("constants and late laws, largest relative difference", constants, 1e-5, kind="rounding"),
        Part("reduced loss, largest relative difference", loss, 2e-3, kind="rounding"),
        Part("flow to t = 10000, largest relative difference", flow, 5e-3, kind="rounding"),
        seeds=seeds,
    )
