"""The rows of the chapter in the tests over the registry: its textbook and its figure."""

import re

import numpy as np
import pytest

from lib.models.atlas.textbook import Settings
from lib.theory import atlas as theory
from tests.rows import Figure, Textbook, said

OPTIMISERS = range(4)


def draw(rng):
    """Settings over the full ranges, extremes among them."""
    lr_V, lr_A = (float(rng.choice([0.0, rng.uniform(0, 0.05)])) for _ in range(2))
    T, N, batch = int(rng.integers(4, 40)), int(rng.integers(2, 5)), int(rng.integers(1, 9))
    return Settings(T, N, batch, int(rng.integers(4)), lr_V, lr_A, int(rng.integers(1, 60)))


def check_clock(text, shown, point):
    """From the curves that are drawn: where each crosses 0.3, and what its clock shows there."""
    (run,) = shown.runs
    steps, clocks = [], []
    for i in range(1, 6):
        at, seen, clock = (np.array(run[f"{name}{i}"]) for name in ("at", "attention", "clock"))
        over = np.flatnonzero((np.abs(seen[1:]) >= 0.3) & (np.abs(seen[:-1]) < 0.3))
        if over.size:
            k = over[0]
            share = (0.3 - abs(seen[k])) / (abs(seen[k + 1]) - abs(seen[k]))
            steps.append(at[k] + share * (at[k + 1] - at[k]))
            late = 9 if point["optimiser"] == 1 else 0
            clocks.append(float(np.interp(steps[-1] - late, at, clock)))
    assert ("are half-way within 450 steps" in text) == (len(steps) < 5)
    if len(steps) < 5:
        assert said(text, "Of five runs") == len(steps)
        return
    assert said(text, "half-way between step") == pytest.approx(min(steps), abs=0.51)
    assert said(text, "and step") == pytest.approx(max(steps), abs=0.51)
    assert said(text, "a factor of") == pytest.approx(max(steps) / min(steps), rel=0.006, abs=0.006)
    assert ("theory has" in text) == (point["optimiser"] <= 1)
    if point["optimiser"] <= 1:
        told = re.search(r"on the clock between ([\d.]+) and ([\d.]+), where", text)
        assert [float(told[1]), float(told[2])] == pytest.approx([min(clocks), max(clocks)], rel=0.006, abs=0.06)
        assert said(text, "where theory has") == pytest.approx(float(theory.half_clock(0.3, point["lr_A"])), rel=0.006)
    elif min(clocks) > 0:
        assert said(text, "the last is") == pytest.approx(max(clocks) / min(clocks), rel=0.006, abs=0.06)
    else:
        assert "clock" not in text


TEXTBOOKS = {
    "textbook": Textbook(
        draw,
        [
            (dict(steps=0), "steps: expected at least 1 step, got 0"),
            (dict(optimiser=4), "optimiser: expected 0 to 3, got 4"),
            (dict(lr_V=-1.0), "lr_V: expected a number of at least 0"),
            (dict(lr_A=-1.0), "lr_A: expected a number of at least 0"),
            (dict(batch=0), "batch: expected at least 1 sample"),
        ],
        dict(lr_V=500.0, lr_A=0.0, steps=60),
    ),
}
FIGURES = {"clock": Figure({"T": 16, "N": 2, "lr_A": 0.04, "lr_V": 0.04}, check_clock, lost=False)}
