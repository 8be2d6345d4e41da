"""Dynamics of sparse contextual bigrams in theory: flow, sign and SGD, their limits and symmetries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hal.chapters.scb import theory as beyond
from lib.errors import InputError
from lib.theory import scb
from tests.scb.tasks import ring_task, signals

RING = scb.ring_constants(4, 1024, 0.75, (0.6, 0.4))
TIGHT = 1e-11  # rounding of a few hundred steps


# --- flow -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("eta", [0.05, lambda step: 0.05 if step < 150 else 0.01], ids=["constant", "schedule"])
def test_population_run_equals_the_matrix_recursion(eta):
    mu, P, Q = ring_task(3, 30, 0.8, (0.7, 0.3))
    task, V, A = scb.constants(mu, P, Q), np.tile(mu[:, None], (1, 3)), np.full((3, 30), 1 / 30)
    path = scb.population_run(task.K_P, task.K_Q, 30, eta, 300)
    for step in range(301):
        if step % 50 == 0:
            np.testing.assert_allclose(signals(V, A, mu, P, Q), (path.alpha_V[step], path.alpha_A[step]), atol=TIGHT)
            excess = scb.population_loss(V, A, mu, P, Q) - task.L_star
            assert path.excess_loss[step] == pytest.approx(excess, abs=TIGHT)
        h = eta(step) if callable(eta) else eta
        V, A = (
            V - h / task.K_Q * scb.expected_gradient_V(V, A, mu, P, Q),
            A - h / task.K_P * scb.expected_gradient_A(V, A, mu, P, Q),
        )
    assert path.alpha_A[-1] > 0.9  # the comparison covers escape and valley, not only the start


def test_population_runs_over_settings_equal_single_ones_and_may_skip_records():
    K_P, K_Q, T, eta = np.array([0.2, 0.4]), np.array([0.5, 0.3]), np.array([64.0, 512.0]), np.array([0.05, 0.02])
    together = scb.population_run(K_P, K_Q, T, eta, 200, record_at=[0, 7, 200])
    for r in range(2):
        alone = scb.population_run(K_P[r], K_Q[r], T[r], eta[r], 200)
        for name in ("alpha_V", "alpha_A", "excess_loss"):
            np.testing.assert_array_equal(getattr(together, name)[r], getattr(alone, name)[[0, 7, 200]])


def test_small_steps_follow_the_vector_field():
    d, end = scb.drift_number(0.5, 100), 12.0
    ode = solve_ivp(lambda _, z: np.stack(scb.velocity(z[0], z[1], d)), (0, end), [0.0, 0.0], rtol=1e-10, atol=1e-12)
    path = scb.population_run(0.4, 0.5, 100, end / 40_000, 40_000, record_at=[40_000])
    np.testing.assert_allclose([path.alpha_V[0], path.alpha_A[0]], ode.y[:, -1], atol=2e-3)


@pytest.mark.parametrize("point", [(0.0, 0.0), (1.0, 1.0), (0.3, -0.8)])
def test_jacobian_equals_central_differences(point):
    step = 1e-6
    numeric = np.stack(
        [
            (
                np.stack(scb.velocity(*(np.array(point) + e), 0.02))
                - np.stack(scb.velocity(*(np.array(point) - e), 0.02))
            )
            / (2 * step)
            for e in step * np.eye(2)
        ],
        axis=-1,
    )
    np.testing.assert_allclose(scb.jacobian(*point, 0.02), numeric, atol=1e-8)


def test_rates_at_the_solution():
    fast, slow = scb.solution_rates(0.02)
    np.testing.assert_allclose(np.linalg.eigvalsh(scb.jacobian(1, 1, 0.02)), [-fast, -slow], rtol=1e-12)
    assert fast == pytest.approx(2.01, rel=1e-3)
    assert slow == pytest.approx(0.00995, rel=1e-3)


def test_valley_and_symmetry():
    x = np.array([-2.0, -0.5, 0.5, 2.0])
    np.testing.assert_allclose(scb.velocity(x, scb.valley(x), 0.0), 0, atol=1e-15)
    forward, back = scb.velocity(0.3, 0.2, 0.0), scb.velocity(-0.3, -0.2, 0.0)
    np.testing.assert_allclose(forward, -np.array(back))  # only d prefers a sign
    assert scb.velocity(0.0, 0.0, 0.1) == (pytest.approx(0.1), 0.0)


# --- sign -----------------------------------------------------------------------------------------------------------


def test_sign_law_is_the_small_step_limit_of_the_linear_recursion():
    eta, B, T, s2, steps = 0.002, 8, 512, 0.6, 8000
    K_Q, mean, variance = 0.5, np.zeros(2), np.zeros((2, 2))
    grow = np.array([[1.0, eta], [eta, 1.0]])
    noise = np.diag([(eta / K_Q) ** 2 * s2 / (T * B), 0.0])
    for _ in range(steps):
        mean, variance = grow @ mean + [eta / (K_Q * T), 0.0], grow @ variance @ grow.T + noise
    z = mean.sum() / np.sqrt(variance.sum())
    assert scb.sign_z(B, eta, s2, T) == pytest.approx(z, rel=2e-3)


def test_sign_law_numbers_inverse_and_head_start():
    np.testing.assert_allclose(scb.sign_probability(8, 0.02, RING.s2, [512, 1024]), [0.948, 0.875], atol=6e-4)
    B = scb.batch_for_sign(0.02, RING.s2, 1024, 0.9)
    assert pytest.approx(0.82, abs=0.005) == B / (0.02 * RING.s2 * 1024)
    assert scb.sign_probability(B, 0.02, RING.s2, 1024) == pytest.approx(0.9)
    np.testing.assert_allclose(scb.sign_z(B, 0.02, 0.6, 1024), np.sqrt(2 * scb.control_number(B, 0.02, 1024) / 0.6))
    mirrored = scb.sign_z(B, 0.02, 0.6, 1024, head_start=-2 * RING.d, K_Q=RING.K_Q)
    assert mirrored == pytest.approx(-scb.sign_z(B, 0.02, 0.6, 1024))
    samples = scb.stage1_samples(RING.s2, 1024, RING.K_Q)
    assert samples == pytest.approx(B * scb.escape_time(0.1, 0.02, RING.K_Q, 1024))


# --- SGD ------------------------------------------------------------------------------------------------------------


def test_closure_step_equals_its_matrices():
    mu, P, Q = ring_task(3, 40, 0.8, (0.7, 0.3))
    mu = np.array([0.5, 0.3, 0.2])
    P = mu[:, None] + 0.7 * (np.eye(3) - mu[:, None])
    task, N, T, B, eta = scb.constants(mu, P, Q), 3, 40, 16, 0.05
    x, y, u, e = 0.0, 0.0, 0.0, np.zeros(3)
    path = beyond.closure(task, eta, B, 150)
    hV, hA, inverse = eta / task.K_Q, eta / task.K_P, 1 / T
    for _ in range(150):
        n, m = inverse + y**2 * (task.q_norm2 - inverse) + e, inverse + y * (task.q_norm2 - inverse)
        M = x**2 * task.RDR + u * task.S / np.trace(task.S)
        E = task.S + n[:, None, None] * M - 2 * m[:, None, None] * x * task.RDR
        c, g, spread = np.trace(M), inverse + y**2 * task.K_Q + mu @ e, mu @ e
        e, u, x, y = (
            (1 - hA * c) ** 2 * e + hA**2 * T * np.einsum("ij,kji->k", M, E) / (B * mu),
            (1 - hV * g) ** 2 * u + hV**2 * (N - 1) * (1 - 1 / (N - 1) ** 2) * (mu * n) @ np.einsum("kii->k", E) / B,
            x + hV * (task.K_Q * y * (1 - x * y) + (1 - x) / T - x * spread),
            y + hA * (task.K_P * x * (1 - x * y) - u * y),
        )
    np.testing.assert_allclose(
        [path.alpha_V[-1], path.alpha_A[-1], path.delta_U[-1], path.delta_A[-1]],
        [x, y, np.sqrt(u), np.sqrt(mu @ e)],
        rtol=1e-10,
    )
    assert x > 0.3  # the noise terms were active


def test_closure_default_numbers_limits_and_vectorisation():
    end = beyond.closure(RING, 0.02, 64, 700, record_at=[700])
    found = [end.alpha_V[0], end.alpha_A[0], end.delta_A[0], end.error_V[0], end.error_A[0]]
    np.testing.assert_allclose(found, [0.50, 1.70, 0.54, 0.32, 0.73], atol=0.008)
    quiet, flow = beyond.closure(RING, 0.02, 1e15, 700), scb.population_run(RING.K_P, RING.K_Q, 1024, 0.02, 700)
    for name in ("alpha_V", "alpha_A", "excess_loss"):
        np.testing.assert_allclose(getattr(quiet, name), getattr(flow, name), atol=1e-9)
    T, eta, B = np.array([256.0, 1024.0]), np.array([0.02, 0.04]), np.array([16.0, 64.0])
    together = beyond.closure(scb.ring_constants(4, T, 0.75, (0.6, 0.4)), eta, B, 300, record_at=[0, 150, 300])
    for r in range(2):
        alone = beyond.closure(scb.ring_constants(4, T[r], 0.75, (0.6, 0.4)), lambda _, h=eta[r]: h, B[r], 300)
        for name in ("alpha_V", "error_A", "delta_U", "excess_loss"):
            np.testing.assert_array_equal(getattr(together, name)[r], getattr(alone, name)[[0, 150, 300]])


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: scb.population_run(0.4, 0.5, 0, 0.1, 5), "T"),
        (lambda: scb.population_run(0.4, 0.5, 9, -0.1, 5), "eta"),
        (lambda: scb.population_run(0.4, 0.5, 9, 0.1, 2.5), "steps"),
        (lambda: scb.population_run(0.4, 0.5, 9, 0.1, 5, record_at=[3, 3]), "record_at"),
        (lambda: scb.population_run(0.4, 0.5, 9, 0.1, 5, record_at=[0, 6]), "record_at"),
        (lambda: scb.escape_time(1e-4, 0.1, 0.5, 100), "level"),
        (lambda: scb.valley([1.0, 0.0]), "alpha_V"),
        (lambda: scb.batch_for_sign(0.1, 0.5, 9, 0.5), "probability"),
        (lambda: scb.sign_z(0, 0.1, 0.5, 9), "batch"),
        (lambda: beyond.closure(RING, 0.02, 0, 5), "batch"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, named):
    with pytest.raises(InputError, match=rf"^{named}: expected"):
        call()
