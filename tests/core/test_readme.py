"""The README's Python runs as it stands, in a folder of its own, and prints something."""

import re
import subprocess
import sys

import pytest

from tests.browser import ROOT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def test_training_sweeping_and_claims_are_shown():
    assert [word in "".join(BLOCKS) for word in ("train(", "sweep(", "claims.get(")] == [True] * 3


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: re.search(r"(train|sweep|claims)", block)[1])
def test_it_runs(block, tmp_path):
    (tmp_path / "example.py").write_text(block, encoding="utf-8")
    command = [sys.executable, "-W", "error", "example.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
