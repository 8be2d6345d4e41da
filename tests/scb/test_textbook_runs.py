"""The runs that record what an explorer draws: their numbers are the fast model's, their steps the textbook's."""

import numpy as np
import pytest

from hal.chapters.scb.runs import preconditioned
from lib import optim
from lib.models import scb
from lib.models.scb import textbook, textbook_pair, textbook_sign, textbook_stages, textbook_transfer
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_measures import distance_A, distance_V, rounded_distance_A
from lib.models.scb.textbook_ring import skewed_law
from lib.models.scb.textbook_transfer import OneStep
from lib.portable import finish
from lib.sampling import generators
from lib.theory import scb as theory
from tests.portable.engine import bits
from tests.scb.test_textbook import pair, params_of, task_of

SHORT = dict(T=24, N=3, lr=0.1, batch=6, threshold=0.004, stage1=40, stage2=30)


def test_pictures_do_not_change_the_run():
    settings = Settings(**SHORT, stage3=20)
    shown, plain = finish(textbook_stages, settings, 3), finish(textbook, settings, 3)
    assert bits({name: shown[name] for name in plain}) == bits(plain)
    assert bits(finish(textbook_sign, settings, 3)["alpha_V"]) == bits(plain["alpha_V"])


def test_pictures_are_of_the_run():
    settings = Settings(**SHORT, stage3=20)
    state = textbook_stages.start(settings, 3)
    seen = []
    while not textbook_stages.done(state):
        before = state.kept.count
        textbook_stages.step(state)
        if state.kept.count > before:
            seen.append((params_of(state.run).A[0], np.array(state.run.V)))
            so_far = textbook_stages.read(state)
            assert len(so_far["attention"]) == len(so_far["steps"]) * 3 * 24
            assert len(so_far["outputs"]) == len(so_far["steps"]) * 3 * 3
    shown = textbook_stages.read(state)
    A, V = (np.array(part) for part in zip(*seen, strict=True))
    np.testing.assert_array_equal(np.reshape(shown["attention"], (-1, 3, 24))[1:], A)
    np.testing.assert_array_equal(np.reshape(shown["outputs"], (-1, 3, 3))[1:], V)
    assert shown["rounded_A"][-1] == pytest.approx(shown["distance_A"][-1])


@pytest.mark.parametrize("mirror", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_same_distances(seed, mirror):
    state, task, params = pair(T=40, skew=0.5, seed=seed)
    A = np.full_like(params.A, 1 / 40) + (-0.6 if mirror else 0.6) * (task.Q - 1 / 40) + 0.05 * (params.A - 1 / 40)
    params = scb.Params(params.V, A)
    V, rows = params.V[0].T.tolist(), A[0].tolist()
    upright = scb.unmirror(params, task, np.array([mirror]))
    assert distance_V(V, state.task, mirror) == pytest.approx(scb.distance_V(upright, task)[0], rel=1e-10)
    assert distance_A(rows, state.task, mirror) == pytest.approx(scb.distance_A(upright, task)[0], rel=1e-10)
    rounded = scb.Params(params.V, scb.round_attention(scb.unmirror(params, task).A))
    assert rounded_distance_A(rows, state.task) == pytest.approx(scb.distance_A(rounded, task)[0], rel=1e-10)


def test_a_run_turned_round_by_stage_3_says_so():
    settings = Settings(T=128, N=2, batch=6, lr=0.04, stage1=90, stage3=5)
    readings = [finish(textbook_stages, settings, seed) for seed in range(20)]
    turned = [shown["mirrored"][0] for shown in readings]
    assert 0 < sum(turned) < 20
    for shown, flip in zip(readings, turned, strict=True):
        assert shown["alpha_A"][-1] > 0
        last = np.flatnonzero(np.array(shown["steps"]) <= 90)[-1]
        assert flip == (shown["alpha_A"][last] < 0)


def test_both_of_a_pair_see_the_same_tokens_and_part_at_the_switch():
    settings = Settings(**SHORT)
    same = finish(textbook_pair, settings._replace(threshold=0.0), 3)
    assert bits(same["sgd_A"]) == bits(same["prox_A"])
    shown = finish(textbook_pair, settings, 3)
    assert bits(shown["sgd_V"]) == bits(same["sgd_V"])
    apart = np.array(shown["sgd_A"]) != np.array(shown["prox_A"])
    np.testing.assert_array_equal(apart, np.array(shown["steps"]) > 40)
    assert shown["steps"][-1] == 70


@pytest.mark.parametrize("threshold", [0.0, 0.01])
def test_same_step_of_a_pair(threshold):
    """One step of the proximal run after the switch, on the same samples as the fast model's."""
    settings = Settings(T=24, batch=6, skew=0.7, lr=0.05, threshold=threshold, stage1=5, stage2=10)
    state = textbook_pair.start(settings, 0)
    single, task, params = pair(skew=0.7, lr=0.05)
    params = scb.Params(params.V - (params.V @ task.mu - task.mu)[..., None], params.A)
    batch = scb.sample(task, 6, generators([0]))
    _, gradient = scb.loss_and_gradient(params, batch, np.float64)
    updates = preconditioned(task, 0.05 / task.K_Q, 0.05 / task.K_P, threshold, keep_mean=True)
    moved, _ = updates.update(gradient, updates.init(params), params)
    expected = optim.apply_updates(params, moved)
    prox = state.prox
    prox.task, prox.V, prox.A, prox.step = single.task, params.V[0].T.tolist(), params.A[0].tolist(), 6
    for X, k, label in zip(batch.tokens()[0].tolist(), batch.last[0].tolist(), batch.label[0].tolist(), strict=True):
        textbook.add_sample(prox, X, k, label)
    textbook.descend(prox)
    textbook_pair.keep_mean(prox)
    np.testing.assert_allclose(params_of(prox).V, expected.V, rtol=0, atol=1e-10)
    np.testing.assert_allclose(params_of(prox).A, expected.A, rtol=0, atol=1e-10)


def test_sgd_of_a_pair_goes_where_the_closure_says():
    runs = [finish(textbook_pair, Settings(T=64, lr=0.04, batch=16, stage1=90, stage2=120), seed) for seed in range(6)]
    task = scb.ring_task(64, 4, 0.75, scb.even_weights(2))
    path = theory.closure(theory.constants(task.mu, task.P, task.Q), 0.04, 16, 210, record_at=[210])
    for name, wanted in (("sgd_V", path.error_V), ("sgd_A", path.error_A)):
        assert np.median([run[name][-1] for run in runs]) == pytest.approx(wanted[0], rel=0.15)


def test_a_mirrored_pair_is_measured_upright():
    runs = [
        finish(textbook_pair, Settings(T=128, N=2, batch=6, lr=0.04, stage1=85, stage2=5), seed) for seed in range(20)
    ]
    turned = [run for run in runs if run["mirrored"][0]]
    assert 0 < len(turned) < 20
    assert all(run["sgd_A"][-1] < 1.5 for run in turned)


@pytest.mark.parametrize("seed", range(5))
def test_same_transferred_start(seed):
    rho = (-1.0, -0.4, 0.0, 0.6, 1.0)[seed]
    state = textbook_transfer.start(OneStep(T=16, mu=skewed_law(3 + seed, 0.3 * seed), rho=rho), seed)
    task = task_of(state.run.task, 16)
    signal = np.array(state.run.V).T - task.mu[:, None]
    R = task.P - task.mu[:, None]
    np.testing.assert_allclose(signal.sum(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(signal @ task.mu, 0, atol=1e-12)
    assert scb.mu_inner(signal, R, task.mu) == pytest.approx(rho * float(task.K_P), abs=1e-12)
    assert scb.mu_inner(signal, signal, task.mu) == pytest.approx(float(task.K_P), rel=1e-9)


@pytest.mark.parametrize("Q", [1, 3])
def test_same_scores_and_the_same_support(Q):
    found = []
    for size in (30, 20_000):
        state = textbook_transfer.start(OneStep(T=24, Q=Q, rho=0.9), 5)
        task, V = task_of(state.run.task, 24), np.array(state.run.V).T
        params = scb.Params(V[None], np.full((1, 4, 24), 1 / 24))
        batch = scb.sample(task, size, generators([3]))
        _, gradient = scb.loss_and_gradient(params, batch, np.float64)
        wanted = -gradient.A[0] / task.mu[:, None]
        wanted -= wanted.mean(axis=1, keepdims=True)
        samples = zip(batch.tokens()[0].tolist(), batch.last[0].tolist(), batch.label[0].tolist(), strict=True)
        for X, k, label in samples:
            textbook.add_sample(state.run, X, k, label)
        state.samples = size
        np.testing.assert_allclose(textbook_transfer.scores(state), wanted, rtol=0, atol=1e-10)
        textbook_transfer.keep(state)
        shown = textbook_transfer.read(state)
        sizes = np.abs(wanted) / np.abs(wanted).max(axis=1, keepdims=True)
        np.testing.assert_allclose(np.reshape(shown["scores"], (4, 24)), sizes, rtol=0, atol=1e-9)
        assert shown["found"] == [float(scb.support_recovered(scb.Params(V[None], wanted[None] + 1 / 24), task)[0])]
        found += shown["found"]
    assert found == [0.0, 1.0]


def test_batches_grow_evenly_to_the_largest():
    shown = finish(textbook_transfer, OneStep(T=4, samples=1024), 0)
    assert shown["steps"][0] == 16
    assert shown["steps"][-1] == 1024
    assert len(shown["steps"]) == 49
    assert (np.diff(shown["steps"]) >= 1).all()
