"""Where names stand that would lie over each other; what holds of every still picture is in test_figures."""

from itertools import pairwise

import numpy as np
import pytest

from hal.explorer.still_names import apart


def test_names_that_meet_stand_about_their_common_middle():
    assert apart([0.5, 0.5], [0.2, 0.2], 0.0, 1.0) == [0.4, 0.6]
    assert apart([0.9, 0.2], [0.1, 0.1], 0.0, 1.0) == [0.9, 0.2]
    assert apart([1.0, 1.0, 1.0], [0.2] * 3, 0.0, 1.0) == [0.5, 0.7, 0.9]


@pytest.mark.parametrize("seed", range(5))
def test_names_never_overlap_and_stay_in_order(seed):
    rng = np.random.default_rng(seed)
    wanted, sizes = rng.uniform(-0.2, 1.2, 6), rng.choice([0.05, 0.1, 0.15], 6)
    places = np.array(apart(wanted.tolist(), sizes.tolist(), 0.0, 1.0))
    order = np.argsort(wanted, kind="stable")
    for below, above in pairwise(order):
        assert places[above] - places[below] >= (sizes[below] + sizes[above]) / 2 - 1e-8
    assert places.min() >= 0.0
    assert places.max() <= 1.0
