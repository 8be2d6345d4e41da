"""Claims NN-26 and NN-27: what the page computes is the library's.

Chapter `one_nn`, our own code. The page trains a textbook in plain Python, translated, and draws portable theory; NN-26
holds both to the fast model and to the theory in NumPy, which uses another quadrature. Beside that the page tests a
trained pair on fresh prompts, draws labels by four laws, and reads times off a path: NN-27.
"""

import numpy as np
from scipy.optimize import linprog

from hal.chapters.one_nn.claims._shared import Array
from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib import optim
from lib.models import one_nn as model
from lib.models.one_nn import textbook, textbook_labels, textbook_shift
from lib.portable import finish
from lib.theory import one_nn as theory
from lib.theory.one_nn import portable_sphere as sphere
from lib.theory.one_nn import portable_times
from lib.theory.one_nn.portable_flow import log_times, path, time_of
from lib.theory.one_nn.portable_reduced import loss_and_slopes
from lib.train import GivenBatches, train

_STEPS = 12
_T, _XI1, _XI2 = [1.0, 2.0, 3.0], [0.5, 5.0, 30.0], [3.0, 6.0, 28.0]
_N, _D, _DELTA, _PROMPTS = 8, 4, 0.2, 600


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
    settings = textbook.Settings(N=5, d=3, lr=1.5, batch=4, sigma=1.0, labels=seed % 4, steps=_STEPS)
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


def _theory_off(seed: int, late: int) -> tuple[float, float, float, float]:
    """Largest relative differences of the page's theory: constants, the reduced loss, its flow, the time to a loss."""
    rng = np.random.default_rng(seed)
    constants, losses = [], []
    for _ in range(6):
        d, N = int(rng.integers(3, 13)), int(rng.integers(2, 33))
        law = sphere.law_of(d, N + late)
        kappa, w = sphere.gap_density(law), rng.uniform(-0.9, 0.9)
        ratio = float(rng.uniform(0.5, 1.9))
        late_xi1 = portable_times.late_xi1(1e5, kappa, d, ratio)
        late_loss = portable_times.late_loss(late_xi1, kappa, d, ratio, sphere.hazard(law, 1 - ratio))
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
    time = portable_times.time_to_loss(d, N + late, 3.0, 0.15)
    reached = theory.flow(np.array([time]), d, N).loss[-1]
    return max(constants), max(losses), max(paths), relative_error(reached, 0.15)


@claim(
    "NN-26",
    where="our own code",
    says="The program that the page runs is the model of the library: trained on the same prompts both go the same "
    "way, whatever the distribution of the labels. The theory that the page draws is that of the library.",
    control={"late": 1},
    breaks="the library sees each label one example late, and the page's theory is that of one example more",
)
def _check_26(late: int = 0, block: int = 0) -> Result:
    """Hold the page to the library; `late`: by how many examples the labels come late, and how many more the page's
    theory has.
    """
    seeds = seed_block(block, 4)
    trained = np.array([_training_off(seed, late) for seed in seeds])
    constants, loss, flow, time = _theory_off(seeds[0], late)
    return result(
        Part("W after twelve steps, largest difference", trained[:, 0].max(), 1e-10, kind="rounding"),
        Part("loss on the way, largest difference", trained[:, 1].max(), 1e-10, kind="rounding"),
        Part("constants and late laws, largest relative difference", constants, 1e-5, kind="rounding"),
        Part("reduced loss, largest relative difference", loss, 2e-3, kind="rounding"),
        Part("flow to t = 10000, largest relative difference", flow, 5e-3, kind="rounding"),
        Part("loss at the page's time to it, relative difference", time, 5e-3, kind="rounding"),
        seeds=seeds,
    )


def _shift_off(seed: int, late: int) -> tuple[float, float]:
    """The page's scores minus those by arrays on the same prompts, and the largest |mean of z^k| off its law.

    The library sees the labels `late` examples late.
    """
    settings = textbook_shift.Settings(_T, _XI1, _XI2, _N, _D, _DELTA, _PROMPTS)
    state, products, labels = textbook_shift.start(settings, seed), [], []
    for _ in range(_PROMPTS):
        textbook_shift.draw_prompt(state)
        products.append(state.z[:])
        labels.append(state.y[:])
    z, y = np.array(products), np.roll(np.array(labels), late, axis=1)
    nearest = np.argmax(z, axis=1)[:, None]
    target = np.take_along_axis(y, nearest, axis=1)
    near = np.where(z > np.take_along_axis(z, nearest, axis=1) - 0.5 * _DELTA, target, y)
    own, off = finish(textbook_shift, settings, seed), []
    for given, which in ((y, ""), (near, "shifted_")):
        scores = model.score(_XI1, _XI2, model.Contexts(z.T, given.T))
        off.append(np.abs(np.array(own[f"{which}loss"]) - scores.loss).max())
        off.append(np.abs(np.array(own[f"{which}right"]) - scores.accuracy).max())
    # on the sphere a coordinate has mean square 1/d and mean fourth power 3/(d(d + 2))
    law = [np.mean(z), np.mean(z**2) - 1 / _D, np.mean(z**4) - 3 / (_D * (_D + 2))]
    return float(max(off)), float(np.abs(law).max())


def _labels_off(seed: int, late: int) -> tuple[float, float]:
    """Prompts whose labels are no products of those at 1, 2, 4, ..., or no side of a plane; and the mean of y_i y_j
    over near points of the random wave, minus what its law says.

    The labels come `late` examples late.
    """

    def drawn(law: int, N: int, d: int, prompts: int) -> tuple[Array, Array]:
        return _drawn(textbook.start(textbook.Settings(N=N, d=d, labels=law), seed), prompts, late)[:2]

    _, y = drawn(textbook_labels.WALSH, 7, 3, 40)
    products = np.prod(np.where(model.walsh_factors(7) == 1, y[:, None, [0, 1, 3]], 1.0), axis=2)
    wrong = int(np.sum(np.any(products != y, axis=1)))
    X, side = drawn(textbook_labels.LINEAR, 9, 3, 40)
    # a plane through zero with all points on the side of their label, if there is one
    apart = [linprog(np.zeros(3), -x * one[:, None], np.full(9, -1e-9), bounds=[(-1, 1)] * 3).status for x, one in
             zip(X, side, strict=True)]  # fmt: skip
    X, y = drawn(textbook_labels.HIGHFREQ, 24, 2, 400)
    distance = np.linalg.norm(X[:, :, None] - X[:, None], axis=-1)
    near = (distance > 0) & (distance < 0.2)
    odd = np.arange(1, 40, 2)[:, None]
    turned = textbook_labels.FREQUENCY * distance[near]
    law = np.sum(8 / np.pi**2 / odd**2 * np.exp(-(odd**2) * turned**2 / 2), axis=0)
    seen = (y[:, :, None] * y[:, None])[near]
    return float(wrong + np.sum(np.array(apart) == 2)), float(np.mean(seen - law))


def _times_off(seed: int, late: int) -> float:
    """Relative difference between a loss and the library's at the time at which the page's path has it.

    The page's path has `late` examples more.
    """
    rng = np.random.default_rng(seed)
    d, N = int(rng.integers(3, 9)), int(rng.integers(3, 13))
    times = log_times(1e4, 34)
    loss = path(sphere.law_of(d, N + late), 0.0, 3.0, times, 1e-3)[2]
    levels = np.sqrt(np.array(loss[12:31:6]) * np.array(loss[13:32:6]))
    at = [time_of(float(level), times, loss) for level in levels]
    return relative_error(theory.flow(np.array(at), d, N).loss, levels)


@claim(
    "NN-27",
    where="our own code",
    says="What the other figures compute in the page is the library's too: the losses and accuracies of a trained "
    "pair on fresh and on separated prompts, and the times read off a path. What the page draws has its "
    "distribution: points, and labels that are products, the sign of a random wave or the side of a plane.",
    control={"late": 1},
    breaks="the library sees each label one example late, and the page's path is that of one example more",
)
def _check_27(late: int = 0, block: int = 0) -> Result:
    """Hold the page's figures to the library; `late`: by how many examples the labels come late, and how many more the
    page's path has.
    """
    (seed,) = seed_block(block, 1)
    scores, points = _shift_off(seed, late)
    labels, wave = _labels_off(seed, late)
    return result(
        Part("scores of three pairs, largest difference", scores, 1e-10, kind="rounding"),
        Part("moments of an inner product, largest difference from the law", points, 0.03, kind="rounding"),
        Part("prompts whose labels are no products, or no side of a plane", labels, 0, 0),
        Part("mean of y_i y_j over near points of the wave, minus its law", wave, 0, 0.1),
        Part("loss at times read off a path, relative difference", _times_off(seed, late), 5e-3, kind="rounding"),
        seeds=(seed,),
    )
