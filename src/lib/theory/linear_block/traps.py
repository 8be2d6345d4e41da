r"""Where training the block itself can end instead: labels that enter through the keys, a step of rank one.

Chapter `linear_block`. Source: ours; the paper leaves the training of the block open. With $c = 0$, $\alpha = \beta^*$,
$Q^\top = -q\beta^{*\top}$ and $qv^\top = \gamma H^{-1/2}uu^\top H^{-1/2}$, u the first eigenvector of
$H^{1/2}\Psi H^{1/2}$, the block is the best step of rank one, and a critical point of the risk.
"""

import math

import numpy as np

from lib.theory._arrays import Array
from lib.theory.linear_block import portable
from lib.theory.linear_block.moments import Task, signal_spectrum
from lib.theory.linear_block.risks import Effective


def trap_block(task: Task, which: int = 0) -> Effective:
    r"""The trap as effective parameters of a block; its scale between v and q is free, here they are equal.

    Args:
        task: the task.
        which: direction of the step of rank one, 0 the strongest; along others it is a critical point too.

    Source: beyond the paper.
    """
    value, vector = np.linalg.eigh(task.H_root @ task.Psi @ task.H_root)
    u, phi = vector[:, -1 - which], value[::-1].tolist()
    gain = portable.rank_one_gain(phi, which, task.sigma, float(task.M))
    along: Array = task.Psi @ task.H_root @ u / phi[which]  # H^(-1/2) u, without an inverse
    q = math.sqrt(gain) * along
    return Effective(np.array(task.mean, dtype=float), q, np.array(0.0), -np.outer(task.mean, q), q)


def trap_risk(task: Task) -> float:
    r"""$\tau - \gamma\phi_1$ with $\gamma = M\phi_1/(\tau + (M+1)\phi_1)$.

    Source: beyond the paper.
    """
    return portable.trap_risk(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def trap_criterion(task: Task) -> float:
    r"""Above 1 the trap is a local minimum, below 1 a saddle.

    $\frac{\gamma^2}M(V_\xi - \frac2M\phi_1^2)/\sum_{j\ge2}\phi_j^2$; infinite where only one $\phi$ is not zero: there
    the trap is a global minimum.

    Source: beyond the paper.
    """
    return portable.trap_criterion(signal_spectrum(task).tolist(), task.sigma, float(task.M))
