"""The explicit integrator against SciPy and exact solutions, linear equations, and the same bits in the page."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from lib.portable.explicit import flow_from, flow_to
from lib.portable.linear import factorise, solve
from tests.portable.engine import bits, page_from, python_of

# Flows written in the subset: decay, two signals that lift each other, and one that blows up at t = 1.
FLOWS = """
from lib.portable.explicit import Flow, flow_from, flow_to
from lib.portable.linear import factorise, solve
from lib.portable.primitives import Matrix, Vector, copy, whole_zeros


def decay(t: float, y: Vector, out: Vector, rates: Vector) -> None:
    for i in range(len(y)):
        out[i] = -rates[i] * y[i]


def signals(t: float, y: Vector, out: Vector, d: Vector) -> None:
    out[0] = y[1] * (1.0 - y[0] * y[1]) + d[0] * (1.0 - y[0])
    out[1] = y[0] * (1.0 - y[0] * y[1])


def explosion(t: float, y: Vector, out: Vector, p: Vector) -> None:
    out[0] = y[0] * y[0] * p[0]


def follow_signals(y: Vector, p: Vector, ends: Vector, tolerance: float) -> Vector:
    flow = flow_from(0.0, y)
    for i in range(len(ends)):
        flow_to(ends[i], flow, signals, p, tolerance)
    return [flow.s, float(flow.accepted), float(flow.rejected), 1.0 if flow.failed else 0.0, flow.y[len(y) - 1]]


def solved(a: Matrix, b: Vector) -> Vector:
    x = copy(b)
    pivots = whole_zeros(len(b))
    factorise(a, pivots)
    solve(a, pivots, x)
    return x
"""
flows = python_of(FLOWS)


def test_the_plane_of_two_signals_to_a_late_time():
    d = [0.0075]

    def slope(t, y):
        flows.signals(t, list(y), out := [0.0, 0.0], d)
        return out

    flow = flow_from(0.0, [0.0, 0.0])
    for end in (5.0, 12.0, 100.0):
        flow_to(end, flow, flows.signals, d, 1e-7)
        wanted = solve_ivp(slope, (0, end), [0.0, 0.0], method="Radau", rtol=1e-10, atol=1e-12).y[:, -1]
        np.testing.assert_allclose(flow.y, wanted, atol=1e-5)
    assert not flow.failed
    assert flow.accepted < 1000


def test_slope_is_told_the_time_and_nothing_happens_at_the_goal():
    def clock(t, y, out, p):
        out[0] = np.exp(-t)

    flow = flow_from(2.0, [0.0])
    flow_to(2.0, flow, clock, [0.0], 1e-8)
    assert flow.y == [0.0]
    flow_to(4.0, flow, clock, [0.0], 1e-8)
    assert flow.y[0] == pytest.approx(np.exp(-2.0) - np.exp(-4.0), abs=1e-6)
    assert flow.s == pytest.approx(np.log(5.0), abs=1e-15)


def test_error_of_one_step_shrinks_with_the_sixth_power_of_it():
    errors = []
    for h in (0.2, 0.1):
        flow = flow_from(0.0, [1.0])
        flow.h = 1.0
        flow_to(np.expm1(h), flow, flows.decay, [2.0], 1e6)
        assert flow.accepted == 1
        errors.append(abs(flow.y[0] - np.exp(-2 * np.expm1(h))))
    assert np.log2(errors[0] / errors[1]) > 5.5


@pytest.mark.parametrize("start", [1.0, float("nan"), 1e200])
def test_a_flow_that_blows_up_is_said_to_fail(start):
    flow = flow_from(0.0, [start])
    flow_to(2.0, flow, flows.explosion, [1.0], 1e-6)
    assert flow.failed
    assert flow.s < np.log(2.0) + 1e-6
    before = list(flow.y)
    flow_to(3.0, flow, flows.explosion, [1.0], 1e-6)
    assert bits(flow.y) == bits(before)


def test_linear_equations():
    rng = np.random.default_rng(5)
    for n in (1, 2, 5, 12):
        a, b = rng.normal(size=(n, n)), rng.normal(size=n)
        a[0, 0] = 0.0 if n > 1 else 1.0  # needs a pivot
        copied, pivots, x = a.tolist(), [0] * n, b.tolist()
        factorise(copied, pivots)
        solve(copied, pivots, x)
        np.testing.assert_allclose(x, np.linalg.solve(a, b), rtol=1e-9)
    singular, pivots, x = [[1.0, 2.0], [2.0, 4.0]], [0, 0], [1.0, 1.0]
    factorise(singular, pivots)
    solve(singular, pivots, x)
    assert not np.isfinite(x).all()


def test_same_bits_in_the_page():
    page, rng = page_from(FLOWS), np.random.default_rng(6)
    for _ in range(20):
        y, tolerance = rng.normal(size=2).tolist(), float(10 ** rng.uniform(-6, -3))
        arguments = (y, [float(rng.uniform(0, 0.1))], [1.0, 10.0, 50.0], tolerance)
        assert bits(page.call("written.here", "follow_signals", *arguments)) == bits(flows.follow_signals(*arguments))
        a, b = rng.normal(size=(4, 4)).tolist(), rng.normal(size=4).tolist()
        assert bits(page.call("written.here", "solved", a, b)) == bits(flows.solved(a, b))
