"""The textbook model is the fast one: the same loss and gradient on the same batch, the same measures and starts."""

import math

import numpy as np
import pytest
from scipy import stats

from hal.chapters.scan_snap.figures import attention
from hal.chapters.scan_snap.runs.learning import OPTIMISERS, fast_runs, rates, task_of
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook
from lib.models.scan_snap.textbook import Settings
from lib.portable import finish
from lib.portable.random_numbers import below
from lib.portable.tokens import draw_tokens
from lib.train import GivenBatches, train


def pair(size=1.0, seed=0, **settings):
    """A textbook state at a random point, and the same as a task and parameters of the fast model."""
    state = textbook.start(Settings(**settings), seed)
    task, rng = task_of(state.settings), np.random.default_rng(seed)
    Y, Z = (size * rng.normal(size=shape) for shape in ((1, task.C, state.columns), (1, task.Q, task.C)))
    state.Y, state.Z = Y.ravel().tolist(), Z.ravel().tolist()
    return state, task, ss.Params(Y, Z)


@pytest.mark.parametrize("size", [0.3, 800.0])
def test_same_loss_and_gradient_at_logits_of_any_size(size):
    state, task, params = pair(size, T=0, K=4, queries=2, common=2, distinct=3, M=50)
    textbook.gradient(state)
    with np.errstate(over="ignore"):
        (loss,), gradient = ss.loss_and_gradient(params, ss.population(task), task)
    assert state.loss == pytest.approx(loss, rel=1e-10)
    np.testing.assert_allclose(state.grad_Y, gradient.Y.ravel(), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(state.grad_Z, gradient.Z.ravel(), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("optimiser", [0, 1, 2])
def test_same_sequences_same_steps_from_a_random_start(optimiser):
    """The textbook's sequences, drawn again by a second generator."""
    settings = Settings(T=16, K=6, queries=3, common=2, distinct=3, M=40, lr_Y=0.7, lr_Z=0.4, optimiser=optimiser,
                        batch=6, spread=1.0, steps=20)  # fmt: skip
    task, state, shadow, batches = task_of(settings), textbook.start(settings, 3), textbook.start(settings, 3), []
    for _ in range(settings.steps):
        counts, labels = np.zeros((settings.batch, task.C)), []
        for row in counts:
            labels.append(below(shadow.random, settings.K))
            draw_tokens(shadow.words, shadow.random, shadow.X)
            np.add.at(row, np.array(shadow.task.tokens[labels[-1]])[shadow.X], 1.0)
        batches.append(ss.Batch(counts[None], task.query[labels][None], np.array(labels)[None]))
    start = ss.Params(np.reshape(state.Y, (1, task.C, -1)), np.reshape(state.Z, (1, task.Q, task.C)))
    rule = rates(settings.lr_Y, settings.lr_Z, OPTIMISERS[optimiser])
    end = train(GivenBatches(ss.Transformer(task), batches), start, rule, settings.steps, record={}).params
    while not textbook.done(state):
        textbook.step(state)
    np.testing.assert_allclose(state.Y, end.Y.ravel(), atol=1e-9)
    np.testing.assert_allclose(state.Z, end.Z.ravel(), atol=1e-9)


def test_the_fast_model_runs_what_the_textbook_runs():
    """On infinitely long sequences to rounding; on sampled ones in law, which tests/figure asks of every figure."""
    chosen = attention.settings(T=24, M=50, common=4, mu=[0.3, 0.05, *8 * [0.08125]], lr_Y=2.0, lr_Z=1.0, optimiser=1)
    chosen = chosen._replace(batch=8, steps=40)

    def own(settings, seed=0):
        return finish(textbook, settings, seed, attention.probe, attention.at_end)

    for optimiser in (0, 1, 2):
        endless = chosen._replace(T=0, optimiser=optimiser)
        for name, values in fast_runs(endless, [0]).items():
            np.testing.assert_allclose(values[0], own(endless)[name], atol=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_same_task_and_same_measures(seed):
    rng = np.random.default_rng(seed)
    queries, common = int(rng.integers(1, 4)), int(rng.integers(0, 20))
    K = queries * int(rng.integers(2, 4))
    M = textbook.vocabulary(K, queries, common, 10)
    state, task, params = pair(3.0, seed, K=K, queries=queries, common=common, M=M, steps=9)
    assert task.M == ss.base_task(K, common, 10, queries).M == M
    P = np.zeros((K, task.C))
    for n, row in enumerate(state.task.tokens):
        P[n, row] = state.task.law
    np.testing.assert_allclose(P, task.P, rtol=1e-12)
    assert state.task.query == task.query.tolist()
    shown, c = attention.probe(state), ss.attention(params, task)
    np.testing.assert_allclose(shown["attention"], c.ravel(), rtol=1e-9, atol=1e-300)
    own = c[0, 0, task.distinct[0]]
    np.testing.assert_allclose(shown["distinct"], own / own.sum(), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(shown["common_mass"], ss.mass_on(c, task.common), rtol=1e-9, atol=1e-12)
    assert np.isnan(shown["loss"][0])


def test_the_random_start_is_uniform_and_its_folded_column_a_mean():
    settings = Settings(K=6, queries=3, M=79, spread=1.0)
    found = [textbook.start(settings, seed) for seed in range(40)]
    Y, Z = np.array([state.Y for state in found]).reshape(40, -1, 7), np.array([state.Z for state in found])
    values = np.concatenate([Y[..., :6].ravel(), Z.ravel()]) * math.sqrt(79)
    assert stats.kstest(values, stats.uniform(-1, 2).cdf).statistic * math.sqrt(len(values)) < 2.2
    variance = 1 / 79 / 3 / (79 - 6)  # of a mean of so many
    mean = Y[..., 6]
    assert mean.mean() == pytest.approx(0, abs=4 * math.sqrt(variance / mean.size))
    assert mean.var() == pytest.approx(variance, rel=4 * math.sqrt(2 / mean.size))
