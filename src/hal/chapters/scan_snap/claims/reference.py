"""Claims SNAP-8 and SNAP-9: fates and growth in the reference dynamics.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 5 and Appendix E. The reference dynamics are those
of the paper's analysis, not of gradient descent; what differs is measured in other claims of the chapter.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.claims._measure import largest
from hal.chapters.scan_snap.claims._reference import LR_Y, LR_Z, M, reference_path
from hal.chapters.scan_snap.runs import learn_replaced, start_inputs
from hal.chapters.scan_snap.runs.learning import rates
from hal.claims import Part, Result, claim, result
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
_SLOW = 1e-4  # how much slower attention learns where it must not change what the decoder has stored


def _single() -> ss.Task:
    """Two classes that overlap by 0.3 through one common token; data that obey Assumption 2."""
    return ss.single_common_task(2, 0.3, M)


@claim(
    "SNAP-8",
    where="Theorem 2, Lemma 4",
    says=(
        "In the reference dynamics every distinct token gains attention all the time, and a common token that is "
        "the only one loses it."
    ),
    control={"partly": True},
    breaks="not one common token but several, two of them six times as frequent in one class as in the other",
)
def _check_8(partly: bool = False) -> Result:
    task = ss.partly_common_task(6.0, 0.5, M=M) if partly else _single()
    path = reference_path(task)
    moves = np.diff(path.z[:, 0], axis=0)  # (times - 1, C)
    wrong = []
    for z, f in zip(path.z[::30], path.inputs[::30], strict=True):
        said = theory.fate_velocity(task.P, theory.decoder_inputs(task.P, z, task.query), task.query, task.M)
        gap = said - theory.logit_velocity(f, task.query, task.M)
        wrong.append(largest(gap[np.isfinite(gap)]))
    return result(
        Part("share of steps between records in which the common token falls", (moves[:, task.common] < 0).mean(), 1),
        Part("share of steps and distinct tokens that rise", (moves[:, task.distinct.any(axis=0)] > 0).mean(), 1),
        Part(
            "largest error of the theorem's speeds against Lemma 4, per unit of time",
            max(wrong),
            1e-12,
            kind="rounding",
        ),
        Part(
            "a training run with the modified gradient and slow attention: largest relative error",
            _trained(task),
            0.01,
            0,
            "at most",
        ),
    )


def _trained(task: ss.Task) -> float:
    """Logits of a training run with the modified gradient over those of the reference dynamics, less one."""
    scan = float(theory.transition_times(task.K, task.M, LR_Y)[0])
    steps = round(5 * scan)
    run = learn_replaced(task, optimiser=rates(LR_Y, _SLOW * LR_Y, optim.sgd), steps=steps)
    said = theory.reference_run(task.P, task.query, task.M, LR_Y, _SLOW * LR_Y, [steps]).z[-1]
    return largest(run.params.Z[0] / said - 1)


def _logits(task: ss.Task, joint: bool) -> tuple[Array, Array]:
    """Attention logits (times, 1, C) and growth exponents (times, K) of the reference dynamics.

    Where `joint`, the logits are those at the end of training both layers with the modified gradient.
    """
    path = reference_path(task)
    if not joint:
        return path.z, path.B
    run = learn_replaced(task, optimiser=rates(LR_Y, LR_Z, optim.sgd), steps=round(float(path.times[-1])))
    return run["Z"][0], path.B[[0, -1]]


@claim(
    "SNAP-9",
    where="Theorem 3",
    says=r"In the reference dynamics $1/\text{score}^2$ falls by the same amount for all distinct tokens of a class, "
    "so that the lead of one over another grows exactly as its own growth factor, which lies between two "
    "exponentials of $B$.",
    control={"joint": True},
    breaks="both layers are trained together, with the modified gradient: the decoder remembers what attention was",
)
def _check_9(joint: bool = False) -> Result:
    task = _single()
    z, B = _logits(task, joint)
    scores = theory.scores(task.P, z, task.query)
    lost = theory.inverse_square_loss(scores, task.P)
    own = [np.flatnonzero(row) for row in task.distinct]
    spread = max(np.ptp(lost[:, n, tokens], axis=-1).max() for n, tokens in enumerate(own))
    leader = task.leader
    chi = theory.growth_factor(z, z[0])[:, 0, leader]  # (times, K)
    start, found = theory.relative_gain(task.P, leader), theory.relative_gain(scores, leader)
    gains = []
    for n, tokens in enumerate(own):
        said = theory.predicted_gain(start[n, tokens[:-1]], chi[:, n, None])
        gains.append(largest(found[:, n, tokens[:-1]] / said - 1))
    lower, upper = theory.growth_bounds(start_inputs(task)[0, leader[0]], B[-1, 0])
    # With one distinct token a class f^2 = 1 - rho, and both bounds are near.
    alone = ss.single_common_task(2, 0.05, M, distinct=1)
    path, token = reference_path(alone, 2), alone.leader[0]
    bounds = np.log(theory.growth_bounds(start_inputs(alone)[0, token], path.B[-1, 0]))
    near = 2 * path.z[-1, 0, token] / bounds
    return result(
        Part("spread over a class's distinct tokens of what 1/score^2 lost", spread, 1e-6, kind="rounding"),
        Part("largest relative error of r = r(0) chi", max(gains), 1e-8, kind="rounding"),
        Part("growth factor chi of the leading token over its lower bound", chi[-1, 0] / lower, 1, 0, "at least"),
        Part("growth factor chi of the leading token over its upper bound", chi[-1, 0] / upper, 1, 0, "at most"),
        Part("one distinct token a class, overlap 0.05: ln chi over that of the lower bound", near[0], 1 / 0.95, 0.05),
        Part("the same: over that of the upper bound", near[1], 1, 0.05),
    )
