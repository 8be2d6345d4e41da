"""Chances, quadrature, sums over arrays: the numbers of SciPy and NumPy, and the same bits in the page.

Optimisers: `tests/core/test_optim_peers.py`; the laws of textbooks hold the page's bits of them.
"""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from hal.chapters.scb.models import textbook_measures
from lib.portable import chances, optimisers, quadrature, small, vectors
from tests.portable.engine import bits, page_of

MODULES = (chances, quadrature, small, textbook_measures, vectors)
PAGES = {module: page_of(module, checked=module is vectors) for module in MODULES}


def in_both(module, name, *arguments):
    """What a function gives here, and to the last bit in the page."""
    here = getattr(module, name)(*arguments)
    assert bits(PAGES[module].call(module.__name__, name, *arguments)) == bits(here)
    return here


def test_normal_distribution_function():
    x = np.r_[np.linspace(-12, 12, 4001), 0.0, np.inf, -np.inf, 1e-300]
    np.testing.assert_allclose([chances.normal_cdf(float(v)) for v in x], norm.cdf(x), rtol=0, atol=2e-15)
    assert np.isnan(chances.normal_cdf(np.nan))
    for value in [-8.4, -7.5, 8.4, *np.random.default_rng(1).uniform(-9, 9, 300).tolist()]:
        in_both(chances, "normal_cdf", value)
    assert chances.normal_cdf(-6.0) == pytest.approx(norm.cdf(-6.0), rel=1e-6)


@pytest.mark.parametrize(("name", "theirs"), [("log1p", math.log1p), ("expm1", math.expm1)])
def test_all_digits_where_x_is_small(name, theirs):
    small_ones = [sign * m * 10.0**-k for k in range(0, 325, 3) for m in (1.0, 2.718, 7.07) for sign in (-1, 1)]
    for x in [*(x for x in small_ones if x > -1.0), 0.0, -0.0, 5e-324, 2.0**-53, -(2.0**-53), 3.0, 300.0]:
        assert in_both(small, name, x) == pytest.approx(theirs(x), rel=1e-15, abs=0), x
    for x in (math.nan, math.inf, -math.inf, -1.0, -2.0, 1e308):
        in_both(small, name, x)
    assert (small.log1p(-1.0), small.log1p(math.inf), small.expm1(-math.inf), small.expm1(1e308)) == (
        -math.inf, math.inf, -1.0, math.inf,
    )  # fmt: skip
    assert math.isnan(small.log1p(-2.0))
    assert math.isnan(small.expm1(math.nan))


def test_share_interval_is_wilson_s():
    assert textbook_measures.share_interval(0.0, 0.0) == (0.0, 1.0)
    for trials in (1, 2, 7, 64, 1000):
        for count in {0, 1, trials // 3, trials - 1, trials}:
            wanted = binomtest(count, trials).proportion_ci(method="wilson")
            found = in_both(textbook_measures, "share_interval", float(count), float(trials))
            assert found == pytest.approx((wanted.low, wanted.high), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 16, 24, 33, 40])
def test_places_and_weights(n):
    x, w = np.polynomial.legendre.leggauss(n)
    places = in_both(quadrature, "gauss_places", n)
    np.testing.assert_allclose(places, (x + 1) / 2, atol=1e-14)
    np.testing.assert_allclose(in_both(quadrature, "gauss_weights", places), w / 2, atol=1e-13)


def test_arrays_and_their_places():
    values = [1.5, -0.0, 3e300]
    assert in_both(vectors, "numbered", 4) == [1.0, 2.0, 3.0, 4.0]
    assert in_both(vectors, "filled", 3, 0.25) == [0.25] * 3
    assert in_both(vectors, "scaled", values, 2.0) == [3.0, -0.0, 6e300]
    assert values == [1.5, -0.0, 3e300]
    assert vectors.part([1.0, 2.0, 3.0, 4.0], 1, 2) == [2.0, 3.0]
    values = [2.0, 5.0, -1.0, 5.0, math.nan, -1.0]
    assert (vectors.argmax(values), vectors.argmin(values)) == (1, 2)
    assert (vectors.argmax([math.nan, 1.0]), vectors.argmin([math.nan, 1.0])) == (0, 0)


def test_adam_leaves_an_entry_alone_that_never_had_a_gradient():
    x, memory = [1.0, 2.0], optimisers.adam_memory(2)
    optimisers.adam(x, memory, [0.0, 1.0], 0.1, 0.9, 0.999, 0.0)
    assert x[0] == 1.0
    assert x[1] == pytest.approx(1.9)
