"""The Python of the texts runs as it stands, in a folder of its own: the README block by block, other pages from end
to end."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from tests.packages import LIB, ROOT


def blocks(name):
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)


README = blocks("README.md")


def runs(text, folder):
    """What a program prints; it must end well and warn of nothing."""
    (folder / "example.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "example.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_training_sweeping_claims_and_figures_are_shown():
    assert [word in "".join(README) for word in ("train(", "sweep(", "claims.get(", "Computed(")] == [True] * 4


@pytest.mark.parametrize("block", README, ids=lambda block: re.search(r"(train|sweep|claims|figures)", block)[1])
def test_the_readme_runs(block, tmp_path):
    assert runs(block, tmp_path)


def test_the_library_in_an_afternoon_runs(tmp_path):
    said = runs("\n".join(blocks("book/api.md")), tmp_path)
    assert "weights: expected a sparsity Q" in said


def test_programs_for_clusters_compile_and_their_imports_exist():
    """Of packages that are installed the names, and the arguments that they are given, are there."""
    programs = re.findall(r"```py\n(.*?)```", (ROOT / "book" / "api.md").read_text(encoding="utf-8"), re.S)
    nodes = [node for program in programs for node in ast.walk(ast.parse(program))]
    for node in [node for node in nodes if isinstance(node, ast.ImportFrom)]:
        if find_spec(node.module.partition(".")[0]) is not None:
            module = import_module(node.module)
            inside = [name.name for name in node.names if not hasattr(module, name.name)]
            assert all(find_spec(f"{node.module}.{name}") for name in inside), inside
    deploy = pytest.importorskip("distributed.deploy.ssh", reason="dask.distributed is an extra")
    (call,) = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "SSHCluster"]
    given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    inspect.signature(deploy.SSHCluster).bind(*call.args, **given)
    takes = set(inspect.signature(import_module("distributed").Nanny).parameters) | {"n_workers"}  # its own class adds
    assert set(given["worker_options"]) <= takes


def test_the_way_through_the_library_misses_no_part():
    text = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    parts = {path.stem for path in LIB.iterdir() if path.suffix != ".typed" and path.name[0] != "_"}
    assert [part for part in sorted(parts) if f"lib.{part}" not in text and f"lib import {part}" not in text] == []
