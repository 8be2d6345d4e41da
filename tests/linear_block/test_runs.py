"""The chapter's runs: prompts with tails, the fast model of the textbook's training."""

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from lib.models import linear_block as lb
from lib.models.linear_block import textbook as textbook_population
from lib.models.linear_block import textbook_block
from lib.portable import finish


def test_tails_keep_the_covariance_and_not_the_fourth_moment(rng):
    task = lb.random_task(rng)
    plain, tails = (next(runs.draw_prompts(task, 20_000, 1, heavy)) for heavy in (False, True))
    for prompts in (plain, tails):
        X = prompts.X.reshape(-1, 4)
        np.testing.assert_allclose(X.T @ X / len(X), task.H, atol=0.05 * np.abs(task.H).max())
    sizes = [np.mean(prompts.X[..., 0] ** 4) / np.mean(prompts.X[..., 0] ** 2) ** 2 for prompts in (plain, tails)]
    np.testing.assert_allclose(sizes, [3.0, 4.92], rtol=0.05)


@pytest.mark.parametrize("kind", [textbook_block.STEP, textbook_block.ZERO])
def test_steps_on_all_prompts_agree_to_rounding(kind):
    for steps in (7, 120):
        settings = textbook_population.Settings(kind=kind, d=3, M=8, decay=0.5, lr=0.03, adam=0, steps=steps)
        own, fast = finish(textbook_population, settings, 0), runs.fast_population(settings, [0, 1])
        assert set(fast) == {"risk", "alpha", "along", "across", "labels"}
        for name, values in fast.items():
            np.testing.assert_allclose(values[1], own[name], rtol=1e-9, atol=1e-9)


def test_blocks_on_all_prompts_agree_from_one_start():
    settings = textbook_population.Settings(d=2, M=8, norm=1.0, near=1, scale=1e-9, lr=0.02, adam=0, steps=120)
    own, fast = finish(textbook_population, settings, 0), runs.fast_population(settings, [0])
    np.testing.assert_allclose(fast["risk"][0], own["risk"], rtol=1e-5)
    np.testing.assert_allclose(fast["alpha"][0], own["alpha"], atol=1e-5)


def test_blocks_on_all_prompts_agree_in_law():
    settings = textbook_population.Settings(d=2, M=8, norm=1.0, lr=0.03, steps=120)
    own = [finish(textbook_population, settings, seed) for seed in range(12)]
    fast = runs.fast_population(settings, range(60))
    for name in ("risk", "alpha", "along"):
        mean, known = np.mean([run[name] for run in own], axis=0), fast[name].mean(axis=0)
        assert np.abs(mean - known).max() < 0.12 * max(1, np.abs(known).max()), name


def test_the_seed_of_a_fast_run_is_its_own():
    settings = textbook_population.Settings(d=2, M=6, steps=10)
    one, two = runs.fast_population(settings, [5]), runs.fast_population(settings, [4, 5])
    np.testing.assert_array_equal(one["risk"][0], two["risk"][1])
