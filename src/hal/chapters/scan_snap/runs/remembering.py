"""Theorem 3's relative gain in a joint run, and how weight decay of the decoder brings it back.

Chapter `scan_snap`. The theorem needs decoder rows in proportion to the attention of the moment, but a trained decoder
sums up the attention of all times; weight decay makes it forget. Source: arXiv 2305.16380, Theorem 3; decay: beyond
the paper.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import rates
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory
from lib.train import record_points, train

Array = NDArray[np.float64]


class Memory(NamedTuple):
    """Distinct tokens of class 0 on infinitely long sequences, rarest first; the last one leads."""

    steps: NDArray[np.int64]  #: (S,)
    chi: Array  #: (S,) growth factor exp(2 z) of the leading token
    gain: Array  #: (S, D - 1) relative gain of the leader over each other token, measured over r(0) chi of Theorem 3
    z: Array  #: (S, D) logits in nats
    per_square: Array  #: (S, D) z / P(l | n)^2, which is the same for all tokens where the decoder forgets nothing


def memory(
    optimiser: optim.Transform | None = None,
    decay: float = 0.0,
    steps: int = 100,
    task: ss.Task | None = None,
    count: int = 120,
) -> Memory:
    """Train from zero and compare with Theorem 3 at each recorded step.

    Args:
        optimiser: what follows the decay; default `rates()`, momentum with rates 1 (a memory of its own, of ten steps).
        decay: weight decay of the decoder: its gradient is that of loss + decay |Y|^2 / 2.
        steps: number of updates.
        task: default Syn-Small; only its law counts.
        count: about how many steps to record.

    Returns:
        `Memory`.

    Raises:
        InputError: if the decay is negative or not finite.
        DivergedError: if the run diverges.

    Source: arXiv 2305.16380, Theorem 3.
    """
    data = ss.base_task(L=None) if task is None else replace(task, L=None)
    decayed = optim.per_field(Y=optim.add_decayed_weights(decay), Z=optim.identity())
    own, query = np.flatnonzero(data.distinct[0]), data.query[0]
    run = train(
        ss.Transformer(data),
        ss.zero_start(data),
        optim.chain(decayed, rates() if optimiser is None else optimiser),
        steps,
        None,
        None,
        {"z": lambda params: params.Z[:, query, own]},
        record_points(steps, count),
    ).check()
    z, P = run["z"][0], data.P[0, own]
    leader = np.array([len(own) - 1])
    start = theory.relative_gain(P[None], leader)[0]
    now = theory.relative_gain((P * np.exp(z))[:, None], leader)[:, 0]
    chi = theory.growth_factor(z[:, -1], 0.0)
    promised = theory.predicted_gain(start[None, :-1], chi[:, None])
    return Memory(run.steps, chi, now[:, :-1] / promised, z, z / P**2)


def remembered_gain(P: Array, chi: Array) -> Array:
    """The same ratio where nothing is forgotten and logits are proportional to P^2: a function of chi alone.

    With u = P_l / P_leader, z_l = u^2 ln(chi) / 2, so that the measured gain is chi^(1 - u^2) / u^2 - 1.

    Args:
        P: frequencies (D,) of a class's distinct tokens, the last one leading.
        chi: growth factor (S,) of the leader.

    Returns:
        (S, D - 1).

    Source: beyond the paper.
    """
    u2 = (P[:-1] / P[-1]) ** 2
    grown = np.asarray(chi)[:, None]
    return (grown ** (1 - u2) / u2 - 1) / ((1 / u2 - 1) * grown)
