"""Claims LTB-23 to LTB-26, LTB-30, LTB-38 and LTB-39: training the block itself, its plateau, its traps, its starts.

Chapter `linear_block`. Source: ours; arXiv 2402.14951 leaves it open.
"""

from collections.abc import Iterator

import numpy as np

from hal.chapters.linear_block.claims.optimum import TASK
from hal.chapters.linear_block.runs import TRAPPING, fall, recorded_starts, train_on_all, train_on_prompts
from hal.chapters.linear_block.runs.starts import SEEDS, STARTS, Setting, ends_of_starts, place_of, task_of
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory

_TASKS, _STARTS, _STEPS = 3, 12, 3000
_AGAIN = Setting(d=2, M=4, decay=2.0, norm=0.5)  # a task of the record, with both ends


def _least_curvature(task: lb.Task, block: theory.Effective) -> tuple[float, float]:
    """Largest entry of the risk's gradient at one block, and its least curvature."""
    d, h = task.d, 1e-5
    ends = np.cumsum([d, d, 1, d * d])
    flat = np.concatenate([np.ravel(x) for x in block])

    def slopes(points: np.ndarray) -> np.ndarray:
        alpha, v, c, Q, q = np.split(points, ends, axis=1)
        moved = theory.Effective(alpha, v, c[:, 0], Q.reshape(-1, d, d), q)
        gradient = theory.block_risk_and_gradient(task, moved)[1]
        return np.concatenate([x.reshape(len(points), -1) for x in gradient], axis=1)

    hessian = (slopes(flat + h * np.eye(len(flat))) - slopes(flat - h * np.eye(len(flat)))) / (2 * h)
    return float(np.abs(slopes(flat[None])).max()), float(np.linalg.eigvalsh((hessian + hessian.T) / 2)[0])


@claim(
    "LTB-23",
    where="beyond the paper",
    says=(
        "A block with labels in its keys is a critical point of the risk, worse than the best; a criterion in closed "
        "form says whether it is a local minimum or a saddle."
    ),
    control={"which": 1},
    breaks="the step of rank one along the second direction, not the first",
)
def _check_23(which: int = 0, block: int = 0) -> Result:
    seeds, slopes, said, found = seed_block(block, 60), 0.0, [], []
    for rng in generators(seeds, 1):
        sigma = float(10 ** rng.uniform(-1.5, 0.5))
        task = lb.random_task(rng, d=int(rng.integers(2, 5)), M=int(rng.integers(2, 60)), sigma=sigma)
        criterion = theory.trap_criterion(task)
        if abs(criterion - 1) > 0.02:
            steepest, curvature = _least_curvature(task, theory.trap_block(task, which))
            slopes = max(slopes, steepest)
            said.append(criterion > 1)
            found.append(curvature > -1e-6)
    return result(
        Part("largest slope at the critical points", slopes, 1e-9, kind="rounding"),
        Part("share of tasks where criterion and curvature agree", float(np.mean(np.equal(said, found))), 1.0, 0),
        Part("share of them with a local minimum", float(np.mean(found)), 0.1, 0, "at least", drift=0.05),
        seeds=seeds,
    )


@claim(
    "LTB-24",
    where="the figure of the paper's public version: block and attention along training; its setting is unknown",
    says=(
        "On drawn prompts the block ends within half a per cent of the best risk, and attention without the MLP of the "
        "best attention's (d = 5, M = 20, batch 256, 3000 steps)."
    ),
    control={"swapped": True},
    breaks="the block loses its MLP, and attention gets one",
)
def _check_24(swapped: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 1)
    ends = [train_on_prompts(TASK, seeds, mlp=mlp != swapped)["risk"][0, -1] for mlp in (True, False)]
    return result(
        Part("risk of the block at the end", ends[0], theory.best_risk(TASK), 0.005, "relative", drift=0.005),
        Part("risk of attention at the end", ends[1], theory.best_attention(TASK).risk, 0.005, "relative", drift=0.005),
        seeds=seeds,
    )


@claim(
    "LTB-25",
    where="beyond the paper",
    says=(
        "From small matrices training goes down a stair: first the MLP learns the prior mean and the risk stays at "
        "$\\tau$, then attention learns to read (gradient descent at rate 0.01 from entries of 0.05)."
    ),
    control={"scale": 0.3},
    breaks="matrices six times as large",
)
def _check_25(scale: float = 0.05, block: int = 0) -> Result:
    seeds = seed_block(block, 16)
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=1.0)
    run = train_on_all(task, seeds, optim.sgd(0.01), 4000, record_at=[0, 500, 4000], scale=scale)
    tau = theory.label_variance(task)
    middle = np.median(run["risk"][:, 1])
    return result(
        Part("risk at the start", run["risk"][:, 0].mean(), tau + 1.0, 0.05, drift=0.01),
        Part("median risk at step 500", middle, tau, 0.02 * tau, drift=0.05),
        Part("median risk at step 4000", np.median(run["risk"][:, 2]), theory.best_risk(task), 0.02, drift=0.02),
        seeds=seeds,
    )


@claim(
    "LTB-26",
    where="beyond the paper",
    says=(
        "On a task with a trap some random starts end in it (of 24, at least 3 in every block of seeds); starts near "
        "identity, with the label on the value side, all reach the best risk."
    ),
    control={"isotropic": True},
    breaks="features of one variance, less noise: the trap is a saddle",
)
def _check_26(isotropic: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 24)
    task = lb.power_task(d=3, M=20, sigma=0.5, norm=1.0) if isotropic else TRAPPING
    generic, near = (
        train_on_all(task, seeds, fall(0.02, 3000), 3000, start=start)["risk"][:, -1]
        for start in ("generic", "near identity")
    )
    best, trap = theory.best_risk(task), theory.trap_risk(task)
    caught = generic[np.abs(generic / trap - 1) < 0.01]
    return result(
        Part("random starts of 24 in the trap", len(caught), 3, 0, "at least", drift=3),
        Part("their median risk", np.median(caught) if len(caught) else np.nan, trap, 0.002 * trap),
        Part("largest risk from near identity", near.max(), best, 0.005 * best),
        seeds=seeds,
    )


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
        place = place_of(task, risk)
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

    again, known = ends_of_starts(_AGAIN, range(SEEDS)), found[_AGAIN]
    off = max(abs(again[end][i] - known[end][i]) for end in known for i in range(len(STARTS)))
    return result(
        # a start on the watershed may fall either way
        Part("largest difference from the record of a task trained again, of 24 starts", off, 2, 0, "at most", drift=2),
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
        risk = run["risk"][:, -1]
        place = place_of(task, risk)
        there = np.flatnonzero((place > 0.02) & (place < 0.99))
        ends = [_least_curvature(task, theory.Effective(*(np.asarray(x[r]) for x in blocks))) for r in there]
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
