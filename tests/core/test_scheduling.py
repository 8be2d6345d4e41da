"""The spread of tests over processes: a test whose process died runs once more, then it has failed."""

import shutil
import subprocess
import sys

from tests.browser import ROOT

TESTS = """
import os
from pathlib import Path

def test_before(): pass
def test_dies_once():
    mark = Path(__file__).with_name("mark")
    if not mark.exists():
        mark.touch()
        os._exit(1)
def test_dies(): os._exit(1)
def test_after(): pass
"""


def test_a_stopped_test_runs_once_more_and_then_fails(tmp_path):
    shutil.copy(ROOT / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_toy.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-n", "2", "-ra", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "1 failed, 3 passed, 2 skipped" in done.stdout
    assert "FAILED test_toy.py::test_dies - worker" in done.stdout
    for name in ("test_dies_once", "test_dies"):
        assert f"test_toy.py::{name}: stopped by the limit of pyproject.toml, or its process died" in done.stdout
