"""Syn-Small trained as the paper does: which distinct tokens attention ends on, and what its decoder remembers.

Chapter `scan_snap`. Two classes, ten common tokens, ten distinct tokens a class, 100 steps of momentum 0.9 or Adam on
batches of 128. Logits are in nats. Source: arXiv 2305.16380, Section 8, Figures 4 and 5; settings from the authors'
released code. A run that diverges raises a `DivergedError`.

Theorem 3 needs decoder rows in proportion to the attention of the moment, but a trained decoder sums up the attention
of all times; weight decay, which is beyond the paper, makes it forget.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import learn, rates
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory
from lib.train import record_points, train

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
    z_distinct: Array  #: (R, S, K, D) logits under the query of the class
    z_common: Array  #: (R, S, K, number of common tokens)


def syn_small(
    seeds: Sequence[int],
    optimiser: optim.Transform | None = None,
    L: int | None = 127,
    steps: int = 100,
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
        common: common tokens; 0 for none.
        record_at: increasing steps from 0 to `steps`; default these two.
        task: train on other data over the same tokens and queries; `Small` still follows the tokens of Syn-Small.
    """
    base = ss.base_task(common=common, L=L)
    data = base if task is None else task
    require(data.P.shape == base.P.shape and data.Q == base.Q, "task", f"P of shape {base.P.shape}, 2 queries", data)
    at = [0, steps] if record_at is None else record_at
    run = learn(data, seeds, optimiser, steps, record={"Z": lambda p: p.Z}, record_at=at).check()
    Z = run["Z"]  # (R, S, Q, C)
    flat = ss.Params(np.empty((0,)), Z.reshape(-1, *Z.shape[2:]))  # attention looks at Z alone
    c = ss.attention(flat, data).reshape(*Z.shape[:2], base.K, base.C)
    rows = Z[..., base.query, :]
    own, shared = np.nonzero(base.distinct)[1].reshape(base.K, -1), np.flatnonzero(base.common)
    classes = np.arange(base.K)[:, None]
    on_common, entropy = c[..., shared].sum(axis=-1), ss.entropy_of(c, base)
    return Small(
        run.steps, run["loss"], entropy, c, c[..., classes, own], on_common, rows[..., classes, own], rows[..., shared]
    )


class Memory(NamedTuple):
    """Distinct tokens of class 0 on infinitely long sequences, rarest first; the last one leads."""

    steps: NDArray[np.int64]  #: (S,)
    chi: Array  #: (S,) growth factor exp(2 z) of the leading token
    gain: Array  #: (S, D - 1) relative gain of the leader over each other token, measured over r(0) chi of Theorem 3


def memory(optimiser: optim.Transform | None = None, decay: float = 0.0, steps: int = 100, count: int = 120) -> Memory:
    """Train Syn-Small from zero and compare relative gains with Theorem 3 at about `count` recorded steps.

    Args:
        optimiser: what follows the decay; default `rates()`, momentum with rates 1 (a memory of its own, of ten steps).
        decay: weight decay of the decoder: its gradient is that of loss + decay |Y|^2 / 2.
        steps: number of updates.
        count: see above.
    """
    data = ss.base_task(L=None)
    decayed = optim.per_field(Y=optim.add_decayed_weights(decay), Z=optim.identity())
    own, query = np.flatnonzero(data.distinct[0]), data.query[0]
    rule = optim.chain(decayed, rates() if optimiser is None else optimiser)
    record = {"z": lambda params: params.Z[:, query, own]}
    at = record_points(steps, count)
    run = train(ss.Transformer(data), ss.zero_start(data), rule, steps, None, None, record, at).check()
    z, P = run["z"][0], data.P[0, own]
    leader = np.array([len(own) - 1])
    start = theory.relative_gain(P[None], leader)[0]
    now = theory.relative_gain((P * np.exp(z))[:, None], leader)[:, 0]
    chi = theory.growth_factor(z[:, -1], 0.0)
    return Memory(run.steps, chi, now[:, :-1] / theory.predicted_gain(start[None, :-1], chi[:, None]))
