"""The chapter's standard runs: definitions, sums of what they measure, limits that are known, and bad input."""

import sys

import numpy as np
import pytest

from hal.chapters.scan_snap import runs
from lib.attention import softmax
from lib.errors import DivergedError, InputError
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory


def test_replaced_gradient_is_that_of_the_lemma():
    rng = np.random.default_rng(1)
    task = ss.Task(rng.dirichlet(np.ones(7), size=3), np.zeros(3, dtype=int), 12, None)
    params = ss.Params(rng.standard_normal((2, task.C, task.M)), rng.standard_normal((2, task.Q, task.C)))
    _, true = ss.loss_and_gradient(params, ss.population(task), task)
    transform = runs.replace_gradient(task)
    found, _ = transform.update(true, transform.init(params), params)
    for r in range(2):
        f = theory.decoder_inputs(task.P, params.Z[r], task.query)
        E_prime = theory.modified_overlaps(theory.correlations(f))
        delta = np.eye(task.K, task.M) - softmax(f @ params.Y[r])
        expected = -sum(np.outer(f[n] - f.T @ E_prime[:, n], delta[n]) for n in range(task.K)) / task.K
        np.testing.assert_allclose(found.Y[r], expected, atol=1e-12)
    np.testing.assert_array_equal(found.Z, true.Z)


def test_speeds_are_slopes_of_the_paths():
    run = runs.both(ss.base_task(L=None), 1.0, 1.0, [9.999, 10.0, 10.001])
    for z, speed in ((run.joint, run.joint_speed), (run.reference, run.reference_speed)):
        np.testing.assert_allclose((z[2] - z[0]) / 0.002, speed[1], atol=2e-5)


def test_syn_small_is_the_chapters_training_run_and_its_measures_add_up():
    run = runs.syn_small([0, 1], steps=8, record_at=[0, 4, 8])
    np.testing.assert_allclose(run.attention.sum(axis=-1), 1)
    np.testing.assert_allclose(run.distinct.sum(axis=-1) + run.common, 1)
    p = run.distinct / run.distinct.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(run.entropy, -(p * np.log(p)).sum(axis=-1).mean(axis=-1))
    assert not run.z_common[:, 0].any()
    assert run.z_distinct.shape == (2, 3, 2, 10)
    assert (run.z_distinct[:, -1, :, -1] > 0.1).all()  # both classes' own most frequent token, under their own query
    task = ss.base_task()
    alone = runs.learn(task, [1], steps=8, record={"Z": lambda p: p.Z}, record_at=[0, 8])
    np.testing.assert_array_equal(run.z_common[1, -1], alone["Z"][0, -1][:, task.common])


ALIKE = np.full((2, 3), 1 / 3)  # laws of two classes
WILD = runs.rates(1e308, 1e308)


@pytest.mark.parametrize("run", [lambda: runs.syn_small([0, 1], WILD), lambda: runs.memory(WILD)])
def test_a_run_that_diverged_has_no_numbers(run):
    with pytest.raises(DivergedError, match="run 0 at step"):
        run()


def test_a_flow_that_would_take_hours_says_why(monkeypatch):
    monkeypatch.setattr(sys.modules[runs.flow.__module__], "_MOST", 50)
    with pytest.raises(DivergedError, match=r"flow: not at time 1000, but at .*: 50 evaluations"):
        runs.flow(ss.base_task(L=None), 1e-3, 1e3, [1000.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: runs.learn(ss.base_task(), [0, 1], runs.rates(1.0, [1.0, 2.0, 3.0])), r"lr: .*a run \(2\), got 3"),
        (lambda: runs.rates(np.nan), "lr_Y: .*finite"),
        (lambda: runs.rates(1.0, -1.0), "lr_Z: .*at least 0"),
        (lambda: runs.learn(ss.base_task(), []), "seeds"),
        (lambda: runs.flow(ss.base_task(), 0.0, 1.0, [1.0]), "lr_Y: .*positive"),
        (lambda: runs.flow(ss.base_task(), 1.0, 1.0, [2.0, 1.0]), "times: .*increasing"),
        (lambda: runs.learn_replaced(ss.base_task(), []), "seeds: .*at least one"),
        (lambda: runs.learn_replaced(ss.Task(ALIKE, np.zeros(2, dtype=int), 4), steps=1), "task: .*indep"),
        (lambda: runs.common_logits(1.0, 1.0), r"rho: .*\(0, 1\)"),
        (lambda: runs.syn_small([0], task=ss.base_task(K=3)), "task: .*2 queries"),
        (lambda: runs.memory(decay=-1.0), "decay: .*>= 0"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
