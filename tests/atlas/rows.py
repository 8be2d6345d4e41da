"""The rows of the chapter in the tests over the registry: its textbook and its figure."""

import re

import numpy as np
import pytest

from hal.chapters.atlas import theory
from hal.chapters.atlas.models.textbook import Settings
from hal.chapters.atlas.models.textbook_six import Settings as Six
from hal.chapters.atlas.runs.grid import recorded_grid
from hal.chapters.atlas.runs.rows import ROWS
from tests.rows import Figure, Small, Textbook, each, said


def draw(rng):
    """Settings over the full ranges, extremes among them."""
    lr_V, lr_A = (float(rng.choice([0.0, rng.uniform(0, 0.05)])) for _ in range(2))
    T, N, batch = int(rng.integers(4, 40)), int(rng.integers(2, 5)), int(rng.integers(1, 9))
    return Settings(T, N, batch, int(rng.integers(5)), lr_V, lr_A, int(rng.integers(1, 60)))


def draw_six(rng):
    """All watches and optimisers, learning rates of zero among them, a few steps of every run."""
    readout, attention = (float(rng.choice([0.0, rng.uniform(0.1, 4)])) for _ in range(2))
    return Six(int(rng.integers(2)), int(rng.integers(5)), readout, attention, float(rng.choice([0.0, 0.006])))


def check_six(text, shown, point):
    """From the curves that are drawn: where each crosses its level; on the axis of the figure the middle run has 1."""
    (run,) = shown.runs
    levels = {"places": 0.3, "sentences": 0.45, "groups": 0.5, "walks": 0.5, "prompts": 0.3}
    apart = [[], []]  # last half-way over first, by the step and by the clock
    for watch in (0, 1):
        for name, level in levels.items():
            at = []
            for i in (1, 2, 3):
                seen, times = np.array(run[f"{name}{i}"]), np.array(run[f"at{watch}_{name}{i}"])
                over = np.flatnonzero((seen[1:] >= level) & (seen[:-1] < level))
                if over.size:
                    k = over[0]
                    at.append(times[k] + (level - seen[k]) / (seen[k + 1] - seen[k]) * (times[k + 1] - times[k]))
            if len(at) == 3:
                assert at[0] == pytest.approx(1)
                apart[watch].append(max(at) / min(at))
    steps, clocks = apart
    assert ("In none of the 5 tasks" in text) == (not steps)
    assert ("Only one task" in text) == (len(steps) == 1 and point["watch"] == 1)
    assert ("by the clock" in text) == bool(len(steps) > 1 and point["watch"])
    if point["watch"] and len(steps) > 1:
        assert said(text, "by the clock in") == sum(x <= 1.15 for x in clocks)
        assert said(text, "Of the") == len(steps)
        assert said(text, "in steps in") == sum(x <= 1.15 for x in steps)
    elif steps and not point["watch"]:
        assert said(text, "half-way up to") == pytest.approx(max(steps), rel=0.006, abs=0.051)
    assert ("Neighbours, whose" in text) == (max(run["neighbours1"]) < 0.5)


def check_clock(text, shown, point):
    """From the curves that are drawn: where each crosses 0.3, and what its clock shows there."""
    (run,) = shown.runs
    steps, clocks = [], []
    for i in range(1, 6):
        at, seen, clock = (np.array(run[f"{name}{i}"]) for name in ("at0_", "attention", "at1_"))
        over = np.flatnonzero((np.abs(seen[1:]) >= 0.3) & (np.abs(seen[:-1]) < 0.3))
        if over.size:
            k = over[0]
            share = (0.3 - abs(seen[k])) / (abs(seen[k + 1]) - abs(seen[k]))
            steps.append(at[k] + share * (at[k + 1] - at[k]))
            late = 9 if point["optimiser"] == 1 else 0
            clocks.append(float(np.interp(steps[-1] - late, at, clock)))
    assert ("within 450 steps" in text) == (len(steps) < 5)
    if len(steps) < 5:
        assert said(text, "within 450 steps:") == len(steps)
        return
    if not point["watch"]:
        assert said(text, "reaches half-way") == pytest.approx(max(steps) / min(steps), rel=0.006, abs=0.051)
        return
    assert text.startswith("By the clock") == (min(clocks) > 0)
    assert ("theory predicts" in text) == (point["optimiser"] <= 1)
    if "theory predicts" in text:
        told = re.search(r"half-way between ([\d.]+) and ([\d.]+); theory", text)
        assert [float(told[1]), float(told[2])] == pytest.approx([min(clocks), max(clocks)], rel=0.006, abs=0.06)
        assert said(text, "theory predicts") == pytest.approx(float(theory.half_clock(0.3, point["lr_A"])), rel=0.006)
    elif min(clocks) > 0:
        assert said(text, "reading at half-way is") == pytest.approx(max(clocks) / min(clocks), rel=0.006, abs=0.06)


def check_deaf(text, shown, point):
    """From the bars that are drawn, and from the signs: what differs within rows."""
    bars, signs = shown.theory["first.bars"], np.array(shown.theory["first.signs"]).reshape(6, 6)
    np.testing.assert_array_equal(signs[0], np.where(np.array(bars) > point["constant"] * np.mean(bars), 1, -1))
    assert ("All 36 signs are +" in text) == bool((signs > 0).all())
    if (signs > 0).all():
        assert 0.1 < said(text, "nothing of them, but") < 2
    if (signs < 0).any():
        assert said(text, "With") == (signs < 0).sum()
        assert said(text, "attention can use") == pytest.approx(100 * float(theory.hearing(signs)), abs=0.51)


def check_grid(text, shown, point):
    """From the record of the grid itself."""
    rows = {name: kept for name, kept in recorded_grid().items() if name[0] in ROWS and "why" not in kept}

    def picked(kept, name, least=False):
        table = [[np.nan if one is None else one for one in row] for row in kept[name]]
        table = np.broadcast_to(np.array(table, float), (3, 3))
        if point["rates"] == 3:
            return (np.nanmin if least else np.nanmax)(table) if np.isfinite(table).any() else np.nan
        return table[((1, 1), (2, 0), (0, 2))[int(point["rates"])]]

    deaf = {key: kept for key, kept in rows.items() if key[0].startswith(("Groups", "Walks"))}
    signs = [picked(kept, "found") for key, kept in deaf.items() if key[1] in ("Adam", "sign descent")]
    plain = min(picked(kept, "found") for key, kept in deaf.items() if key[1] == "gradient descent")
    if point["shows"] == 0:
        assert ("in no run" in text) == (max(signs) == 0)
        assert max(signs) == 0 or said(text, "in at most") == max(signs)
        assert ("gradient descent in all" in text) == (plain == 16)
        assert plain == 16 or said(text, "gradient descent in at least") == plain
    elif point["shows"] == 1:
        groups = [picked(kept, "right") for key, kept in deaf.items()
                  if key[0].startswith("Groups") and key[1] in ("Adam", "sign descent")]  # fmt: skip
        assert said(text, "sign descent reach") == pytest.approx(100 * min(groups), abs=0.51)
    else:
        assert said(text, "In") == sum(np.isnan(picked(kept, "half", least=True)) for kept in rows.values())


def check_reasons(text, shown, point):
    """From the ends of the paths that are drawn."""
    drawn = shown.theory
    assert ("frozen" in text, "Adam in both" in text, "deterministic" in text) == tuple(
        point["task"] == k for k in range(3)
    )
    assert said(text, "ends with") == pytest.approx(100 * drawn["paths.other_seen"][-1], abs=0.51)
    assert said(text, "the chapter’s own run with") == pytest.approx(100 * drawn["paths.seen"][-1], abs=0.51)


TEXTBOOKS = {
    "textbook": Textbook(
        draw,
        each(steps=0, optimiser=5, lr_V=-1.0, lr_A=-1.0, batch=0),
        dict(lr_V=500.0, lr_A=0.0, steps=60),
    ),
    "textbook_six": Textbook(
        draw_six,
        each(watch=2, optimiser=5, readout=-1.0, attention=-1.0, length=2.0),
        dict(readout=1e4, attention=0.0, length=0.1),
    ),
}
FIGURES = {
    "clock": Figure({"T": 16, "N": 2, "lr_A": 0.04, "lr_V": 0.04}, check_clock, lost=False),
    "six": Figure({"readout": 2.0, "attention": 2.0}, check_six, lost=False),
}
SMALLS = {"deaf": Small(check_deaf), "grid": Small(check_grid), "reasons": Small(check_reasons)}
