"""Training on n prompts: the moments say what the prompts say, the record goes on bit for bit."""

import numpy as np
import pytest

from hal.chapters.linear_block.runs import end_to_end as runs
from hal.chapters.linear_block.runs.on_n_prompts import FixedPrompts, moments_of, predicted_block_excess, wide_start
from hal.chapters.linear_block.runs.tasks_needed import predicted_excess
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


@pytest.fixture(scope="module")
def record():
    return runs.recorded_needs()


@pytest.mark.parametrize(("d", "width"), [(1, 2), (3, 2), (4, 9)])
def test_moments_give_the_loss_and_gradient_of_the_prompts(d, width):
    task = lb.random_task(np.random.default_rng(d), d, M=5)
    sets = [task.sample(30, generators([seed])) for seed in (0, 1)]
    weights = wide_start(d, width, generators([2, 3]))
    loss, gradient = FixedPrompts(moments_of(sets)).loss_and_gradient(weights)
    both = lb.Prompts(*(np.concatenate(part) for part in zip(*sets, strict=True)))
    known, slopes = lb.LinearBlock(task).loss_and_gradient(weights, both)
    np.testing.assert_allclose(loss, known, rtol=1e-10)
    for found, expected in zip(gradient, slopes, strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-10)


def test_products_of_wide_matrices_are_as_large_as_those_of_square_ones():
    for width in (3, 5, 20):
        weights = wide_start(4, width, generators(range(400)))
        assert np.var(weights.K.swapaxes(1, 2) @ weights.Q) == pytest.approx(5 * 0.3**4, rel=0.15)
    square = wide_start(4, 5, generators([0]))
    known = lb.LinearBlock(lb.power_task(4)).init(1, generators([0]))
    for found, expected in zip(square, known, strict=True):
        np.testing.assert_allclose(found, expected)


def test_both_predictions_are_numbers_of_parameters_where_errors_are_normal():
    """With endless noise the slopes do not depend on the error: each parameter costs the noise over n."""
    task = lb.Task(np.eye(2), 1e-6 * np.eye(2), np.zeros(2), 1.0, 4)
    for told, count in ((predicted_excess, 6), (predicted_block_excess, 10)):
        assert told(task, 1, 0, 200_000) == pytest.approx(count, rel=0.3)


def test_a_piece_is_remade(record):
    setting = runs.Setting(2, 20, 3)
    kept = record[setting]
    again = runs.excesses(setting, kept["counts"][4:6], runs.SEEDS)
    np.testing.assert_allclose(again, np.array(kept["block"][4:6], float), rtol=0.02)


def test_needs_and_exponents_are_those_that_were_put_in():
    made, sizes = {}, (2, 3, 4, 6, 8)
    for setting in runs.SWEPT["d"]:
        best, counts = theory.best_risk(runs.task_of(setting)), runs.counts_of(setting)
        made[setting] = {"counts": counts, "block": [[best * setting.d**2 / n] * 16 for n in counts]}
    found, need = runs.along("d", "block", made)
    assert tuple(found) == sizes
    np.testing.assert_allclose(need[:, 0], 10 * np.square(sizes), rtol=1e-6)
    np.testing.assert_allclose(runs.exponent(sizes, need), 2.0, atol=1e-6)
    never = {"counts": [8, 16], "block": [[None] * 16, [9.9] * 16]}
    assert np.isinf(runs.needed(runs.STANDARD, never, "block")).all()
    enough = {"counts": [8, 16], "block": [[0.0] * 16, [0.0] * 16]}
    np.testing.assert_allclose(runs.needed(runs.STANDARD, enough, "block"), 8)
