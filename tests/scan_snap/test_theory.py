"""Theory of scan and snap, beside what claims check of it: the printed exponent, reference runs, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hal.chapters.scan_snap.theory.lemmas import (
    equal_modified_overlaps,
    late_gap,
    series_error_bound,
)  # fmt: skip
from hal.chapters.scan_snap.theory.one_common import printed_B, scan_branch
from hal.chapters.scan_snap.theory.reference import reference_run
from lib.attention import softmax
from lib.models.scan_snap import base_task
from lib.theory import scan_snap as ss
from tests.refusals import refused


def law(task):
    """Probabilities (K, C) and queries (K,)."""
    return task.P, task.query


def zeros(query, P):
    return np.zeros((query.max() + 1, P.shape[1]))


def test_the_first_branch_follows_the_printed_exponent_before_the_snap_alone():
    args = (10, 1000, 1.0, 0.5, 0.8)
    first, second = ss.transition_times(10, 1000, 1.0)
    scan = first * np.linspace(0, 1, 300)
    assert np.max(np.abs(scan_branch(scan, *args) - printed_B(scan, *args))) < 0.05
    assert abs(scan_branch(20 * second, *args) - printed_B(20 * second, *args)) > 0.5


def slow_reference(P, query, M, lr_Y, lr_Z, times, Z0):
    """The reference dynamics with nothing in closed form: W is a softmax regression, Y = F (F^T F)^{-1} W."""
    K, (Q, C) = len(P), Z0.shape

    def motion(_, state):
        Z, W = state[: Q * C].reshape(Q, C), state[Q * C :].reshape(K, M)
        f = P * np.exp(Z[query])
        f /= np.linalg.norm(f, axis=1, keepdims=True)
        Y = f.T @ np.linalg.solve(f @ f.T, W)
        g = (np.eye(K, M) - softmax(f @ Y)) @ Y.T
        move = np.zeros_like(Z)
        np.add.at(move, query, f * (g - f * np.sum(f * g, axis=1, keepdims=True)) / K)
        return np.concatenate([lr_Z * move.ravel(), (lr_Y / K * (np.eye(K, M) - softmax(W))).ravel()])

    first = np.concatenate([Z0.ravel(), np.zeros(K * M)])
    found = solve_ivp(motion, (0, times[-1]), first, "LSODA", t_eval=times, rtol=1e-9, atol=1e-11)
    return found.y[: Q * C].T.reshape(-1, Q, C)


@pytest.mark.parametrize(("K", "queries", "M"), [(2, "own", 34), (3, "shared", 7), (2, "shared", 2)])
def test_reference_run_equals_the_dynamics_without_closed_forms(K, queries, M):
    P, query = law(base_task(K, 3, 4, queries))
    Z0 = 0.3 * np.random.default_rng(K).normal(size=(query.max() + 1, P.shape[1]))
    times = np.array([0.5, 3.0, 20.0, 150.0])
    path = reference_run(P, query, M, 1.3, 0.6, times, Z0)
    np.testing.assert_allclose(path.z, slow_reference(P, query, M, 1.3, 0.6, times, Z0), atol=2e-7)


def test_records_do_not_change_the_run_and_late_times_are_reached():
    P, query = law(base_task())
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 80), [1e14, 1e14 * (1 + 1e-15)]])
    path = reference_run(P, query, 34, 1.0, 1.0, times)
    np.testing.assert_array_equal(path.z[0], 0.0)
    assert np.all(np.isfinite(path.z))
    np.testing.assert_allclose(reference_run(P, query, 34, 1.0, 1.0, [times[40]]).z[0], path.z[40], atol=1e-7)


P, QUERY = law(base_task())
Z = zeros(QUERY, P)
F = ss.decoder_inputs(P, Z, QUERY)
REFUSED = [
    ("P", lambda: ss.attention(P * 2, Z, QUERY)),
    ("P", lambda: ss.scores(P[0], Z, QUERY)),
    ("query", lambda: ss.scores(P, Z, [0])),
    ("query", lambda: ss.scores(P, Z, [0.0, 0.5])),
    ("query", lambda: ss.logit_velocity(F, [-1, 0], 34)),
    ("Z", lambda: ss.decoder_inputs(P, Z[:1], QUERY)),
    ("Z", lambda: ss.decoder_inputs(P, Z * np.nan, QUERY)),
    ("f", lambda: ss.correlations(2 * F)),
    ("f", lambda: ss.fate_velocity(P, F[:, :5] / np.linalg.norm(F[:, :5]), QUERY, 34)),
    ("E", lambda: series_error_bound(np.eye(2, 3))),
    ("E", lambda: ss.drive_coefficients(F[[0, 0]], 34)),
    ("M", lambda: ss.class_drive(F, 1)),
    ("M", lambda: ss.speed(1.0, 5, 4, 1.0)),
    ("rho", lambda: equal_modified_overlaps(2, np.nan)),
    ("K", lambda: equal_modified_overlaps(0, 0.5)),
    ("lr_Y", lambda: ss.logit_gap(1.0, 2, 34, 0.0)),
    ("lr_Y", lambda: ss.h_star(5, 34, np.inf)),
    ("lr_Z", lambda: ss.reduced_B(1.0, 2, 34, 1.0, -1.0)),
    ("t", lambda: ss.logit_gap(-1.0, 2, 34, 1.0)),
    ("t", lambda: late_gap(0.0, 2, 34, 1.0)),
    ("C0", lambda: ss.reduced_B(1.0, 2, 34, 1.0, 1.0, 0.0)),
    ("steps", lambda: ss.h_star(-1, 34, 1.0)),
    ("clock", lambda: ss.decoder_weights(np.eye(2), 34, -0.1)),
    ("leader", lambda: ss.relative_gain(P, [25, 25])),
    ("scores", lambda: ss.relative_gain(-P, [19, 29])),
    ("chi", lambda: ss.predicted_gain(1.0, 0.0)),
    ("B", lambda: ss.growth_bounds(0.5, -1.0)),
    ("input_start", lambda: ss.growth_bounds(1.5, 1.0)),
]


test_bad_input_is_refused_by_name = refused([(call, argument) for argument, call in REFUSED])
