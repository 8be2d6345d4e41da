"""Claims SNAP-17, 18, 20: Syn-Small trained on sampled sequences, by gradient descent and by Adam.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 6.1, Figures 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lib import optim
from lib.chapters.scan_snap.runs.learning import rates
from lib.chapters.scan_snap.runs.small import entropy_by_length, syn_small
from lib.claims.base import Claim, Part, Result, result
from lib.models import scan_snap as ss

_SEEDS = range(10)
# Attention on the ten distinct tokens after 100 steps at lr_Y = 1 and 10, one seed: the authors' released logs.
_RELEASED = {
    1.0: (0.006, 0.012, 0.018, 0.026, 0.036, 0.049, 0.067, 0.093, 0.127, 0.181),
    10.0: (0.006, 0.013, 0.020, 0.027, 0.036, 0.045, 0.055, 0.068, 0.081, 0.100),
}


def _uninformative() -> ss.Task:
    """Syn-Small with one law for both classes, their mean: no token says anything about the next one."""
    task = ss.base_task()
    return ss.Task(np.broadcast_to(task.P.mean(axis=0), task.P.shape), task.query, task.M, task.L)


def _check_17(task: ss.Task | None = None) -> Result:
    parts = []
    for lr_Y, released in _RELEASED.items():
        run = syn_small(_SEEDS, rates(lr_Y), task=task)
        last = run.distinct[:, -1].mean(axis=(0, 1))
        up, down = (run.z_distinct[:, -1, :, 2:] > 0).mean(), (run.z_common[:, -1] < 0).mean()
        per_seed = np.diff(run.distinct[:, -1].mean(axis=1), axis=-1).min()
        p = np.array(released) / np.sum(released)
        rate = f"lr_Y = {lr_Y:g}"
        parts += [
            Part(f"{rate}: share of the 8 most frequent distinct tokens that rise", up, 0.97, 0, "at least"),
            Part(f"{rate}: share of common tokens that fall", down, 0.97, 0, "at least"),
            Part(f"{rate}: least rise of attention to the next more frequent token", per_seed, 0, 0, "at least"),
            Part(
                f"{rate}: attention on distinct tokens against the released log, largest difference",
                np.abs(last - released).max(),
                0.01,
                0,
                "at most",
            ),
            Part(f"{rate}: entropy, nats", run.entropy[:, -1].mean(), -(p * np.log(p)).sum(), 0.03),
        ]
    return result(*parts, seeds=_SEEDS)


def _check_18(lengths: tuple[int | None, ...] = (31, 127, 511, None)) -> Result:
    seeds = range(6)
    entropy = entropy_by_length(lengths, seeds).mean(axis=1)
    large = entropy_by_length(lengths[:1], range(2), batch=1024).mean()
    return result(
        Part(
            "least rise of the entropy from one length to the next, nats", np.diff(entropy).min(), 0.005, 0, "at least"
        ),
        Part(
            "entropy at infinite length over that at 31 tokens, difference, nats", entropy[-1] - entropy[0], 0.12, 0.03
        ),
        Part("entropy at 31 tokens with eight times the batch less that with 128, nats", large - entropy[0], 0, 0.02),
        seeds=seeds,
    )


def _check_20(make: Callable[[float], optim.Transform] = optim.adam) -> Result:
    parts = []
    for lr, low, high in ((0.1, 0, 3), (0.5, 4, 7), (1.0, 9, 9)):
        run = syn_small(_SEEDS, rates(lr, lr, make))
        first = np.median(run.distinct[:, -1].argmax(axis=-1))
        parts.append(
            Part(
                f"most attended distinct token at rate {lr:g} (0 rarest, 9 most frequent)",
                first,
                (low + high) / 2,
                (high - low) / 2,
            )
        )
    return result(*parts, seeds=_SEEDS)


CLAIMS = [
    Claim(
        "SNAP-17",
        "scan_snap",
        "Figure 4",
        "On Syn-Small attention leaves the common tokens and goes to distinct ones, the more the more frequent they "
        "are; a faster decoder ends denser.",
        _check_17,
        lambda: _check_17(_uninformative()),
        "both classes draw from the same law: no token is distinct",
    ),
    Claim(
        "SNAP-18",
        "scan_snap",
        "beyond the paper (it trains on one length)",
        "Shorter sequences end sparser, and this comes from the fluctuations inside a sequence: larger batches do not "
        "take it away.",
        _check_18,
        lambda: _check_18((None, None)),
        "every histogram is its expectation (infinite length for all)",
    ),
    Claim(
        "SNAP-20",
        "scan_snap",
        "Figure 5",
        "Under Adam the learning rate decides which distinct token gets most attention: a rare one at 0.1, a middle "
        "one at 0.5, the most frequent at 1.",
        _check_20,
        lambda: _check_20(optim.momentum),
        "momentum in place of Adam, the same rates: always the most frequent token",
    ),
]
