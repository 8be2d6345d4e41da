r"""The population in large steps: how gradient descent throws attention off the group, and when it is back.

Chapter `group_sparse`. Source: ours. The two scalars move in steps of $\eta$, at standard deviation 1; beyond the
paper, whose Theorem 3.1 asks for a learning rate of order one. With even attention the margin is nearly all noise, and
$\alpha$ overshoots once $\eta D^2/(D-1) > 8$. In the third step $\alpha < 0$ turns b downwards.

Where $b \ll 0$, $s \simeq e^b/(D-1)$ and $m = k\xi$ with $k = |\alpha|D/\sqrt{D-1}$. A step takes
$\eta D^2/(D-1)\,\psi(k)$ off k, $\psi(k) = \frac12E[\xi\tanh(k\xi/2)]$: it turns over where $2k$ is that much. In two
such steps the part of $\dot b$ with $|g|$ cancels. The part with the noise has the sign of $\alpha$ twice, and with
$\sqrt{D-1}\,\psi(k) = 2|\alpha|(D-1)/(\eta D)$ b climbs by $\frac{(D+1)^2k^2}{2D^2(D-1)}e^b$ a step.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import norm

from lib.errors import require, whole

__all__ = ["cycle_strength", "largest_population_rate", "return_time", "third_gap"]

_XI = np.linspace(-9, 9, 721)
_SHARE = norm.pdf(_XI) / norm.pdf(_XI).sum()
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_G = 4.5 * (_NODES + 1)
_WEIGHT = norm.pdf(_G) * _WEIGHTS / (norm.pdf(_G) @ _WEIGHTS)


def cycle_strength(lr: float, D: int) -> float:
    r"""k of the cycle of period two, in which $\alpha = \pm k\sqrt{D-1}/D$: the root of $2k = \eta D^2/(D-1)\,\psi(k)$.

    Raises:
        InputError: if D is below 2, or the rate so small that there is no cycle, $\eta D^2/(D-1)\le8$.

    Source: beyond the paper.
    """
    rate = lr * whole("D", D, 2) ** 2 / (D - 1)
    require(rate > 8, "lr", f"above {8 * (D - 1) / D**2:.3g}, where the cycle begins", lr)
    return float(brentq(lambda k: 4 * k - rate * (_SHARE @ (_XI * np.tanh(k * _XI / 2))), 1e-6 + (rate - 8) / 99, rate))


def return_time(lr: float, D: int, gap: float) -> float:
    r"""Steps until attention is back on the group, from a gap b far below 0: $\frac{2D^2(D-1)}{(D+1)^2k^2}e^{-b}$.

    Raises:
        InputError: as for `cycle_strength`.

    Source: beyond the paper.

    Example:
        >>> round(return_time(1.25, 16, -7.0))
        1946
    """
    k = cycle_strength(lr, D)
    return float(2 * D**2 * (D - 1) / ((D + 1) * k) ** 2 * np.exp(-gap))


def third_gap(lr: float, D: int) -> float:
    r"""The gap b after the three steps from zero, in nats.

    Raises:
        InputError: if D is below 2.

    Source: beyond the paper.

    Example:
        >>> [round(third_gap(c / 16, 16), 1) for c in (20, 24, 28)]
        [-2.6, -8.5, -19.7]
    """
    whole("D", D, 2)
    alpha = b = 0.0
    for _ in range(3):
        s, leak = expit(b - np.log(D - 1)), expit(np.log(D - 1) - b)
        noise = leak / np.sqrt(D - 1) * _XI
        p = _WEIGHT[:, None] * _SHARE * expit(-alpha * D * (s * _G[:, None] + noise))
        by_signal, by_noise = float((p * _G[:, None]).sum()), float((p * noise).sum())
        climb = lr * ((D + 1) / 2) ** 2 * D / (D - 1) * alpha * s * (leak * by_signal - by_noise)
        alpha, b = alpha + lr * D * (s * by_signal + by_noise), b + climb
    return float(b)


def largest_population_rate(D: int, steps: int) -> float:
    r"""The learning rate at which the population, thrown off the group, is back after just so many steps.

    Raises:
        InputError: if D is not from 12 to 40, where the third step decides, or there are fewer than 100 steps.

    Source: beyond the paper; it grows like the logarithm of the steps.
    """
    require(12 <= whole("D", D, 2) <= 40, "D", "from 12 to 40 groups", D)
    late = np.log(whole("steps", steps, 100) - 3)
    return float(brentq(lambda lr: np.log(return_time(lr, D, third_gap(lr, D))) - late, 19 / D, (24 + D / 5) / D))
