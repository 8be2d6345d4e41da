"""The textbook of group-sparse classification: its run is the fast model's; what it draws, records and reads out."""

import numpy as np
import pytest

from hal.chapters.group_sparse.figures import selection
from hal.chapters.group_sparse.figures._frames import BAR, TIP, box_of, line_heights
from hal.chapters.group_sparse.models import textbook_two
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.portable import run
from lib.train import GivenBatches, train


def test_the_run_is_the_fast_model_s():
    state = textbook.start(Settings(D=4, d=2, n=30, lr=0.4, sigma=1.3, flips=0.1, steps=20), 0)
    task = gs.Task(D=4, d=2, sigma_x=1.3, flips=0.1)
    model = gs.GroupTransformer(task, np.sqrt(2.5) * np.eye(4))
    examples = gs.Examples(np.array(state.tokens).reshape(1, 30, 4, -1)[..., :2], np.array(state.y)[None])
    params = train(GivenBatches(model, [examples]), None, optim.sgd(0.4), 20).params
    while not textbook.done(state):
        textbook.step(state)
    np.testing.assert_allclose(state.v, params.v[0], atol=1e-10)
    np.testing.assert_allclose(state.W, params.W[0], atol=1e-10)
    seen = textbook.measure(state)
    known = gs.cosine(params, task), gs.norm_ratio(params, task), gs.mean_attention(params, model, examples.X)
    assert [seen[name][0] for name in ("cosine", "ratio", "attention")] == pytest.approx(np.ravel(known), abs=1e-9)
    assert seen["accuracy"] == pytest.approx(gs.accuracy(model.output(params, examples.X), examples.y))


def test_labels_and_flips():
    state = textbook.start(Settings(D=3, d=2, n=2000, flips=0.25), 0)
    deciding = np.array(state.tokens).reshape(2000, 3, -1)[:, textbook.STAR, 0]
    wrong = np.mean(np.sign(deciding) != state.y)
    assert abs(wrong - 0.25) < 5 * np.sqrt(0.1875 / 2000)


def test_only_the_groups_that_do_not_decide_are_scaled():
    plain, scaled = (textbook.start(Settings(D=3, d=2, n=9, others=others), 0) for others in (1.0, 4.0))
    ratio = np.array(scaled.tokens).reshape(9, 3, -1)[..., :2] / np.array(plain.tokens).reshape(9, 3, -1)[..., :2]
    np.testing.assert_allclose(ratio, np.array([4.0, 1.0, 4.0])[:, None] * np.ones((9, 3, 2)))
    assert scaled.y == plain.y
    task = [gs.Task(D=3, d=2, others=others).sample(9, [np.random.default_rng(0)]) for others in (1.0, 4.0)]
    np.testing.assert_allclose(task[1].X / task[0].X, np.array([4.0, 1.0, 4.0])[:, None] * np.ones((1, 9, 3, 2)))


@pytest.mark.parametrize("positions", [0, 1])
def test_two_layers_are_two_runs_on_the_same_examples(positions):
    both = textbook_two.start(textbook_two.Two(D=3, d=2, n=20, positions=positions, steps=9), 4)
    plain = [textbook.start(Settings(3, 2, 20, lr, 9, 1.0, 0.0), 4) for lr in (0.3, 1.0)]
    while not textbook_two.done(both):
        textbook_two.step(both)
        for one in plain:
            textbook.step(one)
    for layer, one in zip((both.small, both.large), plain, strict=True):
        assert layer.tokens == one.tokens
        assert ((layer.v, layer.W) == (one.v, one.W)) == (positions == 1)
        assert any(layer.v[2:]) == (positions == 1)
        assert any(layer.v[:2])


def test_the_row_of_pictures_is_the_run_s():
    seen = run(textbook, 2, measure=selection.probe, at_end=selection.at_end, D=9, d=3, n=10, lr=0.5, steps=60)
    assert seen["test"][0] == seen["accuracy"][0] == 0.5  # before the first step
    assert [len(seen[name]) for name in ("points_x", "points_y", "kinds")] == [90] * 3
    boxes = np.array([box_of(9, j) for j in range(9)])
    share = (np.reshape(seen["bars"], (61, 9, BAR))[-1, :, 1] - boxes[:, 1]) / boxes[:, 3]
    assert sum(share) == pytest.approx(1)
    assert share[textbook.STAR] == pytest.approx(seen["attention"][-1])
    assert ((boxes[:, :2] > 0) & (boxes[:, :2] + boxes[:, 2:] < 1)).all()


def test_the_line_of_a_picture_is_where_the_value_is_zero():
    heights = np.array(line_heights(1.0, 0.3))
    x, y = np.linspace(-1, 1, TIP), 2 * heights - 1
    first, second = 0.6 * x + 0.8 * y, -0.8 * x + 0.6 * y  # back from the picture to the variables
    seen = np.isfinite(y)
    assert seen.sum() > 10
    np.testing.assert_allclose((first + 0.3 * second)[seen], 0, atol=1e-12)
    assert np.isnan(line_heights(0.0, 0.0)).all()


@pytest.mark.parametrize("steps", [7, 20, 57, 200])
def test_each_early_step_is_on_record_and_the_end(steps):
    found = textbook.steps_of(Settings(steps=steps))
    assert (len(found), found[0], found[-1]) == (61, 0, steps)
    assert found[:21] == [min(i, steps) for i in range(21)]
    assert found == sorted(found)
