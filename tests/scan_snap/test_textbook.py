"""The textbook model: the fast model's loss, gradient and steps, and the same statistics over many seeds."""

import math

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import learn, rates
from lib import optim
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook, textbook_classes
from lib.models.scan_snap.textbook import Settings
from lib.portable import finish, small
from lib.sampling import generators
from tests.portable.engine import literal, page_of

MODULE = "lib.models.scan_snap.textbook"
OPTIMISERS = [optim.sgd, optim.momentum, optim.adam]


def task_of(s):
    return ss.base_task(s.K, s.common, s.distinct, s.queries, s.M, s.T - 1 if s.T else None)


def pair(size=1.0, seed=0, **settings):
    """A textbook state at a random point, and the same as a task and parameters of the fast model."""
    state = textbook.start(Settings(**settings), seed)
    task, rng = task_of(state.settings), np.random.default_rng(seed)
    Y = size * rng.normal(size=(task.C, state.columns))
    Z = size * rng.normal(size=(task.Q, task.C))
    state.Y, state.Z = Y.ravel().tolist(), Z.ravel().tolist()
    return state, task, ss.Params(Y[None], Z[None])


def gradients(state, task, params, seed=0):
    """Loss and gradient of one batch by the fast model, and the loss by the textbook on the same samples."""
    if task.L is None:
        loss, gradient = ss.loss_and_gradient(params, ss.population(task), task)
        textbook.gradient(state)
        return loss[0], gradient, state.loss
    batch = ss.sample(task, state.settings.batch, generators([seed]))
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


@pytest.mark.parametrize("optimiser", [0, 1, 2])
def test_same_steps_of_the_optimiser(optimiser):
    state, task, params = pair(T=30, K=4, queries=2, M=60, batch=4, lr_Y=0.3, lr_Z=2.0, optimiser=optimiser)
    updates = rates(0.3, 2.0, OPTIMISERS[optimiser])
    memory = updates.init(params)
    for step in range(5):
        _, gradient, _ = gradients(state, task, params, step)
        moved, memory = updates.update(gradient, memory, params)
        params = optim.apply_updates(params, moved)
        textbook.move(state.Y, state.grad_Y, state.memory_Y, 0.3, optimiser)
        textbook.move(state.Z, state.grad_Z, state.memory_Z, 2.0, optimiser)
        same(state.Y, params.Y)
        same(state.Z, params.Z)


@pytest.mark.parametrize("optimiser", [0, 1, 2])
@pytest.mark.parametrize("start", [{}, {"K": 6, "queries": 3, "common": 4, "M": 100}])
def test_whole_runs_on_infinitely_long_sequences_are_the_fast_models(optimiser, start):
    settings = Settings(T=0, lr_Y=0.7, lr_Z=0.4, optimiser=optimiser, steps=40, **start)
    shown, task = finish(textbook, settings), task_of(settings)
    record = {
        "entropy": lambda p: ss.entropy(p, task),
        "common_mass": lambda p: ss.mass_on(ss.attention(p, task), task.common),
        "attention": lambda p: ss.attention(p, task),
    }
    at = np.array(shown["steps"]).astype(int)
    run = learn(task, [0], rates(0.7, 0.4, OPTIMISERS[optimiser]), 40, record=record, record_at=at)
    for name in ("loss", *record):
        np.testing.assert_allclose(shown[name], run[name][0].ravel(), rtol=1e-9, atol=1e-10, err_msg=name)
    assert np.isnan(shown["diverged_at"][0])


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


def test_the_random_start_has_the_fast_models_law():
    settings = Settings(K=6, queries=3, M=79, spread=1.0)
    states = [textbook.start(settings, seed) for seed in range(40)]
    Y = np.array([s.Y for s in states]).reshape(40, -1, 7)
    bound, others = 1 / math.sqrt(79), 79 - 6
    for values, reach, variance in (
        (np.array([s.Z for s in states]), bound, bound**2 / 3),
        (Y[..., :6], bound, bound**2 / 3),
        (Y[..., 6], bound, bound**2 / 3 / others),  # of a mean of so many
    ):
        assert np.abs(values).max() <= reach
        assert values.mean() == pytest.approx(0, abs=4 * math.sqrt(variance / values.size))
        assert values.var() == pytest.approx(variance, rel=4 * math.sqrt(2 / values.size))


def test_digits_of_small_numbers():
    rng = np.random.default_rng(3)
    x = np.concatenate(
        [10.0 ** rng.uniform(-320, 2, 500), -(10.0 ** rng.uniform(-320, -0.001, 500)), [0.0, -40.0, 800]]
    )
    for value in x.tolist():
        if value < 700:
            assert small.expm1(value) == pytest.approx(math.expm1(value), rel=2e-15)
        if value > -1:
            assert small.log1p(value) == pytest.approx(math.log1p(value), rel=2e-15)
    assert small.expm1(800.0) == math.inf == small.log1p(math.inf)
    assert small.log1p(-1.0) == -math.inf
    assert math.isnan(small.log1p(-2.0))
    assert math.isnan(small.expm1(math.nan))


@pytest.fixture(scope="module")
def page():
    page = page_of(textbook)
    page.do(f"""
        const M = portable["{MODULE}"];
        const ends = (settings, seeds) => seeds.map(seed => {{
          const state = M.start(settings, seed);
          while (!M.done(state)) M.step(state);
          const r = M.read(state), last = r.steps.length - 1, size = r.attention.length / r.steps.length;
          const top = r.attention[last * size + settings.common + settings.distinct - 1];
          return [r.entropy[last], r.common_mass[last], top, r.loss[last >> 1]];
        }});""")
    return page


def test_many_seeds_have_the_fast_models_mean_and_spread(page):
    seeds, settings = 80, Settings(T=24, K=2, common=4, distinct=5, M=20, lr_Y=1.0, lr_Z=3.0, batch=6, steps=24)
    textbook_runs = np.array(page.run(f"ends({literal(settings)}, {list(range(seeds))})"))
    task = task_of(settings)
    record = {"entropy": lambda p: ss.entropy(p, task), "c": lambda p: ss.attention(p, task)}
    run = learn(task, range(seeds), rates(1.0, 3.0), 24, 6, record=record, record_at=[0, 12, 24])
    c = run["c"][:, -1]
    last = [run["entropy"][:, -1], ss.mass_on(c, task.common), c[:, 0, 8], run["loss"][:, 1]]
    for ours, theirs in zip(textbook_runs.T, last, strict=True):
        error = np.sqrt((ours.var() + theirs.var()) / seeds)
        assert abs(ours.mean() - theirs.mean()) < 4 * error
        # the standard error of a spread, from the fourth moment
        fourth = [np.mean((x - x.mean()) ** 4) - x.var() ** 2 for x in (ours, theirs)]
        assert abs(ours.var() - theirs.var()) < 4 * np.sqrt(sum(fourth) / seeds)


@pytest.mark.parametrize("steps", [0, 1, 24, 25, 100, 1234])
def test_records_are_whole_steps_from_the_first_to_the_last(steps):
    at = np.array(textbook.steps_of(Settings(steps=steps)))
    assert at[0] == 0
    assert at[-1] == steps
    assert (np.diff(at) >= 1).all()
    assert (np.diff(at) <= np.maximum(1, at[:-1] / 12)).all()


def test_attention_leaves_what_is_common_for_what_is_frequent(page):
    ends = np.array(page.run(f"ends({literal(Settings(batch=32))}, [0])"))
    # ten runs of the fast model end at 1.937 nats, 0.39 on common tokens and 0.179 on the most frequent distinct one
    np.testing.assert_allclose(ends[0, :3], [1.937, 0.39, 0.179], atol=0.05)
