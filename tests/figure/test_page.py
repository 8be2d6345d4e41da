"""A figure's markup for the page, and its sliders in a notebook, without a browser."""

import json
import re
from base64 import b64encode

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter, SlidesExporter

from hal.chapters.scb.figures import quiet
from hal.figure import show
from hal.figure.page import STATIC, queued
from tests.figure import toy_computed


def test_the_markup_carries_picture_and_spec_and_escapes_them():
    title = 'Less < more & "quotes"'
    text = toy_computed.explorer(TITLE=title).html()
    assert text.startswith('<div class="lib-explorer" data-explorer="toy-computed" id="toy-computed">')
    assert text.endswith(f"</div>{queued('libExplorers')}")
    spec = json.loads(re.search(r'class="le-spec">(.*?)</script>', text)[1])
    assert spec["title"] == title
    assert [c["name"] for c in spec["controls"]] == ["N", "T", "lr", "start_V", "start_A", "mu"]
    assert re.search(r'alt="Less &lt; more &amp; &quot;quotes&quot;\. 3 of 3 runs go right', text)
    assert text == toy_computed.explorer(TITLE=title).html(), "the same figure must give the same page"


def test_a_saved_notebook_shows_picture_and_sentence_of_each_kind_of_figure(tmp_path, monkeypatch):
    """Run, saved and without its kernel, as nbconvert and other pages show it; `figure = show(...)` shows nothing."""
    monkeypatch.delenv(STATIC, raising=False)
    texts = [
        "import inspect\nfrom hal import show\nfrom hal.chapters.scb.figures import count, guess, quiet, run",
        "figure = show(quiet)",
        "figure.set(T=512)\nfigure",
        "show(count)",
        "show(guess)",
        "show(run, run=inspect.getsource(show(run).run))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in texts])
    NotebookClient(notebook, kernel_name="python3", timeout=100, resources={"metadata": {"path": tmp_path}}).execute()
    notebook.metadata.pop("widgets")
    saved = [[one.get("data", {}) for one in cell.outputs] for cell in notebook.cells]
    assert [len(one) for one in saved] == [0, 0, 2, 2, 2, 2]
    assert [list(one[0]) for one in saved[2:]] == [["application/vnd.jupyter.widget-view+json", "text/plain"]] * 4
    moved, small, game, own = [one[1] for one in saved[2:]]
    expected = show(quiet).draw(show(quiet).compute({"T": 512})).reading
    assert moved["text/plain"] == f"{show(quiet)!r}\n{expected}"
    assert "T = 512" in moved["image/svg+xml"]
    assert list(own) == ["text/plain"]
    assert own["text/plain"].startswith("Computed('scb-run-mine', ")
    assert len(json.dumps(saved)) < 100_000
    for exporter in (HTMLExporter, SlidesExporter):
        page = exporter().from_notebook_node(notebook)[0]
        assert page.count(b64encode(small["image/svg+xml"].encode()).decode()) == page.count(game["text/html"]) == 1
        assert " object at 0x" not in page
