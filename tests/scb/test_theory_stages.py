"""Prox, transfer, softmax and screening of sparse contextual bigrams in theory, against the full recursions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaincc
from scipy.stats import chi2

from lib.errors import InputError
from lib.theory import scb
from tests.scb.tasks import ring_task

RING = scb.ring_constants(4, 1024, 0.75, (0.6, 0.4))
TIGHT = 1e-11  # rounding of a few hundred steps


# --- prox -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [(0.5, 0.5), (0.6, 0.4), (0.5, 0.3, 0.2)])
def test_prox_run_equals_the_matrix_algorithm(weights):
    mu, P, Q = ring_task(3, 25, 0.8, weights)
    task, V, A = scb.constants(mu, P, Q), np.tile(mu[:, None], (1, 3)), np.full((3, 25), 1 / 25)
    path = scb.prox_population_run(weights, 25, 0.05, lambda step: 0.004 if step >= 80 else 0.0, 250)
    for step in range(250):
        level = 0.004 if step >= 80 else 0.0
        gV, gA = scb.expected_gradient_V(V, A, mu, P, Q), scb.expected_gradient_A(V, A, mu, P, Q)
        V, A = V - 0.05 / task.K_Q * gV, A - 0.05 / task.K_P * gA
        A = np.sign(A) * np.maximum(np.abs(A) - level, 0)
        A = A + (1 - A.sum(1, keepdims=True)) / 25
    at = scb.signal_coordinates(V, A, mu, P, Q)
    np.testing.assert_allclose([path.alpha_V[-1], path.alpha_A[-1]], [at.alpha_V, at.alpha_A], atol=TIGHT)
    np.testing.assert_allclose(path.useful[-1], [A[0][Q[0] == w].mean() for w in weights], atol=TIGHT)
    assert path.useless[-1] == pytest.approx(A[0][Q[0] == 0].mean(), abs=TIGHT)
    assert path.alpha_A[-1] > 0.5


def test_prox_without_threshold_is_the_population_run():
    flow = scb.population_run(0.4, 0.5 - 1e-3, 1000, 0.02, 600)
    free = scb.prox_population_run((0.5, 0.5), 1000, np.array([0.02, 0.01]), 0.0, 600)
    np.testing.assert_allclose(free.alpha_V[0], flow.alpha_V, atol=TIGHT)
    np.testing.assert_allclose(free.alpha_A[0], flow.alpha_A, atol=TIGHT)
    assert free.useful.shape == (2, 601, 2)


def test_prox_limits():
    assert scb.rest_point(0.0, 0.02, 1000) == pytest.approx(1)
    assert scb.rest_balance(scb.rest_point(3e-3, 0.02, 1024), 0.02) == pytest.approx(3e-3 * 1024)
    x = 1.3
    free = scb.valley_drift(0.0, 0.02, 0.01, x, scb.valley(x))
    assert free == pytest.approx(0.02 * 0.01 * (1 - x) * x**4 / (1 + x**4))
    assert scb.product_bias(4e-4, 0.02) == pytest.approx(0.01)
    assert scb.effective_threshold(1e-3, 1.0, 100) == pytest.approx(1e-3)
    assert scb.product_bias(0.0, 0.02, 0.01, x, 1 / x) == pytest.approx(0.01 * (x - 1) / x / (x**2 + x**-2))


# --- transfer, softmax, screening -----------------------------------------------------------------------------------


def test_transfer_laws():
    mu, P, _ = ring_task(4, 20, 0.75, (0.6, 0.4))
    R, cross = P - mu[:, None], 0.75 * (np.roll(np.eye(4), 2, axis=0) - 0.25)
    R_side = cross - scb.inner_V(mu, cross, R) / scb.inner_V(mu, R, R) * R
    R_side *= np.sqrt(scb.inner_V(mu, R, R) / scb.inner_V(mu, R_side, R_side))
    old = mu[:, None] + 0.5 * R + np.sqrt(0.75) * R_side
    assert scb.start_alpha_V(old, P, mu, theta=0.4) == pytest.approx(0.2)
    weaker = mu[:, None] + 0.5 * (old - mu[:, None])
    assert scb.start_alpha_V(weaker, P, mu, theta=0.4) == pytest.approx(0.1)  # the new task's strength alone divides
    batch = scb.one_step_batch([0.2, -0.4], RING.s2, 512, 0.25, 0.4)
    assert batch[0] / batch[1] == pytest.approx(4)
    rho = scb.break_even_correlation(RING.s2, 4096, RING.K_Q, 0.25, 0.4)
    assert scb.one_step_batch(rho, RING.s2, 4096, 0.25, 0.4) == pytest.approx(
        scb.stage1_samples(RING.s2, 4096, RING.K_Q)
    )
    assert 0.13 < rho < 0.25  # "about 0.2"
    assert scb.break_even_correlation(RING.s2, 16384, RING.K_Q, 0.25, 0.4) < 0.6 * rho


def test_one_attention_step_against_gaussian_scores():
    mu, P, Q = ring_task(4, 40, 0.75, (0.6, 0.4))
    V, rng = mu[:, None] + 0.5 * (P - mu[:, None]), np.random.default_rng(0)
    half = scb.half_batch(V, mu, P, Q)
    assert scb.found_probability(V, mu, P, Q, half) == pytest.approx(0.5, abs=1e-5)
    deviation = np.sqrt(scb.attention_coordinate_variance(V, np.full(Q.shape, 1 / 40), mu, P, Q, half))[:, None]
    signal = 0.5 * RING.K_P
    mean = np.where(Q > 0, signal * (Q - 1 / 40), 0.0)  # that of a useless score is of order 1 / T
    scores = np.abs(mean + deviation * rng.standard_normal((20_000, 4, 40)))
    lowest = np.where(Q > 0, scores, np.inf).min(-1)
    found = np.all(lowest > np.where(Q > 0, 0, scores).max(-1), axis=-1)
    assert found.mean() == pytest.approx(0.5, abs=0.015)
    scores = np.where(Q > 0, signal * Q + 0.1 * deviation * rng.standard_normal((20_000, 4, 40)), 0)
    error = np.square(scores / scores.sum(-1, keepdims=True) - Q).sum(-1).mean()  # all rows are equally likely
    assert error == pytest.approx(scb.first_attention_error(V, mu, P, Q, 100 * half), rel=0.05)


def test_escape_from_a_start_with_some_signal():
    assert scb.escape_from(-0.03, 0.0, 0.1, 0.02) == pytest.approx(np.arcsinh(0.1 / 0.03) / 0.02)
    x, y, w, lr, steps = 0.02, 0.0, 0.8, 1e-3, 0
    while y < 0.1:
        x, y, steps = x + lr * y, y + lr * (x - w * y), steps + 1
    assert scb.escape_from([0.02, 0.5], w, 0.1, lr)[0] == pytest.approx(steps, rel=2e-3)


def test_laws_of_fed_back_tokens_by_following_every_text():
    rng = np.random.default_rng(1)
    mu = np.array([0.5, 0.3, 0.2])
    P = mu[:, None] + 0.4 * (np.roll(np.eye(3), 1, axis=0) - mu[:, None])
    Q = rng.dirichlet(np.ones(2), size=3)
    laws = np.zeros((3, 3))
    for text in np.ndindex((3,) * 6):  # two tokens of context, the last one, three that are generated
        chance = mu[list(text[:3])].prod()
        for i in range(3):
            k = text[2 + i]
            chance *= Q[k] @ P[text[3 + i], list(text[i : i + 2])]
        for i in range(3):
            laws[i, text[3 + i]] += chance
    np.testing.assert_allclose(scb.fed_back_laws(mu, P, Q, 3), laws, atol=TIGHT)
    with pytest.raises(InputError, match="Q: expected at most 1000000 windows"):
        scb.fed_back_laws(mu, P, np.zeros((3, 13)), 1)


def test_softmax_run_equals_the_matrix_recursion_and_starts_like_linear():
    weights, T = (0.6, 0.4), 20
    mu, P, Q = ring_task(3, T, 0.8, weights)
    task = scb.constants(mu, P, Q)
    eta_V, eta_w = 0.05, 1.5
    path = scb.softmax_population_run(task.K_P, weights, T, eta_V, eta_w, 400)
    V, w = np.tile(mu[:, None], (1, 3)), np.zeros((3, T))
    for _ in range(400):
        A = np.exp(w) / np.exp(w).sum(1, keepdims=True)
        gA = scb.expected_gradient_A(V, A, mu, P, Q)
        V = V - eta_V * scb.expected_gradient_V(V, A, mu, P, Q)
        w = w - eta_w * (A * gA - A * np.sum(A * gA, 1, keepdims=True))
    at = scb.signal_coordinates(V, np.exp(w) / np.exp(w).sum(1, keepdims=True), mu, P, Q)
    np.testing.assert_allclose([path.alpha_V[-1], path.alpha_A[-1]], [at.alpha_V, at.alpha_A], atol=1e-9)
    assert path.alpha_A[-1] > 0.7
    assert np.all(path.useful >= 0)  # so softmax cannot reach the mirror, even from the wrong side:
    assert scb.softmax_population_run(task.K_P, weights, T, eta_V, eta_w, 400, -0.5).alpha_A.min() > -0.2
    eta = 1e-3
    linear = scb.population_run(task.K_P, task.K_Q, T, eta, 3)
    matched = scb.softmax_population_run(task.K_P, weights, T, eta / task.K_Q, scb.matched_eta_w(eta / task.K_P, T), 3)
    np.testing.assert_allclose(matched.alpha_A[2:], linear.alpha_A[2:], rtol=0.02)


def test_softmax_escape():
    assert scb.softmax_escape_time(200, 0.02 / 0.515, 6, RING.K_P, 0.6) == pytest.approx(1165, rel=1e-3)
    integral = quad(lambda s: 2 * np.exp(-(s**2)), 0, 40)[0]  # p = exp(s^2) in the blow-up integral
    T, eta_V, eta_w, K_P = 3000, 1e-3, 200.0, 0.4
    blow_up = scb.softmax_blow_up_time(T, eta_V, eta_w, K_P, 0.5)
    assert blow_up == pytest.approx(T * integral / np.sqrt(2 * eta_V * eta_w * K_P * 0.5))
    path = scb.softmax_population_run(K_P, (0.5, 0.5), T, eta_V, eta_w, int(1.3 * blow_up))
    assert int(np.argmax(path.alpha_A > 0.5)) == pytest.approx(blow_up, rel=0.03)


def test_prox_run_starts_where_it_is_told():
    path = scb.prox_population_run((0.6, 0.4), 10, 0.05, 0.0, 1, start=(0.2, 0.3))
    np.testing.assert_allclose([path.alpha_V[0], path.alpha_A[0]], [0.2, 0.3], rtol=1e-12)


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
        scb.closure(RING, eta, 64, 300),
        scb.prox_population_run((0.6, 0.4), 100, eta, 1e-4, 300),
        scb.softmax_population_run(0.4, (0.6, 0.4), 100, eta * 40, 6.0, 300),
    )
    for path in paths:
        assert np.isfinite(path.alpha_V[0]).all()
        assert np.isnan(path.alpha_V[1, -1])
        assert path.alpha_V[1, 0] == 0


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: scb.prox_population_run((0.5, 0.6), 100, 0.1, 0.0, 5), "weights"),
        (lambda: scb.prox_population_run((0.5, 0.5), 2, 0.1, 0.0, 5), "T"),
        (lambda: scb.prox_population_run((0.5, 0.5), 9, 0.1, -1.0, 5), "lam"),
        (lambda: scb.softmax_population_run(0.4, (0.5, 0.5), 9, 0.1, lambda step: -1.0, 5), "eta_w"),
        (lambda: scb.one_step_batch(0.0, 0.5, 9, 0.25, 0.4), "rho"),
        (lambda: scb.one_step_batch(1.5, 0.5, 9, 0.25, 0.4), "rho"),
        (lambda: scb.samples_to_screen(np.ones(2) / 2, np.eye(2), 0.4, 9, miss=0.0), "miss"),
        (lambda: scb.start_alpha_V(np.eye(2), np.eye(2), np.ones(2) / 2, theta=2), "theta"),
        (lambda: scb.rest_point(-1e-3, 0.02, 100), "lam"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, named):
    with pytest.raises(InputError, match=rf"^{named}: expected"):
        call()
