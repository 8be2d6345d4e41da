"""Claims LTB-17 to LTB-20: the flow of one learned step.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 6.3 and Lemma G.2; the curvature bound is ours.
"""

import numpy as np

from hal.chapters.linear_block.models.one_step import Step, random_task
from hal.chapters.linear_block.runs import PopulationStep
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import flow


@claim(
    "LTB-17",
    where="Lemma G.2",
    says="The slopes of the flow are minus the derivatives of the risk.",
    control={"turned": True},
    breaks="the step matrix transposed",
)
def _check_17(turned: bool = False, block: int = 0) -> Result:
    seeds, worst = seed_block(block, 10), 0.0
    for rng in generators(seeds, 1):
        task, beta, Gamma = random_task(rng), rng.standard_normal(4), rng.standard_normal((4, 4))
        slopes = theory.flow_slopes(task, beta, Gamma.T if turned else Gamma)
        for way in (rng.standard_normal(4), np.zeros((4, 4))), (np.zeros(4), rng.standard_normal((4, 4))):

            def moved(s: float, way: tuple = way, here: tuple = (task, beta, Gamma)) -> float:
                return float(theory.step_risk(here[0], here[1] + s * way[0], here[2] + s * way[1]))

            # the risk is a quartic: two central differences give its slope but for rounding
            one, two = ((moved(h) - moved(-h)) / (2 * h) for h in (0.25, 0.5))
            slope = (4 * one - two) / 3
            known = -np.sum(slopes[0] * way[0]) - np.sum(slopes[1] * way[1])
            worst = max(worst, abs(slope - known) / (1 + abs(slope)))
    return result(Part("largest difference, over 1 + the slope", worst, 1e-9, kind="rounding"), seeds=seeds)


@claim(
    "LTB-18",
    where="Theorem 6.3; the rate is ours",
    says=(
        "From any start the flow of start and step goes to $P\\beta^* + (1-P)\\beta(0)$ and "
        "$P\\Gamma^*P + \\Gamma(0) - P\\Gamma(0)P$, where $P$ projects onto the image of $H$, and is 1 if $H$ is "
        "invertible. The squared distance of $P\\beta$ from $P\\beta^*$ falls at least as fast as "
        "$e^{-8\\lambda t/(M+2)}$, with the least eigenvalue $\\lambda$ of $H$ above zero (d = 3, M = 7, four starts; "
        "$H$ of rank 3 and of rank 2)."
    ),
    control={"rate": 0.0},
    breaks="the start is not learned",
)
def _check_18(rate: float = 1.0, block: int = 0) -> Result:
    seeds, parts, times = seed_block(block, 4), [], np.array([0.1, 0.3, 1, 3, 10, 400.0])
    base = lb.power_task(d=3, M=7, sigma=0.5, norm=2.0, decay=0.5)
    turned = np.linalg.qr(generators(seeds[:1], 1)[0].standard_normal((3, 3)))[0]
    for rank, task in (3, base), (2, base.but(H=turned @ np.diag([1.0, 0.7, 0.0]) @ turned.T)):
        slowest, most, starts, steps, P = 0.0, 0.0, [], [], theory.image_of_features(task)
        for scale, rng in zip((0.0, 1.0, 3.0, 10.0), generators(seeds, 2), strict=True):
            start = Step(scale * rng.standard_normal((1, 3)), scale * rng.standard_normal((1, 3, 3)))
            path = flow(PopulationStep(task), start, times, {"beta": rate, "Gamma": 1.0})
            off = np.sum(((path.params.beta - task.mean) @ P) ** 2, axis=1)
            bound = theory.start_bound(task, times) * np.sum(((start.beta - task.mean) @ P) ** 2)
            slowest = max(slowest, float(np.max(off / (bound + 1e-12))))
            beta, Gamma = theory.flow_end(task, start.beta[0], start.Gamma[0])
            starts.append(np.abs(path.params.beta[-1] - beta).max())
            steps.append(np.abs(path.params.Gamma[-1] - Gamma).max())
            most = max(most, path.loss[-1] / theory.best_risk(task))
        place = f"at time 400, rank {rank}"
        parts += [
            Part(f"largest squared distance over the bound, rank {rank}", slowest, 1.0, 0, "at most", drift=np.inf),
            Part(f"largest distance of a start from its end {place}", max(starts), 1e-6, kind="rounding"),
            Part(f"largest distance of a step matrix from its end {place}", max(steps), 1e-6, kind="rounding"),
            Part(f"largest risk over the best {place}", most, 1.0, 1e-4),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "LTB-19",
    where="beyond the paper",
    says=(
        "The risk is curved in the start by at least $\\frac2{M+2}H$, whatever the step, and one step matrix of rank "
        "one reaches that."
    ),
    control={"longer": 2},
    breaks="prompts twice as long",
)
def _check_19(longer: int = 1, block: int = 0) -> Result:
    seeds, least, reached = seed_block(block, 10), np.inf, []
    for rng in generators(seeds, 1):
        task = random_task(rng)
        inverse, u = np.linalg.inv(task.H_root), rng.standard_normal(4)
        flat = task.M / (task.M + 2) * inverse @ np.outer(u, u) @ inverse / (u @ u)
        for i in range(51):
            Gamma = flat if i == 0 else flat + 10 ** rng.uniform(-2, 1) * rng.standard_normal((4, 4))
            curved = theory.curvature(task.but(M=longer * task.M), Gamma)
            low = float(np.linalg.eigvalsh(inverse @ curved @ inverse)[0]) * (task.M + 2) / 2
            least = min(least, low)
            reached += [low] if i == 0 else []
    return result(
        Part("least curvature of 510 steps, over the bound", least, 1.0, 1e-9, "at least"),
        Part("largest curvature of the steps that reach it, over the bound", max(reached), 1.0, 1e-9),
        seeds=seeds,
    )


@claim(
    "LTB-20",
    where="Section 6: the objective is not convex",
    says=(
        "The risk is not convex in start and step: a curvature of -2.287 at distance 2 from the prior mean and step 0 "
        "(d = 1, M = 5)."
    ),
    control={"distance": 0.0},
    breaks="at the prior mean",
)
def _check_20(distance: float = 2.0) -> Result:
    task, h = lb.Task([[1.0]], [[0.5]], [0.0], float(np.sqrt(0.1)), 5), 1e-3

    def risk(x: float, y: float) -> float:
        return float(theory.step_risk(task, np.array([distance + x]), np.array([[y]])))

    own = [(risk(s, 0) + risk(-s, 0) - 2 * risk(0, 0)) / h**2 for s in (h,)]
    step = (risk(0, h) + risk(0, -h) - 2 * risk(0, 0)) / h**2
    mixed = (risk(h, h) + risk(-h, -h) - risk(h, -h) - risk(-h, h)) / (4 * h**2)
    lowest = np.linalg.eigvalsh([[own[0], mixed], [mixed, step]])[0]
    return result(Part("least curvature", lowest, -2.287, 1e-3))
