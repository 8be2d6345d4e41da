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


def test_per_field_gives_each_its_own_preconditioned_frozen_or_as_it_is(rng):
    u, p = one([[[1.0, 2.0]]]), one([[[3.0, 4.0]]])
    each = optim.per_field(V=optim.precondition([10.0, 0.5]), A=optim.identity())
    assert same(each.update(u, each.init(p), p)[0], one([[[10.0, 1.0]]]))
    assert same(optim.precondition(lambda x: x).update(u, (), p)[0], one([[[3.0, 8.0]]]))
    assert same(optim.freeze().update(u, (), p)[0], one([[[0.0, 0.0]]]))


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
