"""Theory of scan and snap: geometry, the gradient that reaches attention, and the fates of tokens."""

from __future__ import annotations

import numpy as np
import pytest

from lib.errors import InputError
from lib.theory import scan_snap as ss
from tests.scan_snap.laws import base_law, random_inputs, single_common_law

EXACT = 1e-10


def softmax(logits):
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def zeros(query, P):
    return np.zeros((query.max() + 1, P.shape[1]))


def test_base_law_overlaps_and_violates_assumption_2_as_known():
    for K, largest in ((2, 0.722), (6, 3.61), (10, 6.50), (20, 13.72)):
        P, query = base_law(K)
        E = ss.correlations(ss.decoder_inputs(P, zeros(query, P), query))
        checked = ss.assumption_2(E, 34 * K)
        assert abs(checked.eigenvalues[0]) == pytest.approx(largest, abs=5e-3)
        assert not checked.holds
    P, query = base_law(2)
    assert ss.overlap(ss.decoder_inputs(P, zeros(query, P), query)) == pytest.approx(0.7220, abs=5e-5)
    c = ss.attention(P, zeros(query, P), query)
    np.testing.assert_allclose(c, P, rtol=1e-13)


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


def test_equal_correlations_have_the_closed_form():
    for K, rho in ((2, 0.3), (3, 0.9), (7, 0.05)):
        E = rho * (1 - np.eye(K))
        E_prime = ss.modified_overlaps(E)
        diagonal, off = ss.equal_modified_overlaps(K, rho)
        np.testing.assert_allclose(np.diag(E_prime), diagonal, rtol=EXACT)
        np.testing.assert_allclose(E_prime[0, 1], off, rtol=EXACT)
        np.testing.assert_allclose(E_prime, np.eye(K) - np.linalg.inv(np.eye(K) + E), atol=1e-13)


@pytest.mark.parametrize(("K", "M"), [(2, 2), (2, 34), (5, 9), (8, 300)])
def test_theorem_1_equals_the_decoder_times_its_residual(K, M):
    """The same g_n from Y = F (I - E') W and delta_n as softmax residuals, with no coefficients."""
    f = random_inputs(K, 12, seed=K)
    t, lr_Y = 37.0, 0.7
    clock = float(ss.h(t, K, M, lr_Y))
    Y = ss.decoder_weights(f, M, clock)
    W = f @ Y
    np.testing.assert_allclose(W, (M - 1) * clock * ss.zeta(K, M), atol=1e-12)
    delta = np.eye(K, M) - softmax(W)
    np.testing.assert_allclose(delta, ss.residual(t, K, M, lr_Y) * ss.zeta(K, M), atol=1e-13)
    g = delta @ Y.T
    np.testing.assert_allclose(ss.speed(t, K, M, lr_Y) * ss.gradient_at_input(f, M), g, atol=EXACT)


def test_drive_closed_form_equals_its_definition_and_is_positive():
    f = random_inputs(5, 9, seed=1, runs=(40,))
    xi = ss.class_drive(f, 12)
    np.testing.assert_allclose(xi, ss.class_drive_sum(f, 12), rtol=EXACT)
    assert np.all(xi > 0)
    np.testing.assert_allclose(xi[7], ss.class_drive(f[7], 12), rtol=1e-13)
    for K, rho, M in ((2, 0.3, 1000), (4, 0.7, 34)):
        P, query = single_common_law(K, rho)
        inputs = ss.decoder_inputs(P, zeros(query, P), query)
        assert ss.overlap(inputs) == pytest.approx(rho, rel=1e-12)
        np.testing.assert_allclose(ss.class_drive(inputs, M), ss.equal_class_drive(K, rho, M), rtol=EXACT)
    np.testing.assert_allclose(ss.equal_class_drive(3, 1e-3, 10**9), 2e-6, rtol=5e-3)
    np.testing.assert_allclose(ss.class_drive(np.eye(3, 5), 8), 0.0, atol=1e-15)


def test_series_error_bound_covers_every_entry_and_refuses_divergence():
    for seed in range(30):
        f = random_inputs(3, 40, seed) ** 6  # sharp rows overlap little
        E = ss.correlations(f / np.linalg.norm(f, axis=-1, keepdims=True))
        assert np.max(np.abs(ss.modified_overlaps(E) - E)) <= ss.series_error_bound(E)
    P, query = base_law(6)
    with pytest.raises(InputError, match="eigenvalues below 1"):
        ss.series_error_bound(ss.correlations(ss.decoder_inputs(P, zeros(query, P), query)))


@pytest.mark.parametrize("own", [True, False])
def test_lemma_4_is_the_attention_gradient_of_theorem_1(own):
    K, M = 4, 30
    P, query = base_law(K, own=own)
    Z = np.random.default_rng(3).normal(size=(query.max() + 1, P.shape[1]))
    f = ss.decoder_inputs(P, Z, query)
    g = ss.gradient_at_input(f, M)
    slow = np.zeros_like(Z)
    for n in range(K):
        slow[query[n]] += f[n] * (g[n] - f[n] * (f[n] @ g[n])) / K
    velocity = ss.logit_velocity(f, query, M)
    np.testing.assert_allclose(velocity, slow, atol=1e-13)
    np.testing.assert_allclose(velocity.sum(-1), 0.0, atol=1e-13)


def test_theorem_2_equals_lemma_4_wherever_it_speaks():
    for K, own in ((2, False), (3, False), (3, True)):
        P, query = single_common_law(K, 0.4)
        query = np.arange(K) if own else query
        Z = np.random.default_rng(5).normal(size=(query.max() + 1, P.shape[1]))
        f = ss.decoder_inputs(P, Z, query)
        stated, lemma = ss.fate_velocity(P, f, query, 50), ss.logit_velocity(f, query, 50)
        np.testing.assert_allclose(stated, lemma, atol=1e-13)
        assert np.all(lemma[:, 0] < 0)
        assert np.all(lemma[query, 1:][ss.distinct_tokens(P)[:, 1:]] > 0)
    P, query = base_law(2)
    f = ss.decoder_inputs(P, zeros(query, P), query)
    assert np.isnan(ss.fate_velocity(P, f, query, 34)[:, ss.common_tokens(P)]).all()


def test_under_one_query_common_tokens_fall_and_distinct_ones_rise_as_corollary_2_says():
    P, query = base_law(3, own=False)
    velocity = ss.logit_velocity(ss.decoder_inputs(P, zeros(query, P), query), query, 50)
    assert np.all(velocity[0, ss.common_tokens(P)] < 0)
    assert np.all(velocity[0, ~ss.common_tokens(P)] > 0)


@pytest.mark.parametrize("shared", [True, False])
@pytest.mark.parametrize("kappa", [0.2, 1.0, 1.5, 2.0, 2.3, 2.6, 3.5, 8.0])
def test_partly_common_tokens_grow_beyond_kappa_star(shared, kappa):
    P = np.array([[4.0, kappa, 1.0, 1.0, 2.0, 0.0, 0.0], [4.0, 1.0, kappa, 0.0, 0.0, 1.0, 2.0]])
    P /= P.sum(1, keepdims=True)
    query = np.zeros(2, dtype=int) if shared else np.arange(2)
    f = ss.decoder_inputs(P, zeros(query, P), query)
    rho = ss.overlap(f)
    velocity = ss.logit_velocity(f, query, 100)[0, 1]
    push = ss.partly_common_push(rho, kappa, shared)
    beta = ss.drive_coefficients(f, 100).beta[0, 1]
    expected = beta * f[0, 1] * f[1, 1] * push / 2
    assert velocity == pytest.approx(expected, rel=1e-10)
    above = kappa > ss.kappa_star(rho, shared) or (shared and kappa < 1 / ss.kappa_star(rho, shared))
    assert (velocity > 0) == above


def test_kappa_star_numbers():
    assert ss.kappa_star(0.722) == pytest.approx(2.34, abs=5e-3)
    assert ss.kappa_star(0.5, shared=False) == pytest.approx(2.0)
    assert ss.kappa_star(0.0) == np.inf
    np.testing.assert_allclose(ss.partly_common_push([0.3, 0.9], ss.kappa_star([0.3, 0.9])), 0.0, atol=1e-14)


def bad_calls():
    P, query = base_law(2)
    Z, f = zeros(query, P), ss.decoder_inputs(P, zeros(query, P), query)
    return {
        "P rows": ("P", lambda: ss.attention(P * 2, Z, query)),
        "P sign": ("P", lambda: ss.attention(-P, Z, query)),
        "P shape": ("P", lambda: ss.common_tokens(P[0])),
        "query": ("query", lambda: ss.scores(P, Z, [0])),
        "query fraction": ("query", lambda: ss.scores(P, Z, [0.0, 0.5])),
        "query sign": ("query", lambda: ss.logit_velocity(f, [-1, 0], 34)),
        "Z shape": ("Z", lambda: ss.decoder_inputs(P, Z[:1], query)),
        "Z finite": ("Z", lambda: ss.decoder_inputs(P, Z * np.nan, query)),
        "f length": ("f", lambda: ss.correlations(2 * f)),
        "f shape": ("f", lambda: ss.fate_velocity(P, f[:, :5] / np.linalg.norm(f[:, :5]), query, 34)),
        "f unequal": ("f", lambda: ss.overlap(random_inputs(3, 6, 0))),
        "E shape": ("E", lambda: ss.series_error_bound(np.eye(2, 3))),
        "same classes": ("E", lambda: ss.drive_coefficients(f[[0, 0]], 34)),
        "M": ("M", lambda: ss.class_drive(f, 1)),
        "M fraction": ("M", lambda: ss.equal_class_drive(2, 0.1, 3.5)),
        "rho high": ("rho", lambda: ss.equal_class_drive(2, 1.0, 34)),
        "rho low": ("rho", lambda: ss.kappa_star(-0.1)),
        "rho nan": ("rho", lambda: ss.equal_modified_overlaps(2, np.nan)),
        "kappa": ("kappa", lambda: ss.partly_common_push(0.5, 0.0)),
        "K": ("K", lambda: ss.equal_modified_overlaps(0, 0.5)),
    }


@pytest.mark.parametrize("case", sorted(bad_calls()))
def test_bad_input_is_refused_by_name(case):
    argument, call = bad_calls()[case]
    with pytest.raises(InputError, match=f"^{argument}: expected"):
        call()
