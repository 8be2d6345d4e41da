"""Claims LTB-23 to LTB-26: training the block itself, its plateau, its trap.

Chapter `linear_block`. Source: ours; arXiv 2402.14951 leaves it open.
"""

from functools import cache

import numpy as np

from hal.chapters.linear_block.claims.optimum import TASK
from hal.chapters.linear_block.models.one_step import random_task
from hal.chapters.linear_block.runs import TRAPPING, fall, fast_population, train_on_all, train_on_prompts
from hal.chapters.linear_block.theory.attention import best_attention
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block.textbook import RECORDS, Settings
from lib.sampling import generators
from lib.theory import linear_block as theory


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
        task = random_task(rng, d=int(rng.integers(2, 5)), M=int(rng.integers(2, 60)), sigma=sigma)
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
        Part("risk of attention at the end", ends[1], best_attention(TASK).risk, 0.005, "relative", drift=0.005),
        seeds=seeds,
    )


@cache
def _wait(scale: float) -> float:
    """Median steps of ten runs until examples are half used, by gradient descent from entries of this size."""
    steps = round(1.6 / scale**2)
    settings = Settings(scale=scale, lr=0.03, adam=0, steps=steps)
    used = fast_population(settings, range(10))["examples"] > 50
    return float(np.median(np.where(used.any(axis=1), np.argmax(used, axis=1) * steps / RECORDS, np.inf)))


@claim(
    "LTB-25",
    where="beyond the paper",
    says=(
        "From small matrices training goes down a stair: first the MLP learns the prior mean and the risk stays at "
        "$\\tau$, then attention learns to read (gradient descent at rate 0.01 from entries of 0.05). The wait for it "
        "grows about like the inverse square of the entries: from 0.01 it is 3 to 4 times that from 0.02 (d = 3)."
    ),
    control={"scale": 0.3},
    breaks="matrices six times as large",
)
def _check_25(scale: float = 0.05, block: int = 0) -> Result:
    seeds = seed_block(block, 16)
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=1.0)
    run = train_on_all(task, seeds, optim.sgd(0.01), 4000, record_at=[0, 500, 4000], scale=scale)
    tau = theory.label_variance(task)
    middle, longer = np.median(run["risk"][:, 1]), _wait(0.01) / _wait(0.02)
    return result(
        Part("risk at the start", run["risk"][:, 0].mean(), tau + 1.0, 0.05, drift=0.01),
        Part("median risk at step 500", middle, tau, 0.02 * tau, drift=0.05),
        Part("median risk at step 4000", np.median(run["risk"][:, 2]), theory.best_risk(task), 0.02, drift=0.02),
        Part("median wait from entries of 0.01, over that of 0.02", longer, 3.5, 0.5),
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
