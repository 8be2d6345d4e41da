"""The game of chapter 1: its tasks, and the layer that plays, computed another way."""

import itertools

import numpy as np
import pytest

from hal.chapters.scb.figures import guess
from hal.chapters.scb.models import textbook_player
from lib.models.scb import ring_task

TASKS = range(12)


@pytest.fixture(scope="module")
def played():
    """Of twelve games the layer's 700 answers, right or not, and after 200 what V and attention have learned, in %."""
    game = guess.figure()
    rounds = [game.play(game.layer, task, 700) for task in TASKS]
    after = [game.play(game.layer, task, 200) for task in TASKS]
    both = [guess.report(task, one.state) for task, one in zip(TASKS, after, strict=True)]
    return np.array([one.right for one in rounds]), np.array([[one["V"][0], one["A"][0]] for one in both])


def test_the_layer_learns_what_before_where_and_needs_hundreds(played):
    right, learned = played
    assert right[:, :50].mean() < 0.35  # chance is 0.25
    assert (learned[:, 0] > learned[:, 1]).mean() > 0.9  # after 200 samples,
    assert right[:, 180:200].mean() < 0.5  # when its answers are still poor
    assert right[:, 500:].mean() > 0.8  # best possible 0.85


def test_a_task_has_any_order_of_labels_and_any_positions():
    rules = [guess.rule(task) for task in range(240)]
    orders = {tuple(rule.order) for rule in rules}
    assert orders <= set(itertools.permutations(range(4)))
    assert len(orders) == 24
    places = np.bincount([place for rule in rules for (place,) in rule.ring.s], minlength=16)
    assert places.min() > 30  # 60 each, on average
    assert {tuple(guess.sample(task, 0).cells) for task in range(20)}.__len__() == 20


def test_the_layer_takes_the_steps_of_algorithm_1():
    """Six samples, each a batch of one: the player's matrices, and Stage 1 written out with matrix products."""
    rule, state = guess.rule(4), guess.layer(4)
    task = ring_task(T=16, N=4, c=0.8, weights=(1.0,), rng=0)
    V, A = np.tile(task.mu[:, None], (1, 4)), np.full((16, 4), 1 / 16)
    for number in range(6):
        one = guess.sample(4, number)
        X = np.eye(4)[:, one.cells]
        h = X @ A[:, one.query]
        r = V @ h - np.eye(4)[one.label]
        grad_V, grad_a = np.outer(r, h), X.T @ V.T @ r
        V = V - guess.RATE / rule.ring.K_Q * 4 * grad_V
        A[:, one.query] -= guess.RATE / rule.ring.K_P * 4 * (grad_a - grad_a.mean())
        textbook_player.learn(state, one)
    np.testing.assert_allclose(np.array(state.V).T, V, rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.array(state.A).T, A, rtol=0, atol=1e-12)
    np.testing.assert_allclose((rule.ring.K_P, rule.ring.K_Q), (task.K_P, task.K_Q))
    one = guess.sample(4, 6)
    said = V @ np.eye(4)[:, one.cells] @ A[:, one.query]
    assert textbook_player.answer(state, one) == int(np.argmax(said))
