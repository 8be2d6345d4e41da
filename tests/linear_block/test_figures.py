"""What the chapter's figures draw is the library's, also in the corners of their sliders; still figures say it too."""

import itertools
import re

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.linear_block import figures, runs
from hal.chapters.linear_block.figures import flow, guess, risk, sees, training
from hal.explorer import Computed
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_parts
from lib.theory import linear_block as theory
from tests.in_page import InPage
from tests.linear_block.rows import check_sees

MADE = {"risk": risk, "flow": flow, "training": training}
ENDS = [
    ("risk", {"d": 2, "norm": 0.0, "sigma": 0.1, "decay": 0.0}),
    ("risk", {"d": 4, "norm": 16.0, "sigma": 4.0, "decay": 2.0}),
    ("flow", {"M": 2, "d": 2, "norm": 0.0, "sigma": 0.1, "decay": 0.0, "lr": 0.8, "batch": 1}),
    ("flow", {"M": 64, "d": 3, "norm": 6.0, "sigma": 4.0, "decay": 2.0, "lr": 0.8, "batch": 64}),
    ("flow", {"M": 9, "d": 2, "norm": 1.0, "sigma": 0.5, "decay": 2.0, "lr": 0.05, "batch": 2}),
    ("training", {"kind": 0, "adam": 1, "M": 2, "d": 2, "norm": 0.0, "sigma": 4.0, "decay": 2.0, "scale": 0.01}),
    ("training", {"kind": 2, "adam": 0, "M": 64, "d": 2, "norm": 6.0, "sigma": 0.1, "decay": 0.0, "scale": 0.6}),
    ("training", {"kind": 1, "adam": 1, "M": 64, "d": 3, "norm": 6.0, "sigma": 0.1, "decay": 2.0, "scale": 0.6}),
]


@pytest.mark.parametrize(("name", "settings"), ENDS, ids=lambda value: str(value)[:40])
def test_the_corners_of_the_sliders_are_drawn_and_said(name, settings):
    figure = Computed(MADE[name])
    found = InPage(figure).result(figure.check(settings), 1, min(1, figure.runs))
    drawn = figure.draw(found)
    traps = {f"0.{role}" for role, source in figure.panels[0].sources().items() if source == "laws.trap"}
    assert len(drawn.reading) > 40
    assert not re.search(r"\bnan\b|\binf\b", drawn.reading)
    for key, item in drawn.items.items():
        drawn_of = (found.facts["runs"] > 0, key not in traps)  # a run that diverged at once leaves nothing
        assert np.isfinite(item).any() or not all(drawn_of), key


def test_least_squares_is_drawn_where_it_has_a_mean():
    drawn = risk.laws(risk.settings(8, 3.0, 1.0, 0.0))
    for M, value in zip(drawn["M"], drawn["squares"], strict=True):
        known = theory.least_squares_risk(lb.power_task(d=8, M=int(M)))
        assert value + 1.0 == pytest.approx(known) if np.isfinite(known) else np.isnan(value)
    assert np.isnan(drawn["squares"]).any()


def matrices(settings):
    n, state = settings.d + 1, textbook_parts.start(settings, 0)
    return lb.Weights(*np.array(state.W).reshape(6, 1, n, n)), state


def test_what_is_drawn_is_the_library_s(rng):
    for kind, switches in itertools.product((0, 1, 2), itertools.product((0, 1), repeat=3)):
        residual, mlp, mask = switches
        M, d, norm, sigma = int(rng.integers(2, 65)), int(rng.integers(2, 9)), rng.uniform(0, 6), rng.uniform(0.1, 4)
        settings = sees.settings(residual, mlp, mask, kind, M, d, float(norm), float(sigma))
        drawn, (weights, state) = sees.laws(settings), matrices(settings)
        task, alive = lb.power_task(d, M, float(sigma), float(norm)), bool(residual and mlp)
        block = theory.Effective(*(x[0] for x in lb.effective_of(weights, bool(mlp), bool(residual))))
        squares = theory.part_squares(task, block) * [1, 1, 1, 1, 1 - mask]
        np.testing.assert_allclose(drawn["sizes"], np.sqrt(squares), rtol=1e-9, atol=1e-7)
        cost = 0 if mask else theory.unmasked_cost(task, block)
        assert drawn["own"][0] == pytest.approx(float(theory.block_risk(task, block) + cost), rel=1e-10)
        assert drawn["left_now"][0] == pytest.approx(theory.best_cut(task, alive, bool(mask)).risk, rel=1e-10)
        assert drawn["best_now"][0] == pytest.approx(theory.best_risk(task), rel=1e-10)
        np.testing.assert_allclose(drawn["empty"], state.empty, rtol=1e-9, atol=1e-9)
        if kind == 0:
            assert drawn["own"][0] == pytest.approx(drawn["left_now"][0], rel=1e-9)
        else:
            assert drawn["own"][0] >= drawn["left_now"][0] * (1 - 1e-12)
        by_mean = sees.by_mean(settings)
        here = sees.laws(sees.settings(residual, mlp, mask, 1, M, d, 2.5, float(sigma)))  # the sixth on the curve
        for name, known in (("cut", "own"), ("left", "left_now"), ("best", "best_now")):
            assert by_mean[name][5] == pytest.approx(here[known][0], rel=1e-9)


def test_the_sentence_of_what_is_cut_is_true_of_every_kind_and_cut(monkeypatch):
    monkeypatch.setattr(sees, "PROMPTS", 48)
    figure = Computed(sees)
    for kind, (residual, mlp, mask) in itertools.product(range(4), itertools.product((0, 1), repeat=3)):
        for norm in (0.0, 2.0):
            changed = {"kind": kind, "residual": residual, "mlp": mlp, "mask": mask, "norm": norm}
            found = figure.compute(changed, seed=1)
            check_sees(figure.draw(found).reading, found, changed)


def attention_line(number, mean, sigma, count):
    """The library's best attention on a prompt of the poke: its slope."""
    drawn = guess.prompt(number, mean, sigma)
    task = lb.Task([[1.0]], [[1.0]], [mean], sigma, count)
    block = theory.as_block(task, theory.best_attention(task))
    x, y = np.array(drawn["x"])[:count], np.array(drawn["y"])[:count]
    prompts = lb.Prompts(x[None, None, :, None], y[None, None], np.ones((1, 1, 1)), np.zeros((1, 1)))
    return prompts, task, block


@pytest.mark.parametrize(("mean", "sigma", "count"), [(2.0, 1.0, 3), (-3.2, 0.4, 7), (0.7, 2.5, 1), (4.0, 0.1, 12)])
def test_the_lines_of_the_poke_are_the_library_s(mean, sigma, count):
    prompts, task, block = attention_line(2, mean, sigma, count)
    x, y = prompts.X[0, 0, :, 0].tolist(), prompts.y[0, 0].tolist()
    slopes = guess.answers(x, y, mean, sigma)["slopes"]
    step = lb.Step(task.mean[None], theory.best_step(task)[None])
    wider = task.but(Psi=[[1 + mean**2]], mean=[0.0])  # what the best step from zero is made for
    zero = lb.Step(np.zeros((1, 1)), theory.best_step(wider)[None])
    stacked = lb.EffectiveParams(*(np.asarray(part)[None] for part in block))
    known = [
        lb.bayes_output(task, prompts),
        lb.step_output(step, prompts),
        lb.block_output(stacked, prompts),
        lb.step_output(zero, prompts),
        lb.ridge_output(prompts, sigma**2 / (1 + mean**2)),
        lb.least_squares_output(prompts),
    ]
    np.testing.assert_allclose(slopes, [float(np.squeeze(value)) for value in known], rtol=1e-5)


def test_the_poke_s_prompts_have_their_law():
    drawn = [guess.prompt(number, 2.0, 0.5) for number in range(300)]
    x, y = (np.array([one[key] for one in drawn]) for key in ("x", "y"))
    slope = (x * y).sum(axis=1) / (x * x).sum(axis=1)
    assert slope.mean() == pytest.approx(2.0, abs=0.2)
    assert slope.std() == pytest.approx(1.0, abs=0.15)
    assert (y - slope[:, None] * x).std() == pytest.approx(0.5, abs=0.05)
    assert np.array_equal(guess.prompt(5, 3.0, 0.5)["x"], drawn[5]["x"])


def test_block_and_attention_are_drawn_with_their_best_risks():
    fig = figures.block_and_attention(seeds=[0, 1], steps=60)
    (ax,) = fig.axes
    lines = [line.get_ydata() for line in ax.lines]
    assert [len(y) > 2 for y in lines] == [True, True, False, True, True, False]
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
    np.testing.assert_allclose([lines[2][0], lines[5][0]], [theory.best_attention(task).risk, theory.best_risk(task)])
    run = runs.train_on_prompts(task, [0, 1], 60, 64, mlp=True)
    assert lines[3][-1] == run["risk"][0, -1]
    plt.close(fig)
