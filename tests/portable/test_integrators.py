"""Both integrators against SciPy and exact solutions, and the same bits in the page."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hal.chapters.one_nn.theory.stiff import stiff_flow_to
from lib.portable.explicit import flow_from, flow_to
from lib.portable.linear import factorise, solve
from tests.portable.engine import bits, page_from, python_of

# Flows written in the subset: decay at many rates, two signals that lift each other, a stiff chemical reaction, a
# clock that shows the time, and one that blows up at t = 1.
FLOWS = """
from lib.portable.explicit import Flow, flow_from, flow_to
from lib.portable.linear import factorise, solve
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Vector, copy, whole_zeros
from hal.chapters.one_nn.theory.stiff import stiff_flow_to


def decay(t: float, y: Vector, out: Vector, rates: Vector) -> None:
    for i in range(len(y)):
        out[i] = -rates[i] * y[i]


def signals(t: float, y: Vector, out: Vector, d: Vector) -> None:
    out[0] = y[1] * (1.0 - y[0] * y[1]) + d[0] * (1.0 - y[0])
    out[1] = y[0] * (1.0 - y[0] * y[1])


def reaction(t: float, y: Vector, out: Vector, k: Vector) -> None:
    out[0] = -k[0] * y[0] + k[1] * y[1] * y[2]
    out[1] = k[0] * y[0] - k[1] * y[1] * y[2] - k[2] * y[1] * y[1]
    out[2] = k[2] * y[1] * y[1]


def clock(t: float, y: Vector, out: Vector, p: Vector) -> None:
    out[0] = exp(-t) + 0.0 * p[0]


def explosion(t: float, y: Vector, out: Vector, p: Vector) -> None:
    out[0] = y[0] * y[0] * p[0]


def shown(flow: Flow) -> Vector:
    done = [flow.s, float(flow.accepted), float(flow.rejected), 1.0 if flow.failed else 0.0, flow.y[0]]
    done[4] = flow.y[len(flow.y) - 1]
    return done


def follow_signals(y: Vector, p: Vector, ends: Vector, tolerance: float) -> Vector:
    flow = flow_from(0.0, y)
    for i in range(len(ends)):
        flow_to(ends[i], flow, signals, p, tolerance)
    return shown(flow)


def follow_reaction(y: Vector, p: Vector, ends: Vector, tolerance: float) -> Vector:
    flow = flow_from(0.0, y)
    for i in range(len(ends)):
        stiff_flow_to(ends[i], flow, reaction, p, tolerance)
    return shown(flow)


def solved(a: Matrix, b: Vector) -> Vector:
    x = copy(b)
    pivots = whole_zeros(len(b))
    factorise(a, pivots)
    solve(a, pivots, x)
    return x
"""
flows = python_of(FLOWS)
BOTH = pytest.mark.parametrize("go", [flow_to, stiff_flow_to])


def by_scipy(slope, y, p, end, method="DOP853"):
    def right(t, y):
        out = [0.0] * len(y)
        slope(t, list(y), out, p)
        return out

    return solve_ivp(right, (0, end), y, method=method, rtol=1e-10, atol=1e-12).y[:, -1]


@pytest.mark.parametrize(("go", "late"), [(flow_to, 100.0), (stiff_flow_to, 1e5)])
def test_the_plane_of_two_signals_to_a_late_time(go, late):
    d = [0.0075]
    flow = flow_from(0.0, [0.0, 0.0])
    for end in (5.0, 12.0, late):
        go(end, flow, flows.signals, d, 1e-7)
        np.testing.assert_allclose(flow.y, by_scipy(flows.signals, [0.0, 0.0], d, end, "Radau"), atol=1e-5)
    assert not flow.failed
    assert flow.accepted < 1000


def test_a_stiff_reaction_to_a_late_time():
    rates = [0.04, 1e4, 3e7]
    flow = flow_from(0.0, [1.0, 0.0, 0.0])
    stiff_flow_to(1e5, flow, flows.reaction, rates, 1e-7)
    exact = by_scipy(flows.reaction, [1.0, 0.0, 0.0], rates, 1e5, "Radau")
    np.testing.assert_allclose(flow.y, exact, rtol=1e-4, atol=1e-7)
    assert flow.accepted + flow.rejected < 1500
    explicit = flow_from(0.0, [1.0, 0.0, 0.0])
    flow_to(1.0, explicit, flows.reaction, rates, 1e-7)
    assert explicit.accepted + explicit.rejected > 500  # what the stiff one is for


def test_a_slope_that_stands_still_costs_one_less_a_step():
    asked, ends = [], []

    def slope(t, y, out, rates):
        asked.append(t)
        flows.reaction(t, y, out, rates)

    for steady in (False, True):
        flow = flow_from(0.0, [1.0, 0.0, 0.0])
        flow.steady = steady
        stiff_flow_to(1e5, flow, slope, [0.04, 1e4, 3e7], 1e-7)
        ends.append((flow.y, flow.accepted, len(asked)))
        asked.clear()
    (told, steps, many), (still, fewer, few) = ends
    np.testing.assert_allclose(still, told, rtol=1e-5, atol=1e-9)
    assert many / steps - few / fewer == pytest.approx(1, abs=0.1)


def test_a_slope_that_is_known_is_not_asked_again():
    asked = []

    def slope(t, y, out, d):
        asked.append((t, *y))
        flows.signals(t, y, out, d)

    flow = flow_from(0.0, [0.0, 0.0])
    flow.steady = True
    for end in (1.0, 2.0, 5.0):
        flow_to(end, flow, slope, [0.0075], 1e-4)
    assert len(asked) == 1 + 6 * (flow.accepted + flow.rejected)
    asked.clear()
    before, again = flow.accepted, flow.rejected
    stiff_flow_to(6.0, flow, slope, [0.0075], 1e-4)  # its first Jacobian starts from the slope that the other one left
    steps, again = flow.accepted - before, flow.rejected - again
    assert len(asked) == 2 * (steps + again) + 3 * steps - 1
    assert not flow.known


@BOTH
def test_the_slope_is_told_the_time(go):
    flow = flow_from(2.0, [0.0])
    go(2.0, flow, flows.clock, [0.0], 1e-8)
    assert flow.y == [0.0]  # nothing happens at the goal
    go(4.0, flow, flows.clock, [0.0], 1e-8)
    assert flow.y[0] == pytest.approx(np.exp(-2.0) - np.exp(-4.0), abs=1e-6)
    assert flow.s == pytest.approx(np.log(5.0), abs=1e-15)


# the stiff one may step over a pole, and says so
@pytest.mark.parametrize(
    ("go", "start"),
    [(flow_to, 1.0), (flow_to, float("nan")), (flow_to, 1e200), (stiff_flow_to, float("nan")), (stiff_flow_to, 1e200)],
)
def test_a_flow_that_blows_up_is_said_to_fail(go, start):
    flow = flow_from(0.0, [start])
    go(2.0, flow, flows.explosion, [1.0], 1e-6)
    assert flow.failed
    assert flow.s < np.log(2.0) + 1e-6
    before = list(flow.y)
    go(3.0, flow, flows.explosion, [1.0], 1e-6)
    assert bits(flow.y) == bits(before)


def test_orders():
    # the error of one step of size h shrinks as h**6 and h**4
    for go, least in ((flow_to, 5.5), (stiff_flow_to, 3.5)):
        errors = []
        for h in (0.2, 0.1):
            flow = flow_from(0.0, [1.0])
            flow.h = 1.0
            go(np.expm1(h), flow, flows.decay, [2.0], 1e6)
            assert flow.accepted == 1
            errors.append(abs(flow.y[0] - np.exp(-2 * np.expm1(h))))
        assert np.log2(errors[0] / errors[1]) > least


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
        y = rng.dirichlet(np.ones(3)).tolist()
        arguments = (y, [0.04, float(10 ** rng.uniform(1, 4)), 3e7], [1.0, 100.0], tolerance)
        assert bits(page.call("written.here", "follow_reaction", *arguments)) == bits(flows.follow_reaction(*arguments))
        a, b = rng.normal(size=(4, 4)).tolist(), rng.normal(size=4).tolist()
        assert bits(page.call("written.here", "solved", a, b)) == bits(flows.solved(a, b))
