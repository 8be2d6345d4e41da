"""Theory of scan and snap, beside what claims check of it: geometry, the decoder's clock, fates, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from hal.chapters.scan_snap.theory.lemmas import (
    equal_modified_overlaps,
    partly_common_push,
    series_error_bound,
    stage_inequalities,
)
from hal.chapters.scan_snap.theory.one_common import common_speed, printed_B, reduced_run, scan_branch, single_common
from lib.errors import InputError
from lib.theory import scan_snap as ss
from tests.scan_snap.laws import base_law, random_inputs, single_common_law


def zeros(query, P):
    return np.zeros((query.max() + 1, P.shape[1]))


@pytest.mark.parametrize("own", [True, False])
def test_attention_and_inputs_are_the_scores_normalised_and_survive_large_logits(own):
    P, query = base_law(3, own=own)
    Z = np.random.default_rng(0).normal(size=(4, query.max() + 1, P.shape[1]))
    c = ss.scores(P, Z, query)
    np.testing.assert_allclose(ss.attention(P, Z, query), c / c.sum(-1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(
        ss.decoder_inputs(P, Z, query), c / np.linalg.norm(c, axis=-1, keepdims=True), rtol=1e-12
    )
    shifted = Z + 5000.0
    np.testing.assert_allclose(ss.attention(P, shifted, query), ss.attention(P, Z, query), rtol=1e-9)
    np.testing.assert_array_equal(ss.attention(P, Z, query)[2], ss.attention(P, Z[2], query))


def test_leading_axes_are_runs_and_settings_broadcast():
    f = random_inputs(5, 9, seed=1, runs=(40,))
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
    P, query = single_common_law(3, 0.4)
    query = np.arange(3) if own else query
    Z = np.random.default_rng(5).normal(size=(query.max() + 1, P.shape[1]))
    f = ss.decoder_inputs(P, Z, query)
    lemma = ss.logit_velocity(f, query, 50)
    np.testing.assert_allclose(ss.fate_velocity(P, f, query, 50), lemma, atol=1e-13)
    P, query = base_law(3, own=own)
    f = ss.decoder_inputs(P, zeros(query, P), query)
    assert np.isnan(ss.fate_velocity(P, f, query, 34)[:, :10]).all()
    assert own or np.array_equal(np.sign(ss.logit_velocity(f, query, 50)[0]), [-1] * 10 + [1] * 30)


def test_a_lead_over_a_token_outside_the_class_is_infinite():
    P, _ = single_common_law(2, 0.3)
    gain = ss.relative_gain(P, np.array([5, 10]))
    assert gain[0, 1] == pytest.approx(24.0)
    assert np.isinf(gain[0, 6])


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("kappa", [0.2, 1.0, 1.5, 2.0, 2.3, 2.6, 3.5, 8.0])
def test_partly_common_tokens_grow_beyond_kappa_star(shared, kappa):
    P = np.array([[4.0, kappa, 1.0, 1.0, 2.0, 0.0, 0.0], [4.0, 1.0, kappa, 0.0, 0.0, 1.0, 2.0]])
    P /= P.sum(1, keepdims=True)
    query = np.zeros(2, dtype=int) if shared else np.arange(2)
    f = ss.decoder_inputs(P, zeros(query, P), query)
    rho = f[0] @ f[1]
    velocity = ss.logit_velocity(f, query, 100)[0, 1]
    push = partly_common_push(rho, kappa, shared)
    beta = ss.drive_coefficients(f, 100).beta[0, 1]
    expected = beta * f[0, 1] * f[1, 1] * push / 2
    assert velocity == pytest.approx(expected, rel=1e-10)
    above = kappa > ss.kappa_star(rho, shared) or (shared and kappa < 1 / ss.kappa_star(rho, shared))
    assert (velocity > 0) == above


def bad_calls():
    P, query = base_law(2)
    Z, f = zeros(query, P), ss.decoder_inputs(P, zeros(query, P), query)
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
        "rate nan": ("lr_Z", lambda: scan_branch(1.0, 2, 34, 1.0, np.nan)),
        "rates many": ("lr_Y", lambda: reduced_run([1.0], 2, 34, [1.0, 2.0], 1.0)),
        "M below K": ("M", lambda: ss.speed(1.0, 5, 4, 1.0)),
        "M small": ("M", lambda: ss.transition_times(2, 3, 1.0)),
        "K zero": ("K", lambda: ss.h(1.0, 0, 34, 1.0)),
        "time": ("t", lambda: ss.logit_gap(-1.0, 2, 34, 1.0)),
        "late at zero": ("t", lambda: ss.late_gap(0.0, 2, 34, 1.0)),
        "times": ("times", lambda: reduced_run([2.0, 1.0], 2, 34, 1.0, 1.0)),
        "times empty": ("times", lambda: reduced_run([], 2, 34, 1.0, 1.0)),
        "C0": ("C0", lambda: ss.reduced_B(1.0, 2, 34, 1.0, 1.0, 0.0)),
        "steps": ("steps", lambda: ss.h_star(-1, 34, 1.0)),
        "clock": ("clock", lambda: ss.decoder_weights(np.eye(2), 34, -0.1)),
        "S start": ("S", lambda: single_common([0.1, 0.2], 0.5, [0.2, 0.3], 2, 10)),
        "S end": ("S", lambda: single_common([0.0, 12.0], 0.5, [0.2, 0.3], 2, 10)),
        "S none": ("S", lambda: single_common([], 0.5, [0.2, 0.3], 2, 10)),
        "distinct": ("distinct", lambda: single_common([0.0], 0.5, [0.0, 0.3], 2, 10)),
        "common": ("common", lambda: single_common([0.0], 0.0, [0.2, 0.3], 2, 10)),
        "K one": ("K", lambda: single_common([0.0], 0.5, [0.5], 1, 10)),
        "M below K one": ("M", lambda: single_common([0.0], 0.5, [0.5], 3, 2)),
        "rho one": ("rho", lambda: common_speed(2, 1.0, 10)),
    }


@pytest.mark.parametrize("case", sorted(bad_calls()))
def test_bad_input_is_refused_by_name(case):
    argument, call = bad_calls()[case]
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
