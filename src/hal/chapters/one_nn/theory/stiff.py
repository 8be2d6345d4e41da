"""One stiff integrator: Rodas3, a Rosenbrock method of order 3 that is L-stable, adaptive, in logarithmic time.

For flows with rates of very different size, where the explicit one would take tiny steps to the end. The Jacobian is
made of differences; every step solves linear equations, no nonlinear ones. Source: Sandu et al., "Benchmarking stiff
ODE solvers for atmospheric chemistry problems II: Rosenbrock solvers", Atmospheric Environment 31 (1997).
"""

from typing import TypeVar

from lib.portable.explicit import Flow, Slope, slope_in_s, take_in
from lib.portable.linear import factorise, solve
from lib.portable.numbers import log
from lib.portable.primitives import Matrix, Vector, sqrt, whole_zeros, zero_matrix, zeros

P = TypeVar("P")


def stiff_flow_to(end: float, flow: Flow, slope: Slope[P], parameters: P, tolerance: float) -> None:
    """Follow the path to time `end`, from where it is; arguments as in `lib.portable.explicit.flow_to`.

    It may step over a pole without a sign of it: a flow that can blow up in finite time belongs to the explicit one.
    """
    goal = log(1.0 + end)
    y = flow.y
    z = flow.trial
    n = len(y)
    jacobian = zero_matrix(n, n)
    a = zero_matrix(n, n)
    pivots = whole_zeros(n)
    f = zeros(n)
    f_s = zeros(n)
    k1, k2, k3, k4 = flow.slopes[0], flow.slopes[1], flow.slopes[2], flow.slopes[3]
    fresh = True
    while flow.s < goal and not flow.failed:
        s = flow.s
        last = s + flow.h * 1.0000001 > goal
        h = goal - s if last else flow.h
        if fresh:
            _differences(s, y, f, f_s, jacobian, flow, slope, parameters)
            fresh = False
        for i in range(n):
            for j in range(n):
                a[i][j] = -jacobian[i][j]
            a[i][i] += 2.0 / h
        factorise(a, pivots)
        for i in range(n):
            k1[i] = f[i] + 0.5 * h * f_s[i]
        solve(a, pivots, k1)
        for i in range(n):
            k2[i] = f[i] + 1.5 * h * f_s[i] + 4.0 * k1[i] / h
        solve(a, pivots, k2)
        for i in range(n):
            z[i] = y[i] + 2.0 * k1[i]
        slope_in_s(s + h, z, k3, slope, parameters)
        for i in range(n):
            k3[i] += (k1[i] - k2[i]) / h
        solve(a, pivots, k3)
        for i in range(n):
            z[i] = y[i] + 2.0 * k1[i] + k3[i]
        slope_in_s(s + h, z, k4, slope, parameters)
        for i in range(n):
            k4[i] += (k1[i] - k2[i] - 8.0 / 3.0 * k3[i]) / h
        solve(a, pivots, k4)
        square = 0.0
        for i in range(n):
            z[i] += k4[i]
            scaled = k4[i] / (tolerance + tolerance * max(abs(y[i]), abs(z[i])))
            square += scaled * scaled
        off = sqrt(square / float(n))
        if off <= 1.0:
            flow.s = goal if last else s + h
            fresh = True
            for i in range(n):
                y[i] = z[i]
        take_in(flow, h, last, off, 1.0 / 3.0)


def _differences(
    s: float, y: Vector, f: Vector, f_s: Vector, jacobian: Matrix, flow: Flow, slope: Slope[P], parameters: P
) -> None:
    """The slope at (s, y), and its derivatives in s and in every entry of y, by differences."""
    n = len(y)
    z = flow.trial
    moved = flow.slopes[4]
    if flow.known:
        for i in range(n):
            f[i] = flow.slopes[0][i]
    else:
        slope_in_s(s, y, f, slope, parameters)
    flow.known = False  # the slopes are room for the step
    ahead = s + 1e-7 * max(1e-3, abs(s))
    if not flow.steady:
        slope_in_s(ahead, y, moved, slope, parameters)
    for i in range(n):
        # d/ds of (1 + t) dy/dt is that itself where dy/dt stands still
        f_s[i] = f[i] if flow.steady else (moved[i] - f[i]) / (ahead - s)
        z[i] = y[i]
    for j in range(n):
        z[j] = y[j] + 1e-7 * max(1e-3, abs(y[j]))
        slope_in_s(s, z, moved, slope, parameters)
        for i in range(n):
            jacobian[i][j] = (moved[i] - f[i]) / (z[j] - y[j])
        z[j] = y[j]
