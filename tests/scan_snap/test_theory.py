"""Theory of scan and snap, beside what claims check of it: geometry, the clock, fates, reference and solvable runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.theory.lemmas import (
    equal_modified_overlaps,
    partly_common_push,
    series_error_bound,
    stage_inequalities,
)  # fmt: skip
from hal.chapters.scan_snap.theory.one_common import printed_B, scan_branch
from hal.chapters.scan_snap.theory.reference import reference_run
from hal.chapters.scan_snap.theory.solvable import solvable_run
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


def test_leading_axes_are_runs_and_settings_broadcast():
    f = np.random.default_rng(1).random((40, 5, 9))
    f /= np.linalg.norm(f, axis=-1, keepdims=True)
    xi = ss.class_drive(f, 12)
    np.testing.assert_allclose(xi[7], ss.class_drive(f[7], 12), rtol=1e-13)
    assert np.all(xi > 0)
    np.testing.assert_allclose(ss.class_drive(np.eye(3, 5), 8), 0.0, atol=1e-15)  # no class overlaps another
    clocks = ss.h_star(60, [11, 50], [[0.3], [1.7]])
    assert clocks.shape == (2, 2, 61)
    np.testing.assert_array_equal(clocks[1, 0], ss.h_star(60, 11, 1.7))


def test_closed_form_solves_the_clock_equation_at_all_times():
    t = np.concatenate([[0.0], np.geomspace(1e-12, 1e12, 400)])
    for M in (2, 3, 34, 1000, 10**6):
        x = ss.logit_gap(t, 1, M, 0.7)
        np.testing.assert_allclose(np.expm1(x) + (M - 1) * x, M * 0.7 * t, rtol=1e-11)
        assert x[0] == 0.0
        assert np.all(np.diff(x) > 0)
        np.testing.assert_allclose(ss.h(t, 1, M, 0.7), x / M)
    np.testing.assert_allclose(ss.logit_gap(12.0, 4, 50, 1.0), ss.logit_gap(3.0, 1, 50, 1.0), rtol=1e-14)


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


def test_a_lead_over_a_token_outside_the_class_is_infinite():
    P, _ = law(single_common_task(2, 0.3, 50))
    gain = ss.relative_gain(P, np.array([5, 10]))
    assert gain[0, 1] == pytest.approx(24.0)
    assert np.isinf(gain[0, 6])


@pytest.mark.parametrize("shared", [True, False])
def test_partly_common_tokens_grow_beyond_kappa_star(shared):
    for kappa in (0.2, 1.0, 1.5, 2.0, 2.3, 2.6, 3.5, 8.0):
        P = np.array([[4.0, kappa, 1.0, 1.0, 2.0, 0.0, 0.0], [4.0, 1.0, kappa, 0.0, 0.0, 1.0, 2.0]])
        P /= P.sum(1, keepdims=True)
        query = np.zeros(2, dtype=int) if shared else np.arange(2)
        f = ss.decoder_inputs(P, zeros(query, P), query)
        rho, velocity = f[0] @ f[1], ss.logit_velocity(f, query, 100)[0, 1]
        push, beta = partly_common_push(rho, kappa, shared), ss.drive_coefficients(f, 100).beta[0, 1]
        assert velocity == pytest.approx(beta * f[0, 1] * f[1, 1] * push / 2, rel=1e-10)
        above = kappa > ss.kappa_star(rho, shared) or (shared and kappa < 1 / ss.kappa_star(rho, shared))
        assert (velocity > 0) == above


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


def test_solvable_path_depends_on_the_ratio_of_rates_and_its_clock_slows():
    """SNAP-13 has it against the flow of the whole model."""
    P, times = base_task().P, np.geomspace(0.1, 1e5, 60)
    one = solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 0.5, times)
    fast = solvable_run(P[0, :10], P[0, 10:20], 2, 1, 4.0, 2.0, times / 4)
    np.testing.assert_allclose(one.z_distinct, fast.z_distinct, atol=1e-8)
    np.testing.assert_allclose(one.tau, fast.tau, rtol=1e-8)
    other = solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 2.0, times)
    assert not np.allclose(one.z_distinct[-1], other.z_distinct[-1], rtol=0.05)
    log_slope = np.diff(one.gap) / np.diff(np.log(times))
    assert log_slope[-1] == pytest.approx(1.0, abs=0.1)  # e^G grows like t


def bad_calls():
    P, query = law(base_task())
    Z = zeros(query, P)
    f = ss.decoder_inputs(P, Z, query)
    return {
        "P rows": ("P", lambda: ss.attention(P * 2, Z, query)),
        "P sign": ("P", lambda: ss.attention(-P, Z, query)),
        "P shape": ("P", lambda: ss.scores(P[0], Z, query)),
        "query": ("query", lambda: ss.scores(P, Z, [0])),
        "query fraction": ("query", lambda: ss.scores(P, Z, [0.0, 0.5])),
        "query sign": ("query", lambda: ss.logit_velocity(f, [-1, 0], 34)),
        "Z shape": ("Z", lambda: ss.decoder_inputs(P, Z[:1], query)),
        "Z finite": ("Z", lambda: ss.decoder_inputs(P, Z * np.nan, query)),
        "f length": ("f", lambda: ss.correlations(2 * f)),
        "f shape": ("f", lambda: ss.fate_velocity(P, f[:, :5] / np.linalg.norm(f[:, :5]), query, 34)),
        "E shape": ("E", lambda: series_error_bound(np.eye(2, 3))),
        "same classes": ("E", lambda: ss.drive_coefficients(f[[0, 0]], 34)),
        "M": ("M", lambda: ss.class_drive(f, 1)),
        "M fraction": ("M", lambda: ss.equal_class_drive(2, 0.1, 3.5)),
        "rho high": ("rho", lambda: ss.equal_class_drive(2, 1.0, 34)),
        "rho low": ("rho", lambda: ss.kappa_star(-0.1)),
        "rho nan": ("rho", lambda: equal_modified_overlaps(2, np.nan)),
        "kappa": ("kappa", lambda: partly_common_push(0.5, 0.0)),
        "K": ("K", lambda: equal_modified_overlaps(0, 0.5)),
        "series": ("E", lambda: series_error_bound(1 - np.eye(3))),
        "rate zero": ("lr_Y", lambda: ss.logit_gap(1.0, 2, 34, 0.0)),
        "rate infinite": ("lr_Y", lambda: ss.h_star(5, 34, np.inf)),
        "rate negative": ("lr_Z", lambda: ss.reduced_B(1.0, 2, 34, 1.0, -1.0)),
        "M below K": ("M", lambda: ss.speed(1.0, 5, 4, 1.0)),
        "M small": ("M", lambda: ss.transition_times(2, 3, 1.0)),
        "K zero": ("K", lambda: ss.h(1.0, 0, 34, 1.0)),
        "time": ("t", lambda: ss.logit_gap(-1.0, 2, 34, 1.0)),
        "late at zero": ("t", lambda: ss.late_gap(0.0, 2, 34, 1.0)),
        "C0": ("C0", lambda: ss.reduced_B(1.0, 2, 34, 1.0, 1.0, 0.0)),
        "steps": ("steps", lambda: ss.h_star(-1, 34, 1.0)),
        "clock": ("clock", lambda: ss.decoder_weights(np.eye(2), 34, -0.1)),
        "leader": ("leader", lambda: ss.relative_gain(P, [25, 25])),
        "leader shape": ("leader", lambda: ss.relative_gain(P, [19])),
        "scores": ("scores", lambda: ss.relative_gain(-P, [19, 29])),
        "chi": ("chi", lambda: ss.predicted_gain(1.0, 0.0)),
        "B": ("B", lambda: ss.growth_bounds(0.5, -1.0)),
        "input": ("input_start", lambda: ss.growth_bounds(1.5, 1.0)),
    }


@pytest.mark.parametrize("case", sorted(bad_calls()))
def test_bad_input_is_refused_by_name(case):
    argument, call = bad_calls()[case]
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
