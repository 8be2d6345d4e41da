"""Claims GS-11, GS-15, GS-24 and GS-25: what the discovery of the group is worth on a new task.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4 and the downstream figure; the data are assumed.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from hal.chapters.group_sparse.runs import (
    Downstream,
    error_curves,
    looking,
    pretrained,
    regression_errors,
    samples_needed,
)
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.theory.group_sparse import portable_downstream as theory

_AT = np.unique(np.round(np.geomspace(8, 700, 30)).astype(int))
# (d, D): examples, learning rate and steps of pretraining. With 16 groups of 4 pretraining does not always find the
# group at such sizes, so that size is left out.
_LAYERS = {(4, 4): (300, 0.3, 150), (16, 4): (600, 0.3, 150), (8, 8): (400, 0.1, 150)}
_REPEATS = 16
_STARTS = 4  # pretrained layers a block: single ones differ by more than a half in what they are worth


@cache
def _start(d: int, D: int, group: int, block: int) -> gs.Params:
    """The block's pretrained layers, each for its share of the repeats; `group` is where pretraining looked."""
    n, lr, steps = _LAYERS[d, D]
    some = pretrained(gs.Task(D=D, d=d, j_star=group), seed_block(block, _STARTS), n, lr, steps)
    return gs.Params(*(np.repeat(x, _REPEATS // _STARTS, axis=0) for x in some))


def _curves(d: int, D: int, group: int, block: int) -> Downstream:
    """Errors downstream, the new task on group 2."""
    return error_curves(gs.Task(D=D, d=d), _start(d, D, group, block), seed_block(block, _REPEATS), _AT.tolist())


@claim(
    "GS-11",
    where="Section 4, sample complexity",
    says=(
        "For 5% error at the margin 0.2 logistic regression on all variables needs about five examples for each of the "
        "d D, a pretrained layer about five for each of d + D as long as d is at most D: fewer, and the larger both "
        "are the greater the advantage."
    ),
    control={"group": 1},
    breaks="the layer was pretrained on a task that another group decides",
)
def _check_11(group: int = 2, block: int = 0) -> Result:
    parts, gain = [], {}
    for d, D in _LAYERS:
        found = _curves(d, D, group, block)
        tuned, linear = (samples_needed(x, found.examples) for x in (found.tuned, found.linear))
        gain[d, D] = linear / tuned
        word = f"for 5 % error, (d, D) = ({d}, {D})"
        parts.append(Part(f"examples of the baseline over d D, {word}", linear / (d * D), 5.0, 1.6, drift=0.5))
        if d <= D:
            parts.append(Part(f"examples of the layer over d + D, {word}", tuned / (d + D), 4.8, 1.5, drift=0.5))
        advantage = f"those of the baseline over those of the layer, {word}"
        parts.append(Part(advantage, gain[d, D], 1.3, 0, "at least", 0.2))
    more = gain[8, 8] / gain[4, 4]
    return result(
        *parts,
        Part("advantage at (8, 8) over that at (4, 4)", more, 1.4, 0, "at least", drift=0.3),
        seeds=seed_block(block, 16),
    )


@claim(
    "GS-15",
    where="Section 4",
    says="With 100 examples of (d, D) = (4, 6), value and attention, or the value alone, both beat the baseline.",
    control={"group": 1},
    breaks="the layer was pretrained on a task that another group decides",
)
def _check_15(group: int = 2, block: int = 0) -> Result:
    seeds = seed_block(block, 16)
    start = pretrained(gs.Task(D=6, d=4, j_star=group), seed_block(block, 1), 500, 0.1, 300)
    found = error_curves(gs.Task(D=6, d=4), gs.Params(*(np.repeat(x, 16, axis=0) for x in start)), seeds, [100])
    tuned, frozen, linear = (1 - float(x.mean()) for x in (found.tuned, found.frozen, found.linear))
    return result(
        Part("accuracy of value and attention, less the value alone", tuned - frozen, 0, 0.002, drift=2e-3),
        Part("accuracy of value and attention, less the baseline", tuned - linear, 0.02, 0, "at least", drift=5e-3),
        Part("accuracy of the value alone, less the baseline", frozen - linear, 0.02, 0, "at least", drift=5e-3),
        seeds=seeds,
    )


@claim(
    "GS-24",
    where="Section 4, linear baseline; the formula is beyond the paper",
    says=(
        "The errors of logistic regression on all variables follow a formula of two scalars, from 64 to 512 examples: "
        "it fights the noise of d D - 1 variables (margin 0.05, mean of 64 streams)."
    ),
    control={"knows": True},
    breaks="the baseline is given the relevant group, and no other",
)
def _check_24(knows: bool = False, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, 64)
    for d, D in ((4, 6), (4, 16)):
        task, at = gs.Task(D=D, d=d), np.array([0, 64, 128, 256, 512])
        kept = [task.star] if knows else list(range(D))
        given, fresh = (
            gs.flattened(examples._replace(X=examples.X[:, :, kept])) for examples in _streams(task, seeds, int(at[-1]))
        )
        found = regression_errors(given, fresh, 0.1, at).mean(axis=0)
        parts += _beside(found, theory.regression_of(d * D, 0.1), at, f"(d, D) = ({d}, {D})", 0.12)
    return result(*parts, seeds=seeds)


@claim(
    "GS-25",
    where="Section 4, online SGD from the pretrained layer; the formula is beyond the paper",
    says=(
        "The errors of a layer whose attention stands (0.9 on the group) follow a formula of three scalars, at 32 and "
        "64 examples: it fights the noise of d - 1 variables, and a bias that its positions bring in (margin 0.05, "
        "mean of 128 streams)."
    ),
    control={"positions": False},
    breaks="the value reads variables alone",
)
def _check_25(positions: bool = True, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, 128)
    for d, D in ((4, 6), (4, 16)):
        task, at = gs.Task(D=D, d=d), np.array([0, 32, 64])
        model, start = gs.GroupTransformer(task), looking(task, 0.9, len(seeds))
        read = [gs.attended(model, start, examples) for examples in _streams(task, seeds, int(at[-1]))]
        given, fresh = (one._replace(x=one.x[..., : d + D if positions else d]) for one in read)
        found = regression_errors(given, fresh, 0.1 / D**2, at).mean(axis=0)
        parts += _beside(found, theory.layer_of(D, d, 0.9, 0.1), at, f"(d, D) = ({d}, {D})", 0.2)
    return result(*parts, seeds=seeds)


def _streams(task: gs.Task, seeds: range, count: int) -> list[gs.Examples]:
    """Examples to learn from, and fresh ones."""
    return [gs.downstream(task, n, generators(seeds, k), gamma=0.05) for k, n in ((2, count), (3, 1000))]


def _beside(
    found: NDArray[np.float64], learner: theory.Learner, at: NDArray[np.int64], word: str, tolerance: float
) -> list[Part]:
    """Errors after each number of examples, beside the law."""
    known = theory.error_path(learner, 0.05, at[1:].astype(float).tolist())
    return [
        Part(f"errors after {n} examples, {word}", error, law, tolerance, "relative", drift=0.01)
        for n, error, law in zip(at[1:], found, known, strict=True)
    ]
