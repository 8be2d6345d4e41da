"""The game of chapter 2: its sequences, and the layer that plays, computed another way."""

import numpy as np
import pytest
import torch

from hal.chapters.scan_snap.figures import guess
from hal.chapters.scan_snap.models import player as textbook_player
from hal.chapters.scan_snap.runs import rounds


def test_distinct_tokens_stand_before_one_next_token_only():
    game = guess.figure()
    for level, expected in ((0, 0.75), (1, 0.469)):  # 15 of 16 cells follow the law, one is not common
        uninformative = []
        for task in range(level, 12, 3):
            before = {0: set(), 1: set()}
            for number in range(200):
                drawn = game.sample(task, number)
                before[drawn.label] |= set(drawn.cells)
                assert sum(drawn.right) == pytest.approx(1)
                distinct = set(rounds.roles(task)[2 + 2 * drawn.label : 4 + 2 * drawn.label])
                assert [weight > 0 for weight in drawn.right] == [kind in distinct for kind in drawn.cells]
                uninformative.append(np.mean(np.array(drawn.right) == 0))
                found = game.letters[drawn.cells[drawn.right.index(max(drawn.right))]]
                assert game.revealed(drawn, task) == f"Letter {found} occurs only before {'XY'[drawn.label]}."
            assert before[0] & before[1] == set(rounds.roles(task)[:2])  # 200 sequences show every token of a task
            assert before[0] | before[1] == set(range(rounds.KINDS))
        assert np.mean(uninformative) == pytest.approx(expected, abs=0.012)
    assert len({tuple(rounds.roles(task)) for task in range(20)}) > 10
    assert len({tuple(guess.sample(task, 0).cells) for task in range(20)}) == 20


def test_on_the_third_level_two_kinds_hint_and_two_are_certain():
    counts = np.zeros((2, 6))
    for number in range(1500):
        one = guess.sample(5, number)
        np.add.at(counts[one.label], one.cells, 1)
        told = {kind for kind, weight in zip(one.cells, one.right, strict=True) if weight}
        assert told == set(one.cells) - set(rounds.roles(5)[:2])  # what is framed is all that tells something
        assert told
    share = (counts / counts.sum(axis=1, keepdims=True))[:, rounds.roles(5)]
    assert share[:, :2] == pytest.approx(0.375, abs=0.015)
    assert (share[0, 2], share[1, 4]) == pytest.approx((share[0, 2], share[0, 2]), abs=0.01)
    assert (share[1, 2], share[0, 4]) == (0, 0)
    assert share[0, 3] / share[1, 3] == pytest.approx(3, abs=0.3)
    assert share[1, 5] / share[0, 5] == pytest.approx(3, abs=0.3)
    assert 0 < share[0, 2] < share[0, 3] / 4


def test_the_layer_takes_steps_of_gradient_descent():
    """Against the model with nine outputs written out, differentiated by torch."""
    state = guess.layer(3)
    Y, z = (torch.zeros(shape, dtype=torch.float64, requires_grad=True) for shape in ((6, 9), (6,)))
    for number in range(12):
        one = guess.sample(3, number)
        counts = torch.bincount(torch.tensor(one.cells), minlength=6) * torch.exp(z)
        logits = Y.T @ (counts / counts.norm())
        assert textbook_player.answer(state, one) == int(logits[1] > logits[0] + 1e-12)
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor(one.label))
        loss.backward()
        textbook_player.learn(state, one)
        assert state.loss == pytest.approx(loss.item(), abs=1e-9)
        for part in (Y, z):
            part.data -= guess.RATE * part.grad
            part.grad = None
        np.testing.assert_allclose(state.Z[:6], z.detach(), atol=1e-8)
        np.testing.assert_allclose(np.reshape(state.Y, (-1, 3))[:6, :2], Y.detach()[:, :2], atol=1e-8)
    weight = np.exp(z.detach().numpy())
    shown, roles = np.zeros(6), rounds.roles(3)
    for side in (0, 1):
        law = np.zeros(6)
        law[roles[:2]] = 0.4
        law[roles[2 + 2 * side : 4 + 2 * side]] = 0.1
        shown += 0.5 * law * weight / (law @ weight)
    np.testing.assert_allclose(guess.shares(3, state), shown, atol=1e-8)
