"""Theory that pages draw, against the same found another way: general covariances, SciPy, single searches."""

import numpy as np
import pytest

from hal.chapters.linear_block.theory import plane
from hal.chapters.linear_block.theory.flow import stable_rate
from hal.chapters.linear_block.theory.search import attention_by_length, best_attention_risk
from lib.models import linear_block as lb
from lib.theory import linear_block as theory


def vectors(task):
    return np.diag(task.H).tolist(), task.mean.tolist()


def test_curves_of_the_best_attention_are_those_of_single_searches():
    rng = np.random.default_rng(7)
    for _ in range(12):
        d, norm, sigma = int(rng.integers(2, 6)), rng.uniform(0, 16), float(rng.uniform(0.1, 4))
        h, mean = vectors(lb.power_task(d, 2, sigma, norm, rng.choice([0, rng.uniform(0, 2)])))
        at = [2.0, 5.0, 18.0, 77.0, 256.0]
        alone = [best_attention_risk(h, 1.0, mean, sigma, m) for m in at]
        np.testing.assert_allclose(attention_by_length(h, 1.0, mean, sigma, at), alone, rtol=1e-9)


def test_three_numbers_have_the_risk_and_the_flow_of_start_and_matrix():
    rng = np.random.default_rng(3)
    for _ in range(20):
        d, M, sigma, norm = int(rng.integers(2, 7)), int(rng.integers(1, 30)), rng.uniform(0, 2), rng.uniform(0, 5)
        task, law = lb.power_task(d, M, sigma, norm), plane.plane_law(d, M, sigma, norm)
        u, y, slope = np.full(d, d**-0.5), rng.uniform(-1, 2, 3).tolist(), [0.0] * 3
        beta, Gamma = y[0] * u, y[2] * np.eye(d) + (y[1] - y[2]) * np.outer(u, u)
        assert plane.plane_risk(y, law) == pytest.approx(float(theory.step_risk(task, beta, Gamma)), rel=1e-10)
        plane.plane_slope(0.0, y, slope, law)
        start, step = theory.flow_slopes(task, beta, Gamma)
        across = (np.trace(step) - u @ step @ u) / (d - 1)
        np.testing.assert_allclose(slope, [u @ start, u @ step @ u, across], rtol=1e-8, atol=1e-8)
        gains = plane.best_gains_from(y[0], law)
        plane.plane_slope(0.0, [y[0], *gains], slope, law)
        np.testing.assert_allclose(slope[1:], 0, atol=1e-9)


def test_the_stable_rate_is_exact_for_any_mean_and_every_length(rng):
    for _ in range(100):
        d, M = int(rng.integers(1, 9)), int(rng.choice([1, 2, 64, 256]))
        task = lb.power_task(d, M, float(rng.choice([0, 0.1, 4])), 1.0, float(rng.choice([0, 1e-9, 2])))
        task = task.but(mean=rng.normal(size=d) * rng.integers(0, 2, d) * 10.0 ** rng.uniform(-6, 1.2))
        h, mean = vectors(task)
        away = theory.step_moment(task, task.Psi + np.outer(task.mean, task.mean))
        known = 1 / (np.linalg.eigvalsh(task.H)[-1] * np.linalg.eigvalsh(away)[-1])
        assert stable_rate(h, 1.0, mean, task.sigma, float(M)) == pytest.approx(known, rel=1e-12)
