"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest

from hal.chapters.group_sparse.figures import guess, looks
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.portable import run
from lib.train import GivenBatches, train
from tests.group_sparse.rows import UNIT, layers_of


@pytest.mark.parametrize(("number", "n"), [(0, 16), (3, 8)])
def test_interactive_examples_are_of_the_task(number, n):
    drawn = guess.examples(number, n)
    points, y = np.array(drawn["points"]).reshape(n, guess.D, 2), np.array(drawn["labels"])
    right = list(drawn["right"]).index(1)
    angles = np.linspace(0, np.pi, 721)
    cut = [max(np.mean(np.sign(points[:, j] @ [np.cos(a), np.sin(a)]) == y) for a in angles) for j in range(guess.D)]
    turned = [
        max(np.mean(np.sign(points[:, j] @ [np.cos(a), np.sin(a)]) == -y) for a in angles) for j in range(guess.D)
    ]
    assert max(cut[right], turned[right]) == 1  # a line through the middle of that picture
    assert sum(drawn["attention"]) == pytest.approx(1)
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


def test_the_bars_of_both_labels_are_the_library_s():
    found = run(textbook, 3, measure=looks.probe, **looks.settings(1.0, 20)._asdict())
    (((model, params),), _, fresh) = layers_of(3, [optim.sgd(1.0)], UNIT, 20, looks.STEPS)
    S, X, y = model.attention(params, fresh.X)[0].mean(axis=-1), fresh.X[0], fresh.y[0]
    pages, contents = S * (UNIT @ params.v[0, 2:]), S * (X @ params.v[0, :2])
    for label, sign in (("plus", 1), ("minus", -1)):
        for name, known in ((label, S), (f"{label}_contents", contents), (f"{label}_page", pages)):
            np.testing.assert_allclose(np.reshape(found[name], (-1, 6))[-1], known[y == sign].mean(axis=0), atol=1e-6)
