"""Integration in the logarithm of time: exact solutions, conditions that stop it, blow-ups, and what is refused."""

import numpy as np
import pytest

from lib.errors import DivergedError, InputError
from lib.integrate import METHODS, integrate


def harmonic(t, y):
    return np.array([y[1], -y[0]])


RATES = np.array([1e-3, 1.0, 1e2, 1e4])


@pytest.mark.parametrize("method", ["stiff", "implicit"])
def test_a_stiff_linear_system(method):
    path = integrate(lambda t, y: RATES * (1 - y), np.zeros(4), [1e-4, 1.0, 1e3, 1e8], method=method)
    exact = -np.expm1(-RATES * path.times[:, None])
    np.testing.assert_allclose(path.states, exact, atol=2e-6)
    assert path.evaluations < 6000
    assert path.stopped is None
    assert path.stop_time == 1e8


def test_an_explicit_method_gives_up_on_it_and_says_where():
    with pytest.raises(DivergedError, match=r"integrate: not at time 1e\+08, but at .*: 3000 evaluations were made"):
        integrate(lambda t, y: RATES * (1 - y), np.zeros(4), [1e8], method="explicit", most=3000)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("unit", [1.0, 1e-3])
def test_a_power_law_over_eight_decades(method, unit):
    path = integrate(lambda t, y: -unit * y**4, [1.0], np.geomspace(1e-3, 1e8, 12) / unit, unit=unit, method=method)
    np.testing.assert_allclose(path.states[:, 0] * (1 + 3 * unit * path.times) ** (1 / 3), 1, atol=3e-7)
    assert path.evaluations < 3000


@pytest.mark.parametrize("method", METHODS)
def test_the_first_condition_stops_it(method):
    conditions = {"low": lambda t, y: y[0] - 0.1, "half": lambda t, y: y[0] - 0.5, "late": lambda t, y: t - 9.0}
    path = integrate(lambda t, y: -y, [1.0], [0.1, 0.5, 1.0, 2.0], until=conditions, method=method)
    assert path.stopped == "half"
    assert path.stop_time == pytest.approx(np.log(2), abs=1e-6)
    assert path.stop_state[0] == pytest.approx(0.5, abs=1e-7)
    np.testing.assert_array_equal(path.times, [0.1, 0.5])
    np.testing.assert_allclose(path.states[:, 0], np.exp(-path.times), atol=1e-6)
    alone = integrate(lambda t, y: -y, [1.0], [20.0], until={"late": conditions["late"]}, method=method)
    assert (alone.stopped, len(alone.times), alone.states.shape) == ("late", 0, (0, 1))
    assert alone.stop_time == pytest.approx(9.0)


def test_a_condition_at_the_start():
    past = integrate(lambda t, y: -y, [1.0], [1.0], until={"below 2": lambda t, y: y[0] - 2})
    assert past.stopped is None
    at_once = integrate(lambda t, y: -y, [1.0], [0.0, 1.0], until={"one": lambda t, y: y[0] - 1})
    assert (at_once.stopped, at_once.stop_time, at_once.times.tolist()) == ("one", 0.0, [0.0])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("slope", "start"), [(lambda t, y: y * y, 1.0), (lambda t, y: np.exp(y), 0.0)])
def test_a_blow_up_is_reported_with_its_time(slope, start, method):
    with pytest.raises(DivergedError, match=r"mine: not at time 10, but at 1(\.00\d*)?: "):
        integrate(slope, [start], [0.5, 10.0], method=method, what="mine")


@pytest.mark.parametrize("method", METHODS)
def test_a_slope_that_is_no_number(method):
    with pytest.raises(DivergedError, match="integrate: not at time 2, but at 0: the slope is not finite"):
        integrate(lambda t, y: np.array([np.nan]), [1.0], [2.0], method=method)
    with pytest.raises(DivergedError, match=r"integrate: not at time 9, but at (2\.[89]|3: )"):
        integrate(lambda t, y: np.array([1.0 if t < 3 else np.nan]), [1.0], [9.0], method=method)


REFUSED = {
    "start that is not finite": ({"start": [np.inf, 1.0]}, "start: .*finite"),
    "times that fall": ({"times": [2.0, 1.0]}, "times: .*increasing"),
    "negative times": ({"times": [-1.0, 1.0]}, "times: .*at least 0"),
    "unit": ({"unit": 0.0}, "unit: .*above 0, got 0.0"),
    "tolerance": ({"rtol": -1.0}, "rtol: "),
    "method": ({"method": "euler"}, "method: expected one of stiff, implicit, explicit, got euler"),
    "cap": ({"most": 0}, "most: expected a whole number >= 1, got 0"),
    "condition": ({"until": {"half": 0.5}}, r"until\['half'\]: expected a function"),
    "slope of another shape": ({"slope": lambda t, y: y[:1]}, r"slope: expected shape \(2,\), got \(1,\)"),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(change, message):
    arguments = {"slope": harmonic, "start": [1.0, 0.0], "times": [1.0]}
    with pytest.raises(InputError, match=message):
        integrate(**(arguments | change))
