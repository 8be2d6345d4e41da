"""Syn-Small trained as the paper does: which distinct tokens attention ends on, how entropy depends on length.

Chapter `scan_snap`. Two classes, ten common tokens, ten distinct tokens a class, 100 steps of momentum 0.9 or Adam on
batches of 128. Source: arXiv 2305.16380, Section 8, Figures 4 and 5; settings from the authors' released code.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import learn
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss

Array = NDArray[np.float64]


class Small(NamedTuple):
    """R runs at S recorded steps. Tokens of a class stand in the order of their frequency, the rarest first.

    Attention c_n is that of an infinitely long sequence, as in the paper, whatever the length trained on.
    """

    steps: NDArray[np.int64]  #: (S,)
    loss: Array  #: (R, S) nats, of the step's batch
    entropy: Array  #: (R, S) nats, of attention on distinct tokens renormalised, mean over classes; NaN if that is 0
    attention: Array  #: (R, S, K, C)
    distinct: Array  #: (R, S, K, D) attention on the D distinct tokens of each class
    common: Array  #: (R, S, K) attention on all common tokens together
    z_distinct: Array  #: (R, S, K, D) logits in nats, under the query of the class
    z_common: Array  #: (R, S, K, number of common tokens)


def syn_small(
    seeds: Sequence[int],
    optimiser: optim.Transform | None = None,
    L: int | None = 127,
    steps: int = 100,
    batch: int = 128,
    common: int = 10,
    record_at: Sequence[int] | None = None,
    task: ss.Task | None = None,
) -> Small:
    """Train Syn-Small from zero, one run a seed.

    Args:
        seeds: R seeds.
        optimiser: any; default `rates()`, momentum with rates 1 (the effective rate is ten times that).
        L: contextual tokens of a sequence; None for infinitely many, where seeds do not matter.
        steps: number of updates.
        batch: sequences a step.
        common: common tokens; 0 for none.
        record_at: increasing steps from 0 to `steps`; default these two.
        task: train on other data over the same tokens; `Small` still follows the tokens of Syn-Small.

    Returns:
        `Small`.

    Raises:
        InputError: if an argument is out of range, or `task` has other tokens or queries than Syn-Small.
        DivergedError: if a run diverges.

    Source: arXiv 2305.16380, Section 8, Figures 4 and 5.
    """
    base = ss.base_task(common=common, L=L)
    data = base if task is None else task
    require(data.P.shape == base.P.shape and data.Q == base.Q, "task", f"P of shape {base.P.shape}, 2 queries", data)
    at = [0, steps] if record_at is None else record_at
    run = learn(data, seeds, optimiser, steps, batch, record={"Z": lambda p: p.Z}, record_at=at).check()
    Z = run["Z"]  # (R, S, Q, C)
    flat = ss.Params(np.empty((0,)), Z.reshape(-1, *Z.shape[2:]))  # attention looks at Z alone
    c = ss.attention(flat, data).reshape(*Z.shape[:2], base.K, base.C)
    rows = Z[..., base.query, :]
    own, shared = np.nonzero(base.distinct)[1].reshape(base.K, -1), np.flatnonzero(base.common)
    classes = np.arange(base.K)[:, None]
    return Small(
        run.steps,
        run["loss"],
        ss.entropy_of(c, base),
        c,
        c[..., classes, own],
        c[..., shared].sum(axis=-1),
        rows[..., classes, own],
        rows[..., shared],
    )


def entropy_by_length(lengths: Sequence[int | None], seeds: Sequence[int], batch: int = 128, common: int = 10) -> Array:
    """Final entropy (lengths, R) in nats of Syn-Small at rates 1 for each number of contextual tokens; None: infinite.

    Raises:
        InputError: if a length is below 1.

    Source: beyond the paper, which trains on one length.
    """
    return np.stack([syn_small(seeds, L=L, batch=batch, common=common).entropy[:, -1] for L in lengths])


def entropy_by_common(numbers: Sequence[int]) -> tuple[Array, Array]:
    """Infinitely long Syn-Small with each number of common tokens, rates 1.

    Returns:
        Final entropy in nats and the largest |logit| that attention reached, each (numbers,).

    Raises:
        InputError: if a number is negative.

    Source: beyond the paper.
    """
    runs = [syn_small([0], L=None, common=n) for n in numbers]
    size = [max(np.abs(run.z_distinct).max(), np.abs(run.z_common).max(initial=0.0)) for run in runs]
    return np.array([run.entropy[0, -1] for run in runs]), np.array(size)
