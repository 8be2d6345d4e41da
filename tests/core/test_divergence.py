"""Runs that diverge are found, frozen and reported; and what a trajectory answers."""

import warnings

import numpy as np
import pytest

from lib import optim
from lib.errors import DivergedError, InputError
from lib.train import train
from tests.core.train_cases import Explosive, Parabola, Params, generators, go, same, start

# --- divergence


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
    strict = go(Parabola(noise=1.0), optim.momentum(lrs), steps=300, limit=1e3)
    assert (strict.diverged_at[1:] < together.diverged_at[1:]).all()
    np.testing.assert_array_equal(go(Explosive(5, loss=np.inf), optim.sgd(0.1), limit=np.inf).diverged_at, [-1, 5, -1])


@pytest.mark.parametrize("at", [5, 10])
def test_a_run_that_diverges_in_either_of_two_stages_is_as_in_one(at):
    whole = go(Explosive(at, loss=np.nan), optim.adam(0.1))
    rngs, task = generators(), Explosive(at, loss=np.nan)
    first = go(task, optim.adam(0.1), steps=8, rng=rngs)
    second = go(task, optim.adam(0.1), steps=12, params=first.params, rng=rngs, state=first.state)
    joined = first.concat(second)
    np.testing.assert_array_equal(joined.diverged_at, [-1, at, -1])
    np.testing.assert_array_equal(joined["x"], whole["x"])
    np.testing.assert_array_equal(joined.params.x, whole.params.x)


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
    for at, loss, said in (
        (5, np.nan, "1 of 3 runs diverged: run 1 at step 5 with no finite number$"),
        (2, 3e11, r"run 1 at step 2 with the loss \+3e\+11$"),
        (0, np.inf, r"at step 0 with the loss \+inf; before any update, so the start or the dat"),
    ):
        with pytest.raises(DivergedError, match=said):
            go(Explosive(at, loss=loss), optim.sgd(0.1)).check()
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
