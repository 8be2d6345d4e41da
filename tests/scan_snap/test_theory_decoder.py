"""Theory of scan and snap: the decoder's clock, its two stages, and the phase transition in one variable."""

from __future__ import annotations

import numpy as np
import pytest

from lib.errors import InputError
from lib.theory import scan_snap as ss

VOCABULARIES = np.array([34, 100, 1000, 10_000])


def test_discrete_clock_is_gradient_descent_on_softmax_regression():
    """One row of W under single-sample gradient steps, written out with the whole softmax."""
    M, lr = 11, 1.7
    w, n = np.zeros(M), 3
    clock = ss.h_star(60, M, lr)
    for k in range(61):
        np.testing.assert_allclose(w, (M - 1) * clock[k] * ss.zeta(5, M)[n], atol=1e-13)
        p = np.exp(w - w.max())
        w = w + lr * (np.eye(M)[n] - p / p.sum())
    wide = ss.h_star(60, [11, 50], [[0.3], [1.7]])
    assert wide.shape == (2, 2, 61)
    np.testing.assert_array_equal(wide[1, 0], clock)


def test_closed_form_solves_the_clock_equation_at_all_times():
    t = np.concatenate([[0.0], np.geomspace(1e-12, 1e12, 400)])
    for M in (2, 3, 34, 1000, 10**6):
        x = ss.logit_gap(t, 1, M, 0.7)
        reached = M * 0.7 * t
        np.testing.assert_allclose(np.expm1(x) + (M - 1) * x, reached, rtol=1e-11)
        assert x[0] == 0.0
        assert np.all(np.diff(x) > 0)
        np.testing.assert_allclose(ss.h(t, 1, M, 0.7), x / M)
    np.testing.assert_allclose(ss.logit_gap(12.0, 4, 50, 1.0), ss.logit_gap(3.0, 1, 50, 1.0), rtol=1e-14)


def test_discrete_clock_stays_within_its_bound_of_the_continuous_one():
    for M in (50, 1000):
        for lr in (0.1, 0.2, 0.5, 1.0, 2.0, 4.0):
            share = (ss.h_star(4000, M, lr) - ss.h(np.arange(4001), 1, M, lr)) / ss.clock_gap_bound(M, lr)
            assert share.min() > -1e-9
            assert 0.09 < share.max() < 0.12
            assert share[-1] < 0.25 * share.max()


def test_speed_peak_is_the_maximum_and_has_the_known_numbers():
    peak = ss.speed_peak(1, VOCABULARIES, 1.0)
    np.testing.assert_allclose(peak.speed, [1.82, 2.60, 4.42, 6.36], atol=5e-3)
    np.testing.assert_allclose(peak.time / np.log(VOCABULARIES), [0.93, 0.86, 0.82, 0.82], atol=5e-3)
    for K, lr in ((1, 1.0), (5, 0.2)):
        top = ss.speed_peak(K, VOCABULARIES, lr)
        np.testing.assert_allclose(ss.speed(top.time, K, VOCABULARIES, lr), top.speed, rtol=1e-12)
        np.testing.assert_allclose(ss.logit_gap(top.time, K, VOCABULARIES, lr), top.gap, rtol=1e-12)
        around = top.time[:, None] * np.array([0.9, 0.99, 1.01, 1.1])
        assert np.all(ss.speed(around, K, VOCABULARIES[:, None], lr) < top.speed[:, None])


def test_line_roots_and_transition_times():
    for root in ss.line_roots(VOCABULARIES):
        np.testing.assert_allclose(np.exp(root), (VOCABULARIES - 1) * root, rtol=1e-12)
    np.testing.assert_allclose(ss.omega_1(VOCABULARIES), [0.455, 0.403, 0.320, 0.267], atol=5e-4)
    first, second = ss.transition_times(3, VOCABULARIES, 0.5)
    np.testing.assert_allclose(first, 6 * np.log(VOCABULARIES))
    np.testing.assert_allclose(second, 12 * ss.line_roots(VOCABULARIES)[1])


@pytest.mark.parametrize("K", [1, 2, 5])
def test_lemma_9_holds_in_both_stages_and_only_there(K):
    for M in (5, 34, 100, 1000, 10_000):
        first, second = ss.transition_times(K, M, 0.3)
        t = np.geomspace(1e-6 * first, 1e5 * second, 3000)
        seen = ss.stage_inequalities(t, K, M, 0.3)
        assert np.all((seen.small & seen.linear)[seen.before])
        assert np.all((seen.large & seen.exponential)[seen.after])
        assert np.any(seen.before)
        assert np.any(seen.after)
        assert not np.all(seen.linear[t < first])  # the sliver at t = 0
        assert not np.any((seen.small & seen.linear)[t > second])
    tiny = ss.stage_inequalities(ss.transition_times(1, 4, 1.0)[0], 1, 4, 1.0)
    assert tiny.before
    assert not tiny.small  # with four output tokens the promise is broken at the end of the stage


def test_branch_forms_are_close_in_their_stage():
    for M in (34, 1000):
        first, second = ss.transition_times(2, M, 1.0)
        early, late = first * np.linspace(1e-6, 1, 500), second * np.geomspace(1, 1e5, 500)
        gap_early = ss.early_gap(early, 2, 1.0) / ss.logit_gap(early, 2, M, 1.0) - 1
        gap_late = ss.late_gap(late, 2, M, 1.0) / ss.logit_gap(late, 2, M, 1.0) - 1
        assert 0.05 < np.max(np.abs(gap_early)) < 0.17
        assert 0.05 < np.max(np.abs(gap_late)) < 0.14
        assert np.abs(gap_early[0]) < 1e-4


def test_operational_time_is_the_integral_of_the_speed():
    t = np.linspace(0, 400, 40_001)
    gamma = ss.speed(t, 10, 1000, 0.8)
    area = 0.3 * np.trapezoid(gamma, t)
    assert ss.operational_time(400.0, 10, 1000, 0.8, 0.3) == pytest.approx(area, rel=1e-7)


@pytest.mark.parametrize("lr_Y", [0.5, 5.0])
def test_theorem_4_equals_the_integrated_reduced_system(lr_Y):
    t = np.concatenate([[0.0], np.geomspace(1e-3, 1e5, 60)])
    path = ss.reduced_run(t, 10, 1000, lr_Y, 0.5, C0=0.8)
    np.testing.assert_allclose(path.B, ss.reduced_B(t, 10, 1000, lr_Y, 0.5, 0.8), atol=1e-9)
    np.testing.assert_allclose(path.z, -path.B, atol=1e-12)
    np.testing.assert_allclose(path.h, ss.h(t, 10, 1000, lr_Y), atol=1e-11)


def test_growth_numbers_of_figure_3():
    lr_Y = np.array([0.5, 1.0, 2.0, 5.0])
    np.testing.assert_allclose(ss.reduced_B(700, 10, 1000, lr_Y, 0.5, 0.8), [1.96, 1.83, 1.69, 1.50], atol=5e-3)
    np.testing.assert_allclose(ss.reduced_B(10, 10, 1000, lr_Y, 0.5, 0.8), [0.495, 0.650, 0.813, 1.025], atol=5e-4)
    assert ss.growth_limit(700, 10, 1000, 0.5, 0.5, 0.8) == pytest.approx(50.57, abs=5e-3)


def test_at_the_snap_growth_depends_on_the_ratio_of_rates_only():
    lr_Z = np.array([0.5, 1.0, 2.0, 8.0])
    at_snap = ss.reduced_B(ss.transition_times(5, 100, 10 * lr_Z)[1], 5, 100, 10 * lr_Z, lr_Z)
    np.testing.assert_allclose(at_snap, at_snap[0], rtol=1e-12)
    late = ss.reduced_B(1e4, 5, 100, 10 * lr_Z, lr_Z)
    assert np.all(np.diff(late) > 0)


def test_printed_exponent_misses_its_start_and_its_first_branch_follows_it():
    args = (10, 1000, 1.0, 0.5, 0.8)
    assert ss.reduced_B(0.0, *args) == 0.0
    assert ss.printed_B(0.0, *args) == pytest.approx(0.25 * np.log(0.8))
    first, second = ss.transition_times(10, 1000, 1.0)
    scan = first * np.linspace(0, 1, 300)
    assert np.max(np.abs(ss.scan_branch(scan, *args) - ss.printed_B(scan, *args))) < 0.05
    assert abs(ss.scan_branch(20 * second, *args) - ss.printed_B(20 * second, *args)) > 0.5


BAD = {
    "rate zero": ("lr_Y", lambda: ss.logit_gap(1.0, 2, 34, 0.0)),
    "rate infinite": ("lr_Y", lambda: ss.h_star(5, 34, np.inf)),
    "rate negative": ("lr_Z", lambda: ss.reduced_B(1.0, 2, 34, 1.0, -1.0)),
    "rate nan": ("lr_Z", lambda: ss.scan_branch(1.0, 2, 34, 1.0, np.nan)),
    "rates many": ("lr_Y", lambda: ss.reduced_run([1.0], 2, 34, [1.0, 2.0], 1.0)),
    "M below K": ("M", lambda: ss.speed(1.0, 5, 4, 1.0)),
    "M small": ("M", lambda: ss.transition_times(2, 3, 1.0)),
    "K": ("K", lambda: ss.h(1.0, 0, 34, 1.0)),
    "time": ("t", lambda: ss.logit_gap(-1.0, 2, 34, 1.0)),
    "late at zero": ("t", lambda: ss.late_gap(0.0, 2, 34, 1.0)),
    "times": ("times", lambda: ss.reduced_run([2.0, 1.0], 2, 34, 1.0, 1.0)),
    "times empty": ("times", lambda: ss.reduced_run([], 2, 34, 1.0, 1.0)),
    "C0": ("C0", lambda: ss.growth_limit(1.0, 2, 34, 1.0, 1.0, 0.0)),
    "steps": ("steps", lambda: ss.h_star(-1, 34, 1.0)),
    "clock": ("clock", lambda: ss.decoder_weights(np.eye(2), 34, -0.1)),
}


@pytest.mark.parametrize("case", sorted(BAD))
def test_bad_input_is_refused_by_name(case):
    argument, call = BAD[case]
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
