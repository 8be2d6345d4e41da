"""The worked small figure of CONTRIBUTING is one: its idea is seen, it computes in the page, and says what is drawn."""

import importlib.util
import sys

import numpy as np
import pytest

from hal.explorer import Small
from tests.core.test_readme import blocks
from tests.explorer.changed import changed
from tests.in_page import InPage
from tests.portable.engine import bits
from tests.rows import said


@pytest.fixture
def figure(tmp_path, monkeypatch):
    """The block that is a small figure, as the module that a maintainer would write."""
    (text,) = [block for block in blocks("CONTRIBUTING.md") if block.startswith('"""Small figure')]
    path = tmp_path / "caught.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("caught", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "caught", module)
    spec.loader.exec_module(module)
    return Small(changed(module, NAME="scb-caught"))


def test_the_worked_small_figure_shows_its_idea_and_says_what_it_draws(figure):
    assert all(figure.idea.holds(figure.drawn(seed=seed)) for seed in range(8))
    assert not all(figure.idea.holds(figure.drawn(figure.idea.breaks, seed=seed)) for seed in range(8))
    for band in (0.0, 0.03, 0.06, 0.2):
        found = figure.compute({"band": band}, seed=1)
        row = np.array(found.theory["row.attention"])
        text = figure.draw(found).reading
        assert said(text, "The band catches") == (np.abs(row) <= band).sum()
        assert ("all of them noise" in text) == ((np.abs(row) <= band).sum() == 198)


def test_it_computes_in_the_page(figure):
    point = figure.check({"band": 0.05})
    assert bits(InPage(figure).choose(point, 3)) == bits(figure.compute(point, seed=3).theory)
    assert figure.html().count("data-small") == 1
