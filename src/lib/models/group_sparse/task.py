"""The group-sparse classification task: D groups of d variables, one of which decides the label; the logistic loss.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from lib.errors import InputError, require, whole
from lib.sampling import Rngs

Array = NDArray[np.float64]
_UNIT = 1e-9  # how far from length one a direction may be; rounding leaves some 1e-16


class Examples(NamedTuple):
    """n labelled examples for each of R runs, or (leading axis 1) the same for all runs."""

    X: Array  #: (R or 1, n, D, d) row j of an example is its group x_j
    y: Array  #: (R or 1, n) labels, -1 or 1


class Task:
    r"""Gaussian groups $x_j \sim N(0, \sigma_x^2 I_d)$ and the label $y = \mathrm{sign}\langle x_{j^*}, v^*\rangle$.

    Args:
        D: number of groups (tokens), at least 1.
        d: variables in a group, at least 1.
        j_star: the group that decides, counted from 1.
        v_star: its direction (d,), of length one; default the first axis.
        sigma_x: standard deviation of a variable, above 0.
        flips: share of labels turned over, in [0, 1/2).

    Raises:
        InputError: if an argument is outside its range, or `v_star` has another shape or length.

    Source: arXiv 2504.08638, Section 2; flipped labels are ours.

    Example:
        >>> task = Task(D=6, d=4)
        >>> X, y = task.sample(500, [np.random.default_rng(0)])
        >>> X.shape, bool((y == np.sign(X[..., task.star, 0])).all())
        ((1, 500, 6, 4), True)
    """

    def __init__(
        self,
        D: int = 6,
        d: int = 4,
        j_star: int = 2,
        v_star: Array | None = None,
        sigma_x: float = 1.0,
        flips: float = 0.0,
    ) -> None:
        self.D, self.d = whole("D", D, 1), whole("d", d, 1)
        require(whole("j_star", j_star, 1) <= self.D, "j_star", f"one of the groups 1 to {self.D}", j_star)
        self.star = j_star - 1  #: row of `Examples.X` that decides
        require(math.isfinite(sigma_x) and sigma_x > 0, "sigma_x", "a finite number above 0", sigma_x)
        require(0 <= flips < 0.5, "flips", "a share in [0, 0.5)", flips)
        self.sigma_x, self.flips = float(sigma_x), float(flips)
        self.v_star = unit_direction("v_star", v_star, self.d)

    @property
    def j_star(self) -> int:
        """The group that decides, counted from 1 as in the paper."""
        return self.star + 1

    def sample(self, n: int, rngs: Rngs) -> Examples:
        """n fresh examples for each generator; run r depends on rngs[r] alone.

        Raises:
            InputError: if n < 1 or there is no generator.
        """
        n = whole("n", n, 1)
        require(len(rngs) > 0, "rngs", "at least one generator", "none")
        X = np.stack([rng.standard_normal((n, self.D, self.d)) for rng in rngs]) * self.sigma_x
        y = np.where(X[:, :, self.star] @ self.v_star < 0, -1.0, 1.0)
        if self.flips:
            turned = np.stack([rng.random(n) < self.flips for rng in rngs])
            y = np.where(turned, -y, y)
        return Examples(X, y)


def unit_direction(name: str, direction: Array | None, d: int) -> Array:
    """A copy of a direction (d,), or the first axis; `name` is the argument's as the caller wrote it.

    Raises:
        InputError: unless it has d finite entries and length one.
    """
    if direction is None:
        return np.eye(d)[0]
    given = np.array(direction, dtype=np.float64)
    if given.shape != (d,):
        raise InputError(f"{name}: expected shape ({d},), got {given.shape}")
    length = float(np.linalg.norm(given))
    require(abs(length - 1) <= _UNIT, name, "a direction of length 1", f"length {length:g}")
    return given


def downstream(task: Task, n: int, rngs: Rngs, v_tilde: Array | None = None, gamma: float = 0.2) -> Examples:
    r"""Examples of a new task on the same group: the component of $x_{j^*}$ along $\tilde v^*$ is $y(\gamma + |g|)$.

    The label is a fair sign, g a standard normal number, so that every example keeps the margin $\gamma$.

    Args:
        task: gives D, d, the group and $\sigma_x$ of all other components.
        n: examples a run, at least 1.
        rngs: R generators; run r depends on rngs[r] alone.
        v_tilde: the new direction (d,), of length one; default the last axis.
        gamma: margin, at least 0.

    Raises:
        InputError: if an argument is outside its range.

    Source: arXiv 2504.08638, Section 4 (margin condition); the law of the inputs is ours.
    """
    n = whole("n", n, 1)
    require(len(rngs) > 0, "rngs", "at least one generator", "none")
    require(math.isfinite(gamma) and gamma >= 0, "gamma", "a finite margin >= 0", gamma)
    direction = unit_direction("v_tilde", np.eye(task.d)[-1] if v_tilde is None else v_tilde, task.d)
    X = np.stack([rng.standard_normal((n, task.D, task.d)) for rng in rngs]) * task.sigma_x
    y = np.stack([np.where(rng.random(n) < 0.5, -1.0, 1.0) for rng in rngs])
    along = y * (gamma + np.abs(np.stack([rng.standard_normal(n) for rng in rngs])))
    chosen = X[:, :, task.star]
    chosen += (along - chosen @ direction)[..., None] * direction
    return Examples(X, y)


def logistic(margin: Array) -> Array:
    """log(1 + e^(-m)) in nats, for any margin m (...)."""
    return np.logaddexp(0.0, -margin)


def logistic_slope(margin: Array) -> Array:
    """Its derivative, -1/(1 + e^m), for any margin m (...)."""
    return -expit(-margin)
