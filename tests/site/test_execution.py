"""Notebooks of the build: executed side by side, cached, and executed again when something they depend on changed."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_cache import get_cache

from lib.chapters import written
from lib.site import execution
from lib.site.execution import cached, execute, key, outdated, sources
from tests.browser import ROOT
from tests.chapters import chapters

LIB = ROOT / "src" / "lib"


def notebook(path, *cells):
    found = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    found.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(found, path)
    return path


@pytest.fixture
def book(tmp_path):
    """A book as the extension sees it: app and env of Sphinx, with notebooks good, quick and bad."""
    config = {
        "nb_execution_mode": "cache",
        "nb_execution_cache_path": "",
        "nb_execution_timeout": 60,
        "nb_execution_allow_errors": False,
    }
    app = SimpleNamespace(config=config, outdir=str(tmp_path / "build" / "html"), srcdir=str(tmp_path))
    notebook(tmp_path / "good.ipynb", "import os\nos.environ['OMP_NUM_THREADS']")
    notebook(tmp_path / "quick.ipynb", "1 + 1")
    notebook(tmp_path / "bad.ipynb", "1 / 0")
    names = {"good", "quick", "bad", "page"}
    path = lambda name: str(tmp_path / (f"{name}.md" if name == "page" else f"{name}.ipynb"))  # noqa: E731 - as Sphinx has it
    return app, SimpleNamespace(found_docs=names, doc2path=path), tmp_path


def executed(monkeypatch):
    """Names of the notebooks that are executed from now on."""
    names, real = [], execution._side_by_side

    def watch(waiting, *rest):
        names.extend(sorted(waiting))
        return real(waiting, *rest)

    monkeypatch.setattr(execution, "_side_by_side", watch)
    return names


def test_each_is_executed_once_and_again_if_it_failed_or_what_it_depends_on_changed(book, monkeypatch):
    app, env, folder = book
    monkeypatch.setattr(execution, "key", lambda path, root: "1")
    names = executed(monkeypatch)
    assert sorted(outdated(app, env, set(), set(), set())) == ["bad", "good", "quick"]
    execute(app, env, ["good", "quick", "bad", "page"])
    assert names == ["bad", "good", "quick"]
    cache = get_cache(folder / "build" / ".jupyter_cache")
    assert [cached(cache, folder / f"{name}.ipynb") for name in ("good", "quick", "bad")] == [True, True, False]
    _, found = cache.merge_match_into_notebook(nbformat.read(folder / "good.ipynb", as_version=4))
    assert found.cells[0].outputs[0]["data"]["text/plain"] == repr(os.environ["OMP_NUM_THREADS"])
    assert outdated(app, env, set(), set(), set()) == ["bad"]
    del names[:]
    monkeypatch.setattr(execution, "key", lambda path, root: "2" if path.stem == "quick" else "1")
    assert sorted(outdated(app, env, set(), set(), set())) == ["bad", "quick"]
    execute(app, env, ["quick", "good", "bad"])
    assert names == ["bad", "quick"]
    app.config["nb_execution_mode"] = "off"
    assert outdated(app, env, set(), set(), set()) == []


def test_sources_are_what_is_imported_however_far_and_the_results_that_are_named(tmp_path):
    path = notebook(
        tmp_path / "toy.ipynb", "%matplotlib inline\nfrom lib import plots", "open('../results/toy/x.json')"
    )
    (tmp_path / "results" / "toy").mkdir(parents=True)
    before = key(path, tmp_path)
    found = sources(path, tmp_path)
    assert {LIB / "plots.py", LIB / "palette.py", LIB / "__init__.py"} <= set(found)
    assert not [file for file in found if "models" in file.parts]
    (tmp_path / "results" / "toy" / "x.json").write_text("{}")
    (tmp_path / "results" / "toy" / "y.json").write_text("{}")
    assert sources(path, tmp_path) == [*found, tmp_path / "results" / "toy" / "x.json"]
    assert key(path, tmp_path) != before


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_chapter_depends_on_its_own_parts_and_on_no_page(path):
    found = sources(path, ROOT)
    parts = {file.relative_to(LIB).parts for file in found if LIB in file.parents}
    assert {("chapters", path.stem, part, "__init__.py") for part in ("runs", "explorers", "claims")} <= parts
    assert not [part for part in parts if part[0] == "site"], "a change of the site would run the notebooks again"
    assert ("chapters", "__init__.py") not in parts, "a new row of the registry would run all notebooks again"
    others = {row.slug for row in written()} - {path.stem}
    assert not [part for part in parts if others & set(part)], "a change of one chapter would run another again"
    cells = json.loads(path.read_text())["cells"]
    assert len(cells) > 10
    code = [line for cell in cells if cell["cell_type"] == "code" for line in cell["source"]]
    opened = {word.removeprefix("../") for line in code for word in line.split('"') if word.startswith("../results/")}
    assert opened, "every chapter shows a recorded run"
    opened = {name for name in opened if (ROOT / name).exists()}  # a page may say of a record that nobody has made it
    assert opened == {str(file.relative_to(ROOT)) for file in found if ROOT / "results" in file.parents}
    assert all(Path(name).parent.name == path.stem for name in opened)
