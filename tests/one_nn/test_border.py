"""The two late equations: beside the exact flow, and the power of their end beside the density that it comes from."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.theory import one_nn as theory


@pytest.mark.parametrize(("d", "N"), [(3, 3), (4, 4)])
def test_the_ratio_is_that_of_the_exact_flow_once_it_is_late(d, N):
    times = [1e6, 1e8]
    exact = theory.flow(times, d, N)
    np.testing.assert_allclose(theory.late_ratio(times, d, N), exact.xi2 / exact.xi1, atol=0.01)


@pytest.mark.parametrize(("d", "N"), [(3, 2), (4, 3), (5, 6)])
def test_the_power_comes_from_the_density_near_the_far_pole(d, N):
    h = np.array([1e-3, 2e-3])  # P(nearest within h of the pole) ~ h^(p + 1)
    power = np.log2(np.divide(*(theory.cdf(-1 + x, d) ** N for x in (h[1:], h[:1]))))
    assert theory.approach_exponent(d, N) == pytest.approx(-1 / (3 * (power[0] - 1)), rel=0.01)


def test_the_ratio_rises_and_stays_below_two():
    ratio = theory.late_ratio(np.geomspace(1e6, 1e16, 11), 4, 8)
    assert (np.diff(ratio) > 0).all()
    assert ratio[-1] == pytest.approx(1.627, abs=0.01)


def test_refusals():
    for call, message in (
        (lambda: theory.approach_exponent(2, 4), "d: expected a whole number >= 3, got 2"),
        (lambda: theory.late_ratio([1e6], 3, 1), "N: expected a whole number >= 2, got 1"),
        (lambda: theory.late_ratio([1e3], 3, 4), "times: expected times above 10000"),
    ):
        with pytest.raises(InputError, match=message):
            call()
