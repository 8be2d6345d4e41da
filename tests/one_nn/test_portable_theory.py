"""The page's theory over the sliders, by another quadrature; that its flow and late laws are the library's is NN-26."""

import numpy as np
import pytest

from hal.chapters.one_nn.theory import portable_flow
from hal.chapters.one_nn.theory.portable_reduced import loss_and_slopes
from lib.theory import one_nn as theory
from lib.theory.one_nn.portable import law_of


def test_loss_and_slopes_over_the_sliders_within_what_they_say():
    rng = np.random.default_rng(11)
    for d, N in ((2, 2), (2, 128), (32, 2), (32, 128), *rng.integers([2, 2], [33, 129], (12, 2)).tolist()):
        for xi1 in (-2.0, 0.3, 30.0, float(10 ** rng.uniform(-1, 2.6))):
            place = xi1, xi1 * float(rng.uniform(0.4, 2.5)) + float(rng.uniform(-10, 10)), d, N
            exact, law = theory.reduced_gradient(*place), law_of(d, N)
            loss_and_slopes(law, *place[:2])
            assert law.slopes[0] == pytest.approx(exact[0], rel=8e-3), place
            assert law.slopes[1:] == pytest.approx(exact[1:], rel=0.02 if xi1 >= 0 else 0.12, abs=2e-6), place


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
