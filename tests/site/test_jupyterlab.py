"""The chapters in a real JupyterLab, with the extension that renders MyST: they read like the book."""

import json
import re
import shutil

import pytest

from tests.browser import chromium_or_skip
from tests.chapters import chapters
from tests.jupyterlab import TOKEN, jupyterlab

# What a reader would see of something that JupyterLab does not know, and its class where it has one.
WRONG = r"Undefined control sequence|[Nn]ot [Ff]ound|(?m:^ *:{3,})|\{(?:[a-z]+:)?[a-z-]+\}`|\{[a-z:-]+\}\s*$"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab with the chapters, which renders all cells at once."""
    chromium_or_skip()
    folder = tmp_path_factory.mktemp("lab")
    for path in chapters():
        shutil.copy(path, folder)
    settings = folder / ".jupyter" / "SETTINGS" / "@jupyterlab" / "notebook-extension"
    settings.mkdir(parents=True)
    (settings / "tracker.jupyterlab-settings").write_text(json.dumps({"windowingMode": "none"}))
    with jupyterlab(folder) as address:
        yield address


@pytest.mark.browser
@pytest.mark.deep
def test_a_chapter_reads_like_the_book(chromium, lab):
    page = chromium.new_page(viewport={"width": 1400, "height": 1200})
    page.set_default_timeout(60_000)
    for path in chapters():
        page.goto(f"{lab}lab/tree/{path.name}?token={TOKEN}&reset")
        texts = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "markdown"]
        page.wait_for_function(
            "count => document.querySelectorAll('.jp-MarkdownCell .myst').length === count", arg=len(texts)
        )
        cells = page.locator(".jp-MarkdownCell")
        page.wait_for_function("() => [...document.querySelectorAll('.jp-MarkdownCell .myst')].every(e => e.innerText)")
        shown = cells.evaluate_all("all => all.map((e) => e.innerText)")
        assert [text for text in shown if re.search(WRONG, text)] == []
        titles = page.locator(".jp-MarkdownCell [title]").evaluate_all("all => all.map((e) => e.title)")
        assert [title for title in titles if re.search(WRONG, title)] == []
        assert cells.locator(".katex-error").count() == 0
        # formulas, headings and folded proofs are made of the source, not shown as it
        assert cells.locator(".katex").count() > 10
    page.close()
