"""The textbook of group-sparse classification: what it draws, records and reads out; its run is held by claim GS-21."""

import numpy as np
import pytest

from hal.chapters.group_sparse.runs import fast_runs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.portable import run
from tests.group_sparse.rows import ends


def test_labels_and_flips():
    state = textbook.start(Settings(D=3, d=2, n=2000, flips=0.25), 0)
    deciding = np.array(state.tokens).reshape(2000, 3, -1)[:, textbook.STAR, 0]
    wrong = np.mean(np.sign(deciding) != state.y)
    assert abs(wrong - 0.25) < 5 * np.sqrt(0.1875 / 2000)


def test_the_fast_model_trains_as_the_textbook_does():
    settings, seeds = Settings(D=3, d=2, n=30, lr=0.5, steps=60), range(8)
    fast, own = fast_runs(settings, seeds), ends(settings, seeds)
    for name in ("attention", "cosine", "ratio"):
        theirs = np.array([run[name] for run in own])[:, 5:]
        mine = fast[name][:, 5:]
        assert mine.shape == theirs.shape
        spread = np.sqrt((theirs.var(axis=0, ddof=1) + mine.var(axis=0, ddof=1)) / 8)
        assert (np.abs(theirs.mean(axis=0) - mine.mean(axis=0)) / spread).max() < 5.5, name


def test_the_map_and_the_tests_of_a_run():
    found = run(textbook, D=3, d=2, n=80, lr=0.5, steps=60)
    maps = np.array(found["map"]).reshape(61, 3, 3)
    np.testing.assert_allclose(maps.sum(axis=1), 1, atol=1e-12)  # a query's weights
    np.testing.assert_allclose(maps[:, textbook.STAR].mean(axis=1), found["attention"], atol=1e-12)
    np.testing.assert_allclose(maps[0], 1 / 3)
    assert found["loss"][0] == pytest.approx(np.log(2))
    assert np.isnan(found["test"][0])
    assert found["test"][-1] > 0.9
    flipped = run(textbook, D=3, d=2, n=80, lr=0.5, steps=60, flips=0.2)
    assert flipped["test"][-1] > flipped["accuracy"][-1]  # fresh examples are not turned over


def test_a_record_s_pass_is_the_gradient_of_the_next_step():
    settings = Settings(D=3, d=2, n=6, steps=90)
    state, plain = (textbook.start(settings, 4) for _ in range(2))
    while not textbook.done(state):
        textbook.step(state)
        for x, g in zip(textbook.parameters(plain), textbook.gradient(plain), strict=True):
            x[:] = [a - settings.lr * b for a, b in zip(x, g, strict=True)]
        textbook.count_step(plain)
    np.testing.assert_allclose(state.W, plain.W, rtol=1e-12, atol=1e-15)
    assert textbook.read(state)["steps"] == textbook.read(plain)["steps"]
