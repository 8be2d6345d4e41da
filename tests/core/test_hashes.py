"""The files of digests: the versions of constraints.txt, each package with a digest, and only torch left out."""

import re

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


def test_all_that_an_extra_names_is_there_in_the_version_of_the_constraints_and_only_torch_is_left_out():
    versions = {canonicalize_name(name): version for name, version in constraints().items()}
    for extra, found in (("run", pinned("run")), ("dev", pinned("dev"))):
        assert set(requirements(extra)) - {"torch"} <= set(found)
        assert {name: version for name, (version, _) in found.items() if versions.get(name, version) != version} == {}
    assert set(versions) - set(pinned("dev")) == {"torch"}
    assert set(pinned("run").items()) <= set(pinned("dev").items())
    assert not {"torch", "triton"} & set(pinned("dev"))
