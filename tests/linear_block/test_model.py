"""The model: widths of the written block, rivals, tails, refusals; that a block is its parameters is claim LTB-3."""

import numpy as np
import pytest

from hal.chapters.atlas.models.effective_block import EffectiveBlock
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.models.one_step import bayes_output, one_step_weights, random_task
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import Settings
from lib.sampling import generators

EYE = np.eye(2)


@pytest.fixture
def task(rng):
    return random_task(rng)


def test_a_block_that_takes_a_step_has_the_smallest_widths(rng):
    weights = one_step_weights(rng.standard_normal((2, 4)), rng.standard_normal((2, 4, 4)))
    assert [W.shape[1] for W in weights] == [4, 4, 1, 1, 1, 1]
    with pytest.raises(InputError, match=r"Gamma: expected shape \(2, 4, 4\), got \(2, 3, 3\)"):
        one_step_weights(np.zeros((2, 4)), np.zeros((2, 3, 3)))


def test_rivals(rng):
    task = lb.power_task(d=3, M=12, sigma=0.7, norm=2.0)
    prompts = task.sample(5, generators([0]))
    X, y, x = prompts.X[0, 0], prompts.y[0, 0], prompts.x[0, 0]
    centred = np.linalg.solve(X.T @ X + 0.49 * np.eye(3), X.T @ (y - X @ task.mean))
    assert bayes_output(task, prompts)[0, 0] == pytest.approx(x @ (task.mean + centred))
    assert lb.squared_error(prompts.target, prompts) == [0.0]
    with pytest.raises(InputError, match=r"sigma: expected a number above 0, got 0\.0"):
        bayes_output(task.but(sigma=0), prompts)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"H": np.diag([1.0, -0.1])}, r"H: expected a positive semi-definite matrix, got an eigenvalue of -0\.1"),
        ({"Psi": [[1.0, 0.5], [0.0, 1.0]]}, "Psi: expected a symmetric matrix"),
        ({"H": np.eye(3)}, r"H: expected shape \(2, 2\), as the mean has 2 entries, got \(3, 3\)"),
        ({"Psi": np.diag([1.0, np.nan])}, "Psi: expected finite numbers"),
        ({"mean": [0.0, np.inf]}, "mean: expected finite numbers"),
        ({"mean": 1.0}, r"mean: expected a vector \(d,\), got \(\)"),
        ({"sigma": -0.1}, r"sigma: expected a finite number of at least 0, got -0\.1"),
        ({"M": 0}, "M: expected a whole number >= 1, got 0"),
        ({"M": 2.5}, r"M: expected a whole number >= 1, got 2\.5"),
    ],
)
def test_bad_tasks_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        lb.Task(**{"H": EYE, "Psi": EYE, "mean": [1.0, 0.0], **arguments})


def test_a_start_near_identity_is_the_library_s():
    state = textbook.start(Settings(d=3, near=1, scale=0.0), 0)
    known = lb.LinearBlock(lb.power_task(d=3), start="near identity", scale=1e-12).init(1, [np.random.default_rng(0)])
    np.testing.assert_allclose(np.array(state.W).reshape(6, 1, 4, 4), np.array(known), atol=1e-9)


def test_a_covariance_that_rounding_left_uneven_is_made_even():
    uneven = EYE + np.array([[0.0, 1e-12], [0.0, 0.0]])
    np.testing.assert_array_equal(lb.Task(H=uneven, Psi=EYE, mean=[1.0, 0.0]).H, EYE + 5e-13 * (1 - EYE))


def test_other_bad_arguments_are_refused():
    wide, narrow = lb.power_task(d=3), lb.power_task(d=2).sample(1, generators([0]))
    with pytest.raises(InputError, match="prompts: expected d = 3 features, got 2"):
        lb.block_output(EffectiveBlock(wide).init(1, generators([0])), narrow)
    with pytest.raises(InputError, match="norm: expected a finite number of at least 0, got -1"):
        lb.power_task(norm=-1)


def test_tails_keep_the_covariance_and_not_the_fourth_moment(rng):
    task = random_task(rng)
    plain, tails = (next(runs.draw_prompts(task, 20_000, 1, heavy)) for heavy in (False, True))
    for prompts in (plain, tails):
        X = prompts.X.reshape(-1, 4)
        np.testing.assert_allclose(X.T @ X / len(X), task.H, atol=0.05 * np.abs(task.H).max())
    sizes = [np.mean(prompts.X[..., 0] ** 4) / np.mean(prompts.X[..., 0] ** 2) ** 2 for prompts in (plain, tails)]
    np.testing.assert_allclose(sizes, [3.0, 4.92], rtol=0.05)
