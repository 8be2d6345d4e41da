"""The worked figure of CONTRIBUTING is one: it runs, in Python and in the page, and says what theory says."""

import importlib.util
import sys

import pytest

from hal.explorer import Computed
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
def module(tmp_path, monkeypatch):
    """The block that is a figure, as the module that a maintainer would write."""
    (text,) = [block for block in blocks("CONTRIBUTING.md") if block.startswith('"""Figure')]
    path = tmp_path / "quiet.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("quiet", path)
    found = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "quiet", found)
    spec.loader.exec_module(found)
    return found


def test_the_worked_figure_says_what_theory_says_and_computes_in_the_page(module):
    figure = Computed(changed(module, NAME="scb-quiet"))
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


def test_its_tour_is_right_about_a_longer_context(module):
    figure = Computed(changed(module, NAME="scb-quiet"))
    taus = [figure.compute({"T": T}, runs=0).theory["law.tau"][0] for T in (64, 512)]
    assert taus[1] / taus[0] == pytest.approx(2, abs=0.2)
