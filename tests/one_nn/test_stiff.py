"""The stiff integrator against SciPy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hal.chapters.one_nn.theory.stiff import stiff_flow_to
from lib.portable.explicit import flow_from
from tests.portable.test_integrators import flows


def test_the_plane_of_two_signals_to_a_late_time():
    def slope(t, y):
        flows.signals(t, list(y), out := [0.0, 0.0], [0.0075])
        return out

    flow = flow_from(0.0, [0.0, 0.0])
    for end in (5.0, 12.0, 1e5):
        stiff_flow_to(end, flow, flows.signals, [0.0075], 1e-7)
        wanted = solve_ivp(slope, (0, end), [0.0, 0.0], method="Radau", rtol=1e-10, atol=1e-12).y[:, -1]
        np.testing.assert_allclose(flow.y, wanted, atol=1e-5)
    assert not flow.failed
    assert flow.accepted < 1000


@pytest.mark.parametrize("start", [float("nan"), 1e200])  # it may step over a pole, and says so
def test_a_flow_that_blows_up_is_said_to_fail(start):
    flow = flow_from(0.0, [start])
    stiff_flow_to(2.0, flow, flows.explosion, [1.0], 1e-6)
    assert flow.failed
