"""The stiff integrator against SciPy."""

import numpy as np
import pytest

from hal.chapters.one_nn.theory.stiff import stiff_flow_to
from lib.portable.explicit import flow_from
from tests.portable.test_integrators import a_flow_that_blows_up_is_said_to_fail, by_scipy, flows


def test_the_plane_of_two_signals_to_a_late_time():
    flow = flow_from(0.0, [0.0, 0.0])
    for end in (5.0, 12.0, 1e5):
        stiff_flow_to(end, flow, flows.signals, [0.0075], 1e-7)
        np.testing.assert_allclose(flow.y, by_scipy(flows.signals, [0.0, 0.0], [0.0075], end, "Radau"), atol=1e-5)
    assert not flow.failed
    assert flow.accepted < 1000


@pytest.mark.parametrize("start", [float("nan"), 1e200])  # it may step over a pole, and says so
def test_a_flow_that_blows_up_is_said_to_fail(start):
    a_flow_that_blows_up_is_said_to_fail(stiff_flow_to, start)
