r"""Many gradient steps from zero, against one from a learned start; for features of covariance I.

Chapter `linear_block`. Source: ours, beyond arXiv 2402.14951. After k steps from zero $r(S) = \prod_j(1 - \eta_jS)$ is
left of the task vector, so the error is $-r(S)\tilde\beta + (1 - r(S))S^{-1}g$. With $H = I$ the eigenvectors of S are
uniform and independent of its eigenvalues s, and with $a = (\mathrm{tr}\Psi + \lVert\beta^*\rVert^2)/d$,
$b = \sigma^2/M$ the risk is $\sigma^2 + \mathbb E\sum_i[a\,r(s_i)^2 + b(1 - r(s_i))^2/s_i]$: Wishart moments.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.theory._arrays import Array, floats
from lib.theory.linear_block.risks import Task, check_normals


def context_spectra(task: Task, normals: Array) -> Array:
    """Eigenvalues (n, d) of the contexts' S, for features of covariance I.

    Args:
        task: the task; H must be the identity.
        normals: (n, M, d) standard normal numbers, the features of n contexts.

    Raises:
        InputError: if H is another matrix, or the normals are not (n, M, d).

    Source: beyond the paper.
    """
    require(np.array_equal(task.H, np.eye(len(task.H))), "H", "the identity", task.H)
    check_normals(task, normals)
    S = np.swapaxes(normals, -1, -2) @ normals / task.M
    return np.clip(np.linalg.eigvalsh(S), 0.0, None)


def steps_risk(task: Task, rates: ArrayLike, spectra: Array) -> float:
    """Risk of gradient steps of sizes (k,) from zero, over contexts of eigenvalues (n, d), see `context_spectra`.

    Source: beyond the paper.
    """
    left, read = np.ones_like(spectra), np.zeros_like(spectra)  # r(s), and (1 - r(s))/s
    for rate in floats(rates):
        read = read + rate * left
        left = left * (1 - rate * spectra)
    return _risk(task, left, read, spectra)


def shared_rate(task: Task, steps: int, spectra: Array) -> float:
    """The best size of k steps that all have the same one, found to a ten-thousandth; k is at least 1.

    Source: beyond the paper.
    """
    k = whole("steps", steps, 1)
    ends = (0.0, 2 / float(np.mean(spectra)))
    for _ in range(4):  # each time among 21 rates, of which the best two neighbours bracket the next
        tried = np.linspace(*ends, 21)
        at = int(np.argmin([steps_risk(task, np.full(k, rate), spectra) for rate in tried]))
        ends = tried[max(at - 1, 0)], tried[min(at + 1, 20)]
    return float(np.mean(ends))


def best_steps_risk(task: Task, steps: int, spectra: Array) -> float:
    r"""Below the risk of any k gradient steps from zero, whatever their sizes, momentum included.

    The best polynomial p of degree k - 1 in $r(s) = 1 - s\,p(s)$: least squares of $a/(as + b)$ in the weight
    $s(as + b)$, the same for all contexts.

    Source: beyond the paper.
    """
    return _least(*_weights(task), whole("steps", steps, 1), spectra) + task.sigma**2


def endless_steps_risk(task: Task, spectra: Array) -> float:
    r"""The limit of `best_steps_risk`: $\sigma^2 + \mathbb E\sum_iab/(as_i + b)$, ridge regression centred at zero.

    Source: beyond the paper.
    """
    a, b = _weights(task)
    bottom = a * spectra + b
    left = np.divide(a * b, bottom, out=np.full_like(spectra, a), where=bottom > 0)
    return float(task.sigma**2 + np.mean(np.sum(left, axis=-1)))


def steps_to_match(task: Task, spectra: Array, most: int = 40, shared: bool = False) -> float:
    """How many steps from zero have no more risk than one step from the learned start.

    Args:
        task: the task; H the identity, Psi a multiple of it, so that the step from the learned start is a number too.
        spectra: see `context_spectra`; both sides are averaged over the same contexts.
        most: steps tried.
        shared: steps of one size, the best; else the best steps there are.

    Returns:
        The least number, or infinity: if endless steps do not reach it, or not so many.

    Raises:
        InputError: if Psi is no multiple of the identity, or `most` below 1.

    Source: beyond the paper.
    """
    psi = task.Psi[0, 0]
    require(np.array_equal(task.Psi, psi * np.eye(len(task.Psi))), "Psi", "a multiple of the identity", task.Psi)
    goal = _least(psi, task.sigma**2 / task.M, 1, spectra) + task.sigma**2
    if endless_steps_risk(task, spectra) > goal:
        return math.inf
    for k in range(1, whole("most", most, 1) + 1):
        rates = np.full(k, shared_rate(task, k, spectra)) if shared else None
        risk = best_steps_risk(task, k, spectra) if rates is None else steps_risk(task, rates, spectra)
        if risk <= goal * (1 + 1e-9):
            return k
    return math.inf


def _weights(task: Task) -> tuple[float, float]:
    return float(np.trace(task.Psi) + task.mean @ task.mean) / len(task.H), task.sigma**2 / task.M


def _least(a: float, b: float, k: int, spectra: Array) -> float:
    """The least mean of a r^2 + b s p^2 over polynomials p of degree k - 1, r = 1 - s p."""
    s = spectra.ravel()
    basis = np.polynomial.chebyshev.chebvander(2 * s / s.max() - 1, k - 1)
    weight = np.sqrt(s * (a * s + b))
    target = np.divide(a, a * s + b, out=np.zeros_like(s), where=weight > 0)
    p = np.linalg.lstsq(basis * weight[:, None], target * weight, rcond=None)[0]
    read = (basis @ p).reshape(spectra.shape)
    return _mean(a, b, 1 - spectra * read, read, spectra)


def _risk(task: Task, left: Array, read: Array, spectra: Array) -> float:
    return float(task.sigma**2) + _mean(*_weights(task), left, read, spectra)


def _mean(a: float, b: float, left: Array, read: Array, spectra: Array) -> float:
    return float(np.mean(np.sum(a * left**2 + b * spectra * read**2, axis=-1)))
