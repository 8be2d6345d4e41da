"""The theory of the page: the library's reduced loss, by another quadrature; the same bits in the page.

That its flow, its late laws and its times are the library's is claim NN-26.
"""

import numpy as np
import pytest

from hal.chapters.one_nn.theory import portable_flow, portable_shift, portable_times
from hal.chapters.one_nn.theory.portable_reduced import loss_and_slopes
from hal.chapters.one_nn.theory.portable_shift import loss_bound
from lib.errors import InputError
from lib.portable.textbooks import recorded
from lib.theory import one_nn as theory
from lib.theory.one_nn import portable as portable_sphere
from lib.theory.one_nn.portable import law_of


def slopes(d, N, xi1, xi2):
    law = law_of(d, N)
    loss_and_slopes(law, xi1, xi2)
    return np.array(law.slopes)


@pytest.mark.parametrize(("d", "N"), [(2, 4), (8, 8)])
def test_a_late_loss_is_a_small_difference_and_still_exact(d, N):
    late = theory.flow(np.array([1e6, 1e8]), d, N)
    for xi1, xi2, loss in zip(late.xi1, late.xi2, late.loss, strict=True):
        assert slopes(d, N, xi1, xi2)[0] == pytest.approx(loss, rel=3e-3)


@pytest.mark.parametrize(("d", "N"), [(2, 5), (3, 4), (4, 8), (8, 16), (16, 32), (32, 128)])
def test_the_density_of_the_nearest_example(d, N):
    law = law_of(d, N)
    w, h = np.linspace(-0.9, 0.95, 9), 1e-4
    dense = [portable_sphere.nearest_density(law, float(x)) for x in w]
    below, above = (theory.cdf(x * (3 - x * x) / 2, d) ** N for x in (w - h, w + h))
    np.testing.assert_allclose(dense, (above - below) / (2 * h), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("d", "N", "xi1", "xi2", "delta"), [(8, 16, 60.0, 55.0, 0.3), (3, 4, 20.0, 30.0, 0.5)])
def test_the_bound_is_the_mean_of_the_bound_of_each_prompt(d, N, xi1, xi2, delta, rng):
    nearest = 2 * rng.beta((d - 1) / 2, (d - 1) / 2, size=(100_000, N)).max(axis=1) - 1
    own = np.minimum(1, np.exp(xi1 * (1 - nearest) - xi2))
    each = 0.5 * np.minimum(2, 2 * N * np.exp(-xi1 * delta / 2) + own) ** 2
    bound = loss_bound(law_of(d, N), xi1, xi2, delta)
    assert abs(bound - each.mean()) < 5 * each.std() / np.sqrt(len(each)) + 1e-5


def test_loss_and_slopes_over_the_sliders_within_what_they_say():
    rng = np.random.default_rng(11)
    for d, N in ((2, 2), (2, 128), (32, 2), (32, 128), *rng.integers([2, 2], [33, 129], (12, 2)).tolist()):
        for xi1 in (-2.0, 0.3, 30.0, float(10 ** rng.uniform(-1, 2.6))):
            place = xi1, xi1 * float(rng.uniform(0.4, 2.5)) + float(rng.uniform(-10, 10)), d, N
            exact, found = theory.reduced_gradient(*place), slopes(d, N, *place[:2])
            assert found[0] == pytest.approx(exact[0], rel=8e-3), place
            within = 0.02 if xi1 >= 0 else 0.12
            assert found[1:].tolist() == pytest.approx(exact[1:], rel=within, abs=2e-6), place


def test_no_separated_loss_is_above_its_bound():
    rng = np.random.default_rng(5)
    for _ in range(60):
        d, N, delta = int(rng.integers(2, 17)), int(rng.integers(2, 65)), float(rng.uniform(0, 1))
        law, xi1 = law_of(d, N), float(10 ** rng.uniform(-1, 2.3))
        xi2 = xi1 * float(rng.uniform(0.4, 2.5)) + float(rng.uniform(-4, 10))
        assert portable_shift.separated_loss(law, xi1, xi2, delta)[0] <= loss_bound(law, xi1, xi2, delta) + 1e-7


def test_the_hazard_is_density_over_distribution_function():
    for d, N, z in ((3, 4, -0.5), (8, 16, 0.1), (17, 40, 0.6)):
        below, above = (N * np.log(float(theory.cdf(z + h, d))) for h in (-1e-4, 1e-4))
        assert portable_sphere.hazard(law_of(d, N), z) == pytest.approx((above - below) / 2e-4, rel=1e-4)
    assert portable_sphere.hazard(law_of(3, 4), -1.0) == np.inf


def test_numbers_read_off_a_path():
    times, losses = [0.0, 9.0, 99.0], [0.4, 0.2, 0.1]
    assert portable_flow.time_of(0.2, times, losses) == pytest.approx(9)
    assert portable_flow.time_of(0.1375, times, losses) == pytest.approx(10**1.5 - 1)  # on the parabola
    assert np.isnan(portable_flow.time_of(0.05, times, losses))
    assert np.isnan(portable_flow.value_at(100.0, times, losses))
    times = [0.0, 1.0, 4.0, 9.0, 30.0, 99.0]
    for t in (0.3, 3.0, 8.0, 9.0, 60.0):  # a cubic in log(1 + t), wherever it is asked for
        cubic = np.polyval([0.3, -1, 2, 5], np.log1p([t, *times]))
        assert portable_flow.value_at(t, times, cubic[1:].tolist()) == pytest.approx(cubic[0])
    shown = [portable_flow.three_digits(x) for x in (12.34, 123.4, 999.6, 8_864_303.0)]
    assert shown == [12.34, 123.0, 1000.0, 8_860_000.0]
    assert np.isnan(portable_flow.three_digits(np.nan))


def test_times_come_flow_after_flow():
    settings, seen = portable_times.Settings(d=2, N=3, level=0.3), []
    run = recorded(portable_times)
    state = run.start(settings, 0)
    while not run.done(state):
        seen.append(run.read(state))
        run.step(state)
    found = run.read(state)
    assert found["steps"] == portable_times.steps_of(settings) == [float(i) for i in range(1, 15)]
    assert [len(one["over_N"]) for one in seen] == [0, 1, 2, 3, 4, 5, *[6] * 8]
    assert [len(one["over_d"]) for one in seen] == [*[0] * 7, 1, 2, 3, 4, 5, 6, 7]
    assert found["over_N"][1] == portable_times.time_to_loss(2, 8, 3.0, 0.3)
    assert found["over_d"][3] == portable_times.time_to_loss(8, 3, 3.0, 0.3)
    assert np.isnan(found["diverged_at"][0])
    assert portable_times.time_to_loss(3, 4, 3.0, 0.45) == 0
    assert [portable_times.examples(i) for i in range(6)] == [4, 8, 16, 32, 64, 128]
    assert [portable_times.dimension(i) for i in range(8)] == [3, 4, 6, 8, 12, 16, 24, 32]
    for bad, message in (({"d": 1}, "d: expected"), ({"N": 0}, "N: expected"), ({"level": 0.0}, "level: expected")):
        with pytest.raises(InputError, match=message):
            portable_times.start(settings._replace(**bad), 0)
