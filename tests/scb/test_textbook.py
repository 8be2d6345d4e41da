"""The textbook model: the fast model's loss, gradient and steps, the same statistics, the same bits in the page."""

import numpy as np
import pytest

from hal.chapters.scb.runs import learn, preconditioned
from lib import optim
from lib.models import scb
from lib.models.scb import textbook, textbook_ring
from lib.models.scb.textbook import Settings
from lib.portable import run
from lib.portable.random_numbers import generator
from lib.sampling import generators
from tests.portable.engine import literal, page_of

MODULE = "lib.models.scb.textbook"


def pair(T=24, N=4, batch=6, seed=0, **settings):
    """A textbook state at a random point, and the same as a task and parameters of the fast model."""
    state = textbook.start(Settings(T=T, N=N, batch=batch, **settings), seed)
    rng = np.random.default_rng(seed)
    V, A = rng.normal(size=(N, N)), 1 / T + rng.normal(size=(N, T)) / T
    A += (1 - A.sum(axis=1, keepdims=True)) / T
    state.V, state.A = V.T.tolist(), A.tolist()
    return state, task_of(state.task, T), scb.Params(V[None], A[None])


def task_of(ring, T):
    Q = np.zeros((len(ring.mu), T))
    for row, places in zip(Q, ring.s, strict=True):
        row[places] = ring.w
    return scb.Task(np.array(ring.mu), np.array(ring.P).T, Q)


def params_of(state):
    return scb.Params(np.array(state.V).T[None], np.array(state.A)[None])


def fast_gradient(task, params, state, seed=0):
    """Loss and gradient of one batch by the fast model, and by the textbook on the same samples."""
    batch = scb.sample(task, state.settings.batch, generators([seed]))
    loss, gradient = scb.loss_and_gradient(params, batch, np.float64)
    state.grad_V, state.grad_A = np.zeros((task.N, task.N)).tolist(), np.zeros((task.N, task.T)).tolist()
    samples = zip(batch.tokens()[0].tolist(), batch.last[0].tolist(), batch.label[0].tolist(), strict=True)
    own = sum(textbook.add_sample(state, X, k, label) for X, k, label in samples) / state.settings.batch
    return loss[0], gradient, own


@pytest.mark.parametrize(("T", "N", "batch"), [(2, 2, 1), (24, 4, 6), (64, 3, 16), (33, 7, 5), (200, 12, 32)])
def test_same_batch_same_loss_and_gradient(T, N, batch):
    state, task, params = pair(T, N, batch, skew=0.4, c=0.6)
    loss, gradient, own = fast_gradient(task, params, state)
    assert own == pytest.approx(loss, rel=1e-10)
    np.testing.assert_allclose(np.array(state.grad_V).T, gradient.V[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(state.grad_A, gradient.A[0], rtol=0, atol=1e-10)


@pytest.mark.parametrize(("step", "threshold"), [(0, 0.01), (9, 0.0), (9, 0.01)])
def test_same_step_of_stages_1_and_2(step, threshold):
    state, task, params = pair(skew=0.7, lr=0.05, threshold=threshold, stage1=5, stage2=10)
    state.step = step
    _, gradient, _ = fast_gradient(task, params, state)
    level = threshold if step >= 5 else 0.0
    updates = preconditioned(task, 0.05 / task.K_Q, 0.05 / task.K_P, level)
    moved, _ = updates.update(gradient, updates.init(params), params)
    expected = optim.apply_updates(params, moved)
    textbook.descend(state)
    np.testing.assert_allclose(params_of(state).V, expected.V, rtol=0, atol=1e-10)
    np.testing.assert_allclose(params_of(state).A, expected.A, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("step", "rate"), [(0, 0.05), (3, 0.05), (4, 0.01), (8, 0.01)])
def test_same_step_of_stage_3(step, rate):
    state, task, params = pair(skew=0.7, lr=0.05, stage1=0, stage3=9)
    state.step = step
    _, gradient, _ = fast_gradient(task, params, state)
    move = -rate / task.K_Q * gradient.V[0] / task.mu
    move -= (move @ task.mu)[:, None]
    textbook.refine(state)
    np.testing.assert_allclose(params_of(state).V[0], params.V[0] + move, rtol=0, atol=1e-10)
    np.testing.assert_allclose(params_of(state).A, params.A, rtol=0, atol=0)


@pytest.mark.parametrize("mirror", [False, True])
def test_same_rounding_before_stage_3(mirror):
    state, task, params = pair(T=40, skew=0.5)
    A = np.full_like(params.A, 1 / 40) + (-0.6 if mirror else 0.6) * (task.Q - 1 / 40) + 0.02 * (params.A - 1 / 40)
    params = scb.Params(params.V, A)
    state.A = A[0].tolist()
    assert scb.mirrored(params)[0] == mirror
    textbook.round_attention(state)
    upright = scb.unmirror(params, task)
    np.testing.assert_allclose(params_of(state).V, upright.V, rtol=0, atol=1e-12)
    np.testing.assert_allclose(params_of(state).A, scb.round_attention(upright.A), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_same_task_and_same_measures(seed):
    rng = np.random.default_rng(seed)
    N, T, Q = int(rng.integers(2, 13)), int(rng.integers(12, 60)), int(rng.integers(1, 9))
    c, skew = rng.uniform(0.1, 1), rng.uniform(0, 2)
    ring = textbook_ring.ring_task(T, textbook_ring.skewed_law(N, skew), Q, c, generator(seed, 0))
    fast = scb.ring_task(T, N, c, scb.even_weights(Q), skew)
    np.testing.assert_allclose(ring.mu, fast.mu, rtol=1e-12)
    np.testing.assert_allclose(np.array(ring.P).T, fast.P, rtol=0, atol=1e-12)
    assert all(len(set(row)) == Q and min(row) >= 0 and max(row) < T for row in ring.s)
    state, task, params = pair(T, N, 2, seed, Q=Q, c=c, skew=skew)
    np.testing.assert_allclose([ring.K_P, ring.K_Q], [fast.K_P, fast.K_Q], rtol=1e-9)
    state.kept.count, state.step, state.loss = 0, 7, 0.5
    textbook.keep(state)
    shown = textbook.read(state)
    measures = {"alpha_V": scb.alpha_V, "alpha_A": scb.alpha_A, "off_flow": scb.distance_to_flow}
    for name, measure in measures.items():
        assert shown[name] == [pytest.approx(float(measure(params, task)[0]), rel=1e-9)]
    assert shown["steps"] == [7.0]
    assert np.isnan(shown["diverged_at"][0])


def test_many_seeds_have_the_fast_models_mean_and_spread():
    seeds, page = 150, page_of(textbook)
    settings = Settings(T=32, skew=0.5, lr=0.1, batch=8, stage1=60)
    page.do(f"""
        const M = portable["{textbook.__name__}"];
        const ends = (settings, seeds) => seeds.map((seed) => {{
          const state = M.start(settings, seed);
          while (!M.done(state)) M.step(state);
          const r = M.read(state), last = r.steps.length - 1;
          return [r.alpha_V[last], Math.abs(r.alpha_A[last]), r.off_flow[last], r.alpha_V[last >> 1]];
        }});""")
    textbook_runs = np.array(page.run(f"ends({literal(settings)}, {list(range(seeds))})"))
    task = scb.ring_task(32, 4, 0.75, scb.even_weights(2), 0.5)
    fast = learn(task, range(seeds), lr=0.1, batch=8, steps=60, record_at=[0, 30, 60])
    a = fast.arrays
    fast_runs = np.stack([a["alpha_V"][:, 2], np.abs(a["alpha_A"][:, 2]), a["off_flow"][:, 2], a["alpha_V"][:, 1]], 1)
    for ours, theirs in zip(textbook_runs.T, fast_runs.T, strict=True):
        error = np.sqrt((ours.var() + theirs.var()) / seeds)
        assert abs(ours.mean() - theirs.mean()) < 4 * error
        # the standard error of a spread, from the fourth moment
        fourth = [np.mean((x - x.mean()) ** 4) - x.var() ** 2 for x in (ours, theirs)]
        assert abs(ours.var() - theirs.var()) < 4 * np.sqrt(sum(fourth) / seeds)


def test_a_start_in_the_plane_is_where_it_says():
    state = textbook.start(Settings(T=30, N=5, Q=3, skew=0.5, start_V=-0.7, start_A=1.3), 4)
    task, params = task_of(state.task, 30), params_of(state)
    shown = textbook.read(state)
    assert scb.alpha_V(params, task)[0] == pytest.approx(-0.7) == shown["alpha_V"][0]
    assert scb.alpha_A(params, task)[0] == pytest.approx(1.3) == shown["alpha_A"][0]
    assert shown["off_flow"][0] < 1e-7
    np.testing.assert_allclose(params.A.sum(axis=-1), 1, rtol=1e-12)
    np.testing.assert_allclose(params.V.sum(axis=-2), 1, rtol=1e-12)


@pytest.mark.parametrize("steps", [1, 20, 47, 48, 49, 100])
def test_records_are_at_every_48th_part_rounded_up(steps):
    shown = run(textbook, T=8, batch=1, lr=0.01, stage1=steps)
    np.testing.assert_array_equal(shown["steps"], np.ceil(np.arange(49) * steps / 48))


def test_all_three_stages_learn_the_task():
    settings = dict(T=16, N=3, Q=1, c=1.0, lr=0.1, batch=64, threshold=0.002, stage1=60, stage2=60, stage3=120)
    state = textbook.start(textbook.Settings(**settings), 1)
    while not textbook.done(state):
        textbook.step(state)
    assert [sorted(np.flatnonzero(row)) for row in state.A] == [sorted(row) for row in state.task.s]
    np.testing.assert_allclose(np.array(state.V), state.task.P, atol=0.1)
