"""The textbook model is the fast one: the same loss and gradient on the same batch, the same measures and starts."""

import math

import numpy as np
import pytest

from hal.chapters.scan_snap.runs.learning import task_of
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook, textbook_classes
from lib.models.scan_snap.textbook import Settings
from lib.sampling import generators


def pair(size=1.0, seed=0, **settings):
    """A textbook state at a random point, and the same as a task and parameters of the fast model."""
    state = textbook.start(Settings(**settings), seed)
    task, rng = task_of(state.settings), np.random.default_rng(seed)
    Y = size * rng.normal(size=(task.C, state.columns))
    Z = size * rng.normal(size=(task.Q, task.C))
    state.Y, state.Z = Y.ravel().tolist(), Z.ravel().tolist()
    return state, task, ss.Params(Y[None], Z[None])


def gradients(state, task, params):
    """Loss and gradient of one batch by the fast model, and the loss by the textbook on the same samples."""
    if task.L is None:
        loss, gradient = ss.loss_and_gradient(params, ss.population(task), task)
        textbook.gradient(state)
        return loss[0], gradient, state.loss
    batch = ss.sample(task, state.settings.batch, generators([0]))
    loss, gradient = ss.loss_and_gradient(params, batch, task)
    state.grad_Y, state.grad_Z = [0.0] * len(state.Y), [0.0] * len(state.Z)
    own = 0.0
    for counts, label in zip(batch.counts[0], batch.label[0].tolist(), strict=True):
        N = counts[state.task.tokens[label]].tolist()
        assert sum(N) == task.L
        own += textbook.add_sample(state, label, N, 1 / state.settings.batch) / state.settings.batch
    return loss[0], gradient, own


def same(values, wanted):
    np.testing.assert_allclose(values, np.ravel(wanted), rtol=1e-10, atol=1e-10)


CASES = [
    dict(T=128, batch=16),
    dict(T=2, K=6, queries=3, common=0, distinct=1, M=6, batch=5),
    dict(T=20, K=5, queries=1, common=3, distinct=4, M=1000, batch=7),
    dict(T=64, K=20, queries=10, common=10, M=240, batch=9),
    dict(T=0, K=4, queries=2, common=2, distinct=3, M=50),
]


@pytest.mark.parametrize("settings", CASES)
@pytest.mark.parametrize("size", [0.3, 30.0, 800.0])
def test_same_batch_same_loss_and_gradient(settings, size):
    state, task, params = pair(size, **settings)
    with np.errstate(over="ignore"):
        loss, gradient, own = gradients(state, task, params)
    assert own == pytest.approx(loss, rel=1e-10)
    same(state.grad_Y, gradient.Y)
    same(state.grad_Z, gradient.Z)


@pytest.mark.parametrize("seed", range(20))
def test_same_task_and_same_measures(seed):
    rng = np.random.default_rng(seed)
    queries = int(rng.integers(1, 4))
    K, common, distinct = queries * int(rng.integers(2, 4)), int(rng.integers(0, 20)), int(rng.integers(1, 12))
    M = textbook_classes.vocabulary(K, queries, common, distinct)
    state, task, params = pair(3.0, seed, K=K, queries=queries, common=common, distinct=distinct, M=M, steps=9)
    assert task.M == ss.base_task(K, common, distinct, queries).M == M
    P = np.zeros((K, task.C))
    for n, row in enumerate(state.task.tokens):
        P[n, row] = state.task.law
    np.testing.assert_allclose(P, task.P, rtol=1e-12)
    assert state.task.query == task.query.tolist()
    state.kept.count = 0
    textbook.keep(state)
    shown, c = textbook.read(state), ss.attention(params, task)
    np.testing.assert_allclose(shown["attention"], c.ravel(), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(shown["distinct"], c[0, 0, task.distinct[0]], rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(shown["common_mass"], ss.mass_on(c, task.common), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(shown["entropy"], ss.entropy(params, task), rtol=1e-9, atol=1e-12)
    assert np.isnan(shown["loss"][0])


def test_the_folded_column_of_the_random_start_is_a_mean():
    settings = Settings(K=6, queries=3, M=79, spread=1.0)
    Y = np.array([textbook.start(settings, seed).Y for seed in range(40)]).reshape(40, -1, 7)[..., 6]
    variance = 1 / 79 / 3 / (79 - 6)  # of a mean of so many
    assert np.abs(Y).max() <= 1 / math.sqrt(79)
    assert Y.mean() == pytest.approx(0, abs=4 * math.sqrt(variance / Y.size))
    assert Y.var() == pytest.approx(variance, rel=4 * math.sqrt(2 / Y.size))


@pytest.mark.parametrize("steps", [0, 1, 24, 25, 100, 1234])
def test_records_are_whole_steps_from_the_first_to_the_last(steps):
    at = np.array(textbook.steps_of(Settings(steps=steps)))
    assert at[0] == 0
    assert at[-1] == steps
    assert (np.diff(at) >= 1).all()
    assert (np.diff(at) <= np.maximum(1, at[:-1] / 12)).all()
