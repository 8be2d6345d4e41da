"""The benchmarks compare like with like: all rivals follow the library's path at a size that takes no time."""

import json
import sys
from importlib import import_module

import pytest

from hal.chapters import written
from hal.results import path_of
from tests.packages import ROOT

SLUGS = [row.slug for row in written()]


@pytest.fixture
def load(monkeypatch):
    """A module of benchmarks, imported as it runs, beside its parts."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    yield import_module
    for one in [one for one in sys.modules if one in SLUGS or one.split(".")[0] == "parts"]:
        del sys.modules[one]


def small(slug, module):
    """The chapter's entries at a size that takes no time."""
    if slug == "scb":
        return module.entries(module.scb.ring_task(T=48, N=3))
    if slug == "scan_snap":
        return module.entries(module.ss.base_task(K=4, common=3, distinct=2, queries=2, L=9))
    if slug == "group_sparse":
        return module.entries(module.Setting(n=30))
    if slug == "random_walk":
        return module.entries(module.Setting(walks=12, M=120))
    return module.entries(16)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rival_follows_the_library(load, slug):
    module = load(slug)
    found = small(slug, module)
    assert "ours" in found
    assert len(found) >= 2
    for entry in found.values():
        assert entry.gap() <= module.SAME
        entry.run(2)  # its own draws as well


def test_the_readme_sums_up_what_was_recorded():
    paths = [path_of(slug, "benchmarks") for slug in SLUGS]  # a new chapter has none yet
    records = [json.loads(path.read_text()) for path in paths if path.exists()]
    assert all(record["passed"] for record in records)
    found = [record for record in records if "numpy" in record["times"]]
    times = {who: [one["times"][who][1] for one in found] for who in ("numpy", "torch")}
    numpy, torch = (f"{min(times[who]):.2g} to {max(times[who]):.2g}" for who in times)
    said = " ".join((ROOT / "README.md").read_text().split())
    assert f"the best ordinary NumPy {numpy} times as long, torch {torch} (`make bench`)" in said
