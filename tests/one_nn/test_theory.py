"""Theory of `one_nn`: laws of inner products, convergence of the quadrature, refusals."""

import numpy as np
import pytest
from scipy.integrate import quad

from hal.chapters.one_nn.theory import separated_loss, separated_slope, triple_share, wrong_sign
from lib.theory import one_nn as theory
from lib.theory.one_nn import reduced, sphere
from tests.refusals import refused


def density(z, d):
    """Of the inner product of two uniform points."""
    return sphere.normaliser(d) * (1 - z * z) ** ((d - 3) / 2)


@pytest.mark.parametrize("d", [3, 4, 8, 17])
def test_density_and_cdf_belong_together(d):
    assert quad(density, -1, 1, args=(d,))[0] == pytest.approx(1, abs=1e-8)
    assert quad(density, -1, 0.3, args=(d,))[0] == pytest.approx(float(theory.cdf(0.3, d)), abs=1e-8)
    assert float(theory.quantile(theory.cdf(0.3, d), d)) == pytest.approx(0.3, abs=1e-10)
    mean = quad(lambda z: z * 5 * density(z, d) * float(theory.cdf(z, d)) ** 4, -1, 1)[0]
    assert theory.nearest_mean(d, 5) == pytest.approx(mean, abs=1e-6)


@pytest.mark.parametrize(
    "point", [(4.0, 3.0, 4, 7), (300.0, 290.0, 8, 16), (1000.0, 900.0, 16, 32), (-40.0, 2.0, 3, 5)]
)
def test_the_quadrature_has_converged(point, monkeypatch):
    coarse = theory.reduced_gradient(*point)
    monkeypatch.setattr(reduced, "_STEP", 0.25)
    monkeypatch.setattr(reduced, "_PANELS", 60)
    np.testing.assert_allclose(coarse, theory.reduced_gradient(*point), rtol=0, atol=2e-9)


test_bad_input_is_refused = refused(
    [
        (lambda: theory.cdf(1.5, 4), r"z: expected inner products within \[-1, 1\]"),
        (lambda: theory.cdf(0.0, 1), "d: expected a whole number >= 2"),
        (lambda: theory.quantile(1.5, 4), r"u: expected probabilities within \[0, 1\]"),
        (lambda: theory.gap_density(4, 1), "N: expected a whole number >= 2"),
        (lambda: theory.reduced_loss(np.inf, 1.0, 4, 4), "xi1: expected a finite number"),
        (lambda: theory.reduced_loss(1.0, -np.inf, 4, 4), "xi2: expected a number above minus infinity"),
        (lambda: theory.reduced_loss(1.0, 1.0, 4, 0), "N: expected a whole number >= 1"),
        (lambda: theory.flow([1.0], 4, 4, np.inf), "sigma: expected a finite number"),
        (lambda: theory.late_loss(1.0, 2, 4), "d: expected a whole number >= 3"),
        (lambda: theory.late_xi1(0.0, 4, 4), "t: expected finite values > 0"),
        (lambda: theory.late_loss(1.0, 3, 4, 0.0), "ratio: expected finite values > 0"),
        (lambda: theory.time_to_loss(0.0, 3, 4), "loss: expected finite values > 0"),
        (lambda: separated_loss(-5.0, 1.0, 3, 4, 0.1), "xi1: expected numbers of at least -4"),
        (lambda: wrong_sign(0.0, 3, 4), "xi1: expected a finite number > 0"),
        (lambda: wrong_sign(1.0, 3, 4, 5.0), "delta: expected a squared distance between 0 and 4"),
        (lambda: theory.typical_distance(3, 4), "d: expected a whole number >= 4"),
        (lambda: theory.prediction_bound(-1.0, 1.0, 0.5, 4, 0.1), "xi1: expected numbers of at least 0"),
        (lambda: theory.prediction_bound(1.0, 1.0, 0.5, 4, 5.0), "delta: expected squared distances between 0 and 4"),
        (lambda: separated_slope(0.0, 0.1), "xi1: expected finite values > 0"),
        (lambda: triple_share(6), "N: expected one less than a power of two, got 6"),
    ]
)
