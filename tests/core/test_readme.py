"""What texts say: the Python of README and library page runs."""

import re
import subprocess
import sys

import pytest

from tests.core.sweep_runs import stored
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


@pytest.mark.deep
def test_the_library_s_sweep_on_a_cluster_runs(tmp_path):
    pytest.importorskip("distributed", reason="dask.distributed is an extra")
    page = (ROOT / "book" / "api.md").read_text(encoding="utf-8")
    (program,) = [one for one in re.findall(r"```py\n(.*?)```", page, re.S) if "LocalCluster" in one]
    (tmp_path / "example.py").write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("SweepResult of 16 points, none failed")
    assert stored(tmp_path / "runs") == 16


def test_a_build_is_a_line_a_chapter_and_what_is_wrong(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "one.ipynb").write_text("{}")
    wrong = ["one.ipynb:10: WARNING: undefined label: 'x'", "book/one failed: InputError", "ValueError: no π"]
    good = ["\x1b[01mRunning Sphinx\x1b[39m", "executed book/one in 12 s", "writing output... [100%] book/one"]
    program = f"print(*{good + wrong}, sep='\\n'); exit(1)"
    command = [sys.executable, ROOT / ".ci" / "book", sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    end = "the book is not built (status 1); all that was said: _build/build.log"
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == ["one: written, executed in 12 s", *wrong, end]
    assert (tmp_path / "_build" / "build.log").read_text().startswith("Running Sphinx")
