"""One explicit integrator: Dormand and Prince's pair of orders 5 and 4, adaptive, in logarithmic time.

Flows of this book run to times of 10**8 and slow down on the way: in s = log(1 + t) they take a few hundred steps.
Source: Dormand, Prince, "A family of embedded Runge-Kutta formulae" (1980); step control as in Hairer, Norsett, Wanner,
"Solving ordinary differential equations I", Section II.4.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, copy, sqrt, zero_matrix, zeros

P = TypeVar("P")
#: slope(t, y, out, parameters) writes dy/dt at time t into `out`.
Slope = Callable[[float, Vector, Vector, P], None]


@dataclass
class Flow:
    """A path on its way, for both integrators."""

    s: float  # log(1 + t)
    y: Vector
    h: float  # next step in s
    slopes: Matrix  # (7, n) dy/ds at the stages
    trial: Vector
    accepted: int  # steps
    rejected: int
    failed: bool  # the step shrank to nothing: the flow blows up, or is not finite
    steady: bool  # dy/dt does not depend on t: the stiff integrator computes one slope less a step
    known: bool  # slopes[0] is dy/ds here and now: neither integrator computes it again


def flow_from(t: float, y: Vector) -> Flow:
    """A path that begins at time t >= 0 in y; y itself is left as it is."""
    count = len(y)
    return Flow(
        s=log(1.0 + t), y=copy(y), h=1e-3, slopes=zero_matrix(7, count), trial=zeros(count), accepted=0, rejected=0,
        failed=False, steady=False, known=False,
    )  # fmt: skip


def flow_to(end: float, flow: Flow, slope: Slope[P], parameters: P, tolerance: float) -> None:
    """Follow the path to time `end`, exactly; where it cannot, `failed` is set and the path stays where it is.

    `tolerance` is the error allowed a step, relative to |y| and also absolute.
    """
    goal = log(1.0 + end)
    k = flow.slopes
    y = flow.y
    z = flow.trial
    while flow.s < goal and not flow.failed:
        s = flow.s
        last = s + flow.h * 1.0000001 > goal
        h = goal - s if last else flow.h
        if not flow.known:
            slope_in_s(s, y, k[0], slope, parameters)
            flow.known = True
        for i in range(len(y)):
            z[i] = y[i] + h * (k[0][i] / 5.0)
        slope_in_s(s + h / 5.0, z, k[1], slope, parameters)
        for i in range(len(y)):
            z[i] = y[i] + h * (k[0][i] * 3.0 / 40.0 + k[1][i] * 9.0 / 40.0)
        slope_in_s(s + h * 0.3, z, k[2], slope, parameters)
        for i in range(len(y)):
            z[i] = y[i] + h * (k[0][i] * 44.0 / 45.0 - k[1][i] * 56.0 / 15.0 + k[2][i] * 32.0 / 9.0)
        slope_in_s(s + h * 0.8, z, k[3], slope, parameters)
        for i in range(len(y)):
            early = k[0][i] * 19372.0 / 6561.0 - k[1][i] * 25360.0 / 2187.0
            z[i] = y[i] + h * (early + k[2][i] * 64448.0 / 6561.0 - k[3][i] * 212.0 / 729.0)
        slope_in_s(s + h * 8.0 / 9.0, z, k[4], slope, parameters)
        for i in range(len(y)):
            early = k[0][i] * 9017.0 / 3168.0 - k[1][i] * 355.0 / 33.0 + k[2][i] * 46732.0 / 5247.0
            z[i] = y[i] + h * (early + k[3][i] * 49.0 / 176.0 - k[4][i] * 5103.0 / 18656.0)
        slope_in_s(s + h, z, k[5], slope, parameters)
        for i in range(len(y)):
            early = k[0][i] * 35.0 / 384.0 + k[2][i] * 500.0 / 1113.0 + k[3][i] * 125.0 / 192.0
            z[i] = y[i] + h * (early - k[4][i] * 2187.0 / 6784.0 + k[5][i] * 11.0 / 84.0)
        slope_in_s(s + h, z, k[6], slope, parameters)
        square = 0.0
        for i in range(len(y)):
            early = k[0][i] * 71.0 / 57600.0 - k[2][i] * 71.0 / 16695.0 + k[3][i] * 71.0 / 1920.0
            error = h * (early - k[4][i] * 17253.0 / 339200.0 + k[5][i] * 22.0 / 525.0 - k[6][i] / 40.0)
            scaled = error / (tolerance + tolerance * max(abs(y[i]), abs(z[i])))
            square += scaled * scaled
        off = sqrt(square / float(len(y)))
        if off <= 1.0:
            flow.s = goal if last else s + h
            for i in range(len(y)):
                y[i] = z[i]
                k[0][i] = k[6][i]
        take_in(flow, h, last, off, 0.2)


def take_in(flow: Flow, h: float, last: bool, off: float, power: float) -> None:
    """Choose the next step of a flow, and whether it failed, from the step h just tried; both integrators do.

    `last`: it was cut short to end at the goal, and the next one is not made smaller by that; `off`: its error as a
    fraction of what is allowed, anything but a number below 1e10 counting as 1e10; `power`: one over the order.
    """
    bounded = off if off <= 1e10 else 1e10
    factor = min(5.0, max(0.2, 0.9 * exp(-power * log(max(bounded, 1e-10)))))
    if off <= 1.0:
        flow.accepted += 1
        flow.h = max(flow.h, h * factor) if last else h * factor
    else:
        flow.rejected += 1
        flow.h = h * factor
        flow.failed = flow.h < 1e-14 * max(1.0, abs(flow.s))


def slope_in_s(s: float, y: Vector, out: Vector, slope: Slope[P], parameters: P) -> None:
    """dy/ds = (1 + t) dy/dt."""
    stretch = exp(s)
    slope(stretch - 1.0, y, out, parameters)
    for i in range(len(out)):
        out[i] *= stretch
