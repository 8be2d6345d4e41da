"""The figures say what they draw: block below attention, and the recorded runs."""

import matplotlib.pyplot as plt
import numpy as np

from lib.chapters.linear_block import figures, runs
from lib.models import linear_block as lb
from lib.theory import linear_block as theory


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


def test_the_recorded_runs_are_drawn():
    fig = figures.gpt_style()
    for ax, mean in zip(fig.axes, (0.0, 10.0), strict=True):
        drawn = [line.get_ydata()[-1] for line in ax.lines if len(line.get_ydata()) > 2]
        assert drawn == [*runs.recorded_errors(mean, False)[:, -1], *runs.recorded_errors(mean, True)[:, -1]]
    plt.close(fig)
