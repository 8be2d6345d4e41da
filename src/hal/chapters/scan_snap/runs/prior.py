"""Initial logits as a prior: how far ahead must a rarer distinct token begin in order to win?

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 5 ("initial value as prior information"), stated there for the
reference dynamics. Beyond the paper: joint training has the same threshold.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.dynamics import flow
from hal.chapters.scan_snap.runs.learning import rates
from lib.errors import require
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import train

TOKENS = 10  # distinct ones of class A, after ten common ones


def favoured(
    rank: int, ahead: float, known: float = 0.0, runs: int = 1, L: int | None = None
) -> tuple[ss.Task, int, ss.Params]:
    """Syn-Small, a rarer distinct token of class A, and a start in which that token's logit is `ahead`.

    Args:
        rank: of the token among its class's ten, 0 the rarest, at most 8.
        ahead: its initial logit in nats; all others are 0.
        known: what the decoder knows of the most frequent token at the start, a logit in nats; all other rows are 0.
        runs: how many runs start so.
        L: contextual tokens of a sequence, or None for infinitely many.

    Raises:
        InputError: if the rank is out of range.
    """
    require(0 <= rank < TOKENS - 1, "rank", f"0 .. {TOKENS - 2}", rank)
    task = ss.base_task(L=L)
    token = int(task.leader[0]) - (TOKENS - 1) + rank
    start = ss.zero_start(task, runs)
    start.Z[:, 0, token] = ahead
    start.Y[:, task.leader[0], 0] = known
    return task, token, start


def threshold(rank: int, time: float = 1000.0, known: float = 0.0) -> float:
    """Initial logit (nats) at which the token of this rank ends level with the most frequent one, by the joint flow.

    Args:
        rank: see `favoured`.
        time: of the comparison, in steps at rates 1; positive.
        known: see `favoured`.

    Raises:
        InputError: if an argument is out of range.
    """
    low, high = 0.0, 5.0
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (low, middle) if end_ratio(rank, middle, time, known) > 1 else (middle, high)
    return (low + high) / 2


def end_ratio(rank: int, ahead: float, time: float = 1000.0, known: float = 0.0) -> float:
    """Attention on the favoured token over attention on the most frequent one at `time`, by the joint flow.

    Arguments as for `threshold`; `ahead` as for `favoured`.
    """
    task, token, start = favoured(rank, ahead, known)
    c = ss.attention(flow(task, 1.0, 1.0, [time], start=start).params, task)[-1, 0]
    return float(c[token] / c[task.leader[0]])


def wins(rank: int, ahead: float, seeds: Sequence[int]) -> NDArray[np.bool_]:
    """(S,) whether the favoured token ends ahead in training: 127 tokens, momentum 0.9, rates 1, 100 steps.

    Arguments as for `favoured`.
    """
    task, token, start = favoured(rank, ahead, runs=len(seeds), L=127)
    run = train(ss.Transformer(task), start, rates(), 100, 128, generators(seeds))
    c = ss.attention(run.params, task)[:, 0]
    return np.asarray(c[:, token] > c[:, task.leader[0]])
