"""The worked figures of CONTRIBUTING run, in Python and in the page, and say what is drawn and what theory says."""

import importlib.util
import sys

import numpy as np
import pytest

from hal.explorer import Computed, Small
from hal.explorer.sentences import say
from lib.models import scb
from lib.theory import scb as theory
from tests.core.test_readme import blocks
from tests.explorer.changed import changed
from tests.in_page import InPage
from tests.portable.engine import bits
from tests.rows import said
from tests.sentences.positions import ends


@pytest.fixture
def worked(tmp_path, monkeypatch):
    """A block of CONTRIBUTING as the module that a maintainer would write, by how it begins and the figure's id."""

    def load(begins, name):
        (text,) = [block for block in blocks("CONTRIBUTING.md") if block.startswith(f'"""{begins}')]
        path = tmp_path / f"{name.partition('-')[2]}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, path.stem, module)
        spec.loader.exec_module(module)
        return changed(module, NAME=name)

    return load


def test_the_worked_figure_says_what_theory_says_and_computes_in_the_page(worked):
    figure = Computed(worked("Figure", "scb-quiet"))
    for point in ends(figure):
        found = figure.compute(point, runs=1)
        text, (tau,) = say(figure.reading, found.facts), found.theory["law.tau"]
        T, rate = (figure.check(point)[name] for name in ("T", "lr"))
        if "too short" in text:
            assert T <= 12
            continue
        signal = float((scb.ring_task(T=T, N=4, rng=0).Q[0] ** 2).sum()) - 1 / T
        assert tau == pytest.approx(float(theory.escape_time(0.1, rate, signal, T)))
        assert said(text, "theory says at step" if "does not" in text else "theory says") == pytest.approx(tau, abs=0.5)
    page = InPage(figure)
    assert bits(page.choose(figure.check({}))) == bits(figure.compute(runs=0).theory)
    assert bits(page.train(2)) == bits(figure.compute(seed=2).runs[0])


def test_its_tour_is_right_about_a_longer_context(worked):
    figure = Computed(worked("Figure", "scb-quiet"))
    taus = [figure.compute({"T": T}, runs=0).theory["law.tau"][0] for T in (64, 512)]
    assert taus[1] / taus[0] == pytest.approx(2, abs=0.2)


def test_the_worked_small_figure_shows_its_idea_and_says_what_it_draws(worked):
    figure = Small(worked("Small figure", "scb-caught"))
    assert all(figure.idea.holds(figure.drawn(seed=seed)) for seed in range(8))
    assert not all(figure.idea.holds(figure.drawn(figure.idea.breaks, seed=seed)) for seed in range(8))
    for band in (0.0, 0.03, 0.06, 0.2):
        found = figure.compute({"band": band}, seed=1)
        row = np.array(found.theory["row.attention"])
        text = figure.draw(found).reading
        assert said(text, "The band catches") == (np.abs(row) <= band).sum()
        assert ("all of them noise" in text) == ((np.abs(row) <= band).sum() == 198)


def test_it_computes_in_the_page(worked):
    figure = Small(worked("Small figure", "scb-caught"))
    point = figure.check({"band": 0.05})
    assert bits(InPage(figure).choose(point, 3)) == bits(figure.compute(point, seed=3).theory)
    assert figure.html().count("data-small") == 1
