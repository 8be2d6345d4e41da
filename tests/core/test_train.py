"""The training loop: closed form, laws over runs and stages, and what is refused."""

import copy
import pickle

import numpy as np
import pytest

from lib import optim
from lib.errors import InputError
from lib.train import record_points, train
from tests.core.train_cases import RECORD, Parabola, Params, generators, go, same, start

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
    last = together.at(int(together.steps[-1]))
    assert all(np.array_equal(last[name], values[:, -1], equal_nan=True) for name, values in together.arrays.items())


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


# --- refusals


class Spoilt(Parabola):
    """A parabola whose loss and gradient are spoilt by a function."""

    def __init__(self, spoil):
        super().__init__()
        self.spoil = spoil

    def loss_and_gradient(self, params, z):
        return self.spoil(*super().loss_and_gradient(params, z))


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
    "scalar loss": (
        {"problem": Spoilt(lambda loss, g: (loss.sum(), g))},
        r"problem: expected a loss of shape \(3,\), got \(\)",
    ),
    "turned gradient": (
        {"problem": Spoilt(lambda loss, g: (loss, Params(g.x.T, g.y)))},
        "problem: expected a gradient of shapes",
    ),
    "bare gradient": ({"problem": Spoilt(lambda loss, g: (loss, tuple(g)))}, "problem: expected a gradient NamedTuple"),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(change, message):
    arguments = {
        "problem": Parabola(),
        "params": start(),
        "optimiser": optim.sgd(0.1),
        "steps": 20,
        "batch": 4,
        "rng": generators(),
        "record": RECORD,
    }
    with pytest.raises(InputError, match=message):
        train(**(copy.copy(arguments) | change))
