"""Chapters as files: outputs that nbval compares and no others, no downloads, a first cell that serves Colab alone."""

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

CHECKED = "nbval-check-output"


def cells(path, *kinds):
    """All cells of a notebook, or those of a kind."""
    every = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in every if not kinds or cell["cell_type"] in kinds]


def code(path):
    return [(number, "".join(cell["source"]), cell) for number, cell in enumerate(cells(path, "code"))]


every = pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)


@every
def test_committed_for_the_kernel_of_everyone_with_outputs_that_nbval_compares_alone(path):
    assert json.loads(path.read_text())["metadata"]["kernelspec"]["name"] == "python3"
    assert any(CHECKED in cell["metadata"].get("tags", []) for _, _, cell in code(path)), "no number is compared"
    for number, source, cell in code(path):
        if CHECKED in cell["metadata"].get("tags", []):
            assert cell["execution_count"], f"cell {number} is compared by nbval only once it has run: {source}"
            assert cell["outputs"], f"cell {number} has nothing to compare: {source}"
            assert {o["output_type"] for o in cell["outputs"]} <= {"stream", "execute_result"}, source
        else:
            assert (cell["execution_count"], cell["outputs"]) == (None, []), f"cell {number}: {source}"


@every
def test_nothing_is_installed_or_downloaded(path):
    for number, source, _ in code(path):
        words = ("pip install", "urlopen", "requests.", "wget", "curl ", "open(")
        assert not [w for w in words if w in source], f"cell {number}: {source}"


@every
def test_numbers_of_a_phrase_are_those_that_it_sets(path):
    """`[at $\\lambda=0.1\\,\\eta$](#scb-prox:lam=0.1)`: what the words name is what the figure takes."""
    text = "\n".join("".join(cell["source"]) for cell in cells(path, "markdown"))
    for words, settings in re.findall(r"\[([^]\[]*)\]\(#[\w-]+:([^)]*)\)", text):
        numbers = {float(one) for one in re.findall(r"(?<![\w.^])\d+(?:\.\d+)?", words)}
        given = {float(one) for one in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?", settings)}
        assert numbers <= {abs(one) for one in given}, f"[{words}] sets {settings}"


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WANTED = f"{PROJECT['name']} @ git+{PROJECT['urls']['Repository']}@v{PROJECT['version']}"


def given(path):
    """Run the script on a notebook; whether it says that it changed it."""
    command = [sys.executable, ROOT / ".ci" / "colab", path]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"{path}\n"


@every
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
    assert here.run_cell("".join(cells(chapters()[0])[1]["source"])).success
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
