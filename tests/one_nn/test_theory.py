"""Theory of `one_nn`: laws of inner products, convergence, separated prompts and wrong signs by samples, refusals."""

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


def separated_rows(xi1, xi2, d, N, delta, rng):
    """Loss on separated prompts by a weighted sample: half of the rows where the query is nearer to itself."""
    edge = float(theory.cdf(np.clip(1 - xi2 / xi1 + 8 / xi1, -1, 1), d) ** N)
    losses = []
    for low, high in ((0.0, edge), (edge, 1.0)):
        nearest = (low + (high - low) * rng.random(20_000)) ** (1 / N)
        z = theory.quantile(nearest * np.vstack([np.ones(20_000), rng.random((N - 1, 20_000))]), d)
        e, own = np.exp(xi1 * (z - z[0])), np.exp(np.minimum(xi1 * (1 - z[0]) - xi2, 600))
        far = np.where(z <= z[0] - delta / 2, e, 0)
        each = 0.5 * ((far.sum(axis=0) + own) ** 2 + (far**2).sum(axis=0)) / (e.sum(axis=0) + own) ** 2
        losses.append(((high - low) * each.mean(), (high - low) * each.std() / np.sqrt(20_000)))
    return sum(mean for mean, _ in losses), np.hypot(*(error for _, error in losses))


def test_separated_loss_by_a_sample_and_without_separation():
    rng = np.random.default_rng(7)
    for _ in range(5):
        d, N, delta = int(rng.integers(2, 17)), int(rng.integers(2, 65)), float(rng.uniform(0, 1) ** 2)
        xi1 = float(10 ** rng.uniform(0, 2))
        xi2 = xi1 * float(rng.uniform(0.6, 2))
        found, floor = separated_loss(xi1, xi2, d, N, delta)
        mean, error = separated_rows(xi1, xi2, d, N, delta, rng)
        assert abs(found - mean) < 5 * error + 0.01 * mean + 2e-7, (d, N, xi1, xi2, delta)
        assert floor <= found
        assert separated_loss(xi1, xi2, d, N, 4.0)[0] == pytest.approx(floor, rel=1e-3)
        uniform = separated_loss(xi1, xi2, d, N, 0.0)[0]
        assert uniform == pytest.approx(theory.reduced_loss(xi1, xi2, d, N), rel=5e-3)


def test_wrong_signs_by_a_sample():
    rng = np.random.default_rng(3)
    for xi1, d, N, delta in ((2.0, 3, 5, 0.0), (12.0, 8, 16, 0.1), (6.0, 12, 9, 0.5)):
        z = theory.quantile(rng.random((N, 50_000)), d)
        gap = z.max(axis=0) - z
        sign = np.where((gap < delta / 2) | (gap == 0), 1, rng.choice([-1, 1], gap.shape))
        wrong = np.mean(np.sum(sign * np.exp(-xi1 * gap), axis=0) < 0)
        assert abs(wrong_sign(xi1, d, N, delta) - wrong) < 5 * np.sqrt(wrong / 50_000) + 3e-4
    assert wrong_sign(5.0, 3, 2) == pytest.approx(0, abs=1e-4)  # two examples never err


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
