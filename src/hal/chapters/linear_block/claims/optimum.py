"""Claims LTB-6 to LTB-8 and LTB-11: the best step, the best block, and the gap without the MLP.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorems 5.2 and 5.3 (step and block), Theorem 4.1 (the gap that
attention leaves); the sharp forms are ours.
"""

import numpy as np

from hal.chapters.linear_block.models.one_step import Step, random_task, step_output
from hal.chapters.linear_block.runs import fall, train_on_all
from hal.chapters.linear_block.theory.attention import best_attention
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory

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
        task = random_task(rng)
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
    where="Theorem 5.2, uniqueness and singular covariances; the cost is ours",
    says=(
        "Start and step matrix are best exactly where $H\\beta = H\\beta^*$ and $H\\Gamma H = H\\Gamma^*H$, and all "
        "of these give the same output. Others cost at least $\\frac2{M+2}\\lVert\\beta - \\beta^*\\rVert_H^2 + "
        "\\operatorname{tr}(H(\\Gamma - \\Gamma^*)\\bar\\Omega(\\Gamma - \\Gamma^*)^\\top)$; from the best start "
        "the second term is the cost ($H$ of rank 2 in four dimensions)."
    ),
    control={"unseen": 0.05},
    breaks="features with a little variance in every direction",
)
def _check_8(unseen: float = 0.0, block: int = 0) -> Result:
    seeds, free, outputs, cost, least = seed_block(block, 20), 0.0, 0.0, 0.0, np.inf
    for rng in generators(seeds, 1):
        basis = np.linalg.qr(rng.standard_normal((4, 4)))[0]
        H = (basis * [1.0, 0.6, unseen, unseen]) @ basis.T
        task = random_task(rng).but(H=(H + H.T) / 2)
        step, best, Omega = theory.best_step(task), theory.best_risk(task), theory.step_moment(task, task.Psi)

        hidden = basis[:, 2:]
        beta = task.mean + hidden @ rng.standard_normal(2)
        Gamma = step + hidden @ rng.standard_normal((2, 4)) + rng.standard_normal((4, 2)) @ hidden.T
        free = max(free, abs(float(theory.step_risk(task, beta, Gamma)) / best - 1))
        prompts = task.sample(20, [rng])
        one, other = Step(task.mean[None], step[None]), Step(beta[None], Gamma[None])
        outputs = max(outputs, float(np.abs(step_output(one, prompts) - step_output(other, prompts)).max()))

        Delta, D = rng.standard_normal((50, 4)), rng.standard_normal((50, 4, 4))
        away = np.einsum("ri,ij,rj->r", Delta, task.H, Delta)
        turned = np.einsum("ij,rjk,kl,ril->r", task.H, D, Omega, D)
        paid = theory.step_risk(task, task.mean + Delta, step + D) - best
        alone = theory.step_risk(task, np.tile(task.mean, (50, 1)), step + D) - best
        least = min(least, float(np.min(paid / (2 / (task.M + 2) * away + turned))))
        cost = max(cost, float(np.abs(alone / turned - 1).max()))
    return result(
        Part("largest relative change of the risk by moves that are free", free, 1e-8, kind="rounding"),
        Part("largest change of the output by them", outputs, 1e-6, kind="rounding"),
        Part("least cost of 1000 other pairs over the bound", least, 1.0, 0, "at least"),
        Part("cost of 1000 other step matrices over the second term, off 1 by", cost, 1e-8, kind="rounding"),
        seeds=seeds,
    )


def _gap(task: lb.Task, mlp: bool = False) -> float:
    """How much worse the best attention is than the best block."""
    best = theory.best_risk(task)
    return (best if mlp else best_attention(task).risk) - best


@claim(
    "LTB-11",
    where="Theorem 4.1; the constant 1 is ours",
    says="Without the MLP the best risk is larger by at least $\\lVert\\beta^*\\rVert_H^2/(M+1)$.",
    control={"mlp": True},
    breaks="attention with the MLP",
)
def _check_11(mlp: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 15)
    tasks = [random_task(rng, sigma=float(10 ** rng.uniform(-1, 1))) for rng in generators(seeds, 1)]
    least = min(_gap(task, mlp) / theory.gap_bound(task) for task in tasks)
    return result(Part("least gap of 15 random tasks, over the bound", least, 1.0, 0, "at least"), seeds=seeds)
