"""Every line and bar of the chapter's figures, at random positions of the sliders, against the same found another way.

What is drawn is `Computed(module).compute(...)`; the other way is the library's, with arrays: its theory, its
search, and training by the fast model from the same start.
"""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import training
from hal.chapters.linear_block.runs.training import PopulationBlock
from hal.chapters.linear_block.theory.attention import best_attention
from hal.chapters.linear_block.theory.search import best_attention_risk
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


@pytest.mark.parametrize(
    ("d", "M", "norm", "sigma", "decay"), [(11, 16, 16, 4, 2), (4, 16, 6.8, 3.17, 2), (8, 32, 5, 1, 0)]
)
def test_attention_is_the_library_s(d, M, norm, sigma, decay):
    task = lb.power_task(d, M, sigma, norm, decay)
    single = best_attention_risk(np.diag(task.H).tolist(), 1.0, task.mean.tolist(), sigma, float(M))
    known = best_attention(task).risk
    assert 0.99 * known < single <= known * (1 + 1e-7)


def way_of(task, point):
    """(d,) the unit vector of the prior mean, which has one where its length is zero."""
    way = np.arange(1, task.d + 1) ** point["tilt"]
    return way / np.linalg.norm(way)


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_training_is_the_fast_model_s_from_the_same_start(kind, monkeypatch):
    """Whole lines of 30 steps to 1e-6: risk by the general formula, shares and length of q from the matrices."""
    for name in ("STEPS", "LONG"):
        monkeypatch.setattr(training, name, 30)
    figure, narrow = Computed(training), {"scale": (0.05, 0.3), "norm": (0.5, 2.5), "sigma": (0.1, 2)}
    for point in positions(figure, 3, 30 + kind, kind=(kind, kind), **narrow):
        settings = figure.settings_of(**figure.check(point))
        (run,), task = figure.compute(point, seed=3).runs, task_of(point)
        n, mlp, u = task.d + 1, kind < 2, way_of(task, point)
        weights = lb.Weights(*np.array(textbook.start(settings, 3).W).reshape(6, 1, n, n))
        problem = PopulationBlock(task, mlp)

        def read(params, task=task, mlp=mlp, u=u):
            alpha, _, c, Q, q = block = theory.Effective(*lb.effective_of(params, mlp))
            gain = 100 * c * np.einsum("i,rij,j->r", u, Q, u) / (u @ theory.best_step(task) @ u)
            mean = 100 * alpha @ u / np.linalg.norm(task.mean)
            return np.stack([theory.block_risk(task, block), mean, gain, np.linalg.norm(q, axis=1)], axis=-1)

        optimiser = (optim.adam if settings.adam else optim.sgd)(settings.lr)
        path = train(problem, weights, optimiser, 30, record={"read": read}, record_at=list(range(31)))["read"][0]
        for j, name in enumerate(("risk", "mean", "examples", "labels")):
            found = np.array(run[name])
            steps = np.array(run["steps"][: len(found)], dtype=int)
            np.testing.assert_allclose(found, path[steps, j], rtol=1e-6, atol=1e-5, err_msg=name)


def test_levels_of_training_at_random_positions():
    figure = Computed(training)
    for point in positions(figure, 8, 40, d=(2, 4)):
        drawn, task = figure.compute(point, runs=0).theory, task_of(point)
        least, alone = theory.best_risk(task), best_attention(task).risk
        assert drawn["laws.best"][0] == pytest.approx(least, rel=1e-6)
        assert drawn["laws.goal"][0] == pytest.approx(alone if point["kind"] == 2 else least, rel=1e-6)
        assert drawn["laws.criterion"][0] == pytest.approx(theory.trap_criterion(task), rel=1e-6)
