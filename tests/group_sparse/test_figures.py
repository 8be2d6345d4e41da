"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest

from hal.chapters.group_sparse.figures import guess
from lib import optim
from lib.models import group_sparse as gs
from lib.train import GivenBatches, train


@pytest.mark.parametrize(("number", "n"), [(0, 16), (3, 8)])
def test_interactive_examples_are_of_the_task(number, n):
    drawn = guess.examples(number, n)
    points, y = np.array(drawn["points"]).reshape(n, guess.D, 2), np.array(drawn["labels"])
    right = list(drawn["right"]).index(1)
    angles = np.linspace(0, np.pi, 721)
    cut = max(abs(np.mean(np.sign(points[:, right] @ [np.cos(a), np.sin(a)]) * y)) for a in angles)
    assert cut == 1  # a line through the middle of that picture
    assert sum(drawn["attention"]) == pytest.approx(1)
    decided = points[:, right] @ drawn["line"]
    assert (np.sign(decided) == y).all()
    left = []
    for j in range(guess.D):  # the lines that make no mistake lie between two angles, less than half a turn apart
        turns = np.sort(np.arctan2(points[:, j, 1] * y, points[:, j, 0] * y))
        left.append(max(0.0, np.diff([*turns, turns[0] + 2 * np.pi]).max() - np.pi))
    np.testing.assert_allclose(drawn["best"], np.array(left) / sum(left), atol=0.03)


def test_what_was_picked_is_what_the_library_learns_from_these_examples():
    drawn, n = guess.examples(1, 16), 16
    points, y = np.array(drawn["points"]).reshape(1, n, guess.D, 2), np.array(drawn["labels"])[None]
    task = gs.Task(D=guess.D, d=2, j_star=1 + list(drawn["right"]).index(1))
    model = gs.GroupTransformer(task)
    given = gs.Examples(points, y)
    params = train(GivenBatches(model, [given]), None, optim.sgd(guess.LR), guess.STEPS).params
    attention = model.attention(params, points)[0].mean(axis=(0, 2))
    np.testing.assert_allclose(drawn["attention"], attention, atol=1e-9)


def test_sizes_of_the_first_task_have_groups_of_their_own():
    assert len({list(guess.examples(0, n)["right"]).index(1) for n in (8, 16, 32)}) == 3
