"""Syn-Small runs, the memory of the decoder, scan order: limits that are known, and bad input."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs.late_times import entropy_by_ratio, late
from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.chapters.scan_snap.runs.order import scan_order
from hal.chapters.scan_snap.runs.remembering import memory, remembered_gain
from hal.chapters.scan_snap.runs.small import entropy_by_common, entropy_by_length, syn_small
from lib import optim
from lib.errors import DivergedError, InputError
from lib.models import scan_snap as ss


def test_syn_small_measures_add_up():
    run = syn_small([0, 1], steps=8, record_at=[0, 4, 8])
    np.testing.assert_allclose(run.attention.sum(axis=-1), 1)
    np.testing.assert_allclose(run.distinct.sum(axis=-1) + run.common, 1)
    p = run.distinct / run.distinct.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(run.entropy, -(p * np.log(p)).sum(axis=-1).mean(axis=-1))
    assert not run.z_common[:, 0].any()
    assert run.z_distinct.shape == (2, 3, 2, 10)
    assert (run.z_distinct[:, -1, :, -1] > 0.1).all()  # both classes' own most frequent token, under their own query


def test_syn_small_is_the_chapters_training_run():
    task = ss.base_task()
    run = learn(task, [5], steps=10, record={"Z": lambda p: p.Z}, record_at=[0, 10])
    np.testing.assert_array_equal(syn_small([5], steps=10).z_common[0, -1], run["Z"][0, -1][:, task.common])


def test_a_seed_does_not_depend_on_its_neighbours():
    together, alone = syn_small([3, 4], steps=5), syn_small([4], steps=5)
    np.testing.assert_array_equal(together.attention[1], alone.attention[0])


def test_other_data_are_measured_on_the_same_tokens():
    base = ss.base_task(L=None)
    same = syn_small([0], L=None, steps=5, task=ss.Task(base.P, base.query, base.M, None))
    np.testing.assert_array_equal(same.distinct, syn_small([0], L=None, steps=5).distinct)


def test_entropy_against_length_and_common_tokens():
    by_length = entropy_by_length([31, None], [0, 1])
    assert by_length.shape == (2, 2)
    assert by_length[1].max() - by_length[1].min() < 1e-12  # nothing random at infinite length
    assert (by_length[0] < by_length[1]).all()
    entropy, size = entropy_by_common([0, 10])
    assert size[0] < 1e-12 < 0.5 < size[1]
    assert entropy[1] == pytest.approx(by_length[1, 0], abs=1e-12)


def test_memory_starts_at_theorem_3_and_leaves_it():
    run = memory(steps=100)
    moved = run.chi > 1.01
    assert run.chi[0] == 1
    assert np.abs(run.gain[~moved] - 1).max() < 0.01
    assert (run.gain[-1] < 1).all()
    weights = np.linspace(0.1, 1, 10)
    assert np.abs(run.gain - remembered_gain(weights, run.chi)).max() < 0.01
    assert memory(rates(make=optim.sgd), steps=20).chi[-1] < run.chi[-1]


def test_remembered_gain_is_one_at_the_start():
    np.testing.assert_allclose(remembered_gain(np.array([0.1, 0.5, 1.0]), np.array([1.0])), 1)


def test_scan_order_of_one_step_runs_and_flow():
    flow = scan_order(np.arange(60.0))
    steps = scan_order(np.arange(60.0), rates(make=optim.sgd))
    np.testing.assert_allclose(steps.share[-1], flow.share[-1], atol=0.005)
    assert abs(flow.lost[0] - steps.lost[0]) <= 2
    assert np.isinf(flow.lost[-1])  # the most frequent token gains
    never = scan_order(np.arange(60.0), task=ss.base_task(common=0))
    assert np.isinf(never.lost).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: syn_small([0, 1], rates(1e308, 1e308)),
        lambda: memory(rates(1e308, 1e308)),
        lambda: scan_order([0.0, 50.0], rates(1e308, 1e308)),
    ],
)
def test_a_run_that_diverged_has_no_numbers(make):
    with pytest.raises(DivergedError, match="run 0 at step"):
        make()


def test_late_and_ratio_shapes():
    run = late(50.0, decades=1)
    assert run.per_decade.shape == (1,)
    assert run.per_decade[0] == pytest.approx(run.logit[-1] - run.logit[0])
    assert entropy_by_ratio([1.0, 2.0], 10.0).shape == (2,)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: syn_small([0], task=ss.base_task(K=3)), "task: .*2 queries"),
        (lambda: entropy_by_length([0], [0]), "L: .*at least 1"),
        (lambda: entropy_by_common([-1]), "common: .*at least 0"),
        (lambda: memory(decay=-1.0), "decay: .*>= 0"),
        (lambda: scan_order([0.0, 1.0], "adamw"), "dynamics: .*adamw"),
        (lambda: scan_order([0.0, 0.5], rates()), "times: .*whole"),
        (lambda: scan_order([0.0, 1.0], part=1.0), "part: .*1.0"),
        (lambda: late(1.0), "first: .*above 1"),
        (lambda: late(10.0, decades=0), "decades: .*>= 1"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
