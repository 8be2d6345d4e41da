"""A checkout that cannot be written, as root sees it too: a bind that is read-only, in a namespace of its own."""

import shutil
import subprocess
import sys

import pytest

from tests.packages import ROOT

#: Run in a namespace where the repository cannot be written; $0 is the repository.
SCRIPT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && '


def there(script):
    """What a line of shell says in a repository that cannot be written; skips where no such namespace can be had."""
    if not shutil.which("unshare"):
        pytest.skip("no unshare")
    command = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
    tried, done = (
        subprocess.run([*command, SCRIPT + one, str(ROOT)], capture_output=True, text=True, check=False)
        for one in ("! test -w .", script)
    )
    if tried.returncode:
        pytest.skip(f"no namespace with a read-only bind: {tried.stderr.strip()}")
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


@pytest.mark.parametrize("target", ["book", "test", "lab"])
def test_make_says_so_in_one_line(target):
    # a make that stands above this one would have it say where it is
    status, said, wrong = there(f"env -u MAKELEVEL -u MAKEFLAGS -u MFLAGS make {target}")
    assert status
    assert said == []
    assert wrong[0] == f"make: expected a folder that can be written, got {ROOT}; make the book in a copy (git clone)"
    assert [line for line in wrong[1:] if not line.startswith("make: ***")] == []


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (".ci/book true", "the book is not built: "),
        ("-m pytest -n 0", "ERROR: tests: expected a"),
        ("-m hal.claims SCB-1 --digests", "claims: cannot be recorded: "),
    ],
)
def test_a_build_the_tests_and_a_record_say_so_in_one_line(command, word):
    status, said, wrong = there(f"PYTHONPATH=src OMP_NUM_THREADS=1 {sys.executable} {command}")
    assert status
    (line,) = filter(None, said + wrong)
    assert line.startswith(word)
