"""The textbook model: the fast model's gradient, what it draws and records; laws of all are in tests/portable.

That whole runs and the page's theory are the library's is held by claim NN-26.
"""

import numpy as np
import pytest

from hal.chapters.one_nn.models import crowded
from lib.models.one_nn import textbook
from lib.models.one_nn.textbook import Settings
from lib.portable.textbooks import recorded


def drawn(settings, prompts, seed=0):
    """Tokens of many prompts, (prompts, N + 1, d + 2)."""
    state = textbook.start(settings, seed)
    found = []
    for _ in range(prompts):
        textbook.draw_prompt(state)
        found.append([list(token) for token in state.tokens])
    return np.array(found)


def test_points_lie_on_the_sphere_evenly_and_the_query_has_no_label():
    tokens = drawn(Settings(N=3, d=3), 2000)
    points = tokens[..., :3]
    np.testing.assert_allclose(np.linalg.norm(points, axis=-1), 1, atol=1e-12)
    # in three dimensions a coordinate is uniform on [-1, 1]: mean 0, mean square 1/3, mean fourth power 1/5
    one = points.reshape(-1, 3)
    errors = 5 / np.sqrt(len(one))
    assert np.abs(one.mean(axis=0)).max() < errors * np.sqrt(1 / 3)
    assert np.abs((one**2).mean(axis=0) - 1 / 3).max() < errors * np.sqrt(4 / 45)
    assert np.abs((one**4).mean(axis=0) - 1 / 5).max() < errors * np.sqrt(16 / 225)
    np.testing.assert_array_equal(tokens[:, -1, 3:], np.broadcast_to([0.0, 1.0], (2000, 2)))
    np.testing.assert_array_equal(np.abs(tokens[:, :-1, 3]), 1)
    assert np.abs(tokens[:, :-1, 3].mean(axis=0)).max() < 5 / np.sqrt(2000)
    np.testing.assert_array_equal(tokens[:, :-1, 4], 0)


def test_points_crowd_around_the_first_axis_as_those_of_the_fast_model():
    """Stretched by kappa in three dimensions, z^2 on average what `crowded` points have; of length 1."""
    points = drawn(Settings(N=3, d=3, kappa=3.0), 2000)[..., :3].reshape(-1, 3)
    np.testing.assert_allclose(np.linalg.norm(points, axis=-1), 1, atol=1e-12)
    fast = crowded(np.random.default_rng(0).normal(size=(100_000, 3)), 3.0)
    squares = points[:, 0] ** 2
    assert abs(squares.mean() - (fast[:, 0] ** 2).mean()) < 5 * squares.std() / np.sqrt(len(squares))
    assert squares.mean() > 0.5  # uniform: a third


def test_records_hold_means_since_the_one_before():
    settings = Settings(N=3, d=2, lr=1.0, batch=2, steps=200)
    made = recorded(textbook)
    run = made.start(settings, 5)
    losses, step = [], 0
    while not made.done(run):
        made.step(run)
        losses.append(run.state.loss)
    found = made.read(run)
    assert np.isnan(found["loss"][0])
    for i, t in enumerate(found["time"][1:], 1):
        since = slice(step, round(t))
        assert found["loss"][i] == pytest.approx(np.mean(losses[since]), rel=1e-12)
        step = round(t)
    assert step == 200
