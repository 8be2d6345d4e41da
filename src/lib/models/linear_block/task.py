"""The task: regression in context, task vectors around a common mean.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951, Assumption 3.1: draw a task vector from
N(mean, Psi), then M examples and a query with features from N(0, H) and labels x'task + noise.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, whole
from lib.sampling import Rngs

Array = NDArray[np.float64]
_SAME = 1e-10  # of the largest entry: what rounding may make of a symmetric, positive semi-definite matrix


class Prompts(NamedTuple):
    """A batch of prompts for R runs."""

    X: Array  #: (R, B, M, d) features of the examples
    y: Array  #: (R, B, M) their labels
    x: Array  #: (R, B, d) features of the query
    target: Array  #: (R, B) its label, hidden from the model

    def tokens(self) -> Array:
        """(R, B, M + 1, d + 1) examples with their labels, and the query with 0 last."""
        labels = np.concatenate([self.y, np.zeros_like(self.y[..., :1])], axis=-1)
        features = np.concatenate([self.X, self.x[..., None, :]], axis=-2)
        return np.concatenate([features, labels[..., None]], axis=-1)


class Task:
    """A law of prompts.

    Args:
        H: (d, d) feature covariance, symmetric and positive semi-definite; it may be singular.
        Psi: (d, d) task covariance, likewise.
        mean: (d,) prior mean of the task vector.
        sigma: standard deviation of the label noise, at least 0.
        M: labelled examples in a prompt, at least 1.

    Raises:
        InputError: if a shape disagrees, a matrix is not symmetric or not positive semi-definite, a number is out of
            range or not finite.

    Example:
        >>> task = Task(np.eye(2), np.eye(2), [1.0, -1.0], sigma=0.5, M=10)
        >>> task.sample(3, [np.random.default_rng(0)]).X.shape
        (1, 3, 10, 2)
    """

    def __init__(self, H: ArrayLike, Psi: ArrayLike, mean: ArrayLike, sigma: float = 1.0, M: int = 32) -> None:
        self.mean = np.array(mean, dtype=np.float64)  #: (d,)
        require(self.mean.ndim == 1 and self.mean.size > 0, "mean", "a vector (d,)", self.mean.shape)
        require(np.all(np.isfinite(self.mean)), "mean", "finite numbers", self.mean)
        self.d = len(self.mean)  #: dimension of the features
        self.H, self.H_root = _covariance("H", H, self.d)  #: (d, d), and its principal square root
        self.Psi, self.Psi_root = _covariance("Psi", Psi, self.d)  #: (d, d), and its principal square root
        require(math.isfinite(sigma) and sigma >= 0, "sigma", "a finite number of at least 0", sigma)
        self.sigma, self.M = float(sigma), whole("M", M, 1)

    def but(self, **changed: Any) -> Task:
        """The same task with some of H, Psi, mean, sigma, M changed."""
        return Task(**{"H": self.H, "Psi": self.Psi, "mean": self.mean, "sigma": self.sigma, "M": self.M, **changed})

    def sample(self, batch: int, rngs: Rngs) -> Prompts:
        """Prompts of fresh tasks, B >= 1 a run; of R generators run r draws from rngs[r] alone."""
        shape = (whole("batch", batch, 1), self.M + 1, self.d)
        drawn = [
            (r.standard_normal((shape[0], self.d)), r.standard_normal(shape), r.standard_normal(shape[:2]))
            for r in rngs
        ]
        z, features, noise = (np.stack(part) for part in zip(*drawn, strict=True))
        tasks = self.mean + z @ self.Psi_root
        X = features @ self.H_root
        y = np.matmul(X, tasks[..., None])[..., 0] + self.sigma * noise
        return Prompts(X[..., :-1, :], y[..., :-1], X[..., -1, :], y[..., -1])


class OnPrompts:
    """What all problems of the chapter share: a task, and batches of its prompts."""

    task: Task

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Prompts:
        """Fresh prompts."""
        return self.task.sample(batch, rngs)


def power_task(
    d: int = 8, M: int = 32, sigma: float = 1.0, norm: float = 3.0, decay: float = 0.0, psi: float = 1.0
) -> Task:
    """A task with a spectrum: H = diag(i^-decay), Psi = psi I, and a mean of equal entries.

    Args:
        d: dimension, at least 1.
        M: examples, at least 1.
        sigma: standard deviation of the noise, at least 0.
        norm: length of the prior mean, at least 0.
        decay: power of the spectrum's decay, at least 0.
        psi: variance of a task vector's entry, at least 0.

    Raises:
        InputError: if an argument is out of range.
    """
    d = whole("d", d, 1)
    for name, value in (("norm", norm), ("decay", decay), ("psi", psi)):
        require(math.isfinite(value) and value >= 0, name, "a finite number of at least 0", value)
    spectrum = np.arange(1, d + 1) ** -float(decay)
    return Task(np.diag(spectrum), psi * np.eye(d), np.full(d, norm / math.sqrt(d)), sigma, M)


def random_task(
    rng: np.random.Generator, d: int = 4, M: int = 7, sigma: float = math.sqrt(0.3), norm: float | None = None
) -> Task:
    """A task with random covariances of full rank, not commuting, and a normal mean, of length `norm` where given."""
    A, B = rng.standard_normal((2, whole("d", d, 1), d))
    H, Psi = (root @ root.T / d + 0.1 * np.eye(d) for root in (A, B))
    mean = rng.standard_normal(d)
    return Task(H, Psi, mean if norm is None else norm * mean / np.linalg.norm(mean), sigma, M)


def _covariance(name: str, matrix: ArrayLike, d: int) -> tuple[Array, Array]:
    """A checked covariance and its principal square root."""
    A = np.array(matrix, dtype=np.float64)
    require(A.shape == (d, d), name, f"shape ({d}, {d}), as the mean has {d} entries", A.shape)
    require(np.all(np.isfinite(A)), name, "finite numbers", A)
    size = np.abs(A).max()
    require(np.abs(A - A.T).max() <= _SAME * size, name, "a symmetric matrix", A)
    A = (A + A.T) / 2
    value, vector = np.linalg.eigh(A)
    require(value[0] >= -_SAME * size, name, "a positive semi-definite matrix", f"an eigenvalue of {value[0]:.3g}")
    return A, (vector * np.sqrt(np.clip(value, 0.0, None))) @ vector.T
