"""Claims LTB-6 to LTB-9: the best step, the best block, singular covariances, the best step from zero.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 5.2 and 5.3.
"""

import numpy as np

from hal.chapters.linear_block.runs import PopulationStep, fall, train_on_all
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.train import train

TASK = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)


@claim(
    "LTB-6",
    where="Theorem 5.2; the form without an inverse of a covariance is ours",
    says=(
        "The best step starts at the prior mean; three forms of its step matrix agree; its risk is "
        "$\\sigma^2 + \\sum_i\\phi_i(\\tau + \\phi_i)/(\\tau + (M+1)\\phi_i)$, which does not contain the mean."
    ),
    control={"longer": 2},
    breaks="the step is made for prompts twice as long",
)
def _check_6(longer: int = 1, block: int = 0) -> Result:
    seeds, forms, risks, least = seed_block(block, 20), 0.0, 0.0, np.inf
    for rng in generators(seeds, 1):
        task = lb.random_task(rng)
        M, tau = task.M, task.sigma**2 + np.trace(task.H @ task.Psi)
        step = theory.best_step(task.but(M=longer * M))
        inverse = np.linalg.inv((M + 1) / M * task.H + tau / M * np.linalg.inv(task.Psi))
        root = task.H_root
        Omega = tau / M * np.eye(4) + (M + 1) / M * root @ task.Psi @ root
        proofs = task.Psi @ root @ np.linalg.inv(Omega) @ np.linalg.inv(root)
        forms = max(forms, *(np.abs(step - other).max() for other in (inverse, proofs)))
        risk = float(theory.step_risk(task, task.mean, step))
        risks = max(risks, abs(risk / theory.best_risk(task) - 1))
        beta = task.mean + 0.1 * rng.standard_normal((50, 4))
        least = min(
            least, float(np.min(theory.step_risk(task, beta, step + 0.1 * rng.standard_normal((50, 4, 4))) - risk))
        )
    return result(
        Part("largest difference of the three forms", forms, 1e-9, kind="rounding"),
        Part("largest relative difference of the risk from the sum", risks, 1e-9, kind="rounding"),
        Part("least that 1000 other steps are worse", least, 0, 0, "at least"),
        seeds=seeds,
    )


@claim(
    "LTB-7",
    where="Theorem 5.3",
    says=(
        "Trained on all prompts, the block ends at the risk of the best step, and it is that step: "
        "$\\alpha = \\beta^*$, $v = -c\\beta^*$, $cQ^\\top = \\Gamma^*$, $q = 0$ (d = 5, M = 20)."
    ),
    control={"mlp": False},
    breaks="no MLP",
)
def _check_7(mlp: bool = True, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    run = train_on_all(TASK, seeds, fall(0.01, 4000), 4000, mlp=mlp)
    alpha, v, c, Q, q = lb.effective_of(run.params, mlp)
    step = c[:, None, None] * Q.swapaxes(-1, -2)
    best = theory.best_risk(TASK)
    return result(
        Part("largest risk at the end", run["risk"][:, -1].max(), best, 1e-6),
        Part("mean alpha along the prior mean, over it", (alpha @ TASK.mean).mean() / 4, 1.0, 1e-6),
        Part("mean -v/c along the prior mean, over it", (-(v @ TASK.mean) / c).mean() / 4, 1.0, 1e-6),
        Part("mean trace of cQ", np.trace(step, axis1=1, axis2=2).mean(), np.trace(theory.best_step(TASK)), 1e-5),
        Part("largest entry off the best step", np.abs(step - theory.best_step(TASK)).max(), 1e-5, kind="rounding"),
        Part("largest length of q", np.linalg.norm(q, axis=1).max(), 1e-5, kind="rounding"),
        seeds=seeds,
    )


@claim(
    "LTB-8",
    where="Theorem 5.2, singular covariances",
    says="Where features have no variance, the start and the step matrix can be moved there at no cost.",
    control={"unseen": 0.05},
    breaks="features with a little variance in every direction",
)
def _check_8(unseen: float = 0.0, block: int = 0) -> Result:
    seeds, worst = seed_block(block, 20), 0.0
    for rng in generators(seeds, 1):
        basis = np.linalg.qr(rng.standard_normal((4, 4)))[0]
        H = (basis * [1.0, 0.6, unseen, unseen]) @ basis.T
        task = lb.random_task(rng).but(H=(H + H.T) / 2)
        hidden = basis[:, 2:]
        beta = task.mean + hidden @ rng.standard_normal(2)
        Gamma = theory.best_step(task) + hidden @ rng.standard_normal((2, 4)) + rng.standard_normal((4, 2)) @ hidden.T
        risk = float(theory.step_risk(task, beta, Gamma))
        worst = max(worst, abs(risk / theory.best_risk(task) - 1))
    return result(Part("largest relative change of the risk", worst, 1e-8, kind="rounding"), seeds=seeds)


@claim(
    "LTB-9",
    where="beyond the paper",
    says=(
        "The best step from zero has the risk of the best step for tasks with mean zero and covariance "
        "$\\Psi + \\beta^*\\beta^{*\\top}$; training the step matrix alone finds it."
    ),
    control={"learned": True},
    breaks="the start is learned as well",
)
def _check_9(learned: bool = False, block: int = 0) -> Result:
    seeds, ratios = seed_block(block, 4), []
    for rng in generators(seeds, 1):
        task = lb.random_task(rng).but(H=np.diag(rng.uniform(0.5, 1.0, 4)))
        moved = task.but(Psi=task.Psi + np.outer(task.mean, task.mean), mean=np.zeros(4))
        problem = PopulationStep(task, from_zero=not learned)
        steps = optim.sgd(0.5 * theory.stable_rate(task))
        params = train(problem, None, steps, 6000, record_at=[0, 6000]).params
        ratios.append(problem.loss_and_gradient(params)[0][0] / theory.best_risk(moved))
    return result(
        Part("least trained risk over that of the wider tasks", min(ratios), 1.0, 1e-5),
        Part("largest", max(ratios), 1.0, 1e-5),
        seeds=seeds,
    )
