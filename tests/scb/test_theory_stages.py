"""Transfer, softmax and screening of sparse contextual bigrams in theory, against the full recursions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaincc
from scipy.stats import chi2

from hal.chapters.scb import theory as beyond
from lib.errors import InputError
from lib.theory import scb
from tests.scb.tasks import ring_task, signals

RING = scb.ring_constants(4, 1024, 0.75, (0.6, 0.4))
TIGHT = 1e-11  # rounding of a few hundred steps


# --- transfer, softmax, screening -----------------------------------------------------------------------------------


def test_transfer_laws():
    mu, P, _ = ring_task(4, 20, 0.75, (0.6, 0.4))
    R, cross = P - mu[:, None], 0.75 * (np.roll(np.eye(4), 2, axis=0) - 0.25)
    R_side = cross - scb.inner_V(mu, cross, R) / scb.inner_V(mu, R, R) * R
    R_side *= np.sqrt(scb.inner_V(mu, R, R) / scb.inner_V(mu, R_side, R_side))
    old = mu[:, None] + 0.5 * R + np.sqrt(0.75) * R_side
    assert beyond.start_alpha_V(old, P, mu, theta=0.4) == pytest.approx(0.2)
    weaker = mu[:, None] + 0.5 * (old - mu[:, None])
    assert beyond.start_alpha_V(weaker, P, mu, theta=0.4) == pytest.approx(0.1)  # the new task's strength alone divides
    batch = beyond.one_step_batch([0.2, -0.4], RING.s2, 512, 0.25, 0.4)
    assert batch[0] / batch[1] == pytest.approx(4)


def test_one_attention_step_against_gaussian_scores():
    mu, P, Q = ring_task(4, 40, 0.75, (0.6, 0.4))
    V, rng = mu[:, None] + 0.5 * (P - mu[:, None]), np.random.default_rng(0)
    half = beyond.half_batch(V, mu, P, Q)
    assert beyond.found_probability(V, mu, P, Q, half) == pytest.approx(0.5, abs=1e-5)
    deviation = np.sqrt(beyond.attention_coordinate_variance(V, np.full(Q.shape, 1 / 40), mu, P, Q, half))[:, None]
    signal = 0.5 * RING.K_P
    mean = np.where(Q > 0, signal * (Q - 1 / 40), 0.0)  # that of a useless score is of order 1 / T
    scores = np.abs(mean + deviation * rng.standard_normal((20_000, 4, 40)))
    lowest = np.where(Q > 0, scores, np.inf).min(-1)
    found = np.all(lowest > np.where(Q > 0, 0, scores).max(-1), axis=-1)
    assert found.mean() == pytest.approx(0.5, abs=0.015)
    scores = np.where(Q > 0, signal * Q + 0.1 * deviation * rng.standard_normal((20_000, 4, 40)), 0)
    error = np.square(scores / scores.sum(-1, keepdims=True) - Q).sum(-1).mean()  # all rows are equally likely
    assert error == pytest.approx(beyond.first_attention_error(V, mu, P, Q, 100 * half), rel=0.05)


def test_softmax_run_equals_the_matrix_recursion_and_starts_like_linear():
    weights, T = (0.6, 0.4), 20
    mu, P, Q = ring_task(3, T, 0.8, weights)
    task = scb.constants(mu, P, Q)
    eta_V, eta_w = 0.05, 1.5
    path = beyond.softmax_population_run(task.K_P, weights, T, eta_V, eta_w, 400)
    V, w = np.tile(mu[:, None], (1, 3)), np.zeros((3, T))
    for _ in range(400):
        A = np.exp(w) / np.exp(w).sum(1, keepdims=True)
        gA = scb.expected_gradient_A(V, A, mu, P, Q)
        V = V - eta_V * scb.expected_gradient_V(V, A, mu, P, Q)
        w = w - eta_w * (A * gA - A * np.sum(A * gA, 1, keepdims=True))
    at = signals(V, np.exp(w) / np.exp(w).sum(1, keepdims=True), mu, P, Q)
    np.testing.assert_allclose([path.alpha_V[-1], path.alpha_A[-1]], at, atol=1e-9)
    assert path.alpha_A[-1] > 0.7
    assert np.all(path.useful >= 0)  # so softmax cannot reach the mirror, even from the wrong side:
    assert beyond.softmax_population_run(task.K_P, weights, T, eta_V, eta_w, 400, -0.5).alpha_A.min() > -0.2
    eta = 1e-3
    linear = scb.population_run(task.K_P, task.K_Q, T, eta, 3)
    matched = beyond.softmax_population_run(
        task.K_P, weights, T, eta / task.K_Q, beyond.matched_eta_w(eta / task.K_P, T), 3
    )
    np.testing.assert_allclose(matched.alpha_A[2:], linear.alpha_A[2:], rtol=0.02)


def test_softmax_escape():
    assert beyond.softmax_escape_time(200, 0.02 / 0.515, 6, RING.K_P, 0.6) == pytest.approx(1165, rel=1e-3)
    integral = quad(lambda s: 2 * np.exp(-(s**2)), 0, 40)[0]  # p = exp(s^2) in the blow-up integral
    T, eta_V, eta_w, K_P = 3000, 1e-3, 200.0, 0.4
    blow_up = T * integral / np.sqrt(2 * eta_V * eta_w * K_P * 0.5)
    path = beyond.softmax_population_run(K_P, (0.5, 0.5), T, eta_V, eta_w, int(1.3 * blow_up))
    assert int(np.argmax(path.alpha_A > 0.5)) == pytest.approx(blow_up, rel=0.03)


def test_screening_statistic():
    mu = np.array([0.5, 0.3, 0.2])
    P = mu[:, None] + 0.6 * (np.eye(3) - mu[:, None])
    pi, q = np.outer(mu, mu), 0.4
    joint = pi + q * (P - mu[:, None]) * mu
    assert joint.sum() == pytest.approx(1)
    seen = np.eye(9).reshape(3, 3, 3, 3)  # seen[i, j] is the table of the single sample (i, j)
    one = np.sum(joint * np.sum((seen - pi) ** 2 / pi, axis=(2, 3)))
    assert scb.chi2_mean(1, mu, P, q) == pytest.approx(one)
    assert scb.chi2_mean([5, 50], mu, P, 0.0) == pytest.approx(8)
    slope = (scb.chi2_mean(2000, mu, P, q) - scb.chi2_mean(1000, mu, P, q)) / 1000
    level = chi2.isf(0.1 / 64, 8) - 8  # what the weakest cell of the rarest last token must exceed on average
    assert scb.samples_to_screen(mu, P, q, 64) == pytest.approx(level / (mu.min() * slope))
    mu, P, _ = ring_task(4, 9, 0.75, (0.6, 0.4))
    need = scb.samples_to_screen(mu, P, 0.4, np.array([64, 1024, 16384]))
    assert np.all(need < 1200)  # the count at which screening was seen to work
    np.testing.assert_allclose(np.diff(need)[1], np.diff(need)[0], rtol=0.1)  # logarithmic in T
    # at that count the mean of a useful cell, over 16 - 1 degrees of freedom, is reached by an empty one in 0.1 / T
    level = 15 + need * 0.25 * 0.4**2 * scb.dependence(mu, P)
    np.testing.assert_allclose(gammaincc(7.5, level / 2), 0.1 / np.array([64, 1024, 16384]))


def test_steps_far_too_large_end_in_nan_and_leave_the_other_runs_alone():
    eta = np.array([0.02, 50.0])
    paths = (
        scb.population_run(0.4, 0.52, 100, eta, 300),
        beyond.closure(RING, eta, 64, 300),
        beyond.softmax_population_run(0.4, (0.6, 0.4), 100, eta * 40, 6.0, 300),
    )
    for path in paths:
        assert np.isfinite(path.alpha_V[0]).all()
        assert np.isnan(path.alpha_V[1, -1])
        assert path.alpha_V[1, 0] == 0


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: beyond.softmax_population_run(0.4, (0.5, 0.5), 9, 0.1, lambda step: -1.0, 5), "eta_w"),
        (lambda: beyond.one_step_batch(0.0, 0.5, 9, 0.25, 0.4), "rho"),
        (lambda: beyond.one_step_batch(1.5, 0.5, 9, 0.25, 0.4), "rho"),
        (lambda: scb.samples_to_screen(np.ones(2) / 2, np.eye(2), 0.4, 9, miss=0.0), "miss"),
        (lambda: beyond.start_alpha_V(np.eye(2), np.eye(2), np.ones(2) / 2, theta=2), "theta"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, named):
    with pytest.raises(InputError, match=rf"^{named}: expected"):
        call()
