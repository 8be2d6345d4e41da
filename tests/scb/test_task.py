"""The SCB task: what is refused."""

import numpy as np
import pytest

from hal.chapters.scb import models
from lib.errors import InputError
from lib.models import scb
from tests.refusals import refused

MU, P, Q = np.full(3, 1 / 3), scb.ring_transition(np.full(3, 1 / 3), 0.75), np.eye(3, 6)


def with_(array, index, value):
    changed = np.array(array, dtype=float)
    changed[index] = value
    return changed


@pytest.mark.parametrize(
    ("mu", "P", "Q", "message"),
    [
        (MU, with_(P, (0, 0), 0.5), Q, r"P \(columns\): expected probabilities that sum to 1, got a sum of"),
        (MU, P + np.diag([-0.2] * 3) + np.roll(np.diag([0.2] * 3), 1, 0), Q, r"P \(columns\): expected .* at least 0"),
        (with_(MU, 0, 0.4), P, Q, "mu: expected probabilities that sum to 1, got a sum of 1.0666"),
        ([0.5, 0.3, 0.2], P, Q, r"mu: expected the stationary law of P \(P mu = mu\), got a largest difference of"),
        ([1.0, 0.0, 0.0], np.eye(3), Q, "mu: expected positive probabilities, got a smallest of 0"),
        ([1.2, -0.2, 0.0], np.eye(3), Q, "mu: expected probabilities of at least 0, got a smallest of -0.2"),
        (with_(MU, 0, np.nan), P, Q, "mu: expected finite probabilities, got a value that is not finite"),
        (MU, P, 2 * Q, r"Q \(rows\): expected probabilities that sum to 1, got a sum of 2"),
        (MU, P, with_(Q, (0, slice(2)), [1.5, -0.5]), r"Q \(rows\): expected probabilities of at least 0, got .*-0.5"),
        ([1.0], np.ones((1, 1)), np.ones((1, 4)), r"mu: expected shape \(N,\) or \(R, N\) with N >= 2, got \(1,\)"),
        (MU, P[:2], Q, r"P: expected shape \(3, 3\), got \(2, 3\)"),
        (MU, P, Q.T, r"Q: expected shape \(3, 'T'\), got \(6, 3\)"),
        (np.stack([MU] * 2), np.stack([P] * 3), np.stack([Q] * 2), r"P: expected shape \(2, 3, 3\), got \(3, 3, 3\)"),
    ],
)
def test_bad_tasks_are_refused(mu, P, Q, message):
    with pytest.raises(InputError, match=f"^{message}"):
        scb.Task(np.array(mu), P, Q)


test_bad_settings_are_refused = refused(
    [
        (lambda: scb.ring_task(T=2, weights=(0.5, 0.3, 0.2)), "weights: expected a sparsity Q of at most T = 2, got Q"),
        (lambda: scb.ring_task(T=0), "T: expected a context of at least 1 token, got 0"),
        (lambda: scb.ring_task(T=8, N=1), "N: expected at least 2 tokens, got 1"),
        (lambda: scb.ring_task(T=8, c=1.2), "c: expected a strength between 0 and 1, got 1.2"),
        (lambda: scb.ring_task(T=8, skew=-1), "skew: expected a finite number of at least 0, got -1"),
        (lambda: scb.ring_task(T=8, weights=(1.0, 0.0)), "weights: expected positive weights, got a smallest of 0"),
        (lambda: models.random_task(4, 3, 5, rng=0), "sparsity: expected between 1 and T = 4, got 5"),
        (lambda: models.random_task(4, 3, 2, kappa=0.0, rng=0), "kappa: expected a positive finite number, got 0.0"),
        (lambda: scb.even_weights(0), "sparsity: expected at least 1 position, got 0"),
        (lambda: models.mix(P, MU, 9.0), "c: expected a factor that keeps P at least 0, got 9.0"),
        (lambda: models.correlated_signal(scb.ring_task(T=8), 1.5, np.random.default_rng(0)), "rho: expected a corr"),
        (lambda: models.correlated_signal(scb.ring_task(T=8, c=0.0), 0.5, np.random.default_rng(0)), "task: expected"),
    ]
)
