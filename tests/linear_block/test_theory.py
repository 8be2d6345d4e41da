"""The theory: exact gradients, agreements between forms, singular covariances, refusals."""

import math

import numpy as np
import pytest

from hal.chapters.linear_block.models.one_step import random_task
from hal.chapters.linear_block.theory.attention import as_block, best_attention, small_mean_gap
from hal.chapters.linear_block.theory.rivals import long_risk
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.theory import linear_block as theory

FROZEN = lb.Task(np.diag([1.0, 0.5]), np.eye(2), [1.0, -1.0], math.sqrt(0.5), 10)


def test_attention_s_search_uses_exact_slopes(rng):
    from hal.chapters.linear_block.theory.attention import _solved

    task, omega, way = random_task(rng), rng.standard_normal(4), rng.standard_normal(4)
    found, slope = _solved(task, omega)
    up, down = (_solved(task, omega + s * way)[0].risk for s in (1e-5, -1e-5))
    assert (up - down) / 2e-5 == pytest.approx(slope @ way, rel=1e-6)
    assert theory.block_risk(task, as_block(task, found)) == pytest.approx(found.risk, rel=1e-10)


def test_endless_prompts():
    base = lb.power_task()
    step = theory.best_step(base)
    very = theory.step_risk(base.but(M=10**9), base.mean, step)
    assert long_risk(base, base.mean, step) == pytest.approx(float(very), rel=1e-6)


def test_a_flow_goes_on_from_where_it_was():
    path = theory.step_flow(FROZEN, [0.1, 1, 5])
    again = theory.step_flow(FROZEN, [4.0], path.beta[1], path.Gamma[1])  # from t = 1 to 5
    np.testing.assert_allclose(again.Gamma[0], path.Gamma[2], atol=1e-6)


def test_nothing_singular_is_inverted():
    task = lb.Task(np.diag([1.0, 0.5, 0.0]), np.diag([1.0, 0.0, 2.0]), [1.0, -1.0, 3.0], 0.4, 6)
    step, best = theory.best_step(task), theory.best_risk(task)
    assert theory.step_risk(task, task.mean, step) == pytest.approx(best, rel=1e-12)
    attention = best_attention(task)
    assert theory.block_risk(task, as_block(task, attention)) == pytest.approx(attention.risk, rel=1e-9)
    assert best < attention.risk <= theory.zero_start_risk(task) + 1e-12
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


def test_best_blocks_are_those_of_the_theorem(rng):
    """On the image of H only the factor c is free; off it everything is."""
    H = np.diag([1.0, 0.5, 0.3, 0.0])
    task = random_task(rng).but(H=H)
    step, best, off = theory.best_step(task), theory.best_risk(task), np.diag([0.0, 0.0, 0.0, 1.0])
    for _ in range(10):
        c, beta, q = rng.normal(), task.mean + off @ rng.standard_normal(4), off @ rng.standard_normal(4)
        unseen = off @ rng.standard_normal((4, 4)) + rng.standard_normal((4, 4)) @ off
        v = -c * task.mean + off @ rng.standard_normal(4)
        one = theory.Effective(beta, v, np.array(c), (step + unseen).T / c, q)
        assert float(theory.block_risk(task, one)) == pytest.approx(best, rel=1e-9)
        for name in ("alpha", "v", "Q", "q"):
            there = getattr(one, name)
            seen = H @ rng.standard_normal(there.shape)
            seen = seen @ H if seen.ndim == 2 else seen
            assert float(theory.block_risk(task, one._replace(**{name: there + seen}))) > best * (1 + 1e-6)
    one_way = lb.Task(H, np.diag([1.0, 0.0, 0.0, 0.0]), task.mean, 0.5, 7)
    keyed = theory.trap_block(one_way)
    assert keyed.c == 0
    assert float(theory.block_risk(one_way, keyed)) == pytest.approx(theory.best_risk(one_way))


def test_bayes_without_noise_is_the_limit():
    task = lb.power_task(d=6, M=3, sigma=0.0)
    Z = np.random.default_rng(0).standard_normal((300, 3, 6))
    small = theory.bayes_risk(task.but(sigma=1e-4), Z)
    assert theory.bayes_risk(task, Z) == pytest.approx(small, rel=1e-4)


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: theory.bayes_risk(FROZEN, np.zeros((5, 9, 2))), r"normals: expected \(n, 10, 2\), got \(5, 9, 2\)"),
        (lambda: theory.step_flow(FROZEN, [1.0], beta=[0.0]), r"beta: expected shape \(2,\), got \(1,\)"),
        (lambda: theory.step_flow(FROZEN, [1.0], Gamma=[0.0]), r"Gamma: expected shape \(2, 2\), got \(1,\)"),
        (lambda: small_mean_gap(lb.power_task(decay=1.0)), "H: expected the identity"),
    ],
)
def test_bad_arguments_are_refused(work, message):
    with pytest.raises(InputError, match=message):
        work()
