"""Optimisers: laws over runs and time, closed forms, refusals; they step as PyTorch's do, and the page's as these."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler as rates

from lib import optim
from lib.errors import InputError
from lib.optim import chain
from lib.portable import optimisers as portable
from tests.refusals import refused


class Params(NamedTuple):
    V: np.ndarray  # (R, 2, 2)
    A: np.ndarray  # (R, 2, 301): longer than the blocks in which NumPy adds


def draw(rng, runs=3):
    return Params(rng.normal(size=(runs, 2, 2)), rng.normal(size=(runs, 2, 301)))


def steps(optimiser, params, gradients, state=None):
    """Apply the optimiser to a list of gradients; the parameters after each, and the last state."""
    state = optimiser.init(params) if state is None else state
    path = []
    for gradient in gradients:
        updates, state = optimiser.update(gradient, state, params)
        params = optim.apply_updates(params, updates)
        path.append(params)
    return path, state


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


def take(tree, r):
    return type(tree)(*(x[r : r + 1] for x in tree))


RATES = np.array([0.1, 0.02, 0.3])

# name -> optimiser from one rate or one rate a run; every transform is in at least one row
OPTIMISERS = {
    "sgd": optim.sgd,
    "scale": lambda lr: optim.scale(-lr),
    "momentum": optim.momentum,
    "momentum, decay per run": lambda lr: optim.momentum(0.1, decay=lr),
    "nesterov": lambda lr: optim.momentum(lr, 0.8, nesterov=True),
    "adam": optim.adam,
    "adam, betas and eps per run": lambda lr: optim.adam(0.1, b1=lr, b2=1 - lr, eps=lr),
    "sgd, scheduled": lambda lr: optim.sgd(optim.piecewise_constant([2, 4], [lr, 0.5 * lr, 0.1 * lr])),
    "cosine": lambda lr: optim.momentum(optim.cosine(lr, 6, warmup=2)),
    "exponential": lambda lr: optim.sgd(optim.exponential(lr, 0.5, 3)),
    "prox": lambda lr: chain(optim.sgd(lr), optim.prox_l1(lr)),
    "prox, sums kept": lambda lr: chain(optim.sgd(lr), optim.prox_l1(lr, keep_sums=-1)),
    "AdamW": lambda lr: chain(
        optim.scale_by_adam(), optim.add_decayed_weights(lr), optim.scale_by_learning_rate(lr), optim.scale(0.5)
    ),
    "clip": lambda lr: chain(optim.clip_by_global_norm(80 * lr), optim.sgd(lr)),
    "precondition": lambda lr: chain(optim.precondition(lambda x: 1 / (1 + x * x)), optim.sgd(lr)),
    "SCB": lambda lr: optim.per_field(
        V=chain(optim.precondition([[2.0, 0.5]]), optim.sgd(lr)),
        A=chain(optim.project_affine(-1), optim.sgd(lr), optim.prox_l1(0.1), optim.restore_affine(1.0, -1)),
    ),
    "half frozen": lambda lr: optim.per_field(V=optim.freeze(), A=chain(optim.identity(), optim.adam(lr))),
}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_many_runs_equal_single_runs_bit_for_bit(name, rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(7)]
    together, _ = steps(OPTIMISERS[name](RATES), start, gradients)
    for r, rate in enumerate(RATES):
        alone, _ = steps(OPTIMISERS[name](float(rate)), take(start, r), [take(g, r) for g in gradients])
        for a, b in zip(alone, together, strict=True):
            assert same(a, take(b, r))


@pytest.mark.parametrize("name", OPTIMISERS)
def test_stopped_saved_and_resumed_equals_uninterrupted(name, rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(7)]
    whole, _ = steps(OPTIMISERS[name](RATES), start, gradients)
    first, state = steps(OPTIMISERS[name](RATES), start, gradients[:3])
    middle, state = pickle.loads(pickle.dumps((first[-1].V, first[-1].A))), pickle.loads(pickle.dumps(state))
    second, _ = steps(OPTIMISERS[name](RATES), Params(*middle), gradients[3:], state)
    assert same(second[-1], whole[-1])


@pytest.mark.parametrize("name", OPTIMISERS)
def test_update_writes_to_nothing_it_is_given(name, rng):
    start, gradient = draw(rng), draw(rng)
    optimiser = OPTIMISERS[name](RATES)
    _, state = steps(optimiser, start, [draw(rng)])
    before = pickle.dumps((tuple(start), tuple(gradient), state))
    first, _ = optimiser.update(gradient, state, start)
    again, _ = optimiser.update(gradient, state, start)
    assert pickle.dumps((tuple(start), tuple(gradient), state)) == before
    assert same(first, again)


REFUSED = {
    "negative rate": (lambda: optim.sgd(-0.1), "lr: expected a finite number >= 0, got -0.1"),
    "NaN rate": (lambda: optim.adam(np.nan), "lr: .*got nan"),
    "matrix of rates": (lambda: optim.sgd(np.ones((2, 2))), r"lr: .*\(2, 2\)"),
    "text": (lambda: optim.sgd("fast"), "lr: expected a finite number >= 0, .*lr=0.1, got 'fast'"),
    "decay of one": (lambda: optim.momentum(0.1, 1.0), r"decay: expected a number in \[0, 1\), got 1.0"),
    "b2 of one": (lambda: optim.adam(0.1, b2=1.0), "b2: "),
    "negative eps": (lambda: optim.adam(0.1, eps=-1e-8), "eps: "),
    "scheduled b1": (lambda: optim.adam(0.1, b1=optim.constant(0.9)), "b1: .*a schedule"),
    "negative decay of weights": (lambda: optim.add_decayed_weights(-0.1), "decay: expected a finite number >= 0"),
    "positive axis of sums": (lambda: optim.prox_l1(0.1, keep_sums=1), "axis: expected a negative integer"),
    "negative norm": (lambda: optim.clip_by_global_norm(-1.0), "max_norm: "),
    "infinite total": (lambda: optim.restore_affine(np.inf, -1), "total: "),
    "infinite multiplier": (lambda: optim.precondition([1.0, np.inf]), "multiplier: "),
    "empty chain": (lambda: chain(), "transforms: expected at least one"),
    "not a transform": (lambda: chain(optim.sgd(0.1), 0.5), r"transforms\[1\]: .*float"),
    "per_field of a number": (lambda: optim.per_field(V=0.1), "V: .*float"),
    "boundaries fall": (lambda: optim.piecewise_constant([5, 3], [1, 2, 3]), "boundaries: expected increasing"),
    "values missing": (lambda: optim.piecewise_constant([3], [1]), "values: expected 2 values, got 1"),
    "warm-up too long": (lambda: optim.cosine(1.0, 10, warmup=10), "warmup: "),
    "negative decay rate": (lambda: optim.exponential(1.0, -0.5), "rate: "),
    "no transition": (lambda: optim.exponential(1.0, 0.5, 0), "transition_steps: "),
}


test_refused_when_made = refused(REFUSED)


REFUSED_LATER = {
    "rates for other runs": (optim.sgd([0.1, 0.2]), r"lr: expected one value a run \(3\), got 2"),
    "schedule turns negative": (optim.sgd(lambda step: -1.0), "lr: .*got -1.0"),
    "schedule turns NaN": (optim.prox_l1(lambda step: np.full(3, np.nan)), "threshold: "),
    "the runs' axis": (optim.project_affine(-3), "axis: expected a model axis"),
    "multiplier too large": (optim.precondition(np.ones((4, 3, 2, 1))), "multiplier: .*broadcast"),
    "unknown field": (optim.per_field(V=optim.sgd(0.1), W=optim.sgd(0.1)), "W: expected one of the fields V, A"),
    "field forgotten": (optim.per_field(V=optim.sgd(0.1)), "A: expected a transform"),
}


@pytest.mark.parametrize(("optimiser", "message"), REFUSED_LATER.values(), ids=REFUSED_LATER.keys())
def test_refused_when_used(optimiser, message, rng):
    with pytest.raises(InputError, match=message):
        steps(optimiser, draw(rng), [draw(rng)])


def test_an_optimiser_does_not_change_with_the_array_it_was_made_from(rng):
    rates, start, gradient = RATES.copy(), draw(rng), draw(rng)
    optimiser = optim.sgd(rates)
    rates[:] = 0.0
    (moved,), _ = steps(optimiser, start, [gradient])
    assert not same(moved, start)


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


def test_per_field_gives_each_its_own_preconditioned_frozen_or_as_it_is(rng):
    u, p = one([[[1.0, 2.0]]]), one([[[3.0, 4.0]]])
    each = optim.per_field(V=optim.precondition([10.0, 0.5]), A=optim.identity())
    assert same(each.update(u, each.init(p), p)[0], one([[[10.0, 1.0]]]))
    assert same(optim.precondition(lambda x: x).update(u, (), p)[0], one([[[3.0, 8.0]]]))
    assert same(optim.freeze().update(u, (), p)[0], one([[[0.0, 0.0]]]))


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


class Point(NamedTuple):
    """Parameters of some runs."""

    x: np.ndarray


ADAMW = optim.chain(optim.scale_by_adam(), optim.add_decayed_weights(0.3), optim.scale_by_learning_rate(0.1))
WARM = [lambda o: rates.LinearLR(o, 0.25, total_iters=3), lambda o: rates.CosineAnnealingLR(o, 9, eta_min=0.01)]
STEPS = optim.piecewise_constant([3, 7], [0.1, 0.05, 0.025])
SGD, MOMENTUM = (lambda p: torch.optim.SGD(p, 0.1)), (lambda p: torch.optim.SGD(p, 0.1, momentum=0.7))
CASES = {  # ours, PyTorch's, its schedule, the norm that it clips gradients to
    "SGD": (optim.sgd(0.1), SGD),
    "momentum": (optim.momentum(0.1, 0.7), MOMENTUM),
    "Nesterov": (optim.momentum(0.1, 0.7, True), lambda p: torch.optim.SGD(p, 0.1, momentum=0.7, nesterov=True)),
    "Adam": (optim.adam(0.1, 0.5, 0.9, 1e-2), lambda p: torch.optim.Adam(p, 0.1, betas=(0.5, 0.9), eps=1e-2)),
    "AdamW": (ADAMW, lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.3)),
    "clipping": (optim.chain(optim.clip_by_global_norm(2.0), optim.sgd(0.1)), SGD, None, 2.0),
    "cosine after a warm-up": (optim.sgd(optim.cosine(0.1, 12, 0.01, 3)), SGD,
                               lambda o: rates.SequentialLR(o, [made(o) for made in WARM], [3])),
    "rates that step down": (optim.momentum(STEPS, 0.7), MOMENTUM, lambda o: rates.MultiStepLR(o, [3, 7], gamma=0.5)),
    "exponential rate": (optim.adam(optim.exponential(0.1, 0.5, 4)), lambda p: torch.optim.Adam(p, 0.1),
                         lambda o: rates.ExponentialLR(o, 0.5**0.25)),
}  # fmt: skip


def theirs(start, gradients, make, schedule=None, clip=0.0):
    """Parameters after the steps of one of PyTorch's optimisers."""
    x = torch.tensor(start, requires_grad=True)
    optimiser = make([x])
    rate = schedule and schedule(optimiser)
    for gradient in gradients:
        x.grad = torch.tensor(gradient)
        if clip:
            torch.nn.utils.clip_grad_norm_([x], clip)
        optimiser.step()
        if rate:
            rate.step()
    return x.detach().numpy()


@pytest.mark.parametrize("name", CASES)
def test_an_optimiser_steps_as_pytorch_s_does(name):
    """Twelve steps of three runs in one call, against PyTorch's one by one."""
    ours, *peer = CASES[name]
    rng = np.random.default_rng(0)
    starts, gradients = rng.normal(size=(3, 2, 5)), rng.normal(size=(12, 3, 2, 5))
    point = steps(ours, Point(starts), map(Point, gradients))[0][-1]
    wanted = [theirs(starts[r], gradients[:, r], *peer) for r in range(3)]
    np.testing.assert_allclose(point.x, wanted, rtol=0, atol=1e-5 if name == "clipping" else 1e-11)


def stepped(ours, start, gradients):
    """A row of parameters after steps of an optimiser of the library."""
    path, _ = steps(ours, Point(start[None, None]), (Point(gradient[None, None]) for gradient in gradients))
    return path[-1].x.ravel()


def test_the_page_s_optimisers_step_as_the_library_s():
    rng = np.random.default_rng(1)
    start, gradients = rng.normal(size=10), rng.normal(size=(10, 10))
    moved, trace, adam, memory = start.tolist(), [0.0] * 10, start.tolist(), portable.adam_memory(10)
    for gradient in gradients:
        portable.momentum(moved, trace, gradient.tolist(), 0.1, 0.8)
        portable.adam(adam, memory, gradient.tolist(), 0.1, 0.9, 0.99, 1e-3)
    np.testing.assert_allclose(moved, stepped(optim.momentum(0.1, 0.8), start, gradients), rtol=0, atol=1e-12)
    np.testing.assert_allclose(adam, stepped(optim.adam(0.1, 0.9, 0.99, 1e-3), start, gradients), rtol=0, atol=1e-12)
    shrunk, plain, slope = start.tolist(), start.tolist(), gradients[0].tolist()
    portable.soft_threshold(shrunk, 0.3)
    portable.restore_sum(shrunk, float(start.sum()))
    np.testing.assert_allclose(shrunk, stepped(optim.prox_l1(0.3, keep_sums=-1), start, [0 * start]), atol=1e-12)
    portable.keep_sum(slope)
    portable.sgd(plain, slope, 0.3)
    portable.restore_sum(plain, 1.0)
    kept = optim.chain(optim.project_affine(-1), optim.sgd(0.3), optim.restore_affine(1.0, -1))
    np.testing.assert_allclose(plain, stepped(kept, start, gradients[:1]), rtol=0, atol=1e-12)
