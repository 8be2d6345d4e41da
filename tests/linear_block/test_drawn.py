"""Every line and bar of the chapter's figures, at random positions of the sliders, against the same found another way.

What is drawn is `Computed(module).compute(...)`; the other way is here: moments by Wick's rule and linear systems in
NumPy, the library's search and its integrator, and training by the fast model or by hand on the same prompts.
"""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import training
from hal.chapters.linear_block.runs.training import PopulationBlock
from hal.chapters.linear_block.theory.attention import best_attention
from hal.chapters.linear_block.theory.search import attention_by_length, best_attention_risk
from hal.figure import Computed
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.theory import linear_block as theory
from lib.train import train
from tests.linear_block.rows import task_of


def positions(figure, count, seed, **narrow):
    """Random positions of all sliders, ends and odd values among them; `narrow` puts a range in place of a slider's."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        found = {}
        for name, control in figure.controls_by_name.items():
            low, high = narrow.get(name, (control.low, control.high))
            value = rng.choice([low, high]) if rng.uniform() < 0.25 else rng.uniform(low, high)
            found[name] = round(value) if control.integer or isinstance(control.default, int) else float(value)
        yield found


def moments(task, A, noise):
    """E[s s'] and E[s t'] of s = S t + g for a vector t with second moment A, where rows have the covariance H."""
    H, M = task.H, task.M
    pairs = np.einsum("ij,kl->ijkl", H, H)
    wick = pairs + pairs.transpose(0, 2, 1, 3) + pairs.transpose(0, 3, 2, 1)  # E x_i x_j x_k x_l
    square = (M - 1) / M * H @ A @ H + np.einsum("ijkl,jk->il", wick, A) / M
    return square + noise / M * H, H @ A


def risk_of(task, start, Gamma):
    """The risk of one step: the quadratic in its matrix, by these moments."""
    away = task.mean - start
    A = task.Psi + np.outer(away, away)
    square, cross = moments(task, A, task.sigma**2)
    label = task.sigma**2 + np.trace(task.H @ A)
    return label - 2 * np.trace(task.H @ Gamma @ cross) + np.trace(task.H @ Gamma @ square @ Gamma.T)


def best_of(task, start):
    """Matrix and risk of the best step from a start, by a linear system."""
    away = task.mean - start
    square, cross = moments(task, task.Psi + np.outer(away, away), task.sigma**2)
    Gamma = np.linalg.lstsq(square, cross, rcond=None)[0].T
    return Gamma, risk_of(task, start, Gamma)


@pytest.mark.parametrize(
    ("d", "M", "norm", "sigma", "decay"), [(11, 16, 16, 4, 2), (4, 16, 6.8, 3.17, 2), (8, 91, 15.6, 2.33, 2)]
)
def test_attention_finds_the_lower_of_its_valleys(d, M, norm, sigma, decay):
    """Settings at which two valleys lie 0.1 to 0.2 % apart, along lengths and alone."""
    task = lb.power_task(d, M, sigma, norm, decay)
    h, mean, known = np.diag(task.H).tolist(), task.mean.tolist(), best_attention(task).risk
    lengths = [2.0, 3.0, 4.0, 6.0, 8.0, 11.0, 16.0, 23.0, 32.0, 45.0, 64.0, 91.0, 128.0]
    along = attention_by_length(h, 1.0, mean, sigma, lengths)[lengths.index(M)]
    single = best_attention_risk(h, 1.0, mean, sigma, float(M))
    assert max(along, single) <= known * (1 + 1e-7)
    assert min(along, single) > 0.99 * known


def way_of(task, point):
    """(d,) the unit vector of the prior mean, which has one where its length is zero."""
    way = np.arange(1, task.d + 1) ** point["tilt"]
    return way / np.linalg.norm(way)


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
def test_training_is_the_fast_model_s_from_the_same_start(kind, monkeypatch):
    """Whole lines of 30 steps to 1e-6: risk by the general formula, alpha, gain and length of q from the matrices."""
    monkeypatch.setattr(training, "STEPS", 30)
    monkeypatch.setattr(training, "LONG", 30)
    figure = Computed(training)
    for point in positions(figure, 3, 30 + kind, kind=(kind, kind), scale=(0.05, 0.3), norm=(0, 3), sigma=(0.1, 2)):
        settings = figure.settings_of(**figure.check(point))
        (run,), task = figure.compute(point, seed=3).runs, task_of(point)
        n, mlp = task.d + 1, kind < 2
        weights = lb.Weights(*np.array(textbook.start(settings, 3).W).reshape(6, 1, n, n))
        problem, u = PopulationBlock(task, mlp), way_of(task, point)

        def read(params, task=task, mlp=mlp, u=u):
            alpha, _, c, Q, q = block = theory.Effective(*lb.effective_of(params, mlp))
            gain = c * np.einsum("i,rij,j->r", u, Q, u)
            return np.stack([theory.block_risk(task, block), alpha @ u, gain, np.linalg.norm(q, axis=1)], axis=-1)

        optimiser = (optim.adam if settings.adam else optim.sgd)(settings.lr)
        path = train(problem, weights, optimiser, 30, record={"read": read}, record_at=list(range(31)))["read"][0]
        for j, name in enumerate(("risk", "alpha", "along", "labels")):
            found = np.array(run[name])
            steps = np.array(run["steps"][: len(found)], dtype=int)
            np.testing.assert_allclose(found, path[steps, j], rtol=1e-6, atol=1e-7, err_msg=name)


def test_levels_of_training_at_random_positions():
    figure = Computed(training)
    for point in positions(figure, 8, 40, d=(2, 4)):
        drawn, task = figure.compute(point, runs=0).theory, task_of(point)
        Gamma, least = best_of(task, task.mean)
        u, prior, alone = way_of(task, point), risk_of(task, task.mean, 0 * Gamma), best_attention(task).risk
        single = {"best": least, "prior": prior, "alone": alone}
        known = {"over_prior": prior - least, "mean": point["norm"], "gain": u @ Gamma @ u}
        known |= {"over_alone": alone - least} if point["kind"] > 1 else {}
        keyed = theory.block_risk(task, theory.trap_block(task))
        own = point["kind"] != 2
        if own and theory.trap_criterion(task) > 1:
            known["over_trap"], single["trapped"] = float(keyed) - least, float(keyed)
        else:
            assert np.isnan(drawn["laws.over_trap"]).all()
        for name, value in known.items():
            assert set(drawn[f"laws.{name}"]) == {drawn[f"laws.{name}"][0]}
            assert drawn[f"laws.{name}"][0] == pytest.approx(value, rel=1e-6, abs=1e-8), name
        for name, value in single.items():
            assert drawn[f"laws.{name}"][0] == pytest.approx(value, rel=1e-6, abs=1e-9), name
        assert drawn["laws.goal"][0] == drawn["laws.best" if own else "laws.alone"][0]
