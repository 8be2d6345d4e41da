"""The risk of a rule beside the paper's: one step read on endless prompts.

Chapter `linear_block`. A task and its risks are those of `lib.theory.linear_block`.
"""

import numpy as np

from lib.theory._arrays import Array
from lib.theory.linear_block import Task


def long_risk(task: Task, beta: Array, Gamma: Array) -> float:
    r"""Risk of a given step on endless prompts: $\sigma^2 + \mathrm{tr}(H(I - \Gamma H)A(I - \Gamma H)^\top)$. Ours."""
    H, Delta = task.H, beta - task.mean
    left = np.eye(len(H)) - Gamma @ H
    A = task.Psi + np.outer(Delta, Delta)
    return float(task.sigma**2 + np.sum((H @ left @ A) * left))
