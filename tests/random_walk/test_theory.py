"""What theory says of random walks, against matrix powers, and what it refuses."""

import numpy as np
import pytest

from hal.chapters.random_walk.theory.parity import parity_projection
from lib.theory import random_walk as theory
from tests.refusals import refused


@pytest.mark.parametrize(("K", "p"), [(3, 0.2), (6, 0.5), (7, 1.0), (8, 0.0)])
def test_the_circle(K, p):
    Pi = theory.step_matrix(K, p)
    np.testing.assert_allclose(Pi.sum(axis=1), 1)
    np.testing.assert_array_equal(Pi[0, [1, K - 1]], [p, 1 - p])
    powers = [np.linalg.matrix_power(Pi, m) for m in range(1, 13)]
    np.testing.assert_allclose(theory.visits(K, p, 13), sum(powers)[0], rtol=1e-12)


def test_the_lag_signal_of_any_walk():
    rng = np.random.default_rng(0)
    for _ in range(40):
        K, N, p = int(rng.integers(3, 31)), int(rng.integers(2, 150)), float(rng.choice([0.0, 0.5, 1.0, rng.uniform()]))
        powers = [np.linalg.matrix_power(theory.step_matrix(K, p), lag)[0] for lag in range(1, N)]
        signal = np.array(powers) @ theory.visits(K, p, N)
        np.testing.assert_allclose(theory.lag_signal(K, p, N), signal, rtol=0, atol=1e-11 * N)
        assert theory.best_lag(K, p, N) == 1 + np.argmax(signal >= signal.max() - 1e-9)  # the smallest of equal ones


test_refusals_name_the_argument = refused(
    [
        (lambda: theory.step_matrix(2, 0.5), "K: expected a whole number >= 3, got 2"),
        (lambda: theory.step_matrix(5, -0.1), r"p: expected a probability in \[0, 1\], got -0.1"),
        (lambda: theory.lag_signal(5, 0.5, 1), "N: expected a whole number >= 2, got 1"),
        (lambda: theory.first_values(5, 0.5, 9, lr=0.0), "lr: expected finite values > 0"),
        (lambda: theory.second_scores(5, 0.5, 9, 8), "M: expected a whole number >= 9, got 8"),
        (lambda: theory.settled_value(-1.0, 5, 0.5), "time: expected finite values > 0"),
        (lambda: theory.saturated(-np.ones((5, 5)), 5, 0.5, 1.0, 3), r"V \+ epsilon: expected finite values > 0"),
        (lambda: theory.best_accuracy(1.5), "p: expected"),
        (lambda: theory.growth(6, 98, 1000, 1.0, 0.5), "N: expected a multiple of K, plus 1, got 98"),
        (lambda: theory.growth(6, 97, 96, 1.0, 0.5), "M: expected at least N"),
        (lambda: theory.growth(6, 97, 1000, 1.0, [0.5, -0.2]), r"f \+ epsilon: expected a number above 0, got -0.1"),
        (lambda: theory.growth(6, 97, 1000, 0.0, 0.5), "lr: expected finite values > 0"),
        (lambda: theory.even_output(6, 3, 1.0, start=-0.2), r"start \+ epsilon: expected a number above 0, got -0.1"),
        (lambda: theory.drawn_signal(np.zeros((1, 2, 3), dtype=int), 2), "K: expected a whole number >= 3, got 2"),
        (lambda: parity_projection(np.zeros((1, 5, 5)), np.zeros((1, 9)), 9, 0.1), "K: expected an even number"),
    ]
)
