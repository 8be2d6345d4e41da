"""The game of chapter 2: its sequences, the layer that plays, and the perfect watcher, computed another way."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import guess
from lib.errors import InputError
from lib.models.scan_snap import textbook_player
from lib.theory.scan_snap import portable_watcher
from tests.portable.engine import bits, page_of


def test_distinct_tokens_stand_before_one_next_token_only():
    game, uninformative = guess.figure(), []
    for task in range(4):
        before = {0: set(), 1: set()}
        for number in range(200):
            drawn = game.sample(task, number)
            before[drawn.label] |= set(drawn.cells)
            assert sum(drawn.right) == pytest.approx(1)
            distinct = set(guess.roles(task)[2 + 2 * drawn.label : 4 + 2 * drawn.label])
            assert [weight > 0 for weight in drawn.right] == [kind in distinct for kind in drawn.cells]
            uninformative.append(np.mean(np.array(drawn.right) == 0))
            found = game.letters[drawn.cells[drawn.right.index(max(drawn.right))]]
            assert game.revealed(drawn) == f"Token {found} occurs only before {'XY'[drawn.label]}."
        assert before[0] & before[1] == set(guess.roles(task)[:2])  # 200 sequences show every token of a task
        assert before[0] | before[1] == set(range(guess.KINDS))
    assert np.mean(uninformative) == pytest.approx(0.75, abs=0.01)
    assert len({tuple(guess.roles(task)) for task in range(20)}) > 10
    assert len({tuple(guess.sample(task, 0).cells) for task in range(20)}) == 20


def test_attention_leaves_what_is_common_after_the_answers_are_right():
    game = guess.figure()
    common = {n: [guess.report(task, game.play(game.layer, task, n).state)["common"][0] for task in range(12)]
              for n in (0, 20, 200)}  # fmt: skip
    assert common[0] == pytest.approx([80.0] * 12)
    assert 45 < np.mean(common[20]) < 70
    assert 25 < np.mean(common[200]) < 45


def test_the_layer_takes_steps_of_gradient_descent():
    """Against the model with nine outputs written out, and gradients by finite differences."""
    state, M, lr = guess.layer(4), 9, guess.RATE
    Y, z = np.zeros((6, M)), np.zeros(6)

    def loss(Y, z, one):
        counts = np.bincount(one.cells, minlength=6) * np.exp(z)
        logits = Y.T @ (counts / np.linalg.norm(counts))
        return np.log(np.exp(logits).sum()) - logits[one.label], logits

    def slope(which, one):
        made = np.zeros_like(which)
        for at in np.ndindex(which.shape):
            kept, ends = which[at], []
            for off in (1e-5, -1e-5):
                which[at] = kept + off
                ends.append(loss(Y, z, one)[0])
            which[at] = kept
            made[at] = (ends[0] - ends[1]) / 2e-5
        return made

    for number in range(12):
        one = guess.sample(4, number)
        before, logits = loss(Y, z, one)
        assert textbook_player.answer(state, one) == int(logits[1] > logits[0] + 1e-12)
        of_Y, of_z = slope(Y, one), slope(z, one)
        textbook_player.learn(state, one)
        assert state.loss == pytest.approx(before, abs=1e-9)
        Y -= lr * of_Y
        z -= lr * of_z
        np.testing.assert_allclose(state.Z[:6], z, atol=1e-8)
        np.testing.assert_allclose(np.reshape(state.Y, (-1, 3))[:6, :2], Y[:, :2], atol=1e-8)
    weight = np.exp(z)
    shown, roles = np.zeros(6), guess.roles(4)
    for side in (0, 1):
        law = np.zeros(6)
        law[roles[:2]] = 0.4
        law[roles[2 + 2 * side : 4 + 2 * side]] = 0.1
        shown += 0.5 * law * weight / (law @ weight)
    np.testing.assert_allclose(guess.shares(4, state), shown, atol=1e-8)


def test_the_watcher_is_bayes_rule():
    """With every place of the sure distinct token added up, and every way to deal the roles listed another way."""
    c, ways = guess.COMMON, sorted(set(itertools.permutations((2, 2, 0, 0, 1, 1))))
    state = portable_watcher.watcher(c)
    assert sorted(map(tuple, state.roles)) == ways
    belief = dict.fromkeys(ways, 1 / 90)

    def chance(way, label, cells):
        at = [{2: c / 2, label: (1 - c) / 2}.get(way[kind], 0.0) for kind in cells]
        sure = [0.5 if way[kind] == label else 0.0 for kind in cells]
        return np.mean([sure[s] * np.prod(at[:s] + at[s + 1 :]) for s in range(len(cells))])

    for number in range(6):
        one = guess.sample(7, number)
        said = [sum(belief[way] * chance(way, label, one.cells) for way in ways) for label in (0, 1)]
        if abs(said[0] - said[1]) > 1e-12 * max(said):
            assert portable_watcher.answer(state, one) == int(said[1] > said[0])
        portable_watcher.learn(state, one)
        belief = {way: p * chance(way, one.label, one.cells) for way, p in belief.items()}
        whole = sum(belief.values())
        belief = {way: p / whole for way, p in belief.items()}
        np.testing.assert_allclose(state.belief, [belief[tuple(way)] for way in state.roles], rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("wrong", [0.0, 1.0, -0.2])
def test_a_watcher_refuses(wrong):
    with pytest.raises(InputError, match="c: expected a probability above 0 and below 1"):
        portable_watcher.watcher(wrong)


def test_the_watcher_has_the_same_bits_in_the_page():
    page, name = page_of(portable_watcher), portable_watcher.__name__
    state = portable_watcher.watcher(0.8)
    page.do(f"const W = portable['{name}']; const held = W.watcher(0.8);")
    for number in range(5):
        one = replace(guess.sample(0, number), right=[])
        page.do(f"W.learn(held, {{cells: {one.cells}, query: -1, label: {one.label}, right: []}})")
        portable_watcher.learn(state, one)
        assert bits(page.run("({belief: held.belief})")) == bits({"belief": state.belief})
