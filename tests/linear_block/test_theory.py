"""The theory: single searches, singular covariances, refusals."""

import math

import numpy as np
import pytest

from hal.chapters.linear_block.theory.attention import as_block, best_attention
from lib.models import linear_block as lb
from lib.theory import linear_block as theory
from tests.refusals import refused

FROZEN = lb.Task(np.diag([1.0, 0.5]), np.eye(2), [1.0, -1.0], math.sqrt(0.5), 10)


def test_nothing_singular_is_inverted():
    task = lb.Task(np.diag([1.0, 0.5, 0.0]), np.diag([1.0, 0.0, 2.0]), [1.0, -1.0, 3.0], 0.4, 6)
    step, best = theory.best_step(task), theory.best_risk(task)
    assert theory.step_risk(task, task.mean, step) == pytest.approx(best, rel=1e-12)
    attention = best_attention(task)
    assert theory.block_risk(task, as_block(task, attention)) == pytest.approx(attention.risk, rel=1e-9)
    assert best < attention.risk
    assert theory.trap_risk(task) == pytest.approx(float(theory.block_risk(task, theory.trap_block(task))))
    assert theory.trap_criterion(task) == math.inf  # one direction only: the trap is the optimum
    assert theory.trap_risk(task) == pytest.approx(best)
    path = theory.step_flow(task, [1.0, 400.0])
    np.testing.assert_allclose(path.beta[:, 2], 0.0, atol=1e-12)  # a direction that no feature has
    beta, Gamma = theory.flow_end(task, np.zeros(3), np.zeros((3, 3)))
    np.testing.assert_allclose(path.beta[-1], beta, atol=1e-5)
    np.testing.assert_allclose(path.Gamma[-1], Gamma, atol=1e-4)
    assert path.risk[-1] == pytest.approx(best, abs=1e-6)
    Z = np.random.default_rng(1).standard_normal((500, 6, 3))
    assert theory.bayes_floor(task) <= theory.bayes_risk(task, Z) <= best
    dead = lb.Task(np.diag([1.0, 0.0]), np.diag([0.0, 1.0]), [1.0, 1.0], 0.0, 3)  # labels have no variance
    assert theory.best_risk(dead) == theory.bayes_floor(dead) == 0.0
    assert not theory.best_step(dead).any()


test_bad_arguments_are_refused = refused(
    [
        (lambda: theory.bayes_risk(FROZEN, np.zeros((5, 9, 2))), r"normals: expected \(n, 10, 2\), got \(5, 9, 2\)"),
        (lambda: theory.step_flow(FROZEN, [1.0], beta=[0.0]), r"beta: expected shape \(2,\), got \(1,\)"),
        (lambda: theory.step_flow(FROZEN, [1.0], Gamma=[0.0]), r"Gamma: expected shape \(2, 2\), got \(1,\)"),
    ]
)
