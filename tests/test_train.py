"""The training loop: closed form, laws over runs and stages, divergence, refusals; and what a trajectory answers."""

import copy
import pickle
import warnings
from typing import NamedTuple

import numpy as np
import pytest

from lib import optim
from lib.errors import DivergedError, InputError
from lib.train import Trajectory, record_points, train


class Params(NamedTuple):
    x: np.ndarray  # (R, 2)
    y: np.ndarray  # (R,)


class Parabola:
    """Loss c |p - z|^2 / 2 with p = (x, y) and z the mean of a batch of N(0, noise^2) targets."""

    def __init__(self, c=1.0, noise=0.0):
        self.c, self.noise = c, noise

    def sample(self, batch, rngs):
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
    assert a.arrays.keys() == b.arrays.keys()
    for name in a.arrays:
        np.testing.assert_array_equal(a.arrays[name], b.arrays[name], err_msg=name)
    for mine, other in zip(a.params, b.params, strict=True):
        np.testing.assert_array_equal(mine, other)
    np.testing.assert_array_equal(a.steps, b.steps)
    np.testing.assert_array_equal(a.diverged_at, b.diverged_at)
    same_tree(a.state, b.state)


def same_tree(a, b):
    if isinstance(a, dict):
        assert a.keys() == b.keys()
        same_tree(tuple(a.values()), tuple(b.values()))
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same_tree(x, y)
    else:
        np.testing.assert_array_equal(a, b)


# --- what it computes


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


def test_stationary_noise_of_sgd():
    # x <- (1 - lr) x + lr z: variance lr / (2 - lr) * noise^2 / batch
    runs, lr = 4000, 0.4
    params = Params(np.zeros((runs, 2)), np.zeros(runs))
    rng = np.random.default_rng(3)
    run = train(Parabola(noise=2.0), params, optim.sgd(lr), 40, 4, rng, RECORD)
    expected = lr / (2 - lr) * 2.0**2 / 4
    # 12 000 independent values: the variance is known to 1.3 %; four of those
    assert np.var([*run.params.x.T, run.params.y]) == pytest.approx(expected, rel=0.052)


def test_settings_are_kept_and_nothing_given_is_written_to():
    params, before, settings = start(), start(), {"T": 5}
    run = go(Parabola(noise=1.0), optim.adam(0.1), params=params, settings=settings)
    assert run.settings == {"T": 5}
    assert all(np.array_equal(a, b) for a, b in zip(params, before, strict=True))


def test_records_have_runs_first_and_steps_second():
    run = go(Parabola(noise=1.0), optim.sgd(0.1), record_at=[0, 3, 7, 20])
    assert run["x"].shape == (3, 4, 2)
    assert run["size"].shape == run["loss"].shape == (3, 4)
    assert run["big"].dtype == np.float64  # so that NaN can be written
    whole = go(Parabola(noise=1.0), optim.sgd(0.1))
    np.testing.assert_array_equal(run["x"], whole["x"][:, [0, 3, 7, 20]])
    np.testing.assert_array_equal(run["loss"], whole["loss"][:, [0, 3, 7, 20]])


def test_no_steps_record_the_start():
    run = go(Parabola(), optim.sgd(0.1), steps=0)
    np.testing.assert_array_equal(run["x"][:, 0], start().x)
    assert np.isnan(run["loss"]).all()
    assert (run.diverged_at == -1).all()


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


# --- laws

OPTIMISERS = {
    "sgd": optim.sgd(0.3),
    "adam": optim.adam(0.2),
    "momentum, scheduled": optim.momentum(optim.cosine(0.3, 20)),
    "clipped, sparse": optim.chain(optim.clip_by_global_norm(1.0), optim.sgd(0.5), optim.prox_l1(0.01)),
    "fields": optim.per_field(x=optim.adam(0.1), y=optim.freeze()),
}


@pytest.mark.parametrize("optimiser", OPTIMISERS.values(), ids=OPTIMISERS.keys())
def test_many_runs_equal_single_runs_bit_for_bit(optimiser):
    together = go(Parabola(noise=1.0), optimiser)
    for r in range(3):
        alone = Params(*(x[r : r + 1] for x in start()))
        same(go(Parabola(noise=1.0), optimiser, params=alone, rng=generators()[r]), together.run(r))


def test_a_single_generator_is_spawned():
    spawned = np.random.default_rng(5).spawn(3)
    same(
        go(Parabola(noise=1.0), optim.sgd(0.1), rng=np.random.default_rng(5)),
        go(Parabola(noise=1.0), optim.sgd(0.1), rng=spawned),
    )


@pytest.mark.parametrize("optimiser", OPTIMISERS.values(), ids=OPTIMISERS.keys())
@pytest.mark.parametrize("cut", [1, 8, 19])
def test_stopped_saved_and_resumed_equals_uninterrupted(optimiser, cut):
    whole = go(Parabola(noise=1.0), optimiser)
    rngs = generators()
    first = go(Parabola(noise=1.0), optimiser, steps=cut, rng=rngs)
    rngs, state = pickle.loads(pickle.dumps(rngs)), pickle.loads(pickle.dumps(first.state))
    params = Params(*(x.copy() for x in first.params))
    second = go(Parabola(noise=1.0), optimiser, steps=20 - cut, params=params, rng=rngs, state=state)
    same(first.concat(second), whole)


# --- divergence


class Explosive(Parabola):
    """A parabola that spoils run 1 at one step: its loss, or its gradient."""

    def __init__(self, at, loss=None, gradient=None):
        super().__init__(noise=1.0)
        self.at, self.loss, self.gradient, self.calls = at, loss, gradient, 0

    def loss_and_gradient(self, params, z):
        loss, gradient = super().loss_and_gradient(params, z)
        if self.calls == self.at and self.loss is not None:
            loss[1] = self.loss
        if self.calls == self.at and self.gradient is not None:
            gradient.x[1, 0] = self.gradient
        self.calls += 1
        return loss, gradient


@pytest.mark.parametrize("points", [None, [0, 4, 5, 9, 20], [0, 20]])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e10, -1e10])
def test_a_bad_loss_freezes_that_run_alone(bad, points):
    healthy = go(Parabola(noise=1.0), optim.adam(0.1), record_at=points)
    every = go(Parabola(noise=1.0), optim.adam(0.1))
    run = go(Explosive(5, loss=bad), optim.adam(0.1), record_at=points)
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
    run = go(Explosive(at, gradient=bad), optim.sgd(0.1))
    np.testing.assert_array_equal(run.diverged_at, [-1, at + 1, -1])
    np.testing.assert_array_equal(run.params.x[1], every["x"][1, at])
    assert np.isnan(run["x"][1, at + 1 :]).all()
    np.testing.assert_array_equal(run["x"][1, : at + 1], every["x"][1, : at + 1])


def test_bad_parameters_that_the_loss_shows_go_back_one_step():
    every = go(Parabola(noise=1.0), optim.sgd(0.1))
    run = go(Explosive(5, gradient=np.nan), optim.sgd(0.1), record_at=[0, 20])
    np.testing.assert_array_equal(run.diverged_at, [-1, 6, -1])
    np.testing.assert_array_equal(run.params.x[1], every["x"][1, 5])


def test_bad_parameters_that_the_loss_does_not_show_go_back_to_the_last_record():
    class Blind(Explosive):
        def loss_and_gradient(self, params, z):
            loss, gradient = super().loss_and_gradient(params, z)
            return np.zeros_like(loss), gradient

    every = go(Parabola(noise=1.0), optim.sgd(0.1))
    run = go(Blind(5, gradient=np.nan), optim.sgd(0.1), record_at=[0, 4, 8, 20])
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
    loose = go(Parabola(noise=1.0), optim.sgd(3.0), steps=700, limit=np.inf)
    strict = go(Parabola(noise=1.0), optim.sgd(3.0), steps=700, limit=1e3)
    assert (strict.diverged_at < loose.diverged_at).all()
    assert (loose.diverged_at > 0).all()
    np.testing.assert_array_equal(go(Explosive(5, loss=np.inf), optim.sgd(0.1), limit=np.inf).diverged_at, [-1, 5, -1])


def test_a_diverged_run_stays_diverged_through_later_stages():
    whole = go(Explosive(5, loss=np.nan), optim.adam(0.1))
    rngs, task = generators(), Explosive(5, loss=np.nan)
    first = go(task, optim.adam(0.1), steps=8, rng=rngs)
    second = go(task, optim.adam(0.1), steps=12, params=first.params, rng=rngs, state=first.state)
    joined = first.concat(second)
    np.testing.assert_array_equal(joined.diverged_at, [-1, 5, -1])
    np.testing.assert_array_equal(joined["x"], whole["x"])
    np.testing.assert_array_equal(joined.params.x, whole.params.x)
    # and one that diverges in the second stage is counted from the start of the first
    rngs, task = generators(), Explosive(10, loss=np.nan)
    first = go(task, optim.sgd(0.1), steps=8, rng=rngs)
    second = go(task, optim.sgd(0.1), steps=12, params=first.params, rng=rngs, state=first.state)
    np.testing.assert_array_equal(first.concat(second).diverged_at, [-1, 10, -1])


# --- the trajectory


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
    run = go(Explosive(5, loss=np.nan), optim.sgd(0.1))
    with pytest.raises(DivergedError, match="1 of 3 runs diverged: run 1 at step 5"):
        run.check()
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


def test_settings_of_stages_are_merged():
    first = go(Parabola(), optim.sgd(0.1), settings={"T": 5, "lr": 0.1})
    second = go(Parabola(), optim.sgd(0.1), settings={"lr": 0.2})
    assert first.concat(second).settings == {"T": 5, "lr": 0.2}


# --- refusals


class WrongLoss(Parabola):
    def loss_and_gradient(self, params, z):
        loss, gradient = super().loss_and_gradient(params, z)
        return loss.sum(), gradient


class WrongGradient(Parabola):
    def loss_and_gradient(self, params, z):
        loss, gradient = super().loss_and_gradient(params, z)
        return loss, Params(gradient.x.T, gradient.y)


class BareGradient(Parabola):
    def loss_and_gradient(self, params, z):
        loss, gradient = super().loss_and_gradient(params, z)
        return loss, tuple(gradient)


REFUSED = {
    "params": ({"params": (start().x,)}, "params: expected a NamedTuple"),
    "params as a list": ({"params": Params([1.0], np.ones(1))}, "x: expected an array"),
    "whole-number params": ({"params": Params(np.ones((3, 2), int), np.ones(3))}, "x: expected float64"),
    "runs that differ": ({"params": Params(np.ones((3, 2)), np.ones(4))}, "y: expected 3 runs"),
    "no runs": ({"params": Params(np.ones((0, 2)), np.ones(0))}, "x: expected 0 runs"),
    "NaN at the start": ({"params": Params(np.full((3, 2), np.nan), np.ones(3))}, "x: expected finite"),
    "optimiser": ({"optimiser": 0.1}, "optimiser: expected a lib.optim.Transform, got float"),
    "negative steps": ({"steps": -1}, "steps: .*got -1"),
    "broken steps": ({"steps": 1.5}, "steps: .*got 1.5"),
    "true steps": ({"steps": True}, "steps: "),
    "batch": ({"batch": 0}, "batch: expected a whole number >= 1, got 0"),
    "limit": ({"limit": 0.0}, "limit: "),
    "limit NaN": ({"limit": np.nan}, "limit: "),
    "a seed for rng": ({"rng": 3}, "rng: .*got int"),
    "too few generators": ({"rng": generators(2)}, "rng: .*sequence of 3, got 2"),
    "seeds for generators": ({"rng": [1, 2, 3]}, "rng: "),
    "one generator thrice": ({"rng": generators(1) * 3}, "rng: expected a different Generator"),
    "record of loss": ({"record": {"loss": lambda p: p.y}}, "record: expected names other than 'loss'"),
    "record without runs": ({"record": {"s": lambda p: p.x.sum()}}, r"record\['s'\]: expected shape \(3, \.\.\.\)"),
    "record_at from 1": ({"record_at": [1, 20]}, "record_at: "),
    "record_at short": ({"record_at": [0, 10]}, "record_at: .*end with 20"),
    "record_at falls": ({"record_at": [0, 7, 5, 20]}, "record_at: "),
    "record_at repeats": ({"record_at": [0, 5, 5, 20]}, "record_at: "),
    "record_at broken": ({"record_at": [0.0, 20.0]}, "record_at: "),
    "record_at empty": ({"record_at": []}, "record_at: "),
    "scalar loss": ({"task": WrongLoss()}, r"task: expected a loss of shape \(3,\), got \(\)"),
    "turned gradient": ({"task": WrongGradient()}, "task: expected a gradient of shapes"),
    "bare gradient": ({"task": BareGradient()}, "task: expected a gradient NamedTuple"),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(change, message):
    arguments = {
        "task": Parabola(),
        "params": start(),
        "optimiser": optim.sgd(0.1),
        "steps": 20,
        "batch": 4,
        "rng": generators(),
        "record": RECORD,
    }
    with pytest.raises(InputError, match=message):
        train(**(copy.copy(arguments) | change))


@pytest.mark.parametrize(("steps", "count"), [(-1, 10), (1.5, 10), (10, 0)])
def test_record_points_refused(steps, count):
    with pytest.raises(InputError, match=r"steps: |count: "):
        record_points(steps, count)
