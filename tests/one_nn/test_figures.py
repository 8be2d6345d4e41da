"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from hal.chapters.one_nn.figures import neighbours, training
from lib.models import one_nn as model
from lib.theory import one_nn as theory


def test_the_landscape_has_the_library_s_loss_and_between_its_places_the_right_band():
    """At all places, and at random ones between them: few stand in a band next to theirs."""
    for d, N, worst in ((4, 8, 0.04), (2, 3, 0.05), (8, 32, 0.07)):
        scene = training.scene(training.settings(N, d, 2.0, 16, 3.0, 0.0, 1.0))
        x, y = np.array(scene["x"]), np.array(scene["y"])
        z = np.reshape(scene["z"], (training.SIDE, training.SIDE))
        np.testing.assert_allclose(np.diff(np.arcsinh(x / training.NEAR), 2), 0, atol=1e-9)
        assert (x[0], y[0], x[-1], y[-1]) == pytest.approx((-2, -9, 40, 40))
        places = np.stack(np.meshgrid(x[::4], y[::4]), -1).reshape(-1, 2)
        exact = [float(theory.reduced_loss(*place, d, N)) for place in places]
        np.testing.assert_allclose(np.exp(z[::4, ::4]).ravel(), exact, rtol=2e-2)
        rng = np.random.default_rng(d)
        even = RegularGridInterpolator((np.arcsinh(y / 2), np.arcsinh(x / 2)), z)
        up, across = (rng.uniform(*np.arcsinh(ends[[0, -1]] / 2), 150) for ends in (y, x))
        true = [
            float(theory.reduced_loss(2 * np.sinh(a), 2 * np.sinh(b), d, N)) for a, b in zip(across, up, strict=True)
        ]
        bands = (np.array(losses)[:, None] <= training.BOUNDS for losses in (np.exp(even(np.c_[up, across])), true))
        wrong = abs(np.subtract(*(band.sum(axis=1) for band in bands)))
        assert wrong.max() <= 1
        assert wrong.sum() <= worst * len(up), (d, N)


@pytest.mark.parametrize("d", [2, 3])
def test_the_circle_answers_as_the_model_does(d):
    drawn = neighbours.prompt(3, 9, d)
    points, y = np.array(drawn["points"]).reshape(9, 3), np.array(drawn["labels"])
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1, atol=1e-12)
    assert (points[:, 2] == 0).all() == (d == 2)
    query = np.array([0.6, -0.8, 0.0]) if d == 2 else np.array([2, -1, 2]) / 3
    prompts = model.Prompts(points[None, None, :, :d], query[None, None, :d], y[None, None])
    for t in (0.0, 300.0, neighbours.END):
        found = neighbours.answer(drawn["points"], drawn["labels"], *query, t)
        xi1, xi2 = theory.flow([t], d, neighbours.N)[1:3]
        W = model.as_matrix(model.Pair(xi1, xi2), d).W
        np.testing.assert_allclose(found["attention"], model.attention(W, prompts)[0, 0], atol=3e-3)
        assert found["answer"][0] == pytest.approx(model.predict(W, prompts)[0, 0], abs=3e-3)
        assert found["xi1"][0] == pytest.approx(xi1[0], abs=0.05)
    assert found["attention"][(points @ query).argmax()] == max(found["attention"])
    far = neighbours.far_prompt(3, 9, 2)
    assert max(np.reshape(far["points"], (9, 3))[:, :2] @ neighbours.UP) <= 0
    assert neighbours.answer(far["points"], far["labels"], *neighbours.UP, 0.0, neighbours.END)["attention"][9] > 0.99
