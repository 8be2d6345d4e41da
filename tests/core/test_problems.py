"""Problems: those of two chapters under optimisers of each kind, those that draw nothing, and gradient flow."""

import numpy as np
import pytest

from hal.chapters.scan_snap import runs as ss_runs
from hal.chapters.scb import models
from hal.chapters.scb.models.softmax import SoftmaxTransformer
from lib import optim
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.models import scb
from lib.optim import chain
from lib.train import GivenBatches, flow, train
from tests.core.train_cases import Parabola, start

TASK = scb.ring_task(T=24, rng=0)
LINEAR, SOFTMAX = scb.LinearTransformer(TASK), SoftmaxTransformer(TASK)
ENDLESS = ss.base_task(L=None)

# name -> (problem, size of a step that is small for it)
PROBLEMS = {
    "scb, linear": (LINEAR, 1e-3),
    "scb, softmax": (SOFTMAX, 1e-2),
    "scb, surrogate": (models.GaussianSurrogate(TASK), 1e-3),
    "scb, a fixed training set": (GivenBatches(LINEAR, [LINEAR.sample(64, [np.random.default_rng(5)])]), 1e-3),
    "scan_snap, sampled": (ss.Transformer(ss.base_task(L=40)), 1e-2),
    "scan_snap, population": (ss.Transformer(ENDLESS), 1e-2),
    "scan_snap, replayed": (
        ss_runs.Replay(ss.base_task(), ss_runs.draw_stream(ss.base_task(), 1, steps=12, batch=32)),
        1e-2,
    ),
}


# name -> optimiser from a rate; every single optimiser has its laws in test_optim.py
OPTIMISERS = {
    "adam": lambda lr: optim.adam(0.1 * lr),
    "scheduled, preconditioned": lambda lr: chain(
        optim.precondition(lambda x: 1 / (1 + x * x)), optim.sgd(optim.cosine(lr, 12, warmup=2))
    ),
    "sparse, sums kept": lambda lr: chain(optim.momentum(lr, 0.5), optim.prox_l1(1e-9, keep_sums=-1)),
}


def go(problem, optimiser, steps=12):
    drawing = getattr(problem, "draws", True)
    return train(problem, None, optimiser, steps, *((64, np.random.default_rng(0)) if drawing else ()))


def loss_on_one_batch(problem, params):
    """The loss of a run on samples of its own, the same at each call."""
    drawing = getattr(problem, "draws", True)
    batch = problem.sample(512, [np.random.default_rng(9)], 0) if drawing else problem.sample(0, (), 0)
    return problem.loss_and_gradient(params, batch)[0][0]


@pytest.mark.parametrize("method", OPTIMISERS)
@pytest.mark.parametrize("name", PROBLEMS)
def test_every_optimiser_trains_every_problem(name, method):
    problem, lr = PROBLEMS[name]
    run = go(problem, OPTIMISERS[method](lr)).check()
    assert np.isfinite(run["loss"]).all()
    before = problem.init(1, ())
    assert loss_on_one_batch(problem, run.params) <= loss_on_one_batch(problem, before) + 1e-4


@pytest.mark.parametrize("name", PROBLEMS)
def test_neither_parameters_nor_batch_are_written_to(name):
    problem, lr = PROBLEMS[name]
    drawing = getattr(problem, "draws", True)
    params = problem.init(1, ())
    data = problem.sample(8, [np.random.default_rng(1)], 0) if drawing else problem.sample(0, (), 0)
    before = [np.copy(x) for x in (*params, *data)]
    for method in OPTIMISERS.values():
        optimiser = method(lr)
        optimiser.update(problem.loss_and_gradient(params, data)[1], optimiser.init(params), params)
    for x, y in zip((*params, *data), before, strict=True):
        np.testing.assert_array_equal(x, y)


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


REFUSED = {
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


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


# --- gradient flow


def test_flow_of_a_parabola():
    run = flow(Bowl(0.5), None, [0.0, 0.3, 20.0], {"x": 2.0, "y": 1.0}, {"twice": lambda p: 2 * p.x})
    np.testing.assert_allclose(run.params.x, [[1, 2]] * np.exp(-run.times)[:, None], atol=1e-8)
    np.testing.assert_allclose(run.params.y, -np.exp(-0.5 * run.times), atol=1e-8)
    np.testing.assert_array_equal(run.arrays["twice"], 2 * run.params.x)
    np.testing.assert_allclose(run.loss, 0.25 * ((run.params.x**2).sum(1) + run.params.y**2))
    np.testing.assert_array_equal(run.gradient.y, 0.5 * run.params.y)
    assert run.stop_params.x.shape == (1, 2)


def test_flow_is_the_limit_of_small_steps():
    problem = ss.Transformer(ENDLESS)
    continuous = flow(problem, None, [1.0, 10.0])
    gaps = [
        np.abs(train(problem, None, optim.sgd(1 / n), 10 * n).params.Z - continuous.params.Z[1:]).max()
        for n in (20, 40)
    ]
    assert gaps[1] == pytest.approx(gaps[0] / 2, rel=0.1)


@pytest.mark.parametrize("method", ["stiff", "explicit"])
def test_flow_until_the_loss_is_a_tenth(method):
    run = flow(
        ss.Transformer(ENDLESS), None, [1.0, 1e8], until={"learned": lambda t, p, loss: loss - 0.1}, method=method
    )
    assert run.stopped == "learned"
    np.testing.assert_array_equal(run.times, [1.0])
    found = ss.loss_and_gradient(run.stop_params, ss.population(ENDLESS), ENDLESS)[0][0]
    assert found == pytest.approx(0.1, abs=1e-7)
