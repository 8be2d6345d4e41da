"""The first cell of a chapter installs its release on Colab, once, and does nothing elsewhere."""

import json
import shutil
import subprocess
import sys
import tomllib

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.chapters import chapters
from tests.packages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def given(*paths):
    """Run the script on notebooks; what it says that it changed."""
    command = [sys.executable, ROOT / ".ci" / "colab", *paths]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def cell_of(path):
    return "".join(next(cell for cell in cells(path) if cell["id"] == "colab")["source"])


@pytest.fixture(params=chapters(), ids=lambda path: path.stem)
def notebook(request, tmp_path):
    return shutil.copy(request.param, tmp_path / request.param.name)


def test_the_cell_comes_once_after_the_title_and_nothing_else_changes(notebook):
    before = [cell for cell in cells(notebook) if cell["id"] != "colab"]
    given(notebook)
    assert [cell["id"] for cell in cells(notebook)].index("colab") == 1
    assert [cell for cell in cells(notebook) if cell["id"] != "colab"] == before
    once = notebook.read_bytes()
    assert given(notebook) == []
    assert notebook.read_bytes() == once


def test_the_text_of_the_file_is_kept(notebook):
    """Another indent, or letters written as codes, would change every line of the file."""
    old = notebook.read_text(encoding="utf-8").splitlines()
    given(notebook)
    new = notebook.read_text(encoding="utf-8").splitlines()
    assert len(new) - len(old) in (0, 16)
    kept = set(new)
    assert [line for line in old if line not in kept] == []


def test_a_notebook_of_one_line_stays_one(tmp_path):
    path = shutil.copy(chapters()[0], tmp_path / "one.ipynb")
    whole = json.loads(path.read_text(encoding="utf-8"))
    bare = {**whole, "cells": [cell for cell in whole["cells"] if cell["id"] != "colab"]}
    path.write_text(json.dumps(bare), encoding="utf-8")
    given(path)
    assert json.loads(path.read_text(encoding="utf-8")) == whole
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1


def test_an_old_version_is_replaced(tmp_path):
    path = shutil.copy(chapters()[0], tmp_path / "one.ipynb")
    given(path)
    path.write_text(path.read_text(encoding="utf-8").replace(f"@v{PROJECT['version']}", "@v0.0.1"), encoding="utf-8")
    assert given(path) == [str(path)]
    assert f"@v{PROJECT['version']}" in cell_of(path)
    assert [cell["id"] for cell in cells(path)].count("colab") == 1


class Colab(InteractiveShell):
    """Its name is that of Colab's own."""

    __module__ = "google.colab._shell"
    said = ()

    def run_line_magic(self, name, line, _stack_depth=1):
        self.said += ((name, line),)


@pytest.mark.parametrize(("shell", "installs"), [(InteractiveShell, False), (Colab, True)])
def test_it_installs_on_colab_alone(shell, installs, tmp_path, capsys):
    path = shutil.copy(chapters()[0], tmp_path / "one.ipynb")
    given(path)
    here = shell()
    here.history_manager.enabled = False
    here.said = ()
    here.run_line_magic = lambda name, line, **_: setattr(here, "said", (*here.said, (name, line)))
    here.user_ns["get_ipython"] = lambda: here
    assert here.run_cell(cell_of(path)).success
    assert capsys.readouterr().out == ""
    wanted = f"{PROJECT['name']}[run] @ git+{PROJECT['urls']['Repository']}@v{PROJECT['version']}"
    assert here.said == ((("pip", f"install --quiet '{wanted}'"),) if installs else ())


def test_the_chapters_have_it_all_or_none():
    """A release gives it to all of them; one with another version would install another book."""
    having = [path.stem for path in chapters() if any(cell["id"] == "colab" for cell in cells(path))]
    assert having in ([], [path.stem for path in chapters()])
    assert [
        path.stem for path in chapters() if path.stem in having and f'@v{PROJECT["version"]}"' not in cell_of(path)
    ] == []
