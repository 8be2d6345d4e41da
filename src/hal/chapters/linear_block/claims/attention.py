"""Claims LTB-10 to LTB-13: the best attention without the MLP, and how far it stays behind.

Chapter `linear_block`. Source: arXiv 2402.14951, Theorem 4.1; the sharp forms are ours.
"""

from hal.chapters.linear_block.claims.optimum import TASK
from hal.chapters.linear_block.runs import fall, train_on_all
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


def _gap(task: lb.Task, mlp: bool = False) -> float:
    """How much worse the best attention is than the best block."""
    best = theory.best_risk(task)
    return (best if mlp else theory.best_attention(task).risk) - best


@claim(
    "LTB-10",
    where="beyond the paper; Section 4 compares without it",
    says=(
        "The best linear attention without the MLP is better than the best step from zero and worse than the block; "
        "training on all prompts ends at the risk that a search over its virtual mean finds (2.1004 at d = 5, M = 20)."
    ),
    control={"mlp": True},
    breaks="trained with the MLP",
)
def _check_10(mlp: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    run = train_on_all(TASK, seeds, fall(0.01, 4000), 4000, mlp=mlp)
    best = theory.best_attention(TASK)
    as_block = float(theory.block_risk(TASK, theory.as_block(TASK, best)))
    return result(
        Part("largest risk at the end of training", run["risk"][:, -1].max(), best.risk, 1e-5),
        Part("least risk at the end of training", run["risk"][:, -1].min(), best.risk, 1e-5),
        Part("the search's risk", best.risk, 2.1004, 1e-4),
        Part("its difference as parameters of a block", as_block - best.risk, 1e-8, kind="rounding"),
        Part("the best step from zero, over it", theory.zero_start_risk(TASK) / best.risk, 1.0, 0, "at least"),
        seeds=seeds,
    )


@claim(
    "LTB-11",
    where="Theorem 4.1; the constant 1 is ours",
    says="Without the MLP the best risk is larger by at least $\\lVert\\beta^*\\rVert_H^2/(M+1)$.",
    control={"mlp": True},
    breaks="attention with the MLP",
)
def _check_11(mlp: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 15)
    tasks = [lb.random_task(rng, sigma=float(10 ** rng.uniform(-1, 1))) for rng in generators(seeds, 1)]
    least = min(_gap(task, mlp) / theory.gap_bound(task) for task in tasks)
    return result(Part("least gap of 15 random tasks, over the bound", least, 1.0, 0, "at least"), seeds=seeds)


@claim(
    "LTB-12",
    where="beyond the paper",
    says="The bound is nearly reached where noise hides a single feature's signal and the mean is small.",
    control={"psi": 1.0},
    breaks="tasks that differ as much as the noise is strong",
)
def _check_12(psi: float = 0.01) -> Result:
    task = lb.power_task(d=1, M=10, sigma=1.0, norm=0.01, psi=psi)
    size = float(task.mean @ task.H @ task.mean)
    return result(
        Part("gap over the bound", _gap(task) / theory.gap_bound(task), 1.0, 0.03),
        Part("gap over its limit for small means", _gap(task) / size / theory.small_mean_gap(task), 1.0, 1e-3),
    )


@claim(
    "LTB-13",
    where="beyond the paper",
    says="For large prior means the gap tends to $2\\lVert\\beta^*\\rVert_H^2/(M+2)$, whatever the covariances.",
    control={"norm": 1.0},
    breaks="means of length 1",
)
def _check_13(norm: float = 1000.0, block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    tasks = [lb.random_task(rng, norm=norm) for rng in generators(seeds, 1)]
    ratios = [_gap(task) / theory.large_mean_gap(task) for task in tasks]
    return result(
        Part("least gap over the limit", min(ratios), 1.0, 0.01),
        Part("largest", max(ratios), 1.0, 0.01),
        seeds=seeds,
    )
