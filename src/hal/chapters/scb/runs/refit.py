"""After the rounding of Stage 3: fit the surviving attention weights once more, on their support alone.

Chapter `scb`, beyond the paper; the rounding is that of arXiv 2410.23438, Section 3.4.
"""

from collections.abc import Sequence

import numpy as np

from hal.chapters.scb.runs.transforms import within
from lib import optim
from lib.models import scb
from lib.sampling import generators
from lib.train import train


def refit(
    task: scb.Task,
    params: scb.Params,
    seeds: Sequence[int],
    *,
    lr: float = 0.02,
    batch: int = 64,
    steps: int = 300,
    keep: float = 0.25,
    restrict: bool = True,
) -> tuple[scb.Params, scb.Params]:
    """Round the attention, then train V and the kept entries without threshold; average the last two thirds.

    The threshold of Stage 2 takes a constant off every useful weight, which rounding does not repair.

    Args:
        task: one task, or R tasks.
        params: where Stage 2 ended; mirrored runs are flipped first.
        seeds: R seeds, other than those of the first stages.
        lr: base step of both layers.
        batch: samples a step.
        steps: number of steps.
        keep: entries below this fraction of the row's largest are set to 0.
        restrict: update the kept entries only; False updates all of them, as plain SGD does.

    Returns:
        (rounded, refitted): the parameters before and after, R runs each.

    Raises:
        InputError: if a row of the attention has no positive entry.
    """
    upright = scb.unmirror(params, task)
    rounded = scb.Params(scb.best_V(scb.round_attention(upright.A, keep), task), scb.round_attention(upright.A, keep))
    start = scb.Params(upright.V, rounded.A)
    inverse = 1 / task.mu
    optimiser = optim.per_field(
        V=optim.chain(optim.precondition(inverse[..., None, :]), optim.scale_by_learning_rate(lr / task.K_Q)),
        A=optim.chain(
            optim.precondition(inverse[..., :, None]),
            within(rounded.A > 0) if restrict else optim.project_affine(-1),
            optim.scale_by_learning_rate(lr / task.K_P),
        ),
    )
    at = np.arange(0, steps + 1, max(1, steps // 60))
    at[-1] = steps
    record = {"V": lambda p: p.V, "A": lambda p: p.A}
    run = train(scb.LinearTransformer(task), start, optimiser, steps, batch, generators(seeds, 5), record, at)
    late = at >= steps // 3
    return rounded, scb.Params(run["V"][:, late].mean(axis=1), run["A"][:, late].mean(axis=1))
