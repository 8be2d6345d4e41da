"""The training loop: closed form, laws over runs and stages, divergence, problems, gradient flow, refusals."""

import pickle
import warnings
from typing import NamedTuple

import numpy as np
import pytest

from hal.chapters.scan_snap import runs as ss_runs
from lib import optim
from lib.errors import DivergedError, InputError
from lib.models import scb
from lib.train import GivenBatches, Trajectory, flow, record_points, train
from tests.refusals import refused


class Params(NamedTuple):
    x: np.ndarray  # (R, 2)
    y: np.ndarray  # (R,)


class Parabola:
    """Loss c |p - z|^2 / 2 with p = (x, y) and z the mean of a batch of N(0, noise^2) targets."""

    def __init__(self, c=1.0, noise=0.0):
        self.c, self.noise = c, noise

    def init(self, runs, rngs):
        return start(runs)

    def sample(self, batch, rngs, step):
        return self.noise * np.stack([g.normal(size=(batch, 3)).mean(axis=0) for g in rngs])

    def loss_and_gradient(self, params, z):
        x, y = params.x - z[:, :2], params.y - z[:, 2]
        return 0.5 * self.c * (np.add.reduce(x * x, axis=-1) + y * y), Params(self.c * x, self.c * y)


def start(runs=3):
    return Params(np.arange(1.0, 2 * runs + 1).reshape(runs, 2), -np.arange(1.0, runs + 1))


def generators(runs=3):
    return [np.random.default_rng([7, r]) for r in range(runs)]


RECORD = {"x": lambda p: p.x, "size": lambda p: np.hypot(p.x[:, 0], p.y), "big": lambda p: p.y > -1.5}


def go(task, optimiser, steps=20, params=None, rng=None, **more):
    params = start() if params is None else params
    return train(task, params, optimiser, steps, 4, generators() if rng is None else rng, RECORD, **more)


def same(a: Trajectory, b: Trajectory):
    """Equal bit for bit, NaN included, the optimiser's state with it."""
    mine, other = ((one.arrays, tuple(one.params), one.steps, one.diverged_at, one.state) for one in (a, b))
    np.testing.assert_equal(mine, other)


class Spoilt(Parabola):
    """A parabola whose loss and gradient are spoilt by a function of the step."""

    def __init__(self, spoil):
        super().__init__(noise=1.0)
        self.spoil, self.step = spoil, -1

    def loss_and_gradient(self, params, z):
        self.step += 1
        return self.spoil(self.step, *super().loss_and_gradient(params, z))


def explosive(at, loss=None, slope=None, blind=False):
    """Run 1 is spoilt at one step: its loss, or its gradient, which the loss of a blind one never shows."""

    def spoil(step, losses, gradient):
        if step == at and loss is not None:
            losses[1] = loss
        if step == at and slope is not None:
            gradient.x[1, 0] = slope
        return np.zeros(3) if blind else losses, gradient

    return Spoilt(spoil)


@pytest.mark.parametrize("lr", [0.1, 1.0, 1.7])
@pytest.mark.parametrize("c", [0.5, 1.0])
def test_closed_form_on_a_parabola(lr, c):
    run = go(Parabola(c), optim.sgd(lr))
    factor = (1 - lr * c) ** run.steps
    np.testing.assert_allclose(run["x"], start().x[:, None] * factor[:, None], rtol=1e-12, atol=1e-14)
    loss = 0.5 * c * ((start().x ** 2).sum(axis=1) + start().y ** 2)
    # the loss recorded at step k is that of batch k - 1, drawn at the parameters before the update; at 0 of batch 0
    before = factor[np.maximum(np.arange(21) - 1, 0)]
    np.testing.assert_allclose(run["loss"], loss[:, None] * before**2, rtol=1e-12, atol=1e-20)
    np.testing.assert_array_equal(run["x"][:, -1], run.params.x)
    assert (run.diverged_at == -1).all()


def test_records_have_runs_first_and_steps_second():
    run = go(Parabola(noise=1.0), optim.sgd(0.1), record_at=[0, 3, 7, 20])
    assert run["x"].shape == (3, 4, 2)
    assert run["size"].shape == run["loss"].shape == (3, 4)
    assert run["big"].dtype == np.float64  # so that NaN can be written
    whole = go(Parabola(noise=1.0), optim.sgd(0.1))
    np.testing.assert_array_equal(run["x"], whole["x"][:, [0, 3, 7, 20]])
    np.testing.assert_array_equal(run["loss"], whole["loss"][:, [0, 3, 7, 20]])


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("steps", [0, 1, 7, 119, 120, 121, 5000])
def test_record_points(steps, log):
    points = record_points(steps, log=log)
    assert points[0] == 0
    assert points[-1] == steps
    assert (np.diff(points) > 0).all()
    assert len(points) <= 121
    if steps == 5000 and not log:
        assert len(points) == 121
    if steps == 7:
        np.testing.assert_array_equal(points, np.arange(8))


#: What each transform does alone, together and resumed is asked in test_optim.
MIXED = optim.per_field(x=optim.adam(0.1), y=optim.momentum(optim.cosine(0.3, 20)))


def test_many_runs_equal_single_runs_bit_for_bit():
    together = go(Parabola(noise=1.0), MIXED)
    for r in range(3):
        alone = Params(*(x[r : r + 1] for x in start()))
        same(go(Parabola(noise=1.0), MIXED, params=alone, rng=generators()[r]), together.run(r))
    last = together.at(int(together.steps[-1]))
    assert all(np.array_equal(last[name], values[:, -1], equal_nan=True) for name, values in together.arrays.items())


def test_a_single_generator_is_spawned():
    spawned = np.random.default_rng(5).spawn(3)
    same(
        go(Parabola(noise=1.0), optim.sgd(0.1), rng=np.random.default_rng(5)),
        go(Parabola(noise=1.0), optim.sgd(0.1), rng=spawned),
    )


@pytest.mark.parametrize("cut", [1, 8, 19])
def test_stopped_saved_and_resumed_equals_uninterrupted(cut):
    whole = go(Parabola(noise=1.0), MIXED)
    rngs = generators()
    first = go(Parabola(noise=1.0), MIXED, steps=cut, rng=rngs)
    rngs, state = pickle.loads(pickle.dumps(rngs)), pickle.loads(pickle.dumps(first.state))
    params = Params(*(x.copy() for x in first.params))
    second = go(Parabola(noise=1.0), MIXED, steps=20 - cut, params=params, rng=rngs, state=state)
    same(first.concat(second), whole)


REFUSED = {
    "params": ({"params": (start().x,)}, "params: expected a NamedTuple"),
    "whole-number params": ({"params": Params(np.ones((3, 2), int), np.ones(3))}, "x: expected float64"),
    "runs that differ": ({"params": Params(np.ones((3, 2)), np.ones(4))}, "y: expected 3 runs"),
    "NaN at the start": ({"params": Params(np.full((3, 2), np.nan), np.ones(3))}, "x: expected finite"),
    "optimiser": ({"optimiser": 0.1}, "optimiser: expected a lib.optim.Transform, got float"),
    "negative steps": ({"steps": -1}, "steps: .*got -1"),
    "batch": ({"batch": 0}, "batch: expected a whole number >= 1, got 0"),
    "limit": ({"limit": 0.0}, "limit: "),
    "a seed for rng": ({"rng": 3}, "rng: .*got int"),
    "too few generators": ({"rng": generators(2)}, "rng: .*sequence of 3, got 2"),
    "one generator thrice": ({"rng": generators(1) * 3}, "rng: expected a different Generator"),
    "record of loss": ({"record": {"loss": lambda p: p.y}}, "record: expected names other than 'loss'"),
    "record without runs": ({"record": {"s": lambda p: p.x.sum()}}, r"record\['s'\]: expected shape \(3, \.\.\.\)"),
    "record_at from 1": ({"record_at": [1, 20]}, "record_at: "),
    "record_at falls": ({"record_at": [0, 7, 5, 20]}, "record_at: "),
    "scalar loss": ({"problem": Spoilt(lambda _, loss, g: (loss.sum(), g))}, r"problem: .* shape \(3,\), got \(\)"),
    "turned gradient": ({"problem": Spoilt(lambda _, x, g: (x, Params(g.x.T, g.y)))}, "problem: .* gradient of shapes"),
    "bare gradient": ({"problem": Spoilt(lambda _, loss, g: (loss, tuple(g)))}, "problem: .* gradient NamedTuple"),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(change, message):
    arguments = dict(problem=Parabola(), params=start(), optimiser=optim.sgd(0.1), steps=20, batch=4, record=RECORD)
    with pytest.raises(InputError, match=message):
        train(**(arguments | {"rng": generators()} | change))


@pytest.mark.parametrize("points", [None, [0, 4, 5, 9, 20], [0, 20]])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e10, -1e10])
def test_a_bad_loss_freezes_that_run_alone(bad, points):
    healthy = go(Parabola(noise=1.0), optim.adam(0.1), record_at=points)
    every = go(Parabola(noise=1.0), optim.adam(0.1))
    run = go(explosive(5, loss=bad), optim.adam(0.1), record_at=points)
    np.testing.assert_array_equal(run.diverged_at, [-1, 5, -1])
    np.testing.assert_array_equal(run.params.x[1], every["x"][1, 5])
    for name in run.arrays:
        np.testing.assert_array_equal(run[name][[0, 2]], healthy[name][[0, 2]])
        np.testing.assert_array_equal(run[name][1, run.steps <= 5], healthy[name][1, run.steps <= 5])
        assert np.isnan(run[name][1, run.steps > 5]).all()
    for mine, other in zip(run.params, healthy.params, strict=True):
        np.testing.assert_array_equal(mine[[0, 2]], other[[0, 2]])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("at", [0, 5, 19])
def test_parameters_that_are_not_finite_are_found_and_the_run_put_back(bad, at):
    every = go(Parabola(noise=1.0), optim.sgd(0.1))
    run = go(explosive(at, slope=bad), optim.sgd(0.1))
    np.testing.assert_array_equal(run.diverged_at, [-1, at + 1, -1])
    np.testing.assert_array_equal(run.params.x[1], every["x"][1, at])
    assert np.isnan(run["x"][1, at + 1 :]).all()
    np.testing.assert_array_equal(run["x"][1, : at + 1], every["x"][1, : at + 1])


def test_bad_parameters_that_the_loss_does_not_show_go_back_to_the_last_record():
    every = go(Parabola(noise=1.0), optim.sgd(0.1))
    run = go(explosive(5, slope=np.nan, blind=True), optim.sgd(0.1), record_at=[0, 4, 8, 20])
    np.testing.assert_array_equal(run.diverged_at, [-1, 8, -1])
    np.testing.assert_array_equal(run.params.x[1], every["x"][1, 4])
    assert np.isnan(run["x"][1, 2:]).all()
    assert np.isfinite(run["x"][1, :2]).all()


def test_divergence_in_earnest_is_silent_and_equal_to_single_runs():
    # above 2 (1 + decay) = 3.8 each swing is larger than the last
    lrs = np.array([0.5, 5.0, 50.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together = go(Parabola(noise=1.0), optim.momentum(lrs), steps=300)
    assert together.diverged_at[0] == -1
    assert 0 < together.diverged_at[2] < together.diverged_at[1] < 300
    assert all(np.isfinite(x).all() for x in together.params)
    for r, lr in enumerate(lrs):
        alone = Params(*(x[r : r + 1] for x in start()))
        single = go(Parabola(noise=1.0), optim.momentum(float(lr)), 300, alone, generators()[r])
        same(single, together.run(r))
    strict = go(Parabola(noise=1.0), optim.momentum(lrs), steps=300, limit=1e3)
    assert (strict.diverged_at[1:] < together.diverged_at[1:]).all()
    np.testing.assert_array_equal(go(explosive(5, loss=np.inf), optim.sgd(0.1), limit=np.inf).diverged_at, [-1, 5, -1])


@pytest.mark.parametrize("at", [5, 10])
def test_a_run_that_diverges_in_either_of_two_stages_is_as_in_one(at):
    whole = go(explosive(at, loss=np.nan), optim.adam(0.1))
    rngs, task = generators(), explosive(at, loss=np.nan)
    first = go(task, optim.adam(0.1), steps=8, rng=rngs)
    second = go(task, optim.adam(0.1), steps=12, params=first.params, rng=rngs, state=first.state)
    joined = first.concat(second)
    np.testing.assert_array_equal(joined.diverged_at, [-1, at, -1])
    np.testing.assert_array_equal(joined["x"], whole["x"])
    np.testing.assert_array_equal(joined.params.x, whole.params.x)


def test_a_trajectory_answers():
    run = go(Parabola(noise=1.0), optim.sgd(0.1), record_at=[0, 5, 20])
    assert run.n_runs == 3
    np.testing.assert_array_equal(run.at(5)["x"], run["x"][:, 1])
    assert run.check() is run
    with pytest.raises(InputError, match=r"step: .*nearest is 5\), got 7"):
        run.at(7)
    with pytest.raises(InputError, match="got 99"):
        run.at(99)
    with pytest.raises(InputError, match="name: expected one of big, loss, size, x, got y"):
        run["y"]
    for r in (-1, 3, 1.5):
        with pytest.raises(InputError, match="r: expected 0 to 2"):
            run.run(r)
    with pytest.raises(AttributeError):
        run.params = None


def test_asking_a_diverged_trajectory():
    for at, loss, said in (
        (5, np.nan, "1 of 3 runs diverged: run 1 at step 5 with no finite number$"),
        (2, 3e11, r"run 1 at step 2 with the loss \+3e\+11$"),
        (0, np.inf, r"at step 0 with the loss \+inf; before any update, so the start or the dat"),
    ):
        with pytest.raises(DivergedError, match=said):
            go(explosive(at, loss=loss), optim.sgd(0.1)).check()
    many = Params(np.ones((12, 2)), np.ones(12))
    run = go(Parabola(), optim.sgd(50.0), steps=50, params=many, rng=np.random.default_rng(0))
    with pytest.raises(DivergedError, match=r"12 of 12 .* and 4 more"):
        run.check()


def test_stages_that_do_not_fit_are_refused():
    run = go(Parabola(), optim.sgd(0.1))
    with pytest.raises(InputError, match="following: expected 3 runs, got 1"):
        run.concat(run.run(0))
    other = train(Parabola(), start(), optim.sgd(0.1), 5, 4, generators(), {"z": lambda p: p.x})
    with pytest.raises(InputError, match="following: expected the records"):
        run.concat(other)


TASK = scb.ring_task(T=24, rng=0)
LINEAR = scb.LinearTransformer(TASK)


def test_a_fixed_training_set_is_taken_in_turn():
    drawn = [LINEAR.sample(16, [np.random.default_rng(s)]) for s in range(3)]
    epochs = GivenBatches(LINEAR, drawn)
    whole = train(epochs, None, optim.momentum(0.01), 7)
    params, state = LINEAR.init(1), optim.momentum(0.01).init(LINEAR.init(1))
    for step in range(7):
        _, gradient = LINEAR.loss_and_gradient(params, drawn[step % 3])
        updates, state = optim.momentum(0.01).update(gradient, state, params)
        params = optim.apply_updates(params, updates)
    np.testing.assert_array_equal(whole.params.A, params.A)
    first = train(epochs, None, optim.momentum(0.01), 4)
    rest = train(epochs, first.params, optim.momentum(0.01), 3, state=first.state, first_step=4)
    np.testing.assert_array_equal(first.concat(rest)["loss"], whole["loss"])
    np.testing.assert_array_equal(rest.params.V, whole.params.V)
    with pytest.raises(InputError, match="batches: expected at least one"):
        GivenBatches(LINEAR, [])


class Bowl(Parabola):
    """A parabola that draws nothing: its full gradient."""

    draws = False

    def sample(self, batch, rngs, step):
        return np.zeros((1, 3))


REFUSED_PROBLEMS = {
    "no problem": (lambda: train(TASK, None, optim.sgd(0.1), 1), "problem: .*Task without sample"),
    "no batch": (
        lambda: train(LINEAR, LINEAR.init(), optim.sgd(0.1), 1),
        "batch: expected a whole number >= 1, got None",
    ),
    "a batch for nothing": (lambda: train(Bowl(), None, optim.sgd(0.1), 1, 4), "batch: .*draws nothing, got 4"),
    "a generator for nothing": (
        lambda: train(Bowl(), start(1), optim.sgd(0.1), 1, rng=np.random.default_rng(0)),
        "rng: .*draws nothing",
    ),
    "an optimiser for other fields": (
        lambda: train(LINEAR, None, ss_runs.rates(), 1, 4, np.random.default_rng(0)),
        "Y: expected one of the fields V, A",
    ),
    "flow of samples": (lambda: flow(LINEAR, None, [1.0]), "problem: expected one that draws nothing"),
    "flow of many runs": (lambda: flow(Bowl(), start(3), [1.0]), r"params: expected one run \(1, ...\), got 3"),
    "flow of other fields": (lambda: flow(Bowl(), None, [1.0], {"x": 1.0}), "rates: .*fields x, y"),
    "flow at rest": (lambda: flow(Bowl(), None, [1.0], 0.0), "rates: .*above 0"),
}


test_problems_are_refused = refused(REFUSED_PROBLEMS)


def test_flow_of_a_parabola():
    run = flow(Bowl(0.5), None, [0.0, 0.3, 20.0], {"x": 2.0, "y": 1.0}, {"twice": lambda p: 2 * p.x})
    np.testing.assert_allclose(run.params.x, [[1, 2]] * np.exp(-run.times)[:, None], atol=1e-8)
    np.testing.assert_allclose(run.params.y, -np.exp(-0.5 * run.times), atol=1e-8)
    np.testing.assert_array_equal(run.arrays["twice"], 2 * run.params.x)
    np.testing.assert_allclose(run.loss, 0.25 * ((run.params.x**2).sum(1) + run.params.y**2))
    np.testing.assert_array_equal(run.gradient.y, 0.5 * run.params.y)
    assert run.stop_params.x.shape == (1, 2)
