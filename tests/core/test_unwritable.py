"""A checkout that cannot be written, as root sees it too: a bind that is read-only, in a namespace of its own."""

import subprocess
import sys

import pytest

from hal import results
from tests.packages import ROOT

#: Run in a namespace where the repository cannot be written; $0 is the repository.
SCRIPT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && '
UNSHARE = ["unshare", "--mount", "--map-root-user"]


def there(script):
    """What a line of shell says in a repository that cannot be written; skips where no such namespace can be had."""
    command = [*UNSHARE, "sh", "-c", SCRIPT + script, str(ROOT)]
    try:
        tried = subprocess.run([*command[:-2], SCRIPT + "! test -w .", str(ROOT)], capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare")
    if tried.returncode:
        pytest.skip(f"no namespace with a read-only bind: {tried.stderr.decode().strip()}")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines(), done.stderr.splitlines()


def test_the_library_is_imported_and_computes():
    told = 'PYTHONPATH=src "$PYTHON" -W error -c "from hal import claims; print(claims.get(\'SCB-9\').check().verdict)"'
    status, said, wrong = there(f"PYTHON={sys.executable}; {told}")
    assert (status, said, wrong) == (0, ["holds"], [])


@pytest.mark.parametrize("target", ["book", "test", "lab"])
def test_make_says_so_in_one_line(target):
    # a make that stands above this one would have it say where it is
    status, said, wrong = there(f"env -u MAKELEVEL -u MAKEFLAGS -u MFLAGS make {target}")
    assert status
    assert said == []
    assert wrong[0] == f"make: expected a folder that can be written, got {ROOT}; make the book in a copy (git clone)"
    assert [line for line in wrong[1:] if not line.startswith("make: ***")] == []


def test_a_build_and_the_tests_say_so_in_one_line():
    for command, word in ((".ci/book true", "the book is not built: "), ("-m pytest -n 0", "ERROR: tests: expected a")):
        status, said, wrong = there(f"OMP_NUM_THREADS=1 {sys.executable} {command}")
        assert status
        (line,) = filter(None, said + wrong)
        assert line.startswith(word)


def test_recording_says_so_and_leaves_the_record():
    path = results.path_of("scb", "claims", results.FOLDER)
    before = path.read_bytes()
    status, said, wrong = there(f"PYTHONPATH=src {sys.executable} -m hal.claims SCB-1 --digests")
    assert status == 1
    assert said == []
    assert len(wrong) == 1
    assert wrong[0].startswith("claims: cannot be recorded: ")
    assert path.read_bytes() == before


def test_a_full_disk_ends_a_build_in_one_line(tmp_path):
    script = 'mount -t tmpfs -o size=40k none "$0" && cd "$0" && mkdir _build && head -c 36000 /dev/zero > x && '
    command = [*UNSHARE, "sh", "-c", f"{script} {sys.executable} {ROOT / '.ci' / 'book'} seq 1 100000", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "mount:" in done.stderr or "unshare:" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 1
    assert done.stderr.strip() == "the book is not built: [Errno 28] No space left on device"
