"""The Bayes predictor on prompts: ridge regression centred at the prior mean.

Chapter `linear_block`. Source: arXiv 2402.14951, Lemma 6.1.
"""

import numpy as np

from lib.errors import require
from lib.models.linear_block import Prompts, Task
from lib.models.linear_block.fast import Array


def bayes_output(task: Task, prompts: Prompts) -> Array:
    """The posterior mean, (R, B): ridge regression centred at the prior mean, in the metric of Psi.

    Raises:
        InputError: if the noise is zero: the posterior mean is then a limit that this form does not take.
    """
    require(task.sigma > 0, "sigma", "a number above 0", task.sigma)
    X, y, x, _ = prompts
    Z, residual = X @ task.Psi_root, y - X @ task.mean
    A = np.matmul(Z.swapaxes(-1, -2), Z) + task.sigma**2 * np.eye(task.d)
    found = np.linalg.solve(A, np.matmul(Z.swapaxes(-1, -2), residual[..., None]))[..., 0]
    return x @ task.mean + np.sum((x @ task.Psi_root) * found, axis=-1)
