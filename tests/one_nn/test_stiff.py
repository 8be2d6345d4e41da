"""The stiff integrator against SciPy and the explicit one, and the same bits in the page."""

import numpy as np
import pytest

from hal.chapters.one_nn.theory.stiff import stiff_flow_to
from lib.portable.explicit import flow_from, flow_to
from tests.portable.engine import bits, page_from, python_of
from tests.portable.test_integrators import (
    a_flow_that_blows_up_is_said_to_fail,
    by_scipy,
    flows,
    order,
    the_slope_is_told_the_time,
)

REACTION = """
from hal.chapters.one_nn.theory.stiff import stiff_flow_to
from lib.portable.explicit import flow_from
from lib.portable.primitives import Vector


def reaction(t: float, y: Vector, out: Vector, k: Vector) -> None:
    out[0] = -k[0] * y[0] + k[1] * y[1] * y[2]
    out[1] = k[0] * y[0] - k[1] * y[1] * y[2] - k[2] * y[1] * y[1]
    out[2] = k[2] * y[1] * y[1]


def followed(y: Vector, p: Vector, ends: Vector, tolerance: float) -> Vector:
    flow = flow_from(0.0, y)
    for i in range(len(ends)):
        stiff_flow_to(ends[i], flow, reaction, p, tolerance)
    return [flow.s, float(flow.accepted), float(flow.rejected), flow.y[0], flow.y[1], flow.y[2]]
"""
written = python_of(REACTION)
RATES = [0.04, 1e4, 3e7]


def test_the_plane_of_two_signals_to_a_late_time():
    flow = flow_from(0.0, [0.0, 0.0])
    for end in (5.0, 12.0, 1e5):
        stiff_flow_to(end, flow, flows.signals, [0.0075], 1e-7)
        np.testing.assert_allclose(flow.y, by_scipy(flows.signals, [0.0, 0.0], [0.0075], end, "Radau"), atol=1e-5)
    assert not flow.failed
    assert flow.accepted < 1000


@pytest.mark.parametrize("steady", [False, True])
def test_a_stiff_reaction_to_a_late_time(steady):
    flow = flow_from(0.0, [1.0, 0.0, 0.0])
    flow.steady = steady
    stiff_flow_to(1e5, flow, written.reaction, RATES, 1e-7)
    exact = by_scipy(written.reaction, [1.0, 0.0, 0.0], RATES, 1e5, "Radau")
    np.testing.assert_allclose(flow.y, exact, rtol=1e-4, atol=1e-7)
    assert flow.accepted + flow.rejected < 1500
    explicit = flow_from(0.0, [1.0, 0.0, 0.0])
    flow_to(1.0, explicit, written.reaction, RATES, 1e-7)
    assert explicit.accepted + explicit.rejected > 500  # what the stiff one is for


def test_time_and_order():
    the_slope_is_told_the_time(stiff_flow_to)
    assert order(stiff_flow_to) > 3.5


@pytest.mark.parametrize("start", [float("nan"), 1e200])  # it may step over a pole, and says so
def test_a_flow_that_blows_up_is_said_to_fail(start):
    a_flow_that_blows_up_is_said_to_fail(stiff_flow_to, start)


def test_same_bits_in_the_page():
    page, rng = page_from(REACTION), np.random.default_rng(6)
    for _ in range(20):
        rates = [0.04, float(10 ** rng.uniform(1, 4)), 3e7]
        arguments = (rng.dirichlet(np.ones(3)).tolist(), rates, [1.0, 100.0], float(10 ** rng.uniform(-6, -3)))
        assert bits(page.call("written.here", "followed", *arguments)) == bits(written.followed(*arguments))
