"""Experiments for the sweep tests, in a module of their own so that worker processes can import them."""

import os

import numpy as np

from lib.sweep import vectorised

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
