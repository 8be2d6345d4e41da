"""What a page carries of a figure, what a saved notebook keeps, and modules joined into what each host loads."""

import json
import re
import shutil
import subprocess
import sys
from base64 import b64encode

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter, SlidesExporter

from hal.chapters.scb.figures import quiet
from hal.figure import assets, show
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


HOSTS = {
    "page": assets.script(),
    "figure": assets.computing_module({}),
    "parts": assets.computing_module({}, assets.PARTS),
    "sample": assets.sample_module("() => ({})"),
}


@pytest.mark.parametrize("host", HOSTS)
def test_what_a_host_loads_defines_every_name_once(host, tmp_path):
    vendored = (assets.HERE / "vendor" / "d3.min.js").read_text(encoding="utf-8").partition("\nexport")[0]
    path, config = tmp_path / "host.mjs", tmp_path / "rules.json"
    path.write_text(HOSTS[host].replace(vendored, "const d3 = {};"), encoding="utf-8")
    rules = {"no-undef": "error", "no-redeclare": "error"}
    config.write_text(json.dumps({"env": {"browser": True, "es2024": True}, "rules": rules}))
    linter = shutil.which("oxlint", path=str(sys.prefix) + "/bin")
    assert linter, "no oxlint beside this Python; get it with: pip install -c constraints.txt -e '.[dev]'"
    done = subprocess.run([linter, "-c", str(config), "--format=unix", str(path)], capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if "[Error" in line] == []
    assert len(re.findall(r"^(?:import|export) ", HOSTS[host], re.M)) == (0 if host == "page" else 1)
