"""The chapter's explorers in Chromium: their numbers and sentences are CPython's, off the default too."""

import pytest

from lib.chapters.scb.explorers import flow, prox, sign, stages, transfer
from tests.browser import ROOT
from tests.explorer.figure_pages import assert_runs_are_python_s, open_figure, written_pages

pytestmark = pytest.mark.browser
CHEAP = {
    "scb-flow": {"T": 24, "lr": 0.15, "start_V": -0.25, "start_A": 0.5},
    "scb-stages": {"T": 24, "N": 3, "lr": 0.15, "batch": 6},
    "scb-prox": {"T": 24, "skew": 0.5, "lr": 0.15, "batch": 6},
    "scb-sign": {"T": 24, "c": 0.5, "lr": 0.2, "batch": 2},
    "scb-transfer": {"T": 8, "N": 3, "mu": [0.5, 0.3, 0.2], "rho": -0.5},
}


@pytest.fixture(scope="module")
def figures():
    made = [flow.explorer(), stages.explorer(), prox.explorer(), transfer.explorer()]
    return {figure.name: figure for figure in [*made, sign.explorer(ROOT / "results" / "scb" / "sign_share.json")]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, figures):
    return written_pages(tmp_path_factory.mktemp("scb"), figures, CHEAP)


@pytest.mark.parametrize("name", CHEAP)
def test_the_page_s_runs_and_sentence_are_python_s(chromium, figures, folder, name):
    errors = []
    page = open_figure(chromium, folder, name, CHEAP[name], errors)
    assert_runs_are_python_s(page, figures[name], CHEAP[name])
    assert errors == []
    page.close()
