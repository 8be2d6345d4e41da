r"""What changes at test time: another prior mean, and noise with heavier tails.

Chapter `linear_block`. Source: ours, beyond arXiv 2402.14951. A rule that is linear in the labels has a risk in which
noise appears through its covariance alone: given the features, its error is linear in $\varepsilon$. The square
$\xi = \lVert X\delta + \varepsilon\rVert^2/M$ is what lets a block see more: for symmetric noise only its variance
changes, by $\sigma^4\kappa/M$.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.theory._arrays import Array, floats
from lib.theory.linear_block.best import best_step
from lib.theory.linear_block.risks import Effective, Task, block_risk, check_normals
from lib.theory.linear_block.training import curvature


def shift_cost(task: Task, shift: ArrayLike) -> float:
    r"""What the best step and the best block pay when the prior mean moves by s (d,) after training.

    $s^\top K(\Gamma^*)s$, to be added to the risk $R^*$; K is `curvature`. For $H = I$, $\Psi = \psi I$ it is
    $((1 - \gamma)^2 + (d + 1)\gamma^2/M)\lVert s\rVert^2$.

    Raises:
        InputError: if the shift is not (d,).

    Source: beyond the paper.
    """
    s = _shift(task, shift)
    return float(s @ curvature(task, best_step(task)) @ s)


def shifted_bayes_risk(task: Task, shift: ArrayLike, normals: Array) -> float:
    r"""The risk of the Bayes rule for the old mean where the mean has moved.

    Args:
        task: the task that the rule believes in; noise above 0.
        shift: (d,) s, the new mean minus the old.
        normals: (n, M, d) standard normal numbers, as in `bayes_risk`.

    Returns:
        The Bayes risk plus the mean of $\lVert Ls\rVert_H^2$, where
        $L = I - \Psi^{1/2}(\Psi^{1/2}X^\top X\Psi^{1/2} + \sigma^2I)^{-1}\Psi^{1/2}X^\top X$ is what a context leaves
        of a start.

    Raises:
        InputError: if a shape disagrees or the noise is zero.

    Source: beyond the paper.
    """
    s = _shift(task, shift)
    require(task.sigma > 0, "sigma", "a number above 0", task.sigma)
    check_normals(task, normals)
    X = normals @ task.H_root
    Z = X @ task.Psi_root
    inverse = np.linalg.inv(np.swapaxes(Z, -1, -2) @ Z + task.sigma**2 * np.eye(len(task.H)))
    read = task.Psi_root @ inverse @ np.swapaxes(Z, -1, -2)  # (n, d, M)
    left = s - np.matmul(read, (X @ s)[..., None])[..., 0]
    # given a context, the deviation's part is sigma^2 of the posterior, as in `bayes_risk`
    spread = task.sigma**2 * np.einsum("ij,njk,ik->n", task.H @ task.Psi_root, inverse, task.Psi_root)
    return float(task.sigma**2 + np.mean(spread + np.sum((left @ task.H) * left, axis=-1)))


def heavy_noise_risk(task: Task, block: Effective, excess: float) -> Array:
    r"""Risk (...,) of blocks under symmetric noise of the same variance and a given excess kurtosis.

    Args:
        task: the task.
        block: effective parameters (..., d).
        excess: $\kappa = \mathbb E\varepsilon^4/\sigma^4 - 3$, at least -2; 0 for normal noise, $6/(\nu - 4)$ for
            Student's t with $\nu > 4$, infinite below.

    Returns:
        `block_risk` plus $\lVert cq\rVert_H^2\sigma^4\kappa/M$: nothing where no label enters the keys.

    Raises:
        InputError: if the excess is below -2.

    Source: beyond the paper.
    """
    require(excess >= -2, "excess", "a number of at least -2", excess)
    p = np.asarray(block.c, dtype=float)[..., None] * np.asarray(block.q, dtype=float)
    size = np.sum((p @ task.H) * p, axis=-1)
    added = np.multiply(excess * task.sigma**4 / task.M, size, out=np.zeros_like(size), where=size > 0)
    return block_risk(task, block) + added


def _shift(task: Task, shift: ArrayLike) -> Array:
    s = floats(shift)
    require(s.shape == task.mean.shape, "shift", f"shape {task.mean.shape}", s.shape)
    return s
