"""Gauss and Legendre's rule: its places and weights are NumPy's, and it is exact for polynomials."""

import numpy as np
import pytest

from lib.portable import quadrature
from tests.portable.engine import bits, page_of


@pytest.mark.parametrize("n", [1, 2, 3, 8, 16, 24, 33, 40])
def test_places_and_weights(n):
    x, w = np.polynomial.legendre.leggauss(n)
    places = quadrature.gauss_places(n)
    np.testing.assert_allclose(places, (x + 1) / 2, atol=1e-14)
    np.testing.assert_allclose(quadrature.gauss_weights(places), w / 2, atol=1e-13)


def test_exact_for_polynomials_up_to_degree_2n_minus_1():
    places = np.array(quadrature.gauss_places(5))
    weights = np.array(quadrature.gauss_weights(places.tolist()))
    for degree in range(10):
        assert weights @ places**degree == pytest.approx(1 / (degree + 1), rel=1e-13)
    assert weights @ places**10 != pytest.approx(1 / 11, rel=1e-7)


def test_the_same_bits_in_the_page():
    page = page_of(quadrature)
    here = quadrature.gauss_places(16)
    there = page.call("lib.portable.quadrature", "gauss_places", 16)
    assert bits(there) == bits(here)
    assert bits(page.call("lib.portable.quadrature", "gauss_weights", here)) == bits(quadrature.gauss_weights(here))
