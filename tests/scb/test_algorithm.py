"""The three-stage algorithm put together: its step, its stages, its refusals, and runs that diverge."""

import re

import numpy as np
import pytest

from hal.chapters.scb import models
from hal.chapters.scb.runs import learn, preconditioned, stack, stages
from lib import optim
from lib.errors import InputError
from lib.models import scb
from lib.sampling import generators

TASK = scb.ring_task(T=48, rng=3)


def random_params(task, runs, seed=0):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(runs, task.N, task.T)) / 10
    return scb.Params(rng.normal(size=(runs, task.N, task.N)), A + (1 - A.sum(-1, keepdims=True)) / task.T)


def test_the_step_is_the_paper_s_formula():
    """Equations (4) to (6), with explicit projectors, on one minibatch."""
    task = models.random_task(20, 3, 2, skew=0.5, rng=0)
    p = random_params(task, 1)
    p = scb.Params(p.V + (1 - p.V.sum(1, keepdims=True)) / 3, p.A)
    _, g = scb.loss_and_gradient(p, scb.sample(task, 8, generators([0])), np.float64)
    optimiser = preconditioned(task, 0.1, 0.2, 0.01)
    new = optim.apply_updates(p, optimiser.update(g, optimiser.init(p), p)[0])
    D = np.diag(1 / task.mu)
    V = p.V[0] - 0.1 * (np.eye(3) - 1 / 3) @ g.V[0] @ D
    columns = p.A[0].T - 0.2 * (np.eye(20) - 1 / 20) @ g.A[0].T @ D
    columns = np.sign(columns) * np.maximum(np.abs(columns) - 0.01, 0)
    columns += (1 - columns.sum(axis=0)) / 20
    np.testing.assert_allclose(new.V[0], V, atol=1e-14)
    np.testing.assert_allclose(new.A[0], columns.T, atol=1e-14)


def test_stages_switch_once_and_for_each_run():
    assert [stages(2, 0.1, 0.3)(s) for s in range(4)] == [0.1, 0.1, 0.3, 0.3]
    each = stages(np.array([1, 3]), 0.1, np.array([0.2, 0.3]))
    np.testing.assert_array_equal([each(s) for s in range(4)], [[0.1, 0.1], [0.2, 0.1], [0.2, 0.1], [0.2, 0.3]])


def test_stage_two_begins_at_the_switch():
    common = {"lr": 0.05, "batch": 8, "steps": 40, "record_at": range(41)}
    plain = learn(TASK, [0], **common)
    prox = learn(TASK, [0], switch=25, threshold=1e-3, **common)
    same = plain["distance_A"] == prox["distance_A"]
    assert same[0, :26].all()
    assert not same[0, 26:].any()


def test_streams_of_a_seed_are_independent_of_each_other_and_of_other_seeds():
    streams = [rng.random(4000) for purpose in (0, 1, 2, 3) for rng in generators([0, 1, 2], purpose)]
    assert np.abs(np.corrcoef(streams) - np.eye(len(streams))).max() < 5 / np.sqrt(4000)
    np.testing.assert_array_equal(generators([5])[0].random(3), generators([4, 5])[1].random(3))
    with pytest.raises(InputError, match="seed: expected a whole number >= 0, got -1"):
        generators([-1])


def test_runs_together_equal_runs_alone_and_a_diverging_run_disturbs_nobody():
    tasks = [models.random_task(40, 3, 2, kappa=0.2, rng=s) for s in range(3)]
    lr, levels = np.array([0.02, 1e4, 0.05]), np.array([1e-3, 0.0, 2e-3])
    common = {"batch": 4, "steps": 60, "switch": 30}
    with np.errstate(all="raise"):  # the loop itself reports what overflows
        together = learn(stack(tasks), [4, 5, 6], lr=lr, threshold=levels, **common)
    assert (together.diverged_at >= 0).tolist() == [False, True, False]
    assert 0 < together.diverged_at[1] < 60
    assert np.isnan(together["distance_V"][1, -1])
    for r in range(3):
        alone = learn(tasks[r], [4 + r], lr=float(lr[r]), threshold=float(levels[r]), **common)
        assert alone.diverged_at[0] == together.diverged_at[r]
        for name in together.arrays:
            np.testing.assert_array_equal(alone[name][0], together[name][r], err_msg=name)
        for x, y in zip(alone.params, together.params, strict=True):
            np.testing.assert_array_equal(x[0], y[r])


GOOD = {"lr": 0.02, "batch": 4, "steps": 3}


@pytest.mark.parametrize(
    ("seeds", "change", "message"),
    [
        ([0], {"lr": -0.1}, "lr: expected a finite number >= 0, got -"),
        ([0], {"lr": np.nan}, "lr: expected a finite number >= 0, got nan"),
        ([0, 1], {"lr": np.array([0.1, -0.1])}, "lr: expected a finite number >= 0, got ["),
        ([0], {"lr": np.array([0.1, 0.2])}, "lr: expected one value a run (1), got 2"),
        ([0], {"switch": 1, "lr_after": -1.0}, "lr_after: expected a finite number >= 0, got -"),
        ([0], {"lr": "a"}, "lr: expected a finite number >= 0, an array (R,) of them, or a function of the step"),
        ([0], {"switch": 1, "threshold": -1e-3}, "threshold: expected a finite number >= 0, got -0.001"),
    ],
)
def test_learn_refuses_bad_settings(seeds, change, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}"):
        learn(TASK, seeds, **{**GOOD, **change})


def test_stack_refuses_what_does_not_fit():
    with pytest.raises(InputError, match=r"^tasks: expected at least one task, got none$"):
        stack([])
    with pytest.raises(InputError, match=r"^tasks: expected tasks of one shape \(N, T\), got \[\(4, 8\), \(4, 9\)\]$"):
        stack([scb.ring_task(T=8), scb.ring_task(T=9)])
    assert stack([TASK, TASK]) is TASK
