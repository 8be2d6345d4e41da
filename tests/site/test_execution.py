"""Notebooks of the build: executed side by side, cached, and executed again when something they depend on changed."""

import os
import shutil
from types import SimpleNamespace

import nbformat
import pytest
from jupyter_cache import get_cache
from sphinx.errors import ExtensionError

from hal.remember import REMEMBER
from hal.site import execution
from hal.site.execution import cached, execute, outdated, sources
from tests.chapters import chapters
from tests.packages import PACKAGES


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
        "nb_execution_timeout": 600,  # no test of how fast a machine is
        "nb_execution_allow_errors": False,
    }
    app = SimpleNamespace(config=config, outdir=str(tmp_path / "build" / "html"), srcdir=str(tmp_path))
    notebook(tmp_path / "good.ipynb", "import os\nos.environ['OMP_NUM_THREADS']")
    notebook(tmp_path / "quick.ipynb", "1 + 1")
    notebook(tmp_path / "bad.ipynb", "1 / 0")
    names = {"good", "quick", "bad", "page"}

    def path(name):  # as Sphinx has it
        return str(tmp_path / (f"{name}.md" if name == "page" else f"{name}.ipynb"))

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
    # what the build sets for its kernels is not left to other tests
    monkeypatch.setenv(REMEMBER, str(folder))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr(execution, "key", lambda path: "1")
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
    monkeypatch.setattr(execution, "key", lambda path: "2" if path.stem == "quick" else "1")
    assert sorted(outdated(app, env, set(), set(), set())) == ["bad", "quick"]
    execute(app, env, ["quick", "good", "bad"])
    assert names == ["bad", "quick"]
    app.config["nb_execution_mode"] = "off"
    assert outdated(app, env, set(), set(), set()) == []


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_chapter_depends_on_its_own_parts_and_on_no_page(path):
    found = sources(path)
    parts = {file.relative_to(package).parts for file in found for package in PACKAGES if package in file.parents}
    assert {("chapters", path.stem, part, "__init__.py") for part in ("runs", "figures", "claims")} <= parts
    assert not [part for part in parts if part[0] == "site"], "a change of the site would run the notebooks again"
    assert ("results", path.stem, "claims.json") in parts
    assert ("results", path.stem, "budgets.json") not in parts, "a new measurement would run the notebook again"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("global.db", b"\0 no database" * 100),
        ("keys.json", b'{"good": "a'),
        ("executed", None),  # outputs that the database names are gone
    ],
)
def test_a_cache_that_cannot_be_read_is_begun_anew(book, monkeypatch, name, content):
    app, env, folder = book
    execute(app, env, ["good", "quick"])
    cache = folder / "build" / ".jupyter_cache"
    if content is None:
        shutil.rmtree(cache / name)
    else:
        (cache / name).write_bytes(content)
    done = executed(monkeypatch)
    execute(app, env, ["good", "quick"])
    assert done == ["good", "quick"]
    execute(app, env, ["good", "quick"])
    assert done == ["good", "quick"], "it is executed a third time"


@pytest.mark.parametrize(
    "text", ["", "{", '{"cells": 3}', '{"cells": [{"cell_type": "code"}], "nbformat": 4}', "<script>"]
)
def test_a_file_that_is_no_notebook_ends_the_build_with_its_name(book, text):
    _, _, folder = book
    (folder / "good.ipynb").write_text(text)
    with pytest.raises(ExtensionError, match=r"good\.ipynb: expected a notebook, got"):
        sources(folder / "good.ipynb")
