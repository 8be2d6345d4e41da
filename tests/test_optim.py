"""Optimisers: every transform against a closed form, and against torch where torch has it; laws over runs and time."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest
import torch

from lib import optim
from lib.errors import InputError
from lib.optim import chain


class Params(NamedTuple):
    V: np.ndarray  # (R, 2, 2)
    A: np.ndarray  # (R, 2, 5)


def draw(rng, runs=3):
    return Params(rng.normal(size=(runs, 2, 2)), rng.normal(size=(runs, 2, 5)))


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
    "hard": lambda lr: chain(optim.sgd(lr), optim.hard_threshold(lr)),
    "hard, relative": lambda lr: chain(optim.sgd(lr), optim.hard_threshold(lr, relative=-1)),
    "clip": lambda lr: chain(optim.clip_by_global_norm(5 * lr), optim.sgd(lr)),
    "precondition": lambda lr: chain(optim.precondition(lambda x: 1 / (1 + x * x)), optim.sgd(lr)),
    "SCB": lambda lr: optim.per_field(
        V=chain(optim.precondition([[2.0, 0.5]]), optim.sgd(lr)),
        A=chain(optim.project_affine(-1), optim.sgd(lr), optim.prox_l1(0.1), optim.restore_affine(1.0, -1)),
    ),
    "half frozen": lambda lr: optim.per_field(V=optim.freeze(), A=chain(optim.identity(), optim.adam(lr))),
}


# --- laws


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


# --- torch

TORCH = [
    ("sgd", lambda lr: optim.sgd(lr), lambda p, lr: torch.optim.SGD(p, lr)),
    ("momentum", lambda lr: optim.momentum(lr, 0.7), lambda p, lr: torch.optim.SGD(p, lr, momentum=0.7)),
    ("no momentum", lambda lr: optim.momentum(lr, 0.0), lambda p, lr: torch.optim.SGD(p, lr, momentum=0.0)),
    (
        "nesterov",
        lambda lr: optim.momentum(lr, 0.9, nesterov=True),
        lambda p, lr: torch.optim.SGD(p, lr, momentum=0.9, nesterov=True),
    ),
    ("adam", lambda lr: optim.adam(lr), lambda p, lr: torch.optim.Adam(p, lr)),
    (
        "adam, all set",
        lambda lr: optim.adam(lr, 0.5, 0.9, 1e-2),
        lambda p, lr: torch.optim.Adam(p, lr, betas=(0.5, 0.9), eps=1e-2),
    ),
    (
        "adam, no memory",
        lambda lr: optim.adam(lr, 0.0, 0.0, 1e-3),
        lambda p, lr: torch.optim.Adam(p, lr, betas=(0.0, 0.0), eps=1e-3),
    ),
]


@pytest.mark.parametrize("lr", [1e-3, 0.1, 1.0])
@pytest.mark.parametrize(("ours", "theirs"), [row[1:] for row in TORCH], ids=[row[0] for row in TORCH])
def test_equals_torch(ours, theirs, lr, rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(20)]
    tensors = [torch.tensor(x, requires_grad=True) for x in start]
    reference = theirs(tensors, lr)
    path, _ = steps(ours(lr), start, gradients)
    for gradient, params in zip(gradients, path, strict=True):
        for tensor, g in zip(tensors, gradient, strict=True):
            tensor.grad = torch.tensor(g)
        reference.step()
        for tensor, x in zip(tensors, params, strict=True):
            # the same sums in another order: a few units in the last place, grown over 20 steps
            np.testing.assert_allclose(x, tensor.detach().numpy(), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("max_norm", [0.5, 3.0, 1e3])
def test_clip_equals_torch_run_by_run(max_norm, rng):
    gradient = draw(rng)
    clip = optim.clip_by_global_norm(max_norm)
    clipped, _ = clip.update(gradient, clip.init(gradient), gradient)
    for r in range(3):
        tensors = [torch.zeros(x[r].shape, dtype=torch.float64, requires_grad=True) for x in gradient]
        for tensor, g in zip(tensors, gradient, strict=True):
            tensor.grad = torch.tensor(g[r])
        torch.nn.utils.clip_grad_norm_(tensors, max_norm)
        for tensor, x in zip(tensors, clipped, strict=True):
            # torch adds 1e-6 to the norm
            np.testing.assert_allclose(x[r], tensor.grad.numpy(), rtol=3e-6)


# --- closed forms


def one(update):
    """Params with `update` as V."""
    return Params(np.array(update, dtype=float), np.zeros((len(update), 1, 1)))


@pytest.mark.parametrize("lr", [0.0, 0.1, 1.0, 1.9])
@pytest.mark.parametrize("curvature", [0.3, 1.0])
def test_sgd_on_a_parabola(lr, curvature):
    # x_k = (1 - lr c)^k x_0
    x = Params(np.full((1, 1, 1), 3.0), np.zeros((1, 1, 1)))
    optimiser = optim.sgd(lr)
    state = optimiser.init(x)
    for _ in range(10):
        updates, state = optimiser.update(Params(curvature * x.V, x.A), state, x)
        x = optim.apply_updates(x, updates)
    np.testing.assert_allclose(x.V, 3.0 * (1 - lr * curvature) ** 10, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("nesterov", [False, True])
def test_momentum_under_a_constant_gradient(nesterov):
    # m_k = (1 - b^k)/(1 - b) g after k steps; Nesterov looks one decay further
    g, b = one([[[2.0]]]), 0.6
    path, state = steps(optim.momentum(1.0, b, nesterov), one([[[0.0]]]), [g] * 5)
    trace = [2.0 * (1 - b**k) / (1 - b) for k in range(1, 6)]
    moved = [2.0 + b * m for m in trace] if nesterov else trace
    np.testing.assert_allclose([p.V.item() for p in path], -np.cumsum(moved), rtol=1e-13)
    assert state[0].step == 5
    np.testing.assert_allclose(state[0].trace.V, trace[-1], rtol=1e-13)


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


def test_prox_solves_its_minimisation(rng):
    # the prox of t|.| minimises t|x| + (x - z)^2 / 2
    p, t = one(rng.normal(size=(1, 1, 9))), 0.4
    prox = optim.prox_l1(t)
    x = optim.apply_updates(p, prox.update(one(np.zeros((1, 1, 9))), prox.init(p), p)[0]).V
    grid = np.linspace(-4, 4, 8001)[:, None]
    best = grid[np.argmin(t * np.abs(grid) + (grid - p.V.ravel()) ** 2 / 2, axis=0), 0]
    np.testing.assert_allclose(x.ravel(), best, atol=6e-4)


@pytest.mark.parametrize("level", [0.0, 0.5, 2.0])
def test_hard_threshold(level, rng):
    p, u = draw(rng), draw(rng)
    hard = optim.hard_threshold(level)
    moved = optim.apply_updates(p, hard.update(u, hard.init(p), p)[0])
    for new, old, step in zip(moved, p, u, strict=True):
        z = old + step
        np.testing.assert_allclose(new, np.where(np.abs(z) < level, 0.0, z), rtol=0, atol=1e-15)
        assert np.array_equal(new == 0, np.abs(z) < level)


def test_hard_threshold_relative_to_the_largest_entry():
    p = one([[[4.0, -2.0, 0.9, -1.0]], [[0.4, -0.05, 0.2, 0.0]]])
    still = one(np.zeros((2, 1, 4)))
    hard = optim.hard_threshold(0.25, relative=-1)
    moved = optim.apply_updates(p, hard.update(still, hard.init(p), p)[0])
    np.testing.assert_array_equal(moved.V, [[[4.0, -2.0, 0.0, -1.0]], [[0.4, 0.0, 0.2, 0.0]]])


@pytest.mark.parametrize("axis", [-1, -2])
def test_affine_projection(axis, rng):
    u = draw(rng)
    project = optim.project_affine(axis)
    (once, _), (twice, _) = (project.update(x, (), u) for x in (u, project.update(u, (), u)[0]))
    for x, y, raw in zip(once, twice, u, strict=True):
        n = raw.shape[axis]
        matrix = np.eye(n) - np.ones((n, n)) / n
        expected = np.moveaxis(np.moveaxis(raw, axis, -1) @ matrix, -1, axis)
        np.testing.assert_allclose(x, expected, atol=1e-14)
        np.testing.assert_allclose(y, x, atol=1e-15)  # a projection


@pytest.mark.parametrize("total", [0.0, 1.0, -2.5])
@pytest.mark.parametrize("axis", [-1, -2])
def test_restore_affine_spreads_what_is_missing_equally(total, axis, rng):
    p, u = draw(rng), draw(rng)
    restored, _ = optim.restore_affine(total, axis).update(u, (), p)
    for new, old, step in zip(optim.apply_updates(p, restored), p, u, strict=True):
        np.testing.assert_allclose(new.sum(axis=axis), total, atol=1e-13)
        shift = new - (old + step)
        np.testing.assert_allclose(shift, np.broadcast_to(shift.mean(axis=axis, keepdims=True), new.shape), atol=1e-14)


def test_precondition_multiplies():
    u, p = one([[[1.0, 2.0]]]), one([[[3.0, 4.0]]])
    assert same(
        optim.per_field(V=optim.precondition([10.0, 0.5]), A=optim.identity()).update(u, {"V": (), "A": ()}, p)[0],
        one([[[10.0, 1.0]]]),
    )
    assert same(optim.precondition(lambda x: x).update(u, (), p)[0], one([[[3.0, 8.0]]]))


def test_freeze_holds_and_identity_passes(rng):
    g = draw(rng)
    assert same(optim.freeze().update(g, (), g)[0], Params(np.zeros((3, 2, 2)), np.zeros((3, 2, 5))))
    assert same(optim.identity().update(g, (), g)[0], g)


def test_per_field_equals_each_transform_alone(rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(5)]
    sparse = chain(optim.adam(0.1), optim.prox_l1(0.05))
    both, _ = steps(optim.per_field(A=sparse, V=optim.momentum(RATES)), start, gradients)
    v, _ = steps(optim.momentum(RATES), start, gradients)
    a, _ = steps(sparse, start, gradients)
    assert np.array_equal(both[-1].V, v[-1].V)
    assert np.array_equal(both[-1].A, a[-1].A)


# --- schedules


def test_schedules_against_their_formulas():
    piecewise = optim.piecewise_constant([3, 5], [1.0, 0.5, 0.25])
    assert [piecewise(s) for s in range(7)] == [1.0, 1.0, 1.0, 0.5, 0.5, 0.25, 0.25]
    assert optim.constant(0.3)(10**6) == 0.3
    cosine = optim.cosine(2.0, 110, final=0.5, warmup=10)
    np.testing.assert_allclose([cosine(s) for s in range(10)], [2.0 * (s + 1) / 11 for s in range(10)])
    assert (cosine(10), cosine(60), cosine(110), cosine(999)) == (2.0, pytest.approx(1.25), 0.5, 0.5)
    expo = optim.exponential(3.0, 0.5, 10)
    np.testing.assert_allclose([expo(0), expo(10), expo(15)], [3.0, 1.5, 3.0 * 0.5**1.5])


def test_one_cosine_period_equals_torch():
    parameter = torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.SGD([parameter], 0.7)
    theirs = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=20, eta_min=0.1)
    ours = optim.cosine(0.7, 20, final=0.1)
    for step in range(21):
        assert ours(step) == pytest.approx(optimiser.param_groups[0]["lr"], rel=1e-12)
        optimiser.step()
        theirs.step()


SCHEDULED = {
    "sgd": optim.sgd,
    "momentum": lambda x: optim.momentum(0.1, decay=x),
    "prox": lambda x: chain(optim.sgd(0.1), optim.prox_l1(x)),
    "hard": lambda x: chain(optim.sgd(0.1), optim.hard_threshold(x)),
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


# --- refusals

REFUSED = {
    "minus infinity": (lambda: optim.scale(-np.inf), "factor: "),
    "minus infinity among factors": (lambda: optim.scale([-np.inf, 1.0]), "factor: "),
    "negative rate": (lambda: optim.sgd(-0.1), "lr: expected a finite number >= 0, got -0.1"),
    "NaN rate": (lambda: optim.adam(np.nan), "lr: .*got nan"),
    "infinite rate": (lambda: optim.momentum(np.inf), "lr: .*got inf"),
    "one bad rate of many": (lambda: optim.sgd([0.1, -1.0]), "lr: "),
    "NaN among rates": (lambda: optim.sgd([0.1, np.nan]), "lr: "),
    "infinity among rates": (lambda: optim.sgd([0.1, np.inf]), "lr: "),
    "no rates": (lambda: optim.sgd([]), "lr: .*empty"),
    "matrix of rates": (lambda: optim.sgd(np.ones((2, 2))), r"lr: .*\(2, 2\)"),
    "text": (lambda: optim.sgd("fast"), "lr: .*'fast'"),
    "scale": (lambda: optim.scale(np.nan), "factor: expected a finite number, got nan"),
    "decay of one": (lambda: optim.momentum(0.1, 1.0), r"decay: expected a number in \[0, 1\), got 1.0"),
    "one decay of one": (lambda: optim.momentum(0.1, [0.5, 1.0]), "decay: "),
    "negative b1": (lambda: optim.adam(0.1, b1=-0.1), "b1: "),
    "b2 of one": (lambda: optim.adam(0.1, b2=1.0), "b2: "),
    "negative eps": (lambda: optim.adam(0.1, eps=-1e-8), "eps: "),
    "scheduled b1": (lambda: optim.adam(0.1, b1=optim.constant(0.9)), "b1: .*a schedule"),
    "negative threshold": (lambda: optim.prox_l1(-1.0), "threshold: "),
    "negative level": (lambda: optim.hard_threshold(-1.0), "level: "),
    "positive relative": (lambda: optim.hard_threshold(1.0, relative=1), "axis: "),
    "negative norm": (lambda: optim.clip_by_global_norm(-1.0), "max_norm: "),
    "axis from the front": (lambda: optim.project_affine(1), "axis: expected a negative integer"),
    "no integer": (lambda: optim.restore_affine(1.0, -1.0), "axis: "),
    "infinite total": (lambda: optim.restore_affine(np.inf, -1), "total: "),
    "text for a total": (lambda: optim.restore_affine("one", -1), "total: "),
    "infinite multiplier": (lambda: optim.precondition([1.0, np.inf]), "multiplier: "),
    "empty chain": (lambda: chain(), "transforms: expected at least one"),
    "not a transform": (lambda: chain(optim.sgd(0.1), 0.5), r"transforms\[1\]: .*float"),
    "empty per_field": (lambda: optim.per_field(), "transforms: "),
    "per_field of a number": (lambda: optim.per_field(V=0.1), "V: .*float"),
    "boundaries fall": (lambda: optim.piecewise_constant([5, 3], [1, 2, 3]), "boundaries: expected increasing"),
    "boundary at zero": (lambda: optim.piecewise_constant([0], [1, 2]), "boundaries: "),
    "boundary between steps": (lambda: optim.piecewise_constant([1.5], [1, 2]), "boundaries: expected whole"),
    "values missing": (lambda: optim.piecewise_constant([3], [1]), "values: expected 2 values, got 1"),
    "bad value": (lambda: optim.piecewise_constant([3], [1, np.nan]), r"values\[1\]: "),
    "bad constant": (lambda: optim.constant("x"), "value: "),
    "warm-up too long": (lambda: optim.cosine(1.0, 10, warmup=10), "warmup: "),
    "negative decay rate": (lambda: optim.exponential(1.0, -0.5), "rate: "),
    "no transition": (lambda: optim.exponential(1.0, 0.5, 0), "transition_steps: "),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_when_made(make, message):
    with pytest.raises(InputError, match=message):
        make()


REFUSED_LATER = {
    "rates for other runs": (optim.sgd([0.1, 0.2]), r"lr: expected one value a run \(3\), got 2"),
    "schedule turns negative": (optim.sgd(lambda step: -1.0), "lr: .*got -1.0"),
    "schedule turns NaN": (optim.prox_l1(lambda step: np.full(3, np.nan)), "threshold: "),
    "the runs' axis": (optim.project_affine(-3), "axis: expected a model axis"),
    "the runs' axis, restored": (optim.restore_affine(1.0, -3), "axis: "),
    "the runs' axis, relative": (optim.hard_threshold(0.5, relative=-3), "axis: "),
    "multiplier too large": (optim.precondition(np.ones((4, 3, 2, 1))), "multiplier: .*broadcast"),
    "multiplier of another shape": (optim.precondition(np.ones(7)), "multiplier: .*broadcast"),
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
