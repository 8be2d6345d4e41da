"""Theory of scan and snap, beside what claims check of it: reference dynamics, solvable joint flow, exact identity."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from hal.chapters.scan_snap.theory.lemmas import inverse_square_loss
from hal.chapters.scan_snap.theory.reference import reference_run
from hal.chapters.scan_snap.theory.solvable import drain_rate, logits_from_decoder, solvable_run
from lib.attention import softmax
from lib.errors import InputError
from lib.theory import scan_snap as ss
from tests.scan_snap.laws import base_law


def attention_gradient(P, query, Z, Y):
    """Mean ascent direction (Q, C) of the logits and f (K, C), delta (K, M), straight from the model's definition."""
    f = P * np.exp(Z[query])
    f /= np.linalg.norm(f, axis=1, keepdims=True)
    delta = np.eye(len(P), Y.shape[1]) - softmax(f @ Y)
    g = delta @ Y.T
    move = np.zeros_like(Z)
    np.add.at(move, query, f * (g - f * np.sum(f * g, axis=1, keepdims=True)) / len(P))
    return move, f, delta, g


def slow_reference(P, query, M, lr_Y, lr_Z, times, Z0):
    """The reference dynamics with nothing in closed form: W is a softmax regression, Y = F (F^T F)^{-1} W."""
    K, (Q, C) = len(P), Z0.shape

    def motion(_, state):
        Z, W = state[: Q * C].reshape(Q, C), state[Q * C :].reshape(K, M)
        f = P * np.exp(Z[query])
        f /= np.linalg.norm(f, axis=1, keepdims=True)
        Y = f.T @ np.linalg.solve(f @ f.T, W)
        dW = lr_Y / K * (np.eye(K, M) - softmax(W))
        return np.concatenate([lr_Z * attention_gradient(P, query, Z, Y)[0].ravel(), dW.ravel()])

    first = np.concatenate([Z0.ravel(), np.zeros(K * M)])
    found = solve_ivp(motion, (0, times[-1]), first, "LSODA", t_eval=times, rtol=1e-9, atol=1e-11)
    return found.y[: Q * C].T.reshape(-1, Q, C)


@pytest.mark.parametrize(("K", "own", "M"), [(2, True, 34), (3, False, 7), (2, False, 2)])
def test_reference_run_equals_the_dynamics_without_closed_forms(K, own, M):
    P, query = base_law(K, 3, 4, own)
    Z0 = 0.3 * np.random.default_rng(K).normal(size=(query.max() + 1, P.shape[1]))
    times = np.array([0.5, 3.0, 20.0, 150.0])
    path = reference_run(P, query, M, 1.3, 0.6, times, Z0)
    np.testing.assert_allclose(path.z, slow_reference(P, query, M, 1.3, 0.6, times, Z0), atol=2e-7)


def test_recorded_quantities_agree_with_their_definitions():
    P, query = base_law(3)
    times = np.linspace(0, 60, 601)
    path = reference_run(P, query, 40, 1.0, 0.7, times)
    np.testing.assert_allclose(path.attention, ss.attention(P, path.z, query), atol=1e-14)
    np.testing.assert_allclose(path.inputs, ss.decoder_inputs(P, path.z, query), atol=1e-14)
    xi = path.gamma * np.sum(ss.drive_coefficients(path.inputs, 40).beta * ss.correlations(path.inputs), axis=-1)[:, 0]
    np.testing.assert_allclose(path.B[:, 0], 0.7 / 3 * cumulative_simpson(xi, x=times, initial=0.0), atol=2e-7)
    np.testing.assert_allclose(path.Gamma, ss.operational_time(times, 3, 40, 1.0, 0.7))


def test_records_do_not_change_the_run_and_late_times_are_reached():
    P, query = base_law(2)
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 80), [1e14, 1e14 * (1 + 1e-15)]])
    path = reference_run(P, query, 34, 1.0, 1.0, times)
    np.testing.assert_array_equal(path.z[0], 0.0)
    assert np.all(np.isfinite(path.z))
    alone = reference_run(P, query, 34, 1.0, 1.0, [times[40]])
    np.testing.assert_allclose(alone.z[0], path.z[40], atol=1e-7)
    still = reference_run(P, query, 34, 1.0, 0.0, times)
    assert not still.z.any()
    assert not still.B.any()
    assert not reference_run(P, query, 34, 1.0, 1.0, [0.0]).z.any()


def test_without_common_tokens_or_with_one_class_nothing_moves():
    P, query = base_law(3, common=0)
    np.testing.assert_allclose(reference_run(P, query, 34, 1.0, 1.0, [100.0]).z, 0.0, atol=1e-14)
    alone = reference_run(P[:1, :10], [0], 34, 1.0, 1.0, [100.0])
    np.testing.assert_allclose(alone.z, 0.0, atol=1e-14)


def test_solvable_path_depends_on_the_ratio_of_rates_and_its_clock_slows():
    P, _ = base_law(2)
    times = np.geomspace(0.1, 1e5, 60)
    one = solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 0.5, times)
    fast = solvable_run(P[0, :10], P[0, 10:20], 2, 1, 4.0, 2.0, times / 4)
    np.testing.assert_allclose(one.z_distinct, fast.z_distinct, atol=1e-8)
    np.testing.assert_allclose(one.tau, fast.tau, rtol=1e-8)
    other = solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 2.0, times)
    assert not np.allclose(one.z_distinct[-1], other.z_distinct[-1], rtol=0.05)
    log_slope = np.diff(one.gap) / np.diff(np.log(times))
    assert log_slope[-1] == pytest.approx(1.0, abs=0.1)  # e^G grows like t
    assert not solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 1.0, [0.0]).z_distinct.any()


def bad_calls():
    P, query = base_law(2)
    run = reference_run
    twins = np.full((2, 4), 0.25)
    return {
        "times order": ("times", lambda: run(P, query, 34, 1.0, 1.0, [1.0, 1.0])),
        "times sign": ("times", lambda: run(P, query, 34, 1.0, 1.0, [-1.0, 1.0])),
        "times finite": ("times", lambda: run(P, query, 34, 1.0, 1.0, [1.0, np.inf])),
        "rate": ("lr_Y", lambda: run(P, query, 34, -1.0, 1.0, [1.0])),
        "rate nan": ("lr_Z", lambda: run(P, query, 34, 1.0, np.nan, [1.0])),
        "M": ("M", lambda: run(P, query, 1, 1.0, 1.0, [1.0])),
        "P": ("P", lambda: run(P * 1.01, query, 34, 1.0, 1.0, [1.0])),
        "query": ("query", lambda: run(P, [0, 1, 2], 34, 1.0, 1.0, [1.0])),
        "Z0 shape": ("Z", lambda: run(P, query, 34, 1.0, 1.0, [1.0], np.zeros((1, 30)))),
        "Z0 size": ("Z0", lambda: run(P, query, 34, 1.0, 1.0, [1.0], np.full((2, 30), 300.0))),
        "same classes": ("E", lambda: run(twins, [0, 0], 34, 1.0, 1.0, [1.0])),
        "leader": ("leader", lambda: ss.relative_gain(P, [25, 25])),
        "leader shape": ("leader", lambda: ss.relative_gain(P, [19])),
        "scores": ("scores", lambda: inverse_square_loss(-P, P)),
        "chi": ("chi", lambda: ss.predicted_gain(1.0, 0.0)),
        "B": ("B", lambda: ss.growth_bounds(0.5, -1.0)),
        "input": ("input_start", lambda: ss.growth_bounds(1.5, 1.0)),
        "s": ("s", lambda: solvable_run(P[0, :10], P[0, 10:20], 4, 3, 1.0, 1.0, [1.0])),
        "law": ("common, distinct", lambda: solvable_run(P[0, :9], P[0, 10:20], 2, 1, 1.0, 1.0, [1.0])),
        "distinct": ("distinct", lambda: solvable_run(P[0, :9], [], 2, 1, 1.0, 1.0, [1.0])),
        "drain": ("drain", lambda: logits_from_decoder([0.0, 1.0], np.ones((2, 3)), np.ones((2, 2)), 1.0, 1.0)),
        "start": ("times", lambda: logits_from_decoder([1.0, 2.0], np.ones((2, 3)), np.ones((2, 3)), 1.0, 1.0)),
        "g": ("g", lambda: drain_rate(np.ones((2, 3)), np.ones((2, 2)))),
    }


@pytest.mark.parametrize("case", sorted(bad_calls()))
def test_bad_input_is_refused_by_name(case):
    argument, call = bad_calls()[case]
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
