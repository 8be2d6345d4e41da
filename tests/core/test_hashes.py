"""The files of digests: the versions of constraints.txt, each package with a digest, and only torch left out."""

import re
import subprocess
import sys

import pytest
from packaging.utils import canonicalize_name

from tests.core.test_repository import constraints, requirements
from tests.packages import ROOT

FILES = {extra: ROOT / "hashes" / f"{extra}.txt" for extra in ("run", "dev")}
BLOCK = re.compile(
    r"^([\w.-]+)(?:\[.*?\])?==(\S+)(?: ; [^\\\n]+)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)


def pinned(extra):
    """Package -> its version and its digests."""
    text = FILES[extra].read_text(encoding="utf-8")
    found = {
        canonicalize_name(name): (version, tuple(digests.split())) for name, version, digests in BLOCK.findall(text)
    }
    assert BLOCK.sub("", text).count("\n") == 1, "nothing but a first line and packages with digests"
    return found


@pytest.mark.parametrize("extra", FILES)
def test_all_that_an_extra_names_is_there_in_the_version_of_the_constraints(extra):
    found, versions = pinned(extra), {canonicalize_name(name): version for name, version in constraints().items()}
    assert set(requirements(extra)) - {"torch"} <= set(found)
    assert {name: versions[name] for name in found if name in versions} == {
        name: version for name, (version, _) in found.items() if name in versions
    }


def test_nothing_is_left_out_but_torch():
    assert {canonicalize_name(name) for name in constraints()} - set(pinned("dev")) == {"torch"}
    assert set(pinned("run").items()) <= set(pinned("dev").items())
    assert not {"torch", "triton"} & set(pinned("dev"))


def asked(text, folder):
    """What pip says of such a file in this environment, without asking any index: 0 where all is there."""
    (folder / "wanted.txt").write_text(text)
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--no-deps", "--require-hashes"]
    done = subprocess.run([*command, "-r", folder / "wanted.txt"], capture_output=True, text=True, check=False)
    return done.returncode


def test_pip_takes_the_file_and_has_those_versions(tmp_path):
    text = FILES["run"].read_text(encoding="utf-8")
    assert asked(text, tmp_path) == 0
    assert asked(re.sub(r"^numpy==\S+", "numpy==0.0.1", text, flags=re.M), tmp_path) != 0


def test_ci_installs_by_digest():
    for name, extra in ((".ci/install", "dev"), (".ci/alone", "run")):
        assert re.search(rf"--no-deps --require-hashes -r \S*hashes/{extra}\.txt", (ROOT / name).read_text()), name
