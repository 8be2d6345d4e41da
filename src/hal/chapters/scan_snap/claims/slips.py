"""Claims SNAP-29, 30, 32 and 33: statements of the paper that are not true as printed, each beside what is true.

Chapter `scan_snap`. Source: arXiv 2305.16380, version 4. The verdict is that on the printed statement; the control is a
setting in which the statement is true.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.claims._measure import arriving, largest, random_classes, trained
from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.runs import learn, start_inputs
from hal.chapters.scan_snap.theory.one_common import printed_B, reduced_run
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]


@claim(
    "SNAP-29",
    where=r"Appendix D, $\beta$ in the proof of Theorem 1",
    says=r"The gradient sent back to class $n$ is $\gamma\,(\iota f_n-\sum_{n'}\beta_{n'}f_{n'})$ with "
    r"$\beta_{n'}=q_1E'_{n'n}+q_0\bigl(1+\sum_{k\neq n}E'_{n'k}\bigr)$.",
    control={"sizes": (10**11,)},
    breaks="a vocabulary so large that $q_0$, and with it the term, vanishes",
    verdict="fails",
    regime=r"It is exact with $-q_0\bigl(1-\sum_{k\neq n}E'_{n'k}\bigr)$ as the second term, a bare $q_0$ of the other "
    "sign; as printed the error is of order $1/M$.",
)
def _check_29(sizes: Sequence[int] = (20, 200, 2000), block: int = 0) -> Result:
    """The printed second term of beta is -q0 (-1 - sum E'), that of the theory -q0 (1 - sum E')."""

    def error(g: Array, gamma: float, f: Array, iota: Array, beta: Array) -> float:
        return largest(g - gamma * (iota[:, None] * f - beta @ f)) / largest(g)

    parts, K, seeds = [], 3, seed_block(block, 1)
    for M in sizes:
        task, rate, steps = random_classes(K, M, seeds[0]), 0.8, 40
        f, Y = trained(task, rate, steps)
        iota, beta = theory.drive_coefficients(f, M)
        printed = beta + 2 * theory.zeta_products(M)[1] * (1 - np.eye(K))
        h = theory.h_star(steps, M, rate / K)[-1]
        gamma = (M - 1) ** 2 * h / (M - 1 + np.exp(M * h))
        g = arriving(f, Y, task)
        parts += [
            Part(
                f"largest error of g_n of a trained decoder, relative, M = {M}",
                error(g, gamma, f, iota, printed),
                0,
                1e-9,
            ),
            Part(
                f"the same with the sign of the proof, M = {M}", error(g, gamma, f, iota, beta), 1e-9, kind="rounding"
            ),
        ]
    return result(*parts, seeds=seeds)


@claim(
    "SNAP-30",
    where="Theorem 4, equation (14)",
    says=r"The growth exponent $B$, an integral from time 0, is $\tfrac14\ln(C_0+4\Gamma(t))$.",
    control={"constants": (1.0,)},
    breaks="classes and overlap for which $C_0=1$, where the missing term is 0",
    verdict="fails",
    regime=r"It would not start at 0 unless $C_0=1$: a term $-\tfrac14\ln C_0$ is missing.",
)
def _check_30(constants: Sequence[float] = (0.8, 5.0)) -> Result:
    parts, t = [], np.concatenate([[0.0], np.geomspace(1.0, 1e4, 20)])
    for C0 in constants:
        said = printed_B(t, 10, 1000, 1.0, 0.5, C0)
        error = said - reduced_run(t, 10, 1000, 1.0, 0.5, C0).B
        parts += [
            Part(f"B at time 0, C0 = {C0:g}", said[0], 0, 1e-9),
            Part(f"largest error of B against integration, C0 = {C0:g}", largest(error), 0, 1e-8),
            Part(f"the same less (1/4) ln C0, C0 = {C0:g}", largest(error - np.log(C0) / 4), 1e-8, kind="rounding"),
        ]
    return result(*parts)


@claim(
    "SNAP-32",
    where="Assumption 2, Section 8",
    says="Assumption 2 holds for the data of the paper's own experiments before training: all eigenvalues "
    r"of $E$ are below $1/K$ in size and not below $6/\sqrt M$.",
    control={"obeying": True},
    breaks="data made to obey it: one common token, $M$ above $36K^2(K-1)^2$",
    verdict="fails",
    regime=r"The largest eigenvalue is 0.72 to 13.7 where $1/K$ is 0.5 to 0.05; $6/\sqrt M$ is above $1/K$ each time, "
    "so that no overlap at all would do.",
)
def _check_32(obeying: bool = False) -> Result:
    """The data of Figures 4 and 6 at the start of training, or data made to obey the assumption."""
    if obeying:
        tasks = [single_common_task(2, 0.3, 1000), single_common_task(3, 0.16, 2000)]
    else:
        tasks = [ss.base_task(K=2)] + [ss.base_task(K=2 * q, queries=q) for q in (3, 5, 10)]
    parts, rooms = [], []
    for task in tasks:
        f = start_inputs(task)
        found = theory.assumption_2(theory.correlations(f), task.M)
        size, name = np.abs(found.eigenvalues), f"K = {task.K}, M = {task.M}"
        parts.append(Part(f"largest |eigenvalue| of E over 1/K, {name}", size.max() / found.upper, 1, 0, "at most"))
        parts.append(Part(f"smallest over 6/sqrt(M), {name}", size.min() / found.lower, 1, 0, "at least"))
        rooms.append(found.lower / found.upper)
    return result(*parts, Part("least 6/sqrt(M) over 1/K of these", min(rooms), 1, 0, "at most"))


@claim(
    "SNAP-33",
    where="Theorem 2 (a), in training at finite length",
    says="Every distinct token gains attention, also in training with the settings of Figure 4.",
    control={"endless": True},
    breaks="sequences of infinite length",
    verdict="fails",
    regime="The rarest distinct token, 0.8 copies in a sequence of 127, ends slightly below zero in every seed.",
)
def _check_33(endless: bool = False, block: int = 0) -> Result:
    """Rarest distinct token of each class, Syn-Small with momentum, both rates 1, 20 seeds."""
    task, seeds = ss.base_task(L=None if endless else 127), seed_block(block, 20)
    rarest = [int(np.flatnonzero(row)[0]) for row in task.distinct]
    run = learn(task, seeds, record={"z": lambda p: p.Z[:, task.query, rarest]}, record_at=[0, 100])
    z = run["z"][:, -1].mean(axis=1)  # (seeds,), mean over the two classes
    return result(
        Part("median logit of the rarest distinct token after 100 steps, nats", np.median(z), 0, 0, "at least"),
        Part("share of seeds in which it rose", (z > 0).mean(), 1),
        seeds=seeds,
    )
