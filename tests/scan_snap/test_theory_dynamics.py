"""Theory of scan and snap: the reference dynamics and Theorem 3, the solvable joint flow, and the exact identity."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from lib.errors import InputError
from lib.theory import scan_snap as ss
from tests.scan_snap.laws import base_law, single_common_law


def softmax(logits):
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


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
    path = ss.reference_run(P, query, M, 1.3, 0.6, times, Z0)
    np.testing.assert_allclose(path.z, slow_reference(P, query, M, 1.3, 0.6, times, Z0), atol=2e-7)


def test_recorded_quantities_agree_with_their_definitions():
    P, query = base_law(3)
    times = np.linspace(0, 60, 601)
    path = ss.reference_run(P, query, 40, 1.0, 0.7, times)
    np.testing.assert_allclose(path.attention, ss.attention(P, path.z, query), atol=1e-14)
    np.testing.assert_allclose(path.inputs, ss.decoder_inputs(P, path.z, query), atol=1e-14)
    np.testing.assert_allclose(path.xi, path.gamma[:, None] * ss.class_drive_sum(path.inputs, 40), rtol=1e-9)
    area = cumulative_simpson(path.xi[:, 0], x=times, initial=0.0)
    np.testing.assert_allclose(path.B[:, 0], 0.7 / 3 * area, atol=2e-7)
    np.testing.assert_allclose(path.Gamma, ss.operational_time(times, 3, 40, 1.0, 0.7))
    np.testing.assert_allclose(path.x, ss.logit_gap(times, 3, 40, 1.0))


def test_records_do_not_change_the_run_and_late_times_are_reached():
    P, query = base_law(2)
    times = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 80), [1e14, 1e14 * (1 + 1e-15)]])
    path = ss.reference_run(P, query, 34, 1.0, 1.0, times)
    np.testing.assert_array_equal(path.z[0], 0.0)
    assert np.all(np.isfinite(path.z))
    alone = ss.reference_run(P, query, 34, 1.0, 1.0, [times[40]])
    np.testing.assert_allclose(alone.z[0], path.z[40], atol=1e-7)
    still = ss.reference_run(P, query, 34, 1.0, 0.0, times)
    assert not still.z.any()
    assert not still.B.any()
    assert not ss.reference_run(P, query, 34, 1.0, 1.0, [0.0]).z.any()


def test_without_common_tokens_or_with_one_class_nothing_moves():
    P, query = base_law(3, common=0)
    np.testing.assert_allclose(ss.reference_run(P, query, 34, 1.0, 1.0, [100.0]).z, 0.0, atol=1e-14)
    alone = ss.reference_run(P[:1, :10], [0], 34, 1.0, 1.0, [100.0])
    np.testing.assert_allclose(alone.z, 0.0, atol=1e-14)


@pytest.fixture(scope="module")
def single_common():
    P, query = single_common_law(2, 0.3)
    first, _ = ss.transition_times(2, 1000, 1.0)
    times = first * np.linspace(0, 5, 101)
    return P, query, times, ss.reference_run(P, query, 1000, 1.0, 1.0, times)


def test_every_distinct_token_rises_and_the_common_one_falls(single_common):
    path = single_common[-1]
    moves = np.diff(path.z[:, 0], axis=0)
    assert np.all(moves[:, 0] < 0)
    assert np.all(moves[:, 1:] > 0)
    assert ss.assumption_2(ss.correlations(path.inputs[0]), 1000).holds


def test_known_fall_of_the_common_token_on_data_that_obeys_assumption_2():
    P, query = single_common_law(2, 0.3)
    end = 5 * ss.transition_times(2, 1000, 0.1)[0]
    assert ss.reference_run(P, query, 1000, 0.1, 0.05, [end]).z[0, 0, 0] == pytest.approx(-0.7415, abs=5e-5)


def test_theorem_3_on_the_reference_dynamics(single_common):
    P, query, _, path = single_common
    scores = ss.scores(P, path.z, query)
    lost = ss.inverse_square_loss(scores, scores[0])
    for n, own in enumerate(ss.distinct_tokens(P)):
        np.testing.assert_allclose(lost[:, n, own], np.repeat(path.S[:, n : n + 1], 5, axis=1), atol=1e-6)
    leader = np.array([5, 10])
    chi = ss.growth_factor(path.z[:, 0], path.z[0, 0])
    gain, gain_start = ss.relative_gain(scores, leader), ss.relative_gain(P, leader)
    np.testing.assert_allclose(gain[:, 0, 1:5], ss.predicted_gain(gain_start[0, 1:5], chi[:, 5:6]), rtol=1e-7)
    assert gain_start[0, 1] == pytest.approx(24.0)
    assert np.isinf(gain_start[0, 6])
    lower, upper = ss.growth_bounds(path.inputs[0, 0, 5], path.B[:, 0])
    assert np.all((lower <= chi[:, 5]) & (chi[:, 5] <= upper))
    snap = ss.reference_run(P, query, 1000, 1.0, 1.0, [4 * ss.transition_times(2, 1000, 1.0)[0]])
    ends = ss.growth_bounds(path.inputs[0, 0, 5], snap.B[0, 0])
    known = (ends[0], np.exp(2 * snap.z[0, 0, 5]), ends[1])
    np.testing.assert_allclose(known, [1.398, 1.539, 2.864], atol=1e-3)


def test_reduced_formula_is_of_the_size_of_the_reference_run(single_common):
    _, _, times, path = single_common
    C0 = 1 / (2 * 0.3**2)
    ratio = -path.z[-1, 0, 0] / ss.reduced_B(times[-1], 2, 1000, 1.0, 1.0, C0)
    assert ratio == pytest.approx(0.841, abs=2e-3)


@pytest.mark.parametrize("K", [2, 5])
@pytest.mark.parametrize("own", [True, False])
def test_solvable_run_and_identity_equal_the_joint_flow(K, own):
    """Both layers integrated from the model's definition, with M = K."""
    P, query = base_law(K, 4, 5, own)
    lr_Y, lr_Z, C, Q = 1.5, 0.5, P.shape[1], query.max() + 1
    times = np.linspace(0, 60, 601)

    def motion(_, state):
        Y, Z = state[: C * K].reshape(C, K), state[C * K :].reshape(Q, C)
        move, f, delta, _ = attention_gradient(P, query, Z, Y)
        return np.concatenate([(lr_Y / K * f.T @ delta).ravel(), lr_Z * move.ravel()])

    joint = solve_ivp(motion, (0, 60), np.zeros(C * K + Q * C), "LSODA", t_eval=times, rtol=1e-9, atol=1e-12).y.T
    Y, Z = joint[:, : C * K].reshape(-1, C, K), joint[:, C * K :].reshape(-1, Q, C)
    path = ss.solvable_run(P[0, :4], P[0, 4:9], K, 1 if own else K, lr_Y, lr_Z, times)
    np.testing.assert_allclose(path.z_common, Z[:, 0, :4], atol=1e-6)
    np.testing.assert_allclose(path.z_distinct, Z[:, 0, 4:9], atol=1e-6)
    np.testing.assert_allclose(path.y, Y[:, 4:9, 0] - Y[:, 4:9, 1], atol=1e-6)
    pieces = [attention_gradient(P, query, z, y) for z, y in zip(Z, Y, strict=True)]
    f, delta, g = (np.stack(part) for part in list(zip(*pieces, strict=True))[1:])
    np.testing.assert_allclose(path.loss, -np.log(1 - delta[:, 0, 0]), atol=1e-6)
    np.testing.assert_allclose(path.attention_distinct, f[:, 0, 4:9] / f[:, 0].sum(-1, keepdims=True), atol=1e-6)
    rebuilt = ss.logits_from_decoder(times, np.sum(Y**2, axis=-1), ss.drain_rate(f, g), lr_Y, lr_Z)
    valid = np.arange(9) if not own else np.arange(4, 9)
    np.testing.assert_allclose(rebuilt[:, valid], Z[:, 0, valid], atol=2e-4)


def test_solvable_path_depends_on_the_ratio_of_rates_and_its_clock_slows():
    P, _ = base_law(2)
    times = np.geomspace(0.1, 1e5, 60)
    one = ss.solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 0.5, times)
    fast = ss.solvable_run(P[0, :10], P[0, 10:20], 2, 1, 4.0, 2.0, times / 4)
    np.testing.assert_allclose(one.z_distinct, fast.z_distinct, atol=1e-8)
    np.testing.assert_allclose(one.tau, fast.tau, rtol=1e-8)
    other = ss.solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 2.0, times)
    assert not np.allclose(one.z_distinct[-1], other.z_distinct[-1], rtol=0.05)
    log_slope = np.diff(one.gap) / np.diff(np.log(times))
    assert log_slope[-1] == pytest.approx(1.0, abs=0.1)  # e^G grows like t
    assert not ss.solvable_run(P[0, :10], P[0, 10:20], 2, 1, 1.0, 1.0, [0.0]).z_distinct.any()


def test_still_drive_starts_the_distinct_logits():
    P, query = base_law(4, own=False)
    f = ss.decoder_inputs(P, np.zeros((1, P.shape[1])), query)[0]
    lr_Z = 1e-4  # attention hardly moves while tau grows
    times = np.linspace(0, 12, 401)
    path = ss.solvable_run(P[0, :10], P[0, 10:20], 4, 4, 1.0, lr_Z, times)
    rho = ss.overlap(ss.decoder_inputs(P, np.zeros((1, P.shape[1])), query))
    speed = np.gradient(path.z_distinct[:, -1], times)
    predicted = lr_Z / 4 * f[19] ** 2 * ss.still_drive(rho, path.tau, 4)
    np.testing.assert_allclose(speed[2:-2], predicted[2:-2], rtol=2e-3)


def bad_calls():
    P, query = base_law(2)
    run = ss.reference_run
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
        "scores": ("scores", lambda: ss.inverse_square_loss(-P, P)),
        "chi": ("chi", lambda: ss.predicted_gain(1.0, 0.0)),
        "B": ("B", lambda: ss.growth_bounds(0.5, -1.0)),
        "input": ("input_start", lambda: ss.growth_bounds(1.5, 1.0)),
        "s": ("s", lambda: ss.solvable_run(P[0, :10], P[0, 10:20], 4, 3, 1.0, 1.0, [1.0])),
        "law": ("common, distinct", lambda: ss.solvable_run(P[0, :9], P[0, 10:20], 2, 1, 1.0, 1.0, [1.0])),
        "distinct": ("distinct", lambda: ss.solvable_run(P[0, :9], [], 2, 1, 1.0, 1.0, [1.0])),
        "drain": ("drain", lambda: ss.logits_from_decoder([0.0, 1.0], np.ones((2, 3)), np.ones((2, 2)), 1.0, 1.0)),
        "start": ("times", lambda: ss.logits_from_decoder([1.0, 2.0], np.ones((2, 3)), np.ones((2, 3)), 1.0, 1.0)),
        "g": ("g", lambda: ss.drain_rate(np.ones((2, 3)), np.ones((2, 2)))),
    }


@pytest.mark.parametrize("case", sorted(bad_calls()))
def test_bad_input_is_refused_by_name(case):
    argument, call = bad_calls()[case]
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
