"""Problems: a fixed training set, those that draw nothing, and gradient flow."""

import numpy as np
import pytest

from hal.chapters.scan_snap import runs as ss_runs
from lib import optim
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.models import scb
from lib.train import GivenBatches, flow, train
from tests.core.train_cases import Parabola, start
from tests.refusals import refused

TASK = scb.ring_task(T=24, rng=0)
LINEAR = scb.LinearTransformer(TASK)
ENDLESS = ss.base_task(L=None)


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


test_refused = refused(REFUSED)


# --- gradient flow


def test_flow_of_a_parabola():
    run = flow(Bowl(0.5), None, [0.0, 0.3, 20.0], {"x": 2.0, "y": 1.0}, {"twice": lambda p: 2 * p.x})
    np.testing.assert_allclose(run.params.x, [[1, 2]] * np.exp(-run.times)[:, None], atol=1e-8)
    np.testing.assert_allclose(run.params.y, -np.exp(-0.5 * run.times), atol=1e-8)
    np.testing.assert_array_equal(run.arrays["twice"], 2 * run.params.x)
    np.testing.assert_allclose(run.loss, 0.25 * ((run.params.x**2).sum(1) + run.params.y**2))
    np.testing.assert_array_equal(run.gradient.y, 0.5 * run.params.y)
    assert run.stop_params.x.shape == (1, 2)


@pytest.mark.parametrize("method", ["stiff", "explicit"])
def test_flow_until_the_loss_is_a_tenth(method):
    run = flow(
        ss.Transformer(ENDLESS), None, [1.0, 1e8], until={"learned": lambda t, p, loss: loss - 0.1}, method=method
    )
    assert run.stopped == "learned"
    np.testing.assert_array_equal(run.times, [1.0])
    found = ss.loss_and_gradient(run.stop_params, ss.population(ENDLESS), ENDLESS)[0][0]
    assert found == pytest.approx(0.1, abs=1e-7)
