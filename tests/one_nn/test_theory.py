"""Theory of `one_nn`: the exact loss against sums over prompts and closed forms, laws of inner products, both ends."""

import numpy as np
import pytest
from scipy.integrate import dblquad, quad

from hal.chapters.one_nn.theory import separated_loss, separated_slope, slope_off_family, triple_share, wrong_sign
from lib.errors import InputError
from lib.theory import one_nn as theory
from lib.theory.one_nn import reduced, sphere


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


def test_densities_of_ties():
    assert theory.gap_density(3, 10) == pytest.approx(5, abs=1e-9)  # N / 2 in three dimensions
    assert theory.gap_density(2, 10) == np.inf
    for (d, N), kappa in {(4, 4): 2.068, (4, 8): 3.511, (8, 16): 5.801, (16, 32): 9.266, (8, 64): 9.893}.items():
        assert theory.gap_density(d, N) == pytest.approx(kappa, abs=6e-4)


def loss_of_two(xi1, own, d):
    """The loss for N = 2 by a double integral over both inner products."""
    top = max(abs(xi1), own)

    def value(small, large):
        e = np.exp(xi1 * np.array([large, small]) - top)
        q = e / (e.sum() + np.exp(own - top))
        f = 2 * density(small, d) * density(large, d)
        return f * 0.5 * (1 - 2 * q[0] + q @ q)

    return dblquad(value, -1, 1, -1, lambda large: large, epsabs=1e-7)[0]


@pytest.mark.parametrize(("xi1", "xi2", "d"), [(3.0, 2.0, 3), (-2.0, -3.0, 5)])
def test_the_exact_loss_of_two_examples_is_a_double_integral(xi1, xi2, d):
    assert theory.reduced_loss(xi1, xi2, d, 2) == pytest.approx(loss_of_two(xi1, xi1 - xi2, d), abs=1e-6)


@pytest.mark.parametrize(
    "point", [(4.0, 3.0, 4, 7), (-3.0, -6.0, 3, 5), (60.0, 55.0, 8, 16), (9.0, 2.0, 2, 6), (2.0, 1.0, 5, 1)]
)
def test_slopes_are_those_of_the_loss(point):
    xi1, xi2, d, N = point
    _, first, second = theory.reduced_gradient(*point)
    h = 1e-3
    ends = [theory.reduced_loss(xi1 + s * a, xi2 + s * b, d, N) for a, b in ((h, 0), (0, h)) for s in (1, -1)]
    assert first == pytest.approx((ends[0] - ends[1]) / (2 * h), abs=1e-6)
    assert second == pytest.approx((ends[2] - ends[3]) / (2 * h), abs=1e-6)


@pytest.mark.parametrize(
    "point", [(4.0, 3.0, 4, 7), (300.0, 290.0, 8, 16), (1000.0, 900.0, 16, 32), (-40.0, 2.0, 3, 5)]
)
def test_the_quadrature_has_converged(point, monkeypatch):
    coarse = theory.reduced_gradient(*point)
    monkeypatch.setattr(reduced, "_STEP", 0.25)
    monkeypatch.setattr(reduced, "_PANELS", 60)
    np.testing.assert_allclose(coarse, theory.reduced_gradient(*point), rtol=0, atol=2e-9)


def test_late_law_moves_as_its_own_loss_falls():
    """d xi_1 / dt = c / ((d + r^2) xi_1^2) with c = kappa (ln 2 - 1/2): of d = 8 and the ratio 2 a twelfth."""
    earlier, xi1, later = (float(theory.late_xi1(t, 8, 16)) for t in (0.999e6, 1e6, 1.001e6))
    c = theory.gap_density(8, 16) * theory.GAP_INTEGRAL
    assert (later - earlier) / 2e3 == pytest.approx(c / (12 * xi1**2), rel=1e-5)
    assert float(theory.time_to_loss(c / xi1, 8, 16)) == pytest.approx(1e6)


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


def test_bounds_and_shares():
    assert float(separated_slope(50.0, 0.1)) == pytest.approx(-0.12)
    bound = theory.prediction_bound(2.0, 1.0, 0.5, 4, 1.0, R=3.0)
    assert float(bound) == pytest.approx(2 * 3 * 4 * np.exp(-1.0) + 3)
    assert triple_share(7) == 0.2
    assert slope_off_family(0.3, 0.1, 7) == pytest.approx(0.04)
    assert theory.typical_distance(5, 2) == pytest.approx(1 / (4 * 5**0.5))


@pytest.mark.parametrize(
    ("call", "message"),
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
        (lambda: triple_share(6), "N: expected one less than a power of two, got 6"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(InputError, match=f"^{message}"):
        call()
