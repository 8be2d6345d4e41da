"""Experiments and helpers of the sweep tests, in a module that worker processes can import."""

import os
import pickle
import signal
import time
from pathlib import Path

import numpy as np

import lib.sweep.runner
from lib.sweep import SweepResult, vectorised

DEFAULTS = {"T": 4, "lr": 0.5, "kind": "plain"}


@vectorised("T", "kind", defaults=DEFAULTS)
def walk(points):
    """A noisy decay: the points of a call share T and kind."""
    assert len({(p["T"], p["kind"]) for p in points}) == 1
    T = points[0]["T"]
    noise = np.stack([np.random.default_rng(p["seed"]).normal(size=T) for p in points])
    lr = np.array([p["lr"] for p in points])
    if (lr == 13).any():
        raise RuntimeError(f"unlucky, in a call of {len(points)}")
    x = (1 - lr[:, None]) ** np.arange(T) + np.cumsum(noise, axis=-1)
    about = {"calls": len(points), "pid": os.getpid()}  # how it was computed
    return [{"x": x[r], "last": x[r, -1], **about} for r in range(len(points))]


def plain(a, seed, b=1.0):
    """A run of one point at a time."""
    if a == 13:
        raise RuntimeError("unlucky")
    if a < 0:
        raise KeyboardInterrupt
    return {"y": np.random.default_rng(seed).normal(size=3) * a + b, "whole": np.int64(a)}


def deadly(a, seed, mark):
    """Kills its process where a is 13, as long as there is no mark; the others before it have finished by then."""
    if a == 13 and not Path(mark).exists():
        time.sleep(1)
        os.kill(os.getpid(), signal.SIGKILL)
    return {"y": np.random.default_rng(seed).normal(size=3) * a}


POINTS = [{"T": T, "lr": lr} for T in (3, 5) for lr in (0.1, 0.2, 0.3)]
SEEDS = [0, 4, 2]


def same(result: SweepResult, run=walk):
    """Every point equals the single run, bit for bit."""
    assert not result.failed
    for point, arrays in zip(result.points, result.results, strict=True):
        alone = run(**point)
        assert arrays.keys() == alone.keys()
        for name in alone.keys() - {"calls", "pid"}:
            np.testing.assert_array_equal(arrays[name], alone[name])


def counting(monkeypatch):
    """Count the points computed by sweeps in this process."""
    computed = []
    work = lib.sweep.runner._work

    def spy(given, points):
        computed.extend(points)
        return work(given, points)

    monkeypatch.setattr(lib.sweep.runner, "_work", spy)
    return computed


def files(folder):
    """The files of results in a cache."""
    return sorted(folder.glob("*/*.points"))


def stored(folder):
    """How many points a cache holds."""
    return sum(len(pickle.loads(path.read_bytes()[32:])) for path in files(folder))
