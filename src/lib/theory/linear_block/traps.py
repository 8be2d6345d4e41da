r"""Where training the block itself can end instead: labels that enter through the keys, a step of rank one.

Chapter `linear_block`. Source: ours; the paper leaves the training of the block open. With $c = 0$, $\alpha = \beta^*$,
$Q^\top = -q\beta^{*\top}$ and $qv^\top = \gamma H^{-1/2}uu^\top H^{-1/2}$, u the first eigenvector of
$H^{1/2}\Psi H^{1/2}$, the block is the best step of rank one, and a critical point of the risk.
"""

from __future__ import annotations

import math

import numpy as np

from .._arrays import Array
from .moments import Task, label_variance, signal_spectrum, square_variance
from .risks import Effective


def trap_block(task: Task) -> Effective:
    """The trap as effective parameters of a block; its scale between v and q is free, here they are equal."""
    value, vector = np.linalg.eigh(task.H_root @ task.Psi @ task.H_root)
    u, phi = vector[:, -1], float(value[-1])
    along = task.Psi @ task.H_root @ u / phi  # H^(-1/2) u, without an inverse
    q = math.sqrt(_gain(task)) * along
    return Effective(np.array(task.mean, dtype=float), q, np.array(0.0), -np.outer(task.mean, q), q)


def trap_risk(task: Task) -> float:
    r"""$\tau - \gamma\phi_1$ with $\gamma = M\phi_1/(\tau + (M+1)\phi_1)$."""
    return label_variance(task) - _gain(task) * float(signal_spectrum(task)[0])


def trap_criterion(task: Task) -> float:
    r"""Above 1 the trap is a local minimum, below 1 a saddle.

    $\frac{\gamma^2}M(V_\xi - \frac2M\phi_1^2)/\sum_{j\ge2}\phi_j^2$; infinite where only one $\phi$ is not zero: there
    the trap is a global minimum.
    """
    phi: Array = signal_spectrum(task)
    rest = float(np.sum(phi[1:] ** 2))
    held = _gain(task) ** 2 / task.M * (square_variance(task) - 2 * phi[0] ** 2 / task.M)
    return float(held) / rest if rest > 0 else math.inf


def _gain(task: Task) -> float:
    phi = float(signal_spectrum(task)[0])
    return task.M * phi / (label_variance(task) + (task.M + 1) * phi)
