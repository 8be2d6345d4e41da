"""The textbook runs in the page to the same bits, and its fast twin agrees with it in law."""

import numpy as np
import pytest

from lib.chapters.group_sparse.runs.textbook_twin import fast_runs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from tests.portable.engine import bits, literal, page_of


@pytest.mark.parametrize("settings", [Settings(2, 1, 6, 0.35, 70, 0.75, 0.25), Settings(4, 3, 9, 1.5, 12, 1.0, 0.0)])
def test_the_same_bits_in_the_page(settings):
    here = textbook.start(settings, 3)
    textbook.advance(here, textbook.steps_of(settings))
    page = page_of(textbook, checked=True)
    page.do('const T = portable["lib.models.group_sparse.textbook"];')
    page.do(f"const s = T.start({literal(settings)}, 3); T.advance(s, {settings.steps + 1});")
    assert bits(page.run("T.read(s)")) == bits(textbook.read(here))


def test_the_fast_twin_trains_as_the_textbook_does():
    settings, seeds = Settings(D=3, d=2, n=30, lr=0.5, steps=60), range(8)
    fast, page = fast_runs(settings, seeds), page_of(textbook)
    page.do('const T = portable["lib.models.group_sparse.textbook"];')
    own = []
    for seed in seeds:
        page.do(f"globalThis.s = T.start({literal(settings)}, {seed}); T.advance(s, 61);")
        own.append(page.run("T.read(s)"))
    for name in ("attention", "cosine", "ratio"):
        theirs = np.array([run[name] for run in own])[:, 5:]
        mine = fast[name][:, 5:]
        assert mine.shape == theirs.shape
        spread = np.sqrt((theirs.var(axis=0, ddof=1) + mine.var(axis=0, ddof=1)) / 8)
        assert (np.abs(theirs.mean(axis=0) - mine.mean(axis=0)) / spread).max() < 5.5, name


def test_the_map_and_the_tests_of_a_run():
    run = textbook.run(0, D=3, d=2, n=80, lr=0.5, steps=60)
    maps = np.array(run["map"]).reshape(61, 3, 3)
    np.testing.assert_allclose(maps.sum(axis=1), 1, atol=1e-12)  # a query's weights
    np.testing.assert_allclose(maps[:, textbook.STAR].mean(axis=1), run["attention"], atol=1e-12)
    np.testing.assert_allclose(maps[0], 1 / 3)
    assert run["loss"][0] == pytest.approx(np.log(2))
    assert np.isnan(run["test"][0])
    assert run["test"][-1] > 0.9
    flipped = textbook.run(0, D=3, d=2, n=80, lr=0.5, steps=60, flips=0.2)
    assert flipped["test"][-1] > flipped["accuracy"][-1]  # fresh examples are not turned over
