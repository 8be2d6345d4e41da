"""Claims LTB-30, LTB-38 and LTB-39: which random starts of the block reach the best step.

Chapter `linear_block`. Source: ours; arXiv 2402.14951 leaves it open.
"""

from collections.abc import Iterator

import numpy as np

from hal.chapters.linear_block.claims.training import least_curvature
from hal.chapters.linear_block.runs import fall, recorded_starts, train_on_all
from hal.chapters.linear_block.runs.starts import SEEDS, STARTS, task_of
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory

_TASKS, _STARTS, _STEPS = 3, 12, 3000


def _tasks(rng: np.random.Generator, low: float, high: float) -> Iterator[lb.Task]:
    """Three random tasks of d = 3 whose trap has a criterion between the bounds."""
    found = 0
    while found < _TASKS:
        M, sigma = int(rng.integers(3, 40)), float(10 ** rng.uniform(-1, 0.5))
        norm, decay = float(rng.uniform(0.3, 3)), float(rng.uniform(0, 2))
        task = lb.power_task(3, M, sigma, norm, decay)
        if low < theory.trap_criterion(task) < high:
            found += 1
            yield task


def _ends(tasks: Iterator[lb.Task], seeds: range, start: str) -> tuple[float, float]:
    """Shares of the starts that end at the best risk, and in the trap, over the tasks."""
    best, caught = [], []
    for task in tasks:
        risk = train_on_all(task, seeds, fall(0.02, _STEPS), _STEPS, start=start)["risk"][:, -1]
        least = theory.best_risk(task)
        place = (risk - least) / (theory.trap_risk(task) - least)  # 0 at the best risk, 1 in the trap
        best.append(np.mean(np.abs(place) < 0.02))
        caught.append(np.mean(np.abs(place - 1) < 0.02))
    return float(np.mean(best)), float(np.mean(caught))


@claim(
    "LTB-30",
    where="beyond the paper: which starts reach the best step",
    says=(
        "The criterion of the trap tells tasks apart: where it is below 0.6 all random starts but 2 of 36 at most "
        "reach the best risk in 3000 steps of Adam; where it is above 1.05 some end in the trap, and the others, but 3 "
        "of 36 at most, at the best risk (d = 3)."
    ),
    control={"start": "near identity"},
    breaks="starts near identity, with the label on the value side",
)
def _check_30(start: str = "generic", block: int = 0) -> Result:
    seeds = seed_block(block, _STARTS)
    rng = generators(seeds[:1], 1)[0]
    saddle = _ends(_tasks(rng, 0.0, 0.6), seeds, start)
    trap = _ends(_tasks(rng, 1.05, 3.0), seeds, start)
    one = 1 / (_TASKS * _STARTS)  # share of one start
    return result(
        Part("share at the best risk, criterion below 0.6", saddle[0], 1.0, 2.5 * one, drift=1.5 * one),
        Part("share in the trap, criterion above 1.05", trap[1], 0.05, 0, "at least", drift=3.5 * one),
        Part("share in the trap or at the best risk, criterion above 1.05", sum(trap), 1.0, 3.5 * one, drift=3.5 * one),
        seeds=seeds,
    )


@claim(
    "LTB-38",
    where="beyond the paper: which starts reach the best step; recorded runs",
    says=(
        "On a grid of tasks of two, four and eight features more than a fifth of the random starts with entries of 0.1 "
        "or 0.3 end in the trap where its criterion is above 1, and none where it is below; where it is below 0.45 all "
        "reach the best risk."
    ),
    control={"kind": "near identity"},
    breaks="starts near identity, with the label on the value side",
)
def _check_38(kind: str = "generic") -> Result:
    small = [i for i, (one, scale) in enumerate(STARTS) if one == kind and scale < 0.5]
    found = recorded_starts()

    def share(low: float, high: float, end: str) -> float:
        settings = [setting for setting in found if low < theory.trap_criterion(task_of(setting)) < high]
        counts = [found[setting][end][i] for setting in settings for i in small]
        return sum(counts) / (SEEDS * len(counts))

    return result(
        Part("share in the trap, criterion above 1", share(1.0, np.inf, "trap"), 0.2, 0, "at least"),
        Part("share in the trap, criterion below 1", share(0.0, 1.0, "trap"), 0.0, 0),
        Part("share at the best risk, criterion below 0.45", share(0.0, 0.45, "best"), 1.0, 0),
        seeds=range(SEEDS),
    )


@claim(
    "LTB-39",
    where="beyond the paper: which starts reach the best step",
    says=(
        "The criterion tells only of the trap: where it is a saddle there can be another local minimum, with labels in "
        "keys and values. At two features with a criterion of 0.58, and at four with 0.72, some of 24 random starts "
        "end in it, at least 3 in every block of seeds."
    ),
    control={"falling": False},
    breaks="features of one variance",
)
def _check_39(falling: bool = True, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 24), []
    for d, M, decay, criterion in ((2, 16, 1.0, 0.58), (4, 24, 1.7, 0.72)):
        task = lb.power_task(d, M, 1.0, 0.5, decay * falling)
        run = train_on_all(task, seeds, fall(0.02, 5000), 5000)
        blocks = theory.Effective(*lb.effective_of(run.params))
        risk, least = run["risk"][:, -1], theory.best_risk(task)
        place = (risk - least) / (theory.trap_risk(task) - least)  # 0 at the best risk, 1 in the trap
        there = np.flatnonzero((place > 0.02) & (place < 0.99))
        ends = [least_curvature(task, theory.Effective(*(np.asarray(x[r]) for x in blocks))) for r in there]
        size = np.ptp(risk[there]) if len(there) else np.nan
        steepest, flattest = (fold((end[i] for end in ends), default=np.nan) for i, fold in ((0, max), (1, min)))
        parts += [
            Part(f"criterion of the trap, d = {d}", theory.trap_criterion(task), criterion, 0.01),
            Part(f"random starts of 24 between best risk and trap, d = {d}", len(there), 3, 0, "at least", drift=3),
            Part(f"largest difference of their risks, d = {d}", size, 1e-6, kind="rounding"),
            Part(f"largest slope of the risk there, d = {d}", steepest, 1e-6, kind="rounding"),
            Part(f"least curvature there, d = {d}", flattest, 0.0, 1e-6, "at least", drift=1e-6),
        ]
    return result(*parts, seeds=seeds)
