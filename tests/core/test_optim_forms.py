"""Optimisers: every transform and schedule against its closed form."""

import numpy as np
import pytest

from lib import optim
from lib.optim import chain
from tests.core.optim_cases import RATES, Params, draw, same, steps

# --- closed forms


def one(update):
    """Params with `update` as V."""
    return Params(np.array(update, dtype=float), np.zeros((len(update), 1, 1)))


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_adam_moves_by_the_rate_under_a_constant_gradient(size):
    # both corrected means are exact, so each step is lr * sign(g) when eps is 0
    path, _ = steps(optim.adam(0.1, eps=0.0), one([[[0.0, 0.0, 0.0]]]), [one([[[size, -size, 0.0]]])] * 6)
    np.testing.assert_allclose(path[-1].V, [[[-0.6, 0.6, 0.0]]], rtol=1e-12)


@pytest.mark.parametrize("threshold", [0.0, 0.1, 1.0, 10.0])
def test_prox_is_the_soft_threshold_of_the_new_parameters(threshold, rng):
    p, u = draw(rng), draw(rng)
    prox = optim.prox_l1(threshold)
    moved = optim.apply_updates(p, prox.update(u, prox.init(p), p)[0])
    for new, old, step in zip(moved, p, u, strict=True):
        z = old + step
        expected = np.sign(z) * np.maximum(np.abs(z) - threshold, 0.0)
        # p + (z' - p) is z' to the last bits, and exactly zero where z' is
        np.testing.assert_allclose(new, expected, rtol=0, atol=1e-15)
        assert np.array_equal(new == 0, expected == 0)


@pytest.mark.parametrize("total", [0.0, -2.5])
@pytest.mark.parametrize("axis", [-1, -2])
def test_affine_projection_takes_the_mean_away_and_restoring_spreads_what_is_missing(total, axis, rng):
    p, u = draw(rng), draw(rng)
    projected, _ = optim.project_affine(axis).update(u, (), p)
    restored, _ = optim.restore_affine(total, axis).update(u, (), p)
    for raw, flat, old, step in zip(u, projected, p, restored, strict=True):
        np.testing.assert_allclose(flat, raw - raw.mean(axis=axis, keepdims=True), atol=1e-14)
        np.testing.assert_allclose((old + step).sum(axis=axis), total, atol=1e-13)
        shift = step - raw
        np.testing.assert_allclose(shift, np.broadcast_to(shift.mean(axis=axis, keepdims=True), raw.shape), atol=1e-14)


@pytest.mark.parametrize("threshold", [0.0, 0.1, np.array([0.0, 0.1, 1.0])])
@pytest.mark.parametrize("axis", [-1, -2])
def test_prox_that_keeps_sums_is_project_prox_and_restore(threshold, axis, rng):
    p, u = draw(rng), draw(rng)
    p = Params(*(x - x.sum(axis=axis, keepdims=True) / x.shape[axis] for x in p))
    chained = chain(optim.project_affine(axis), optim.prox_l1(threshold), optim.restore_affine(0.0, axis))
    one = optim.prox_l1(threshold, keep_sums=axis)
    expected, found = (t.update(u, t.init(p), p)[0] for t in (chained, one))
    for x, y in zip(expected, found, strict=True):
        np.testing.assert_allclose(y, x, atol=1e-14)


@pytest.mark.parametrize("lr", [0.3, RATES, lambda step: RATES if step else 0.1])
def test_neighbouring_scalings_are_one_multiplication_and_equal_their_product(lr, rng):
    parts = [optim.precondition(np.array([[2.0], [0.5]])), optim.sgd(lr), chain(optim.scale(3.0), optim.scale(RATES))]
    merged = chain(*parts)
    assert merged.scaling is not None  # one multiplication
    p, state, states = draw(rng), merged.init(draw(rng)), [t.init(draw(rng)) for t in parts]
    for _ in range(3):
        g = draw(rng)
        found, state = merged.update(g, state, p)
        for i, t in enumerate(parts):
            g, states[i] = t.update(g, states[i], p)
        for x, y in zip(found, g, strict=True):
            np.testing.assert_allclose(x, y, rtol=1e-14)


def test_per_field_gives_each_its_own_preconditioned_frozen_or_as_it_is(rng):
    u, p = one([[[1.0, 2.0]]]), one([[[3.0, 4.0]]])
    each = optim.per_field(V=optim.precondition([10.0, 0.5]), A=optim.identity())
    assert same(each.update(u, each.init(p), p)[0], one([[[10.0, 1.0]]]))
    assert same(optim.precondition(lambda x: x).update(u, (), p)[0], one([[[3.0, 8.0]]]))
    assert same(optim.freeze().update(u, (), p)[0], one([[[0.0, 0.0]]]))


def test_per_field_equals_each_transform_alone(rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(5)]
    sparse = chain(optim.adam(0.1), optim.prox_l1(0.05))
    both, _ = steps(optim.per_field(A=sparse, V=optim.momentum(RATES)), start, gradients)
    v, _ = steps(optim.momentum(RATES), start, gradients)
    a, _ = steps(sparse, start, gradients)
    assert np.array_equal(both[-1].V, v[-1].V)
    assert np.array_equal(both[-1].A, a[-1].A)


# --- schedules


def test_schedule_beyond_its_end_and_between_its_transitions():
    cosine, exponential = optim.cosine(2.0, 110, final=0.5, warmup=10), optim.exponential(3.0, 0.5, 10)
    assert (optim.constant(0.3)(10**6), cosine(60), cosine(999)) == (0.3, pytest.approx(1.25), 0.5)
    assert exponential(15) == pytest.approx(3.0 * 0.5**1.5)


SCHEDULED = {
    "sgd": optim.sgd,
    "momentum": lambda x: optim.momentum(0.1, decay=x),
    "prox": lambda x: chain(optim.sgd(0.1), optim.prox_l1(x)),
    "clip": lambda x: chain(optim.clip_by_global_norm(x), optim.sgd(0.1)),
}


@pytest.mark.parametrize("name", SCHEDULED)
def test_a_schedule_is_read_at_every_step_from_zero(name, rng):
    values, make = [0.0, 0.9, 0.1, RATES, 0.5], SCHEDULED[name]
    start, gradients = draw(rng), [draw(rng) for _ in values]
    path, _ = steps(make(lambda step: values[step]), start, gradients)
    # the same with a fixed value at each step; only the state goes along
    params, state = start, make(0.0).init(start)
    for value, gradient, expected in zip(values, gradients, path, strict=True):
        (params,), state = steps(make(value), params, [gradient], state)
        assert same(params, expected)
