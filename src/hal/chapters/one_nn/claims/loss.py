"""Claims NN-1 to NN-4: the loss in two numbers, its slopes, and the family that training stays on.

Chapter `one_nn`. Source: arXiv 2411.10830, the model, the loss and the proof sketch.
"""

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np

from hal.chapters.one_nn.claims._shared import Array, largest_z, mean_gradient
from hal.chapters.one_nn.models.separated import rows_of
from hal.chapters.one_nn.runs import descent
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory
from lib.train import GivenBatches, train

_D, _N, _XI1, _XI2 = 4, 7, 4.0, 3.0
_PROMPTS = 200_000


@claim(
    "NN-1",
    where="the loss, for labels that are pairwise uncorrelated; the two-number form is derived in the chapter",
    says="The loss of W = diag(xi_1 I, 0, -xi_2) needs only inner products: "
    "2 L = E[1 - 2 q_* + sum q_j^2], for three quite different distributions of the labels.",
    control={"labels": ("linear",)},
    breaks="labels of a linear function: close points agree",
)
def _check_1(labels: Sequence[str] = ("rademacher", "highfreq", "walsh"), block: int = 0) -> Result:
    """Measure the loss under labels of these laws."""
    (seed,) = seeds = seed_block(block, 1)
    point = model.as_matrix(model.Pair(np.array([_XI1]), np.array([_XI2])), _D)
    expected = theory.reduced_loss(_XI1, _XI2, _D, _N)
    parts = []
    for law in labels:
        prompts = model.sample_prompts(model.Task(_D, _N, law), _PROMPTS, generators([seed]))
        error = model.predict(point.W, prompts) - model.targets(prompts)
        loss = 0.5 * np.square(error).mean()
        parts.append(Part(f"loss on {_PROMPTS:,} prompts, {law} labels", loss, expected, 0.003))
    return result(*parts, seeds=seeds)


def _plain_loss(z: Array, xi1: float, own: float) -> float:
    """The label-averaged loss written as it stands; z (N, B), own: the query's score for itself."""
    weights = np.exp(np.vstack([xi1 * z, np.full((1, z.shape[1]), own)]) - max(abs(xi1), own))
    weights /= weights.sum(axis=0)
    nearest = np.take_along_axis(weights, z.argmax(axis=0)[None], axis=0)[0]
    return 0.5 * float(np.mean(1 - 2 * nearest + np.square(weights[:-1]).sum(axis=0)))


@claim(
    "NN-2",
    where="the loss; the slopes are derived in the chapter",
    says="The written-out slopes in xi_1 and xi_2 are the derivatives of the loss. The query's "
    "own attention logit is xi_1 - xi_2, by its definition; the slide prints -xi_2.",
    control={"slide": True},
    breaks="the query's own attention logit is -xi_2, as on the slide",
)
def _check_2(slide: bool = False, block: int = 0) -> Result:
    """Compare slopes with differences of the loss; `slide`: of the loss with the own score of the slide."""
    seeds, h, worst = seed_block(block, 1), 1e-4, [0.0, 0.0]
    rows = model.ReducedPair(8, 16).sample(400, generators(seeds))
    for xi1, xi2 in ((0.0, 3.0), (4.0, 3.0), (-2.0, -6.0), (16.0, 14.0), (40.0, 35.0), (12.0, -2.0)):
        _, slopes = model.pair_loss_and_gradient(model.Pair(np.array([xi1]), np.array([xi2])), rows)
        for i, (a, b) in enumerate(((h, 0.0), (0.0, h))):
            moved = [(xi1 + s * a, xi2 + s * b) for s in (1, -1)]
            ends = [_plain_loss(rows.z[0], one, -two if slide else one - two) for one, two in moved]
            worst[i] = max(worst[i], abs((ends[0] - ends[1]) / (2 * h) - slopes[i][0]))
    return result(
        Part("largest error of the slope in xi_1", worst[0], 1e-8, kind="rounding"),
        Part("largest error of the slope in xi_2", worst[1], 1e-8, kind="rounding"),
        seeds=seeds,
    )


@claim(
    "NN-3",
    where="proof sketch: the gradient is a multiple of the identity in W_11 and zero but for W_11 and W_33",
    says="At a point of the family the gradient of the whole matrix stays in the family: its part in W_11 is "
    "dL/dxi_1 / d times the identity, its part in W_33 is -dL/dxi_2, everything else is 0.",
    control={"squeeze": 2.0},
    breaks="points that crowd around one axis: the distribution of the inputs is not the same in all directions",
)
def _check_3(squeeze: float = 1.0, block: int = 0) -> Result:
    """Measure the mean gradient; `squeeze`: see `mean_gradient`."""
    seeds = seed_block(block, 80)
    gradient, beside = mean_gradient(model.Task(_D, _N), _XI1, _XI2, seeds, 5000, squeeze)
    _, in_xi1, in_xi2 = theory.reduced_gradient(_XI1, _XI2, _D, _N)
    trace = float(np.trace(gradient.mean[:_D, :_D])) / _D
    return result(
        Part("tr of the slope in W_11, over d", trace, in_xi1 / _D, 0.06, "relative"),
        Part("slope in W_33", gradient.mean[-1, -1], -in_xi2, 0.04, "relative"),
        Part("largest entry beside the family, in standard errors", largest_z(beside), 5.0, 0, "at most"),
        Part("largest slope in the column of the query's empty label slot", np.abs(gradient.mean[:, _D]).max(), 0.0),
        seeds=seeds,
    )


def _symmetrised(seed: int, signs: bool, d: int = 3) -> tuple[model.Prompts, model.Rows]:
    """Twelve prompts of three examples in all signed permutations of the axes, with all labels; and their rows."""
    base = model.sample_prompts(model.Task(d, d), 12, generators([seed]))
    flips = list(product((1.0, -1.0), repeat=d)) if signs else [(1.0,) * d]
    turns = [np.eye(d)[list(order)] * flip for order in permutations(range(d)) for flip in flips]
    labels = np.array(list(product((1.0, -1.0), repeat=d)))
    x = np.concatenate([np.repeat(base.x[0] @ turn, len(labels), axis=0) for turn in turns])
    query = np.concatenate([np.repeat(base.query[0] @ turn, len(labels), axis=0) for turn in turns])
    y = np.tile(labels, (len(turns) * base.x.shape[1], 1))
    return model.Prompts(x[None], query[None], y[None]), rows_of(base)


@claim(
    "NN-4",
    where="proposition of the proof sketch: W = diag(xi_1 I, 0, -xi_2) along the whole path",
    says="On a data set with the symmetries of the population, 60 steps of gradient descent on the whole matrix are "
    "exactly two scalars: xi_1 with rate eta / d and xi_2 with rate eta.",
    control={"signs": False},
    breaks="the data set is symmetric under permutations of the axes, but not under changes of sign",
)
def _check_4(signs: bool = True, block: int = 0) -> Result:
    """Train both on a symmetric data set; `signs`: whether it holds the sign changes."""
    (seed,) = seeds = seed_block(block, 1)
    prompts, rows = _symmetrised(seed, signs)
    d, lr, steps = 3, 3.0, 60
    dense = train(GivenBatches(model.FullMatrix(model.Task(d, d)), [prompts]), None, optim.sgd(lr), steps).params
    pair = train(GivenBatches(model.ReducedPair(d, d), [rows]), None, descent(d, lr), steps).params
    gap = np.abs(dense.W - model.as_matrix(pair, d).W).max()
    return result(
        Part("largest difference of an entry of W from the two scalars", gap, 1e-11, kind="rounding"),
        Part("xi_1 at the end: it has moved", pair.xi1[0], 1.0, 0, "at least"),
        seeds=seeds,
    )
