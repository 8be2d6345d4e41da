"""The theory of the page: the library's at random settings, and the same bits in the page."""

import numpy as np
import pytest

from lib.portable import check
from lib.theory import random_walk as theory
from lib.theory.random_walk import portable
from tests.portable.engine import bits, page_of

MODULE = "lib.theory.random_walk.portable"


def settings(count):
    rng = np.random.default_rng(0)
    for _ in range(count):
        K, r = int(rng.integers(3, 31)), int(rng.integers(1, 5))
        p = float(rng.choice([0.0, 0.5, 1.0, rng.random(), rng.random(), rng.random()]))
        yield K, p, r * K + 1, int(rng.integers(r * K + 1, 3000)), float(10 ** rng.uniform(-2, 1)), rng.uniform(0.05, 1)


def test_it_is_the_library_s():
    close = {"rtol": 1e-9, "atol": 1e-9}
    for K, p, N, M, lr, epsilon in settings(200):
        signal = theory.lag_signal(K, p, N)
        np.testing.assert_allclose(portable.lag_signal(K, p, N, N - 1), signal, **close)
        second = theory.second_scores(K, p, N, M, lr, epsilon)
        found = portable.second_scores(K, p, N, M, lr, epsilon, N - 1)
        np.testing.assert_allclose(found, second, rtol=1e-9, atol=1e-9 * max(1, np.abs(second).max()))
        assert portable.best_lag(K, p, N, N - 1) == theory.best_lag(K, p, N)
        assert portable.best_accuracy(p) == theory.best_accuracy(p)
        value = theory.settled_value(100 * lr, K, p, epsilon)
        assert portable.settled_value(100 * lr, K, p, epsilon) == pytest.approx(float(value), rel=1e-9)
        assert portable.law_distance(p) == pytest.approx(theory.law_distance(p), abs=1e-9)
        path = theory.even_output(K, 30, lr, epsilon, 0.2)
        np.testing.assert_allclose(portable.even_output(K, 30, lr, epsilon, 0.2), path, **close)
        for unit in (0, 1):
            factors = theory.growth(K, N, M, lr, path, epsilon, bool(unit))
            own = [portable.growth(K, N, M, lr, f, epsilon, unit) for f in path.tolist()]
            np.testing.assert_allclose(own, factors, **close)
        exponent = theory.escape_exponent(K, N, M, lr, 40, epsilon)
        np.testing.assert_allclose(portable.escape_exponent(K, N, M, lr, 40, epsilon), exponent, **close)


def test_the_same_bits_in_the_page():
    check(portable)
    page = page_of(portable, checked=True)
    for call in (
        ("lag_signal", 7, 0.75, 30, 12),
        ("second_scores", 6, 0.625, 25, 300, 1.5, 0.125, 10),
        ("best_lag", 20, 0.8125, 101, 30),
        ("settled_value", 50.5, 6, 0.75, 0.125),
        ("law_distance", 0.625),
        ("escape_exponent", 6, 25, 300, 10.5, 60, 0.125),
    ):
        name, *arguments = call
        assert bits(page.call(MODULE, name, *arguments)) == bits(getattr(portable, name)(*arguments)), name
