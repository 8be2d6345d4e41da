"""The theory of the chapter beyond the paper, found another way: Stage 1 from scratch, softmax."""

import numpy as np
import pytest

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.theory import portable_transfer
from lib.models import scb as model
from lib.theory import scb


def test_stage_1_takes_what_the_sign_law_asks_for_and_more_where_noise_would_feed_itself():
    for N, T, c in ((4, 1024, 0.75), (2, 300, 0.5), (8, 400, 0.3), (4, 8, 0.75)):
        task = scb.ring_constants(N, T, c, (0.6, 0.4))
        if 0.2 * task.K_Q * T <= 1:
            assert np.isnan(portable_transfer.stage1_samples(task))
            continue
        quiet = float(scb.escape_time(0.1, 1, task.K_Q, T))
        by_sign = float(scb.batch_for_sign(1, task.s2, T, 0.9)) * quiet
        by_loop = 2 * float(scb.noise_loop(1.0, T, N, task.K_P, task.K_Q, task.tr_S2)) * T * quiet
        assert portable_transfer.stage1_samples(task) == pytest.approx(max(by_sign, by_loop), rel=1e-9)


def test_softmax_run_equals_the_matrix_recursion_and_starts_like_linear():
    weights, T = (0.6, 0.4), 20
    ring = model.ring_task(T, 3, 0.8, weights)
    mu, P, Q = ring.mu, ring.P, ring.Q
    task, eta_V, eta_w = scb.constants(mu, P, Q), 0.05, 1.5
    path = beyond.softmax_population_run(task.K_P, weights, T, eta_V, eta_w, 400)
    V, w = np.tile(mu[:, None], (1, 3)), np.zeros((3, T))
    for _ in range(400):
        A = np.exp(w) / np.exp(w).sum(1, keepdims=True)
        gA = scb.expected_gradient_A(V, A, mu, P, Q)
        V = V - eta_V * scb.expected_gradient_V(V, A, mu, P, Q)
        w = w - eta_w * (A * gA - A * np.sum(A * gA, 1, keepdims=True))
    at = model.Params(V[None], np.exp(w[None]) / np.exp(w).sum(1, keepdims=True))
    np.testing.assert_allclose(path.alpha_V[-1], model.alpha_V(at, ring), atol=1e-9)
    np.testing.assert_allclose(path.alpha_A[-1], model.alpha_A(at, ring), atol=1e-9)
    assert path.alpha_A[-1] > 0.7  # softmax cannot reach the mirror, even from the wrong side:
    assert beyond.softmax_population_run(task.K_P, weights, T, eta_V, eta_w, 400, -0.5).alpha_A.min() > -0.2
    eta = 1e-3
    linear, rate = scb.population_run(task.K_P, task.K_Q, T, eta, 3), beyond.matched_eta_w(eta / task.K_P, T)
    matched = beyond.softmax_population_run(task.K_P, weights, T, eta / task.K_Q, rate, 3)
    np.testing.assert_allclose(matched.alpha_A[2:], linear.alpha_A[2:], rtol=0.02)
