"""The law of a prompt, and drawing from it, in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Assumption 3.1, here for H = diag(h) and Psi = psi I. `task.py` does
the same with arrays.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, sqrt, zeros
from lib.portable.random_numbers import normals


@dataclass
class Law:
    """The law of a prompt."""

    h: Vector  # (d,) variances of the features
    psi: float  # variance of a task vector's entry
    mean: Vector  # (d,) prior mean of the task vector
    sigma: float  # standard deviation of the label noise
    M: int  # labelled examples


def law_of(d: int, M: int, sigma: float, norm: float, decay: float, psi: float) -> Law:
    """H = diag(i^-decay), a mean of equal entries and length `norm`.

    Raises:
        InputError: if a number is out of range.
    """
    require(d >= 1, "d", "at least 1 feature", d)
    require(M >= 1, "M", "at least 1 example", M)
    require(sigma >= 0.0, "sigma", "a number of at least 0", sigma)
    require(norm >= 0.0, "norm", "a number of at least 0", norm)
    require(decay >= 0.0, "decay", "a number of at least 0", decay)
    require(psi >= 0.0, "psi", "a number of at least 0", psi)
    h, mean = zeros(d), zeros(d)
    for i in range(d):
        h[i] = exp(-decay * log(float(i + 1)))
        mean[i] = norm / sqrt(float(d))
    return Law(h, psi, mean, sigma, M)


def draw_task(law: Law, task: Vector, random: Vector) -> None:
    """A task vector (d,) from N(mean, psi I)."""
    normals(random, task)
    for i in range(len(task)):
        task[i] = law.mean[i] + sqrt(law.psi) * task[i]


def draw_example(law: Law, task: Vector, row: Vector, random: Vector) -> None:
    """Features x from N(0, diag(h)), and behind them the label x'task + noise."""
    d = len(task)
    normals(random, row)
    label = law.sigma * row[d]
    for i in range(d):
        row[i] *= sqrt(law.h[i])
        label += task[i] * row[i]
    row[d] = label
