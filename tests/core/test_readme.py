"""The Python of the texts runs as it stands, in a folder of its own: the README block by block, other pages from end
to end."""

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module

import pytest

from tests.packages import ROOT


def blocks(name):
    return re.findall(r"```python\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.S)


def runs(text, folder):
    """What a program prints; it must end well and warn of nothing."""
    (folder / "example.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "error", "example.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize(
    "block", blocks("README.md"), ids=lambda block: re.search(r"train|sweep|claims|figures", block)[0]
)
def test_the_readme_runs(block, tmp_path):
    assert runs(block, tmp_path)


def test_the_library_in_an_afternoon_runs(tmp_path):
    said = runs("\n".join(blocks("book/api.md")), tmp_path)
    assert "weights: expected a sparsity Q" in said


def test_the_program_for_a_cluster_over_ssh_gives_arguments_that_are_there():
    deploy = pytest.importorskip("distributed.deploy.ssh", reason="dask.distributed is an extra")
    programs = re.findall(r"```py\n(.*?)```", (ROOT / "book" / "api.md").read_text(encoding="utf-8"), re.S)
    nodes = [node for program in programs for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Call)]
    (call,) = [node for node in nodes if ast.unparse(node.func) == "SSHCluster"]
    given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
    inspect.signature(deploy.SSHCluster).bind(*call.args, **given)
    takes = set(inspect.signature(import_module("distributed").Nanny).parameters) | {"n_workers"}  # its own class adds
    assert set(given["worker_options"]) <= takes
