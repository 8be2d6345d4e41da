"""How large must the self-attention mask be? Flows and trained matrices from many masks, against a strong one.

Chapter `one_nn`. Source: arXiv 2411.10830 asks for sigma = Omega(poly(d)); the sweep is ours. The clock
of a size is the flow from the mask 20: when its loss is a half and a quarter of what it was at first.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import PchipInterpolator

from hal.chapters.one_nn.runs.training import learn
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records one_nn masks"
RECORD = path_of("one_nn", "masks")
STRONG, SHARES = 20.0, (0.5, 0.25)
MASKS = (-6.0, -4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0)
ALL = (STRONG, *MASKS)
DIMENSIONS, EXAMPLES = (4, 8, 16, 32), (4, 16, 64)
END, TOLERANCE = 2e5, 1e-4  # of the clock, and of a step of every flow
DRAWN, DRAWN_MASKS = ((4, 8), (8, 16)), (-4.0, -2.0, 0.0, 2.0, STRONG)
SEEDS, LR, BATCH, TESTS = range(9200, 9216), 2.0, 256, 4096


class Setting(NamedTuple):
    """A size, and how it is trained."""

    d: int  #: dimension
    N: int  #: examples
    drawn: bool  #: whether the whole matrix is trained on prompts; else the exact flow


GRID = (
    *(Setting(d, N, False) for d in DIMENSIONS for N in EXAMPLES),
    *(Setting(d, N, True) for d, N in DRAWN),
)


def clock(d: int, N: int) -> list[float]:
    """When the flow from the mask 20 has a half and a quarter of its first loss."""
    times = np.concatenate([[0.0], np.geomspace(1, END, 31)])
    loss = theory.flow(times, d, N, STRONG, tolerance=TOLERANCE).loss
    wanted = [np.log(share * loss[0]) for share in SHARES]
    return [float(np.exp(PchipInterpolator(-np.log(loss[1:]), np.log(times[1:]))(-one))) for one in wanted]


def flow_losses(d: int, N: int, times: Sequence[float], masks: Sequence[float] = ALL) -> Array:
    """Losses of the exact flow from each mask at these times, (masks, times)."""
    return np.array([theory.flow(np.asarray(times), d, N, mask, tolerance=TOLERANCE).loss for mask in masks])


def trained_losses(
    d: int, N: int, time: float, seeds: Sequence[int], masks: Sequence[float] = DRAWN_MASKS
) -> tuple[Array, int]:
    """Losses (masks, R) of whole matrices trained on fresh prompts up to a time, and how many diverged.

    The same seed has the same prompts at every mask. SGD at learning rate 2 on 256 prompts a step; losses are those on
    4,096 fresh prompts.
    """
    steps, each = round(time / LR), np.repeat(np.asarray(masks, float), len(seeds))
    run = learn(list(seeds) * len(masks), d=d, N=N, sigma=each, lr=LR, batch=BATCH, steps=steps, record_at=[0, steps])
    task = model.Task(d, N)
    fresh, W = model.sample_prompts(task, TESTS, generators(seeds, 3)), np.split(run.params.W, len(masks))
    losses = [model.loss_and_gradient(run.params._replace(W=one), fresh)[0] for one in W]
    return np.array(losses), int((run.diverged_at >= 0).sum())


def cell(setting: Setting, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """Times and losses: of the flow (masks, times), the strong mask first; of drawn prompts (masks, R), and lost."""
    times = clock(setting.d, setting.N)
    if not setting.drawn:
        losses = flow_losses(setting.d, setting.N, times)
        return {"times": [float(f"{t:.5g}") for t in times], "losses": np.round(losses, 6).tolist()}
    losses, lost = trained_losses(setting.d, setting.N, times[0], seeds)
    return {"times": [float(f"{times[0]:.5g}")], "losses": np.round(losses, 5).tolist(), "lost": lost}


def least_mask(losses: Array, within: float = 1.1, masks: Sequence[float] = MASKS) -> float:
    """The least mask from which on the loss is within a factor of that from the strong one.

    Args:
        losses: (1 + masks,), that of the strong mask first.
        within: the factor.
        masks: increasing.

    Returns:
        The mask, straight between logarithms of the loss; minus infinity if even the weakest is within, NaN if not
        even the last is.
    """
    excess = np.log(losses[1:] / losses[0]) - np.log(within)
    over = np.flatnonzero(excess > 0)
    if not over.size or over[-1] == len(masks) - 1:
        return float("nan") if over.size else float("-inf")
    k = int(over[-1])
    share = excess[k] / (excess[k] - excess[k + 1])
    return float(masks[k] + share * (masks[k + 1] - masks[k]))


def trained_ratio(row: Mapping[str, Any]) -> tuple[Array, Array, Array]:
    """Of trained matrices: loss over that of the strong mask on the same prompts, (masks,), and its 95% interval."""
    losses = np.array(row["losses"])
    over = losses / losses[-1]
    half = 2.131 * over.std(axis=1, ddof=1) / np.sqrt(over.shape[1])  # Student's t, 15 degrees of freedom
    return over.mean(axis=1), over.mean(axis=1) - half, over.mean(axis=1) + half


def recorded_masks(path: Path | str = RECORD) -> dict[Setting, dict[str, Any]]:
    """The record: what `cell` returned, by setting.

    Raises:
        InputError: if there is no record, or it lacks a setting.
    """
    rows = recorded_rows(path, "the recorded masks", COMMAND, [one._asdict() for one in GRID])
    return {Setting(*key): row for key, row in rows.items()}


def cost_without(found: Mapping[Setting, Mapping[str, Any]], share: int) -> tuple[list[Setting], Array]:
    """The sizes, and by which fraction the loss from the mask 0 is larger than that from the strong one, (sizes,).

    Args:
        found: of `recorded_masks`.
        share: which of `SHARES` names the time, from 0.
    """
    sizes, place = [one for one in found if not one.drawn], 1 + MASKS.index(0.0)
    losses = np.array([np.array(found[one]["losses"])[:, share] for one in sizes])
    return sizes, losses[:, place] / losses[:, 0] - 1


def fitted(found: Mapping[Setting, Mapping[str, Any]], share: int) -> dict[str, tuple[float, float, float]]:
    """Powers of d and of N in the cost of the mask 0, each with its 95% interval over sizes; see `cost_without`."""
    sizes, cost = cost_without(found, share)
    X = np.array([[1.0, np.log(one.d), np.log(one.N)] for one in sizes])
    b, rest, *_ = np.linalg.lstsq(X, np.log(cost), rcond=None)
    error = np.sqrt(np.diag(np.linalg.inv(X.T @ X)) * rest[0] / (len(cost) - 3))
    t = 2.262  # Student's, 9 degrees of freedom
    return {
        name: (float(b[k]), float(b[k] - t * error[k]), float(b[k] + t * error[k])) for k, name in ((1, "d"), (2, "N"))
    }
