"""The game of chapter 3: its prompts and the layer that plays, computed another way."""

import numpy as np
import pytest

from hal.chapters.one_nn.figures import guess
from hal.chapters.one_nn.models import player as textbook_player
from lib.models import one_nn as model


def arrays(one):
    """Points, query and labels of a prompt."""
    d = len(one.asked)
    return np.reshape(one.shapes, (-1, d)), np.array(one.asked), 1.0 - 2.0 * np.array(one.signs)


def test_the_nearest_example_decides_and_kinds_are_ranks():
    products, labels, d = [], [], 2
    for number in range(200):
        one = guess.sample(0, number)
        x, query, y = arrays(one)
        np.testing.assert_allclose(np.linalg.norm(np.vstack([x, query]), axis=1), 1, atol=1e-12)
        order = np.argsort(np.linalg.norm(x - query, axis=1))
        assert [one.cells[j] for j in order] == list(range(8))
        assert one.right.index(1.0) == order[0]
        assert sum(one.right) == 1
        assert one.label == one.signs[order[0]]
        products.append(x @ query)
        labels.append(y)
    products = np.concatenate(products)
    assert products.mean() == pytest.approx(0, abs=5 / np.sqrt(d * products.size))
    assert np.mean(products**2) == pytest.approx(1 / d, rel=0.15)
    assert np.mean(labels) == pytest.approx(0, abs=5 / np.sqrt(1600))


def test_the_layer_takes_steps_of_gradient_descent():
    """Against the library's model, which is held to torch in `test_model`."""
    state, W, ranked = guess.layer(0), np.diag([0, 0, 0, -guess.SIGMA])[None], np.zeros(8)
    for number in range(6):
        one = guess.sample(0, number)
        prompt = model.Prompts(*(part[None, None] for part in arrays(one)))
        weights = model.attention(W, prompt)[0, 0]
        assert textbook_player.answer(state, one) == int(model.predict(W, prompt)[0, 0] < 0)
        np.testing.assert_allclose(state.attention, weights[:8], atol=1e-8)
        textbook_player.learn(state, one)
        W = W - guess.RATE * model.loss_and_gradient(model.Full(W), prompt)[1].W
        np.testing.assert_allclose(state.run.W, W[0], atol=1e-8)
        ranked = 0.95 * ranked + 0.05 * weights[:8][np.argsort(one.cells)]
        shown = guess.report(0, state)
        np.testing.assert_allclose(shown["attention"], ranked / (1 - 0.95 ** (number + 1)), atol=1e-8)
        assert shown["nearest"] == [100 * shown["attention"][0]]


def test_the_layer_is_right_after_a_thousand_prompts_and_not_at_once():
    game = guess.figure()
    right = game.play(game.layer, 0, 2000).right
    assert np.mean(right[:100]) < 0.75
    assert np.mean(right[1000:]) > 0.8
