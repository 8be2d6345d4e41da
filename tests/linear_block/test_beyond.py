"""Beyond the paper: shifted means, heavy noise and many steps from zero, each against another way to compute it."""

import math

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.theory import linear_block as theory


def test_what_a_shift_costs(rng):
    task, shift = lb.random_task(rng), rng.standard_normal(4)
    moved = task.but(mean=task.mean + shift)
    paid = float(theory.step_risk(moved, task.mean, theory.best_step(task))) - theory.best_risk(task)
    assert theory.shift_cost(task, shift) == pytest.approx(paid, rel=1e-9)
    plain = lb.power_task(d=3, M=10, sigma=0.7)
    gain = theory.best_step(plain)[0, 0]
    assert theory.shift_cost(plain, [2.0, 0, 0]) == pytest.approx(4 * ((1 - gain) ** 2 + 4 * gain**2 / 10))
    with pytest.raises(InputError, match=r"shift: expected shape \(4,\), got \(3,\)"):
        theory.shift_cost(task, np.ones(3))


def test_bayes_with_the_old_mean(rng):
    task = lb.random_task(rng)
    normals = rng.standard_normal((50, task.M, 4))
    assert theory.shifted_bayes_risk(task, np.zeros(4), normals) == pytest.approx(theory.bayes_risk(task, normals))
    shift = rng.standard_normal(4)
    left = []  # what the rule makes of labels without noise and without deviation
    for one in normals:
        X = one @ task.H_root
        prompts = lb.Prompts(*(x[None, None] for x in (X, X @ (task.mean + shift))), np.eye(4)[None], np.zeros((1, 4)))
        prompts = lb.Prompts(*(np.repeat(x, 4, axis=1) for x in prompts[:2]), *prompts[2:])
        off = task.mean + shift - lb.bayes_output(task, prompts)[0]
        left.append(off @ task.H @ off)
    known = theory.bayes_risk(task, normals) + np.mean(left)
    assert theory.shifted_bayes_risk(task, shift, normals) == pytest.approx(known, rel=1e-9)
    with pytest.raises(InputError, match="sigma: expected a number above 0"):
        theory.shifted_bayes_risk(task.but(sigma=0.0), shift, normals)
    with pytest.raises(InputError, match="normals: expected"):
        theory.shifted_bayes_risk(task, shift, normals[:, 1:])


def test_heavy_noise(rng):
    task = lb.random_task(rng)
    step = theory.Effective(task.mean, -task.mean, np.array(1.0), theory.best_step(task), np.zeros(4))
    assert float(theory.heavy_noise_risk(task, step, math.inf)) == pytest.approx(float(theory.block_risk(task, step)))
    keyed = step._replace(q=np.ones(4))
    added = float(theory.heavy_noise_risk(task, keyed, 2.0)) - float(theory.block_risk(task, keyed))
    assert added == pytest.approx(2 * task.sigma**4 * task.H.sum() / task.M)
    assert float(theory.heavy_noise_risk(task, keyed, math.inf)) == math.inf
    with pytest.raises(InputError, match="excess: expected a number of at least -2, got -3"):
        theory.heavy_noise_risk(task, keyed, -3)


@pytest.mark.parametrize(("d", "M"), [(3, 12), (5, 3)])
def test_steps_from_zero(rng, d, M):
    task = lb.power_task(d=d, M=M, sigma=0.8, norm=2.0)
    spectra = theory.context_spectra(task, rng.standard_normal((3000, M, d)))
    rates = [0.3, 0.7, 0.2]
    found = runs.query_errors(lambda prompts: lb.descent_output(rates, prompts), task, 100_000, 0).mean()
    assert theory.steps_risk(task, rates, spectra) == pytest.approx(found, rel=0.03)
    assert theory.steps_risk(task, [], spectra) == pytest.approx(theory.prior_risk(task) + 4.0)
    one = np.array([theory.shared_rate(task, 1, spectra)])
    assert theory.steps_risk(task, one, spectra) == pytest.approx(theory.best_steps_risk(task, 1, spectra), rel=1e-6)
    for k in (2, 4):
        rate = theory.shared_rate(task, k, spectra)
        shared = theory.steps_risk(task, np.full(k, rate), spectra)
        assert shared <= min(theory.steps_risk(task, np.full(k, f * rate), spectra) for f in (0.98, 1.02))
        assert theory.endless_steps_risk(task, spectra) < theory.best_steps_risk(task, k, spectra) < shared
    assert theory.best_steps_risk(task, 25, spectra) == pytest.approx(
        theory.endless_steps_risk(task, spectra), rel=1e-3
    )


def test_endless_steps_are_ridge_regression(rng):
    task = lb.power_task(d=3, M=6, sigma=0.8, norm=2.0)
    around_zero = task.but(mean=np.zeros(3), Psi=np.eye(3) * (1 + 4 / 3))
    normals = rng.standard_normal((200, 6, 3))
    spectra = theory.context_spectra(task, normals)
    assert theory.endless_steps_risk(task, spectra) == pytest.approx(theory.bayes_risk(around_zero, normals))


def test_how_many_steps_match_the_learned_start(rng):
    def count(M, norm, **more):
        task = lb.power_task(d=4, M=M, norm=norm)
        return theory.steps_to_match(task, theory.context_spectra(task, rng.standard_normal((2000, M, 4))), **more)

    assert count(16, 0.0) == 1
    assert count(2, 5.0) == math.inf
    assert count(16, 8.0) <= count(16, 8.0, shared=True) < 12
    assert count(16, 8.0, most=2) == math.inf
    task = lb.power_task(d=4, M=16)
    with pytest.raises(InputError, match="H: expected the identity"):
        theory.context_spectra(lb.power_task(d=4, M=16, decay=1.0), rng.standard_normal((5, 16, 4)))
    with pytest.raises(InputError, match=r"normals: expected \(n, 16, 4\)"):
        theory.context_spectra(task, rng.standard_normal((5, 8, 4)))
    with pytest.raises(InputError, match="Psi: expected a multiple of the identity"):
        theory.steps_to_match(task.but(Psi=np.diag([1.0, 2, 3, 4])), np.ones((1, 4)))


def test_steps_from_elsewhere(rng):
    task = lb.power_task(d=3, M=5)
    prompts = task.sample(4, [rng])
    np.testing.assert_allclose(lb.descent_output([], prompts, task.mean), prompts.x @ task.mean)
    step = lb.Step(task.mean[None], 0.3 * np.eye(3)[None])
    np.testing.assert_allclose(lb.descent_output([0.3], prompts, task.mean), lb.step_output(step, prompts), rtol=1e-12)
