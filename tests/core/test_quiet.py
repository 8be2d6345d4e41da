"""A build prints a line for each chapter and whatever is wrong; all the rest is in its log."""

import subprocess
import sys

import pytest

from tests.packages import ROOT

GOOD = """\\x1b[01mRunning Sphinx v7.4.7\\x1b[39;49;00m
[IPKernelApp] WARNING | Kernel is running over TCP without encryption.
executed book/one in 12 s
reading sources... [ 50%] book/one
writing output... [ 50%] book/notation
writing output... [100%] book/one
build succeeded."""


@pytest.fixture
def build(tmp_path):
    """Run it on a program that says something: build(text, status) -> (status, what was printed, the log)."""
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "one.ipynb").write_text("{}")

    def go(text, status=0):
        program = f'import sys\nsys.stdout.buffer.write("""{text}\n""".encode())\nsys.exit({status})'
        command = [sys.executable, ROOT / ".ci" / "book", sys.executable, "-c", program]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines(), (tmp_path / "_build" / "build.log").read_text()

    return go


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "/book/one.ipynb:10: WARNING: undefined label: 'x' [ref.ref]",
        "book/one failed: InputError",
        "ValueError: no π",
    ],
)
def test_a_build_is_a_line_a_chapter_and_what_is_wrong(wrong, build):
    status, said, log = build(f"{GOOD}\n{wrong or ''}", int(wrong is not None))
    end = "the book is not built (status 1); all that was said: _build/build.log"
    assert (status, said) == (wrong is not None, ["one: written, executed in 12 s", *([wrong, end] if wrong else [])])
    assert all(words in log for words in ("Running Sphinx", "without encryption", wrong or ""))
    assert "\x1b" not in log
