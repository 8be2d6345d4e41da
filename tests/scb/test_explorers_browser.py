"""The chapter's explorers in Chromium: their numbers and sentences are CPython's, off the default too."""

import math

import pytest

from lib.chapters.scb.explorers import flow, prox, sign, stages, transfer
from lib.explorer import assets
from tests.browser import ROOT, explorer_state

pytestmark = pytest.mark.browser
CHEAP = {
    "scb-flow": {"T": 24, "lr": 0.15, "start_V": -0.25, "start_A": 0.5},
    "scb-stages": {"T": 24, "N": 3, "lr": 0.15, "batch": 6},
    "scb-prox": {"T": 24, "skew": 0.5, "lr": 0.15, "batch": 6},
    "scb-sign": {"T": 24, "c": 0.5, "lr": 0.2, "batch": 2},
    "scb-transfer": {"T": 8, "N": 3, "mu": [0.5, 0.3, 0.2], "rho": -0.5},
}


def written(value):
    """A setting as a link has it."""
    return "/".join(map(str, value)) if isinstance(value, list) else value


@pytest.fixture(scope="module")
def figures():
    made = [flow.explorer(), stages.explorer(), prox.explorer(), transfer.explorer()]
    return {figure.name: figure for figure in [*made, sign.explorer(ROOT / "results" / "scb" / "sign_share.json")]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory, figures):
    """A page for each figure, opened from disk; the build's own runs are cut to what a test can wait for."""
    folder = tmp_path_factory.mktemp("scb")
    (folder / "explorer.js").write_text(assets.script())
    (folder / "explorer.css").write_text(assets.style())
    head = '<meta charset="utf-8"><title>Toy</title><link rel="stylesheet" href="explorer.css">'
    for name, figure in figures.items():
        compute, figure.first = figure.compute, 1
        figure.compute = lambda settings=None, seed=0, runs=1, own=compute, name=name: own(CHEAP[name], seed, runs)
        body = f'<main class="full-width">{figure.html()}</main><script src="explorer.js"></script>'
        del figure.compute
        text = f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>'
        (folder / f"{name}.html").write_text(text)
    return folder


@pytest.mark.parametrize("name", CHEAP)
def test_the_page_s_runs_and_sentence_are_python_s(chromium, figures, folder, name):
    figure = figures[name]
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    asked = ",".join(f"{key}={written(value)}" for key, value in CHEAP[name].items())
    page.goto(f"{(folder / name).as_uri()}.html#{name}:{asked}")
    page.wait_for_function(f"document.querySelector('[data-explorer]').explorerState?.().count === {figure.runs}")
    shown, ours = explorer_state(page, "[data-explorer]"), figure.compute(CHEAP[name], runs=figure.runs)
    for theirs, run in zip(shown["runs"], ours.runs, strict=True):
        wanted = {key: [x if math.isfinite(x) else None for x in values] for key, values in run.items()}
        assert theirs["readings"] == wanted
    reading = page.locator(".le-reading").inner_text()
    assert reading == figure.draw(ours).reading
    assert page.evaluate("document.documentElement.scrollWidth") <= 1440
    box = page.locator(".le-ui").bounding_box()
    assert box["height"] <= 900
    assert errors == []
    page.close()
