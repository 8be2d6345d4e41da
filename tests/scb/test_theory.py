"""Exact theory of sparse contextual bigrams: constants, coordinates, expectations and noise against enumeration."""

from __future__ import annotations

import doctest
import itertools
import sys

import numpy as np
import pytest

from hal.chapters.scb import theory as beyond
from lib.errors import InputError
from lib.theory import scb
from tests.scb.tasks import make_task, signals

EXACT = 1e-12


def random_point(N, T, seed, runs=()):
    """Some V and A with unit sums, entries of either sign."""
    rng = np.random.default_rng(seed)
    V, A = rng.normal(size=(*runs, N, N)), rng.normal(size=(*runs, N, T))
    return V + (1 - V.sum(-2, keepdims=True)) / N, A + (1 - A.sum(-1, keepdims=True)) / T


def enumerate_moments(V, A, mu, P, Q):
    """Mean gradients and mean squared gradient norms over all outcomes, by dense one-hot formulas."""
    N, T = A.shape
    gV, gA, gV2, gU2, gA2 = np.zeros((N, N)), np.zeros((N, T)), 0.0, 0.0, 0.0
    for *context, k, s, o in itertools.product(*[range(N)] * (T + 1), range(T), range(N)):
        X = np.eye(N)[context].T
        weight = np.prod(mu[context]) * mu[k] * Q[k, s] * P[o, context[s]]
        h = X @ A[k]
        r = V @ h - np.eye(N)[o]
        dV = (np.eye(N) - 1 / N) @ np.outer(r, h) / mu
        dA = np.zeros((N, T))
        dA[k] = (np.eye(T) - 1 / T) @ X.T @ V.T @ r / mu[k]
        dU = dV - (dV @ mu)[:, None]
        gV, gA = gV + weight * dV, gA + weight * dA
        gV2 += weight * np.sum(mu * dV**2)
        gU2 += weight * np.sum(mu * dU**2)
        gA2 += weight * np.sum(mu[:, None] * dA**2)
    return gV, gA, gV2, gU2, gA2


def test_default_ring_numbers():
    ring = scb.ring_constants(4, 1024, 0.75, (0.6, 0.4))
    known = {"K_P": 0.421875, "s2": 0.592593, "c2": 0.059326, "K_Q": 0.52 - 1 / 1024, "L_star": 0.2653125}
    for name, value in known.items():
        np.testing.assert_allclose(getattr(ring, name), value, atol=5e-7, err_msg=name)
    assert doctest.testmod(sys.modules[scb.Constants.__module__]).failed == 0


@pytest.mark.parametrize(
    ("N", "T", "c", "weights"), [(2, 5, 1.0, (1.0,)), (4, 64, 0.75, (0.6, 0.4)), (7, 30, 0.4, (0.5, 0.3, 0.2))]
)
def test_ring_closed_forms_equal_the_definition(N, T, c, weights):
    rng = np.random.default_rng(0)
    Q = np.zeros((N, T))
    for row in Q:
        row[rng.choice(T, len(weights), replace=False)] = weights
    P = (1 - c) / N + c * np.roll(np.eye(N), 1, axis=0)
    generic, ring = scb.constants(np.full(N, 1 / N), P, Q), scb.ring_constants(N, T, c, weights)
    for name in scb.Constants.__dataclass_fields__:
        np.testing.assert_allclose(getattr(ring, name), getattr(generic, name), atol=EXACT, err_msg=name)


def test_ring_over_arrays_equals_single_rings():
    T, c = np.array([16.0, 64.0, 512.0]), np.array([0.4, 0.75, 1.0])
    together = scb.ring_constants(4, T, c, (0.6, 0.4))
    for r in range(3):
        alone = scb.ring_constants(4, T[r], c[r], (0.6, 0.4))
        for name in ("mu", "R", "RDR", "K_P", "K_Q", "s2", "L_star", "q_norm2", "tr_S2"):
            np.testing.assert_array_equal(getattr(together, name)[r], getattr(alone, name))


def test_constants_over_runs_equal_single_tasks_and_mixing_scales_K_P():
    mu, P, Q = make_task(3, 9, 2, seed=1, runs=(4,))
    together = scb.constants(mu, P, Q)
    for r in range(4):
        alone = scb.constants(mu[r], P[r], Q[r])
        for name in ("K_P", "K_Q", "c1", "c2", "s2", "L_star", "RDR", "S", "D", "tr_S2"):
            np.testing.assert_allclose(getattr(together, name)[r], getattr(alone, name), rtol=EXACT)
    weak = scb.constants(mu, mu[..., :, None] + 0.3 * together.R, Q)
    np.testing.assert_allclose(weak.K_P, 0.09 * together.K_P, rtol=1e-10)


def test_start_noise_equals_full_enumeration():
    mu, P, Q = make_task(3, 3, 2, seed=3)
    V, A = np.tile(mu[:, None], (1, 3)), np.full((3, 3), 1 / 3)
    gV, gA, gV2, gU2, gA2 = enumerate_moments(V, A, mu, P, Q)
    task = scb.constants(mu, P, Q)
    assert gA2 == pytest.approx(0, abs=1e-25)
    assert beyond.start_noise_energy_V(task) == pytest.approx(gV2, rel=1e-11)
    assert beyond.start_noise_energy_V(task, keep_marginal=True) == pytest.approx(gU2, rel=1e-11)
    mean2 = np.sum(mu * gV**2)
    assert beyond.start_noise_energy_V(task, batch=5) == pytest.approx(mean2 + (gV2 - mean2) / 5, rel=1e-11)
    uniform = scb.ring_constants(4, 64, 0.75, (0.6, 0.4))
    assert beyond.start_noise_energy_V(uniform) == pytest.approx(0.75 * (1 + 3 / 64), rel=EXACT)
    np.testing.assert_allclose(-scb.inner_V(mu, gV, task.R) / task.K_P, beyond.start_signal_step(task)[0], rtol=1e-11)
    np.testing.assert_allclose(gA, 0, atol=EXACT)


@pytest.mark.parametrize("T", [100, 800])
def test_noise_traces_are_leading_order_in_context_length(T):
    """Two tokens and one useful position: contexts reduce to (first token, count of the rest), which we sum exactly."""
    mu, p = np.array([0.35, 0.65]), 0.3
    P = mu[:, None] + 0.6 * (np.eye(2) - mu[:, None])
    Q = np.tile(np.eye(T)[0], (2, 1))
    V, A = mu[:, None] + 0.5 * (P - mu[:, None]), np.where(Q > 0, p, (1 - p) / (T - 1))
    count = np.arange(T)
    rest = np.exp(
        [np.sum(np.log(np.arange(n + 1, T))) - np.sum(np.log(np.arange(1, T - n))) for n in count]
        + count * np.log(mu[0])
        + (T - 1 - count) * np.log(mu[1])
    )
    energy = step = step2 = 0.0
    task = scb.constants(mu, P, Q)
    for first, o in itertools.product(range(2), range(2)):
        weight = mu[first] * P[o, first] * rest
        tokens = np.stack([count + (first == 0), T - 1 - count + (first == 1)])  # (2, T) how often each token occurs
        h = p * np.eye(2)[first][:, None] + (1 - p) / (T - 1) * (tokens - np.eye(2)[first][:, None])
        g = V.T @ (V @ h - np.eye(2)[o][:, None])
        energy += 2 * np.sum(weight * (np.sum(tokens * g**2, 0) - np.sum(tokens * g, 0) ** 2 / T))
        moved = (np.eye(2)[o] - mu) @ task.R @ (tokens / T) / task.K_P
        step, step2 = step + np.sum(weight * moved), step2 + np.sum(weight * moved**2)
    assert rest.sum() == pytest.approx(1)
    assert beyond.attention_noise_energy(V, A, mu, P, Q) == pytest.approx(energy, rel=3 / T)
    assert beyond.attention_noise_energy(V, A, mu, P, Q, 16) == pytest.approx(energy / 16, rel=3 / T)
    mean, variance = beyond.start_signal_step(task)
    assert mean == pytest.approx(step, rel=1e-9)
    assert variance == pytest.approx(step2 - step**2, rel=3 / T)


def test_the_mirror_has_the_coordinates_turned_and_its_excess_loss():
    mu, P, Q = make_task(4, 10, 2, seed=7)
    V, A = 2 * mu[:, None] - P, 2 / 10 - Q
    assert signals(V, A, mu, P, Q) == (pytest.approx(-1), pytest.approx(-1))
    task = scb.constants(mu, P, Q)
    excess = scb.population_loss(V, A, mu, P, Q) - scb.population_loss(P, Q, mu, P, Q)
    assert scb.mirror_excess_loss(task.K_P, 10) == pytest.approx(excess, rel=1e-10)
    assert scb.population_loss(P, Q, mu, P, Q) == pytest.approx(task.L_star)


MU, SHIFT, LOOK = np.full(3, 1 / 3), np.roll(np.eye(3), 1, axis=0), np.eye(3, 5)


@pytest.mark.parametrize(
    ("mu", "P", "Q", "named"),
    [
        (np.array([0.5, 0.5, 0.0]), SHIFT, LOOK, "mu"),
        (np.array([0.5, 0.3, 0.2]), SHIFT, LOOK, "P"),
        (MU, np.full((3, 3), 1 / 3), LOOK, "P"),
        (MU, SHIFT * 1.1, LOOK, "P"),
        (MU, SHIFT[:2], LOOK, "P"),
        (MU, SHIFT, np.full((3, 5), 0.2), "Q"),
        (MU, SHIFT, LOOK.T, "Q"),
        (MU, SHIFT, 2 * LOOK, "Q"),
        (np.array(1.0), SHIFT, LOOK, "mu"),
    ],
)
def test_bad_tasks_are_refused_by_name(mu, P, Q, named):
    with pytest.raises(InputError, match=rf"^{named}: expected"):
        scb.constants(mu, P, Q)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: scb.ring_constants(4, 9, 0.0, (0.6, 0.4)), "c"),
        (lambda: scb.ring_constants(4, 2, 0.5, (0.6, 0.4)), "T"),
        (lambda: scb.ring_constants(1, 9, 0.5, (1.0,)), "N"),
        (lambda: scb.ring_constants(4, 9, 0.5, (0.6, 0.6)), "weights"),
        (lambda: scb.population_loss(SHIFT, LOOK * 2, MU, SHIFT, LOOK), "A"),
        (lambda: scb.expected_gradient_V(SHIFT * 2, LOOK, MU, SHIFT, LOOK), "V"),
        (lambda: scb.centred(LOOK, MU), "V"),
        (lambda: scb.mirror_excess_loss(0.4, 0), "T"),
        (lambda: beyond.marginal_error(0.1, 0, 0.3), "batch"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, named):
    with pytest.raises(InputError, match=rf"^{named}: expected"):
        call()


def test_marginal_error_is_the_fixed_point_of_its_recursion():
    step, B, L, error = 0.3, 16, 0.4, 0.0
    for _ in range(200):
        error = (1 - step) ** 2 * error + step**2 * 2 * L / B
    assert beyond.marginal_error(step, B, L) == pytest.approx(error)
    assert beyond.marginal_error(2.0, B, L) == np.inf
