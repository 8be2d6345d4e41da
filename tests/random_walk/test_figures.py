"""What the chapter's figures draw is the library's; the laws of all are elsewhere."""

import numpy as np
import pytest

from hal.chapters.random_walk.figures import guess
from hal.chapters.random_walk.models import player
from hal.chapters.random_walk.models.circulant import CirculantTransformer, turns
from lib.models import random_walk as rw


def test_the_walks_of_the_game():
    """Moves go to a neighbour, in the direction of the task four times in five, to the label as well."""
    for task in range(4):
        moves = []
        for number in range(150):
            drawn = guess.sample(task, number)
            moves += list(np.diff([*drawn.cells, drawn.label]) % guess.K)
            assert drawn.right.index(1) == guess.T - 1
        assert set(moves) == {1, guess.K - 1}
        assert np.mean(np.array(moves) == guess.direction(task)) == pytest.approx(0.8, abs=0.03)
    assert {guess.direction(task) for task in range(10)} == {1, guess.K - 1}


def test_the_layer_of_the_game_is_the_chapter_s():
    """What it has learned from its walks is what the library's fast model learns from them."""
    game = guess.figure()
    state = game.play(game.layer, 1, 30).state
    drawn = [guess.sample(1, number) for number in range(30)]
    walks = rw.Walks(np.array([[*one.cells, one.label] for one in drawn])[None], np.full((1, 30), 1 / 30))
    model = CirculantTransformer(K=guess.K, N=guess.T + 1, M=10 * (guess.T + 1))
    params = model.init(1)
    for _ in range(8):
        slope = model.loss_and_gradient(params, turns(walks, guess.K))[1]
        rates = (1 / guess.K, model.rho / guess.K, model.rho**2)
        params = type(params)(*(x - lr * g for x, g, lr in zip(params, slope, rates, strict=True)))
    np.testing.assert_allclose(player.looks(state)["attention"], model.attention(params)[0][:-1], atol=1e-9)


def test_how_long_the_layer_of_the_game_takes():
    """It finds the last position within twenty walks in most tasks, and says so."""
    game = guess.figure()
    found = [game.play(game.layer, task, 20).state.layer.S[guess.T - 1] > 0.9 for task in range(12)]
    assert sum(found) >= 9
    assert "it has found the walker" in game.sentence(0, game.play(game.layer, 0, 60))
