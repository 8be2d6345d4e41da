"""What the chapter's figures draw is the library's, also in the corners of their sliders; still figures say it too."""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import guess
from hal.chapters.linear_block.models.one_step import Step, step_output
from hal.chapters.linear_block.theory.attention import as_block, best_attention
from lib.models import linear_block as lb
from lib.theory import linear_block as theory


def attention_line(number, mean, sigma, count):
    """The library's best attention on a prompt of the interactive sample: its slope."""
    prompt = guess.prompt(number, mean, sigma)
    task = lb.Task([[1.0]], [[1.0]], [mean], sigma, count)
    block = as_block(task, best_attention(task))
    x, y = np.array(prompt["x"])[:count], np.array(prompt["y"])[:count]
    prompts = lb.Prompts(x[None, None, :, None], y[None, None], np.ones((1, 1, 1)), np.zeros((1, 1)))
    return prompts, task, block


@pytest.mark.parametrize(("mean", "sigma", "count"), [(2.0, 1.0, 3), (-3.2, 0.4, 7), (0.7, 2.5, 1), (4.0, 0.1, 12)])
def test_interactive_lines_are_the_library_s(mean, sigma, count):
    prompts, task, block = attention_line(2, mean, sigma, count)
    x, y = prompts.X[0, 0, :, 0].tolist(), prompts.y[0, 0].tolist()
    slopes = guess.answers(x, y, mean, sigma)["slopes"]
    step = Step(task.mean[None], theory.best_step(task)[None])
    stacked = lb.EffectiveParams(*(np.asarray(part)[None] for part in block))
    known = [
        step_output(step, prompts),
        lb.block_output(stacked, prompts),
        np.dot(x, y) / np.dot(x, x),
    ]
    np.testing.assert_allclose(slopes, [float(np.squeeze(value)) for value in known], rtol=1e-5)


def test_interactive_prompts_have_their_law():
    found = [guess.prompt(number, 2.0, 0.5) for number in range(300)]
    x, y = (np.array([one[key] for one in found]) for key in ("x", "y"))
    slope = (x * y).sum(axis=1) / (x * x).sum(axis=1)
    assert slope.mean() == pytest.approx(2.0, abs=0.2)
    assert slope.std() == pytest.approx(1.0, abs=0.15)
    assert (y - slope[:, None] * x).std() == pytest.approx(0.5, abs=0.05)
    assert np.array_equal(guess.prompt(5, 3.0, 0.5)["x"], found[5]["x"])
