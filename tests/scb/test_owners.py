"""What the figures of chapter 1 draw, found another way at random settings: the owner of each curve, bar, map and mark.

Theory is held to the recursion of whole matrices, and to runs of the fast model with
many seeds; runs are held to the fast model on their own samples. The law that `sign` draws has claims SCB-15, SCB-40.
"""

import numpy as np
import pytest

from hal.chapters.scb.figures import run, stages
from hal.chapters.scb.runs.replay import task_of
from hal.figure import Computed
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.portable import finish
from lib.theory import scb as theory
from tests.scb.rows import make_task


def drawn(module, **chosen):
    """The theory that a figure draws, the settings of its run, and its task in the library."""
    figure = Computed(module)
    point = figure.check(chosen)
    return figure.compute(point, runs=0).theory, figure.settings_of(**point), make_task(point)


def test_marks_and_levels_of_the_stages():
    rng = np.random.default_rng(3)
    for _ in range(4):
        T, Q, lr = int(rng.integers(20, 500)), int(rng.integers(1, 5)), float(10 ** rng.uniform(-2, -0.5))
        theory_, settings, task = drawn(stages, T=T, Q=Q, lr=lr, lam=0.1)
        growth = np.log(0.4 * float(task.K_Q) * T) if 0.4 * float(task.K_Q) * T > 1 else 0.0
        begins = round(1.2 * max(growth, 2.0) / lr)
        uniform = scb.distance_A(scb.LinearTransformer(task).init(1), task)[0]
        assert theory_["stages.second"][0] == pytest.approx(begins, abs=1)
        assert theory_["stages.uniform"][0] == pytest.approx(uniform, rel=1e-9)
        assert settings.stage2 == pytest.approx(6 / lr, abs=0.51)
        assert settings.stage3 == 0


@pytest.mark.parametrize("seed", range(3))
def test_the_hero_s_run_is_the_textbook_s_and_its_loss_that_of_the_whole_matrices(seed):
    """With bars for the tokens; the loss is the library's population loss, over the best possible."""
    rng = np.random.default_rng(seed)
    T, N, Q = int(rng.integers(16, 48)), int(rng.integers(2, 7)), int(rng.integers(1, 4))
    mu = rng.uniform(0.2, 1, N)
    settings = Settings(T=T, mu=list(mu / mu.sum()), Q=Q, c=0.8, lr=0.08, batch=8, stage1=96)
    state = textbook.start(settings, seed)
    kept, task = [], task_of(state.task, T)
    law = (task.mu, task.P, task.Q)
    for step in range(97):
        if step % 2 == 0:
            V, A = np.array(state.V).T, np.array(state.A)
            over = theory.population_loss(V, A, *law) - theory.irreducible_loss(*law)
            gained = np.maximum(V, 0).ravel() / task.P.max()
            kept.append([float(over), float(task.mu @ (A * (task.Q > 0)).sum(axis=1)), A[0], gained])
        textbook.step(state)
    read = {name: np.array(one) for name, one in finish(textbook, settings, seed, run.probe, run.at_end).items()}
    assert read["steps"][-1] == 96
    loss = np.array([one[0] for one in kept])
    np.testing.assert_allclose(read["loss"], loss / loss[0], rtol=1e-9)
    np.testing.assert_allclose(read["on_true"], [one[1] for one in kept], rtol=1e-12)
    np.testing.assert_array_equal(read["attention"].reshape(49, T), [one[2] for one in kept])
    np.testing.assert_allclose(read["gained"].reshape(49, N * N), [one[3] for one in kept], atol=1e-12)
    np.testing.assert_array_equal(read["answer"], task.Q[0])
    np.testing.assert_array_equal(read["likeliest"].reshape(N, N), task.P.max(axis=0) == task.P)
    for name in ("alpha_V", "alpha_A"):
        np.testing.assert_array_equal(read[name], finish(textbook, settings, seed)[name])


@pytest.mark.parametrize(("lr_V", "lr_A"), [(0.02, 0.02), (0.1, 0.01), (0.01, 0.3)])
def test_marks_of_two_rates_are_where_the_drawn_curves_pass(lr_V, lr_A):
    """By the first point of a fine grid that is beyond the level."""
    shown = Computed(run).compute({"T": 200, "lr_V": lr_V, "lr_A": lr_A}, seed=0)
    (made,) = shown.runs
    fine = np.linspace(0, made["steps"][-1], 100_001)
    for mark, name, level in (("start_V", "alpha_V", 0.01), ("start_A", "alpha_A", 0.01), ("drops", "loss", 0.98)):
        above = np.interp(fine, made["steps"], made[name]) > level
        beyond = fine[above != above[0]]
        assert len(beyond) > 0
        assert shown.facts[mark] == pytest.approx(beyond[0], abs=2 * fine[1])
