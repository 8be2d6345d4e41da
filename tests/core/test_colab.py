"""The first cell of a chapter installs its release on Colab, replaces nothing there, and does nothing elsewhere."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata

import pytest
from IPython.core.interactiveshell import InteractiveShell
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.chapters import chapters
from tests.packages import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WANTED = f"{PROJECT['name']} @ git+{PROJECT['urls']['Repository']}@v{PROJECT['version']}"


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def source_of(path):
    return "".join(cells(path)[1]["source"])


def given(path):
    """Run the script on a notebook; whether it says that it changed it."""
    command = [sys.executable, ROOT / ".ci" / "colab", path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{path}\n"


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_chapter_has_cell_of_its_release_once_after_title(path, tmp_path):
    assert [cell["id"] for cell in cells(path)].index("colab") == 1
    assert [cell["id"] for cell in cells(path)].count("colab") == 1
    copy = shutil.copy(path, tmp_path / path.name)
    assert not given(copy)
    copy.write_text(path.read_text(encoding="utf-8").replace(f"@v{PROJECT['version']}", "@v0.0.1"), encoding="utf-8")
    assert given(copy)
    assert json.loads(copy.read_text(encoding="utf-8")) == json.loads(path.read_text(encoding="utf-8"))


class Colab(InteractiveShell):
    """Its name is that of Colab's own."""

    __module__ = "google.colab._shell"


@pytest.mark.parametrize(("shell", "installs"), [(InteractiveShell, False), (Colab, True)])
def test_cell_installs_on_colab_alone(shell, installs, capsys):
    here, said = shell(), []
    here.history_manager.enabled = False
    here.run_line_magic = lambda name, line, **_: said.append((name, line))
    here.user_ns["get_ipython"] = lambda: here
    assert here.run_cell(source_of(chapters()[0])).success
    assert capsys.readouterr().out == ""
    assert said == [("pip", f"install --quiet '{WANTED}'")] * installs


def test_cell_replaces_nothing_that_colab_has():
    """It has each dependency in a version that will do, and pip leaves it; what it has not brings nothing else."""
    pins = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "tests" / "core" / "colab.txt").read_text(), re.M)
    there = {canonicalize_name(name): version for name, version in pins}
    needed = [Requirement(line) for line in PROJECT["dependencies"]]
    new = [needed.pop(i).name for i, one in reversed([*enumerate(needed)]) if one.name not in there]
    assert (new, metadata.requires("mini-racer")) == (["mini-racer"], None)
    assert {one.name: one.specifier.contains(there[one.name]) for one in needed} == {one.name: True for one in needed}
