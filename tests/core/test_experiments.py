"""The ready experiments: together bit for bit what each is alone, and right; the benchmarks compare like with like."""

import json
import sys
from importlib import import_module

import numpy as np
import pytest

from hal.chapters import written
from hal.results import path_of
from lib.sweep import Vectorised, grid, sweep
from tests.packages import LIB, ROOT

SHORT = {
    "scb": {"T": [32, 48], "lr": [0.02, 0.05], "batch": [8], "steps": [60]},
    "scan_snap": {"L": [31, 63], "lr_Y": [0.5, 2.0], "batch": [16], "steps": [20]},
    "one_nn": {"d": [2, 8], "sigma": [1.0, 3.0], "lr": [1.0, 4.0], "batch": [16], "steps": [50]},
    "group_sparse": {"D": [3, 6], "lr": [0.1, 0.5], "n": [50], "steps": [30]},
    "random_walk": {"K": [5, 6], "N": [12], "lr": [0.5, 1.0], "n": [60], "steps": [20]},
    "linear_block": {"mlp": [True, False], "lr": [0.01, 0.02], "batch": [16], "steps": [30]},
}
SLUGS = list(SHORT)


def test_every_experiment_is_tried():
    assert sorted(SLUGS) == sorted(path.parent.name for path in (LIB / "models").glob("*/experiment.py"))
    assert set(SLUGS) <= {row.slug for row in written()}


def experiment(slug):
    return import_module(f"lib.models.{slug}.experiment").learn


@pytest.mark.parametrize("slug", SLUGS)
def test_together_equals_alone_bit_for_bit(slug, tmp_path):
    learn = experiment(slug)
    assert isinstance(learn, Vectorised)
    found = sweep(learn, grid(**SHORT[slug]), range(3), tmp_path, n_jobs=2, chunk=5)
    assert not found.failed
    together = []
    for point, arrays in zip(found.points, found.results, strict=True):
        alone = learn(**point)
        assert arrays.keys() == alone.keys()
        for name, values in alone.items():
            np.testing.assert_array_equal(arrays[name], values)
        together.append(arrays["loss"].tolist())
    assert len({str(loss) for loss in together}) == len(together)  # every setting and seed is a run of its own


IMPROVES = {  # what a run of the defaults makes better, and whether that is up
    "scb": ("distance_A", False),
    "scan_snap": ("common_mass", False),
    "one_nn": ("xi1", True),
    "group_sparse": ("attention", True),
    "random_walk": ("divergence", False),
    "linear_block": ("error", False),
}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_run_of_the_defaults_learns(slug):
    name, up = IMPROVES[slug]
    for found in experiment(slug).many([{"seed": seed} for seed in (0, 1)]):
        first, last = found[name][0].mean(), found[name][-1].mean()
        assert found["diverged_at"] == -1
        assert last > first if up else last < first
        assert np.isfinite(found["loss"]).all()


WRITTEN = [row.slug for row in written()]


@pytest.fixture
def load(monkeypatch):
    """A module of benchmarks, imported as it runs, beside its parts."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    yield import_module
    for one in [one for one in sys.modules if one in WRITTEN or one.split(".")[0] == "parts"]:
        del sys.modules[one]


SMALL = {  # what a chapter's entries are made of, at a size that takes no time; of the others a batch of 16
    "scb": lambda module: module.scb.ring_task(T=48, N=3),
    "scan_snap": lambda module: module.ss.base_task(K=4, common=3, distinct=2, queries=2, L=9),
    "group_sparse": lambda module: module.Setting(n=30),
    "random_walk": lambda module: module.Setting(walks=12, M=120),
}


@pytest.mark.parametrize("slug", WRITTEN)
def test_every_rival_follows_the_library(load, slug):
    module = load(slug)
    found = module.entries(SMALL[slug](module) if slug in SMALL else 16)
    assert "ours" in found
    assert len(found) >= 2
    for entry in found.values():
        assert entry.gap() <= module.SAME
        entry.run(2)  # its own draws as well


def test_the_readme_sums_up_what_was_recorded():
    paths = [path_of(slug, "benchmarks") for slug in WRITTEN]  # a new chapter has none yet
    records = [json.loads(path.read_text()) for path in paths if path.exists()]
    assert all(record["passed"] for record in records)
    found = [record for record in records if "numpy" in record["times"]]
    times = {who: [one["times"][who][1] for one in found] for who in ("numpy", "torch")}
    numpy, torch = (f"{min(times[who]):.2g} to {max(times[who]):.2g}" for who in times)
    said = " ".join((ROOT / "README.md").read_text().split())
    assert f"the best ordinary NumPy {numpy} times as long, torch {torch} (`make bench`)" in said
