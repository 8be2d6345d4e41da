"""The textbook and its kin: the three stages by the fast model, laws, edges."""

import numpy as np
import pytest

from hal.chapters.scb import models
from hal.chapters.scb.figures import sign, stages
from hal.chapters.scb.models import textbook_pair
from hal.chapters.scb.models.textbook_measures import distance_A, skewed_law
from hal.chapters.scb.runs import finish as finish_fast
from hal.chapters.scb.runs import learn
from hal.chapters.scb.runs.replay import samples, task_of
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.portable import finish
from lib.train import GivenBatches


def pair(T=24, N=4, seed=0, skew=0.0, **settings):
    """A textbook state at a random point, and the same as a task and parameters of the fast model."""
    state = textbook.start(Settings(T=T, mu=skewed_law(N, skew), **settings), seed)
    rng = np.random.default_rng(seed)
    V, A = rng.normal(size=(N, N)), 1 / T + rng.normal(size=(N, T)) / T
    A += (1 - A.sum(axis=1, keepdims=True)) / T
    state.V, state.A = V.T.tolist(), A.tolist()
    return state, task_of(state.task, T), scb.Params(V[None], A[None])


def test_the_three_stages_are_those_of_the_fast_model_on_the_same_samples():
    chosen = dict(lr=0.1, batch=8)
    settings = Settings(T=24, mu=skewed_law(4, 0.7), threshold=0.01, stage1=60, stage2=20, stage3=16, **chosen)
    state, given = textbook.start(settings, 0), samples(settings, 0, 96)
    task = task_of(state.task, 24)
    while not textbook.done(state):
        textbook.step(state)
    model, known = scb.LinearTransformer(task, np.float64), {"record_at": [0, 80], "steps": 80}
    run = learn(task, [0], switch=60, threshold=0.01, model=GivenBatches(model, given[:80]), **known, **chosen)
    known = {"record_at": [0, 16], "steps": 16}
    last = finish_fast(task, run.params, [0], model=GivenBatches(model, given[80:]), **known, **chosen).params
    np.testing.assert_allclose(np.array(state.V).T, last.V[0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(state.A, last.A[0], rtol=0, atol=1e-9)


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_same_distances_and_the_same_rounding_upright_and_mirrored(seed, mirror):
    state, task, params = pair(T=40, skew=0.5, seed=seed)
    A = np.full_like(params.A, 1 / 40) + (-0.6 if mirror else 0.6) * (task.Q - 1 / 40) + 0.05 * (params.A - 1 / 40)
    params = scb.Params(params.V, A)
    state.A = A[0].tolist()
    assert models.mirrored(params)[0] == mirror
    upright = models.unmirror(params, task)
    assert distance_A(state.A, state.task, mirror) == pytest.approx(scb.distance_A(upright, task)[0], rel=1e-10)
    rounded = scb.Params(upright.V, models.round_attention(upright.A))
    textbook.round_attention(state)
    np.testing.assert_allclose(np.array(state.V).T, rounded.V[0], rtol=0, atol=1e-12)
    np.testing.assert_allclose(state.A, rounded.A[0], rtol=0, atol=1e-12)


def test_stage_3_turns_a_mirrored_run_round():
    settings, turned = Settings(T=128, mu=[0.5, 0.5], batch=6, lr=0.04, stage1=90, stage3=5), 0
    for seed in range(20):
        shown = finish(textbook, settings, seed)
        assert shown["alpha_A"][-1] > 0
        turned += shown["alpha_A"][np.flatnonzero(np.array(shown["steps"]) <= 90)[-1]] < 0
    assert 0 < turned < 20


def test_a_mirrored_pair_is_measured_upright():
    settings = Settings(T=128, mu=[0.5, 0.5], batch=6, lr=0.04, stage1=85, stage2=5)
    runs = [finish(textbook_pair, settings, seed, stages.probe, stages.at_end) for seed in range(20)]
    turned = [run for run in runs if run["mirrored"][0]]
    assert 0 < len(turned) < 20
    assert all(run["sgd_A"][-1] < 1.5 for run in turned)


@pytest.mark.parametrize("path", [[0.0, -0.2, 0.1, 0.2, -0.3], [0.0, 0.2, -0.1, -0.2, 0.3]])
def test_path_of_a_run_is_told_upright_or_mirrored_by_its_last_sign(path):
    """Whole, its last record among it; the other one is empty, whatever the sign was before."""
    told = sign.at_end(None, path, path)
    names = ("upright", "mirrored") if path[-1] > 0 else ("mirrored", "upright")
    np.testing.assert_array_equal(told[names[0]], path)
    assert np.isnan(told[names[1]]).all()
