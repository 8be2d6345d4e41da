"""The races compare like with like: all rivals follow the library's path at a small size. Nothing is timed."""

from importlib import import_module

import numpy as np
import pytest

from hal.chapters import written
from tests.packages import ROOT

#: A chapter may have none; its benchmark then has only its own comparisons.
SLUGS = [row.slug for row in written() if (ROOT / "benchmarks" / "parts" / f"{row.slug}_rivals.py").exists()]


def small(slug, rivals):
    """The chapter's entries at a size that takes no time."""
    if slug == "scb":
        return rivals.entries(rivals.scb.ring_task(T=48, N=3))
    if slug == "scan_snap":
        return rivals.entries(rivals.ss.base_task(K=4, common=3, distinct=2, queries=2, L=9))
    if slug in ("one_nn", "linear_block"):
        return rivals.entries(16)
    if slug == "group_sparse":
        return rivals.entries(rivals.Setting(n=30))
    return rivals.entries(rivals.Setting(walks=12, M=120))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_rival_follows_the_library(bench, slug):
    rivals = import_module(f"parts.{slug}_rivals")
    found = small(slug, rivals)
    assert {"ours", "numpy", "torch"} <= set(found)  # JAX where it is installed
    for entry in found.values():
        assert entry.gap() <= rivals.SAME
        entry.run(2)  # its own draws as well


PLAIN = {
    "scb": "Indexed",
    "scan_snap": "Histograms",
    "one_nn": "Plain",
    "group_sparse": "Batched",
    "random_walk": "Indexed",
    "linear_block": "Moments",
}


@pytest.mark.parametrize("slug", PLAIN)
def test_a_step_more_is_seen(bench, slug, monkeypatch):
    rivals = import_module(f"parts.{slug}_rivals")
    kind = getattr(rivals, PLAIN[slug])

    def twice(self, *sample, step=kind.step):
        step(self, *sample)
        step(self, *sample)

    monkeypatch.setattr(kind, "step", twice)
    assert small(slug, rivals)["numpy"].gap() > 10 * rivals.SAME


def test_a_goal_is_missed_only_where_the_whole_interval_is_below(bench, capsys):
    from parts import rivals
    from parts.report import Checks

    found = {
        "milliseconds": {"ours": 1.0, "numpy": 3.0, "torch": 5.0},
        "times": {"ours": [1.0, 1.0, 1.0], "numpy": [2.0, 3.0, 4.1], "torch": [4.0, 5.0, 6.0]},
        "gaps": {"numpy": 0.0, "torch": 0.0},
    }
    for least, good in ((4.0, True), (4.2, False)):
        check = Checks()
        rivals.judge(check, found, 1e-9, least, 2.0)
        assert check.all() is good
    assert rivals.best(found) == "numpy"
    said = rivals.table(found, "N = 3")
    assert "NumPy, takes 3 times as long (between 2 and 4.1)." in said["says"]
    assert said["says"].endswith(" Below the goal against NumPy and torch (7).")
    assert [row[1:] for row in said["rows"]] == [
        ["1 ms", "1", "1", "1"],
        ["3 ms", "3", "2", "4.1"],
        ["5 ms", "5", "4", "6"],
    ]
    assert said["note"] == "JAX was not installed."


def test_an_interval_leaves_out_one_at_each_end(bench):
    from parts import rivals

    assert rivals.interval([9.0, 1.0, 2.0, 3.0, 100.0]) == [2.0, 3.0, 9.0]
    work = rivals.Entry(lambda steps: np.ones(10_000 * steps).sum(), 20, lambda: 0.0)
    found = rivals.race({"ours": work, "numpy": work}, rounds=3)
    assert set(found["times"]) == {"ours", "numpy"}
    assert found["times"]["ours"] == [1.0, 1.0, 1.0]
