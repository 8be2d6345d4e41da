"""The chapter's runs: prompts with tails, the fast model of the textbook's training."""

import numpy as np

from hal.chapters.linear_block import runs
from lib.models import linear_block as lb


def test_tails_keep_the_covariance_and_not_the_fourth_moment(rng):
    task = lb.random_task(rng)
    plain, tails = (next(runs.draw_prompts(task, 20_000, 1, heavy)) for heavy in (False, True))
    for prompts in (plain, tails):
        X = prompts.X.reshape(-1, 4)
        np.testing.assert_allclose(X.T @ X / len(X), task.H, atol=0.05 * np.abs(task.H).max())
    sizes = [np.mean(prompts.X[..., 0] ** 4) / np.mean(prompts.X[..., 0] ** 2) ** 2 for prompts in (plain, tails)]
    np.testing.assert_allclose(sizes, [3.0, 4.92], rtol=0.05)
