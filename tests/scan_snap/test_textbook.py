"""The textbook model: the fast model's loss, gradient and steps, the same statistics, the same bits in the page."""

import math
from itertools import pairwise

import numpy as np
import pytest

from lib import optim
from lib.chapters.scan_snap.runs import learn, rates
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook, textbook_classes, textbook_record
from lib.models.scan_snap.textbook import Settings
from lib.portable import small
from lib.sampling import generators
from tests.portable.engine import bits, literal, page_of

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
        return loss[0], gradient, textbook.draw_batch(state)
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
    state = textbook.start(settings, 0)
    textbook.advance(state, 40)
    shown, task = textbook.read(state), task_of(settings)
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
    record = textbook_record.new_record(state.task, 9)
    textbook_record.write(record, 0, state.Z, state.task, 0.5)
    shown, c = textbook_record.readings(record, state.task, -1), ss.attention(params, task)
    np.testing.assert_allclose(shown["attention"], c.ravel(), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(shown["distinct"], c[0, 0, task.distinct[0]], rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(shown["common_mass"], ss.mass_on(c, task.common), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(shown["entropy"], ss.entropy(params, task), rtol=1e-9, atol=1e-12)


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
        const whole = (settings, seed) => {{
          const state = M.start(settings, seed);
          M.advance(state, M.steps_of(settings));
          return [M.read(state), state.Y, state.Z, state.random, state.step, state.diverged_at];
        }};
        const ends = (settings, seeds) => seeds.map(seed => {{
          const r = whole(settings, seed)[0], last = r.steps.length - 1, size = r.attention.length / r.steps.length;
          const top = r.attention[last * size + settings.common + settings.distinct - 1];
          return [r.entropy[last], r.common_mass[last], top, r.loss[last >> 1]];
        }});""")
    return page


def whole(settings, seed):
    state = textbook.start(settings, seed)
    textbook.advance(state, textbook.steps_of(settings))
    return [textbook.read(state), state.Y, state.Z, state.random, state.step, state.diverged_at]


def some_settings(rng):
    """Settings over the full ranges, extremes among them, cut so that a run costs some thousand inner operations."""
    queries = int(rng.integers(1, 4))
    K = queries * int(rng.integers(1 if queries > 1 else 2, 4))
    common, distinct = int(rng.choice([0, 1, 5, 10, 40])), int(rng.choice([1, 3, 10]))
    T = int(rng.choice([0, 2, round(8 * 128 ** rng.uniform())]))
    batch = max(1, min(128, 300 // max(T, 1)))
    cost = (batch if T else K) * (T + (common + distinct) * K)
    extreme = rng.uniform(size=2) < 0.1
    most = 5.0 if rng.uniform() < 0.2 else 2.0
    return Settings(
        T, K, queries, common, distinct,
        M=K if extreme[0] else K + round(10 ** rng.uniform(0, most)),
        lr_Y=0.0 if extreme[1] else float(10 ** rng.uniform(-3, 14 if rng.uniform() < 0.5 else 2)),
        lr_Z=float(10 ** rng.uniform(-3, 2)),
        optimiser=int(rng.integers(3)),
        batch=batch,
        spread=float(rng.choice([0.0, 1.0])) if most < 3 else 0.0,
        steps=max(1, min(60, 6_000 // cost)),
    )  # fmt: skip


def test_same_bits_in_the_page_at_200_settings(page):
    rng, diverged, endless = np.random.default_rng(8), 0, 0
    for seed in range(200):
        settings = some_settings(rng)
        ours = whole(settings, seed)
        assert bits(page.run(f"whole({literal(settings)}, {seed})")) == bits(ours), settings
        diverged += ours[-1] >= 0
        endless += settings.T == 0
    assert diverged > 5
    assert endless > 20


def test_nothing_is_read_outside_its_bounds_or_divided_by_zero():
    checked, rng = page_of(textbook, checked=True), np.random.default_rng(9)
    for seed in range(8):
        settings = some_settings(rng)
        script = f"(() => {{ const M = portable['{MODULE}'], s = M.start({literal(settings)}, {seed});"
        read = checked.run(script + " M.advance(s, 1e6); return [M.read(s), s.Y, s.Z, s.random]; })()")
        assert bits(read) == bits(whole(settings, seed)[:4]), settings


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


def test_slices_are_the_same_as_one_go():
    settings = Settings(T=20, batch=3, lr_Z=0.2, optimiser=2, steps=27)
    state = textbook.start(settings, 3)
    seen = [textbook.read(state)]
    for steps in (1, 0, 5, 13, 100, 4):
        textbook.advance(state, steps)
        seen.append(textbook.read(state))
    assert bits(seen[-1]) == bits(whole(settings, 3)[0])
    assert all(len(a["steps"]) <= len(b["steps"]) for a, b in pairwise(seen))
    assert seen[-1]["steps"] == [*range(25), 26, 27]


@pytest.mark.parametrize("steps", [0, 1, 24, 25, 100, 1234])
def test_records_are_whole_steps_from_the_first_to_the_last(steps):
    at = np.array(textbook_record.record_steps(steps))
    assert at[0] == 0
    assert at[-1] == steps
    assert (np.diff(at) >= 1).all()
    assert (np.diff(at) <= np.maximum(1, at[:-1] / 12)).all()


def test_attention_leaves_what_is_common_for_what_is_frequent(page):
    ends = np.array(page.run(f"ends({literal(Settings(batch=32))}, [0])"))
    # ten runs of the fast model end at 1.937 nats, 0.39 on common tokens and 0.179 on the most frequent distinct one
    np.testing.assert_allclose(ends[0, :3], [1.937, 0.39, 0.179], atol=0.05)


def test_run_takes_settings_by_name():
    readings = textbook.run(seed=5, T=24, batch=4, lr_Y=1, steps=6)
    assert bits(readings) == bits(whole(Settings(T=24, batch=4, lr_Y=1.0, steps=6), 5)[0])
    with pytest.raises(InputError, match="settings: expected some of T, K, queries"):
        textbook.run(Tee=24)
    with pytest.raises(InputError, match=r"T: expected a whole number, got 24\.0"):
        textbook.run(T=24.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (dict(T=1), "T: expected at least 2 tokens, the query among them, or 0, got 1"),
        (dict(K=1, queries=1), "K: expected at least 2 classes, got 1"),
        (dict(K=4, queries=3), "queries: expected a divisor of K, got 3"),
        (dict(common=-1), "common: expected at least 0 tokens, got -1"),
        (dict(distinct=0), "distinct: expected at least 1 token a class, got 0"),
        (dict(M=1), "M: expected at least K outputs, got 1"),
        (dict(lr_Y=float("nan")), "lr_Y: expected a finite rate of at least 0"),
        (dict(lr_Z=-0.1), "lr_Z: expected a finite rate of at least 0"),
        (dict(optimiser=3), "optimiser: expected 0, 1 or 2, got 3"),
        (dict(batch=0), "batch: expected at least 1 sequence, got 0"),
        (dict(spread=float("inf")), "spread: expected a number of at least 0"),
        (dict(steps=-1), "steps: expected at least 0 steps, got -1"),
    ],
)
def test_bad_settings_are_refused_alike(page, settings, message):
    with pytest.raises(InputError, match=message):
        textbook.start(Settings(**settings), 0)
    with pytest.raises(Exception, match=f"InputError: {message}"):
        page.run(f"M.start({literal(Settings(**settings))}, 0)")


def test_a_run_that_diverges_is_marked_and_stops():
    readings = textbook.run(T=16, lr_Y=1e12, batch=2, steps=20)
    at = readings["diverged_at"][0]
    assert 0 < at < 20
    assert readings["steps"][-1] <= at
