"""Claims SNAP-17, 18, 20: Syn-Small trained on sampled sequences, by gradient descent and by Adam.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8, Figures 4 and 5.
"""

from collections.abc import Callable

import numpy as np

from hal.chapters.scan_snap.runs.learning import rates
from hal.chapters.scan_snap.runs.small import entropy_by_length, syn_small
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss

_RUNS = 10
# Attention on the ten distinct tokens after 100 steps at lr_Y = 1 and 10, one seed: the authors' released logs.
_RELEASED = {
    1.0: (0.006, 0.012, 0.018, 0.026, 0.036, 0.049, 0.067, 0.093, 0.127, 0.181),
    10.0: (0.006, 0.013, 0.020, 0.027, 0.036, 0.045, 0.055, 0.068, 0.081, 0.100),
}


def _uninformative() -> ss.Task:
    """Syn-Small with one law for both classes, their mean: no token says anything about the next one."""
    task = ss.base_task()
    return ss.Task(np.broadcast_to(task.P.mean(axis=0), task.P.shape), task.query, task.M, task.L)


@claim(
    "SNAP-17",
    where="Figure 4",
    says=(
        "On Syn-Small attention leaves the common tokens and goes to distinct ones, the more the more frequent they "
        "are; a faster decoder ends denser."
    ),
    control={"informative": False},
    breaks="both classes draw from the same law: no token is distinct",
)
def _check_17(informative: bool = True, block: int = 0) -> Result:
    """Medians over runs, as now and then one ends far sparser than the others."""
    parts, seeds = [], seed_block(block, _RUNS)
    task = None if informative else _uninformative()
    for lr_Y, released in _RELEASED.items():
        run = syn_small(seeds, rates(lr_Y), task=task)
        last = run.distinct[:, -1].mean(axis=1)  # (R, D)
        p = np.array(released) / np.sum(released)
        rate = f"lr_Y = {lr_Y:g}"
        parts += [
            Part(
                f"{rate}: share of the 8 most frequent distinct tokens that rise",
                (run.z_distinct[:, -1, :, 2:] > 0).mean(),
                0.97,
                0,
                "at least",
            ),
            Part(f"{rate}: share of common tokens that fall", (run.z_common[:, -1] < 0).mean(), 0.97, 0, "at least"),
            Part(
                f"{rate}: least rise of attention to the next more frequent token",
                np.median(np.diff(last).min(axis=-1)),
                0,
                0,
                "at least",
            ),
            *(
                Part(f"{rate}: attention on the {word} distinct token over the released log", share, 1, room)
                for word, share, room in zip(
                    ("rarest", "most frequent"), np.median(last / released, axis=0)[[0, -1]], (0.15, 0.1), strict=True
                )
            ),
            Part(f"{rate}: entropy, nats", np.median(run.entropy[:, -1]), -(p * np.log(p)).sum(), 0.025),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "SNAP-18",
    where="beyond the paper (it trains on one length)",
    says=(
        "Shorter sequences end sparser, and this comes from the fluctuations inside a sequence: what the entropy lacks "
        "falls like one over the length, and larger batches do not take it away."
    ),
    control={"lengths": (None, None, None)},
    breaks="every histogram is its expectation (infinite length for all)",
)
def _check_18(lengths: tuple[int | None, ...] = (31, 127, 511), block: int = 0) -> Result:
    seeds, large = seed_block(block, 6), 512
    endless = entropy_by_length([None], seeds[:1])[0, 0]
    lack = endless - entropy_by_length(lengths, seeds, batch=large).mean(axis=1)
    few = endless - entropy_by_length(lengths[:1], seeds).mean()
    with np.errstate(all="ignore"):
        power, batches = np.log(lack[1] / lack[2]) / np.log(511 / 127), lack[0] / few
    return result(
        Part("entropy at infinite length less that at 31 tokens, nats, recorded", lack[0], 0.125, 0.02),
        Part("power of the length that divides this, 127 to 511 tokens", power, 1, 0.25),
        Part("at 31 tokens: the same at batch 512 over that at batch 128 (noise of batches: 1/4)", batches, 1, 0.25),
        seeds=seeds,
    )


@claim(
    "SNAP-20",
    where="Figure 5",
    says=(
        "Under Adam the learning rate decides which distinct token gets most attention: a rare one at 0.1, a middle "
        "one at 0.5, the most frequent at 1."
    ),
    control={"make": optim.momentum},
    breaks="momentum in place of Adam, the same rates: always the most frequent token",
)
def _check_20(make: Callable[[float], optim.Transform] = optim.adam, block: int = 0) -> Result:
    parts, seeds = [], seed_block(block, _RUNS)
    for lr, low, high in ((0.1, None, 3), (0.5, 4, 7), (1.0, 9, 9)):
        run = syn_small(seeds, rates(lr, lr, make))
        first = np.median(run.distinct[:, -1].argmax(axis=-1))
        name = f"most attended distinct token at rate {lr:g} (0 rarest, 9 most frequent)"
        near = (high, 0.0, "at most") if low is None else ((low + high) / 2, (high - low) / 2, "absolute")
        parts.append(Part(name, first, *near))
    return result(*parts, seeds=seeds)
