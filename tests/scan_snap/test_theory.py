"""Theory of scan and snap, beside what claims check of it: geometry, the clock, fates, reference and solvable runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.theory.lemmas import (
    equal_modified_overlaps,
    late_gap,
    partly_common_push,
    series_error_bound,
    stage_inequalities,
)  # fmt: skip
from hal.chapters.scan_snap.theory.one_common import printed_B, scan_branch
from hal.chapters.scan_snap.theory.reference import reference_run
from lib.attention import softmax
from lib.errors import InputError
from lib.models.scan_snap import base_task
from lib.theory import scan_snap as ss


def law(task):
    """Probabilities (K, C) and queries (K,)."""
    return task.P, task.query


def zeros(query, P):
    return np.zeros((query.max() + 1, P.shape[1]))


@pytest.mark.parametrize("queries", ["own", "shared"])
def test_attention_and_inputs_are_the_scores_normalised_and_survive_large_logits(queries):
    P, query = law(base_task(3, queries=queries))
    Z = np.random.default_rng(0).normal(size=(4, query.max() + 1, P.shape[1]))
    c = ss.scores(P, Z, query)
    np.testing.assert_allclose(ss.attention(P, Z, query), c / c.sum(-1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(
        ss.decoder_inputs(P, Z, query), c / np.linalg.norm(c, axis=-1, keepdims=True), rtol=1e-12
    )
    np.testing.assert_allclose(ss.attention(P, Z + 5000.0, query), ss.attention(P, Z, query), rtol=1e-9)
    np.testing.assert_array_equal(ss.attention(P, Z, query)[2], ss.attention(P, Z[2], query))


def test_with_four_outputs_the_promise_of_lemma_9_is_broken_at_the_end_of_the_stage():
    seen = stage_inequalities(ss.transition_times(1, 4, 1.0)[0], 1, 4, 1.0)
    assert seen.before
    assert not seen.small


def test_the_first_branch_follows_the_printed_exponent_before_the_snap_alone():
    args = (10, 1000, 1.0, 0.5, 0.8)
    first, second = ss.transition_times(10, 1000, 1.0)
    scan = first * np.linspace(0, 1, 300)
    assert np.max(np.abs(scan_branch(scan, *args) - printed_B(scan, *args))) < 0.05
    assert abs(scan_branch(20 * second, *args) - printed_B(20 * second, *args)) > 0.5


@pytest.mark.parametrize("own", [True, False])
def test_theorem_2_equals_lemma_4_wherever_it_speaks(own):
    """SNAP-8 has one query and two classes; here three, and as Corollary 2 has it, several common tokens."""
    P, query = law(single_common_task(3, 0.4, 50))
    query = np.arange(3) if own else query
    Z = np.random.default_rng(5).normal(size=(query.max() + 1, P.shape[1]))
    f = ss.decoder_inputs(P, Z, query)
    np.testing.assert_allclose(ss.fate_velocity(P, f, query, 50), ss.logit_velocity(f, query, 50), atol=1e-13)
    P, query = law(base_task(3, queries="own" if own else "shared"))
    f = ss.decoder_inputs(P, zeros(query, P), query)
    assert np.isnan(ss.fate_velocity(P, f, query, 34)[:, :10]).all()
    assert own or np.array_equal(np.sign(ss.logit_velocity(f, query, 50)[0]), [-1] * 10 + [1] * 30)


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


def test_recorded_quantities_agree_with_their_definitions():
    P, query = law(base_task(3))
    times = np.linspace(0, 60, 601)
    path = reference_run(P, query, 40, 1.0, 0.7, times)
    np.testing.assert_allclose(path.attention, ss.attention(P, path.z, query), atol=1e-14)
    np.testing.assert_allclose(path.inputs, ss.decoder_inputs(P, path.z, query), atol=1e-14)
    xi = path.gamma * np.sum(ss.drive_coefficients(path.inputs, 40).beta * ss.correlations(path.inputs), axis=-1)[:, 0]
    np.testing.assert_allclose(path.B[:, 0], 0.7 / 3 * cumulative_simpson(xi, x=times, initial=0.0), atol=2e-7)
    np.testing.assert_allclose(path.Gamma, ss.operational_time(times, 3, 40, 1.0, 0.7))


def test_records_do_not_change_the_run_and_late_times_are_reached():
    P, query = law(base_task())
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 80), [1e14, 1e14 * (1 + 1e-15)]])
    path = reference_run(P, query, 34, 1.0, 1.0, times)
    np.testing.assert_array_equal(path.z[0], 0.0)
    assert np.all(np.isfinite(path.z))
    np.testing.assert_allclose(reference_run(P, query, 34, 1.0, 1.0, [times[40]]).z[0], path.z[40], atol=1e-7)


def test_without_common_tokens_a_rate_or_another_class_nothing_moves():
    P, query = law(base_task(3, common=0))
    np.testing.assert_allclose(reference_run(P, query, 34, 1.0, 1.0, [100.0]).z, 0.0, atol=1e-14)
    np.testing.assert_allclose(reference_run(P[:1, :10], [0], 34, 1.0, 1.0, [100.0]).z, 0.0, atol=1e-14)
    assert not reference_run(*law(base_task()), 34, 1.0, 0.0, [100.0]).z.any()


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
    ("kappa", lambda: partly_common_push(0.5, 0.0)),
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


@pytest.mark.parametrize(("argument", "call"), REFUSED)
def test_bad_input_is_refused_by_name(argument, call):
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
