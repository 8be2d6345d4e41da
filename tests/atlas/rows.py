"""The rows of the chapter in the tests over the registry: its textbook and its figure."""

import re

import numpy as np
import pytest

from hal.chapters.atlas import theory
from hal.chapters.atlas.figures import six
from hal.chapters.atlas.models.textbook import Settings
from hal.chapters.atlas.models.textbook_deaf import Settings as Deaf
from hal.chapters.atlas.models.textbook_six import Settings as Six
from hal.figure.sentences import say
from tests.rows import Figure, Small, Textbook, each, said


def draw(rng):
    """Settings over the full ranges, extremes among them."""
    lr_V, lr_A = (float(rng.choice([0.0, rng.uniform(0, 0.05)])) for _ in range(2))
    T, N, batch = int(rng.integers(4, 40)), int(rng.integers(2, 5)), int(rng.integers(1, 9))
    return Settings(T, N, batch, lr_V, lr_A, int(rng.integers(1, 60)))


def draw_six(rng):
    """All watches and optimisers, learning rates of zero among them, a few steps of every run."""
    readout, attention = (float(rng.choice([0.0, rng.uniform(0.1, 4)])) for _ in range(2))
    return Six(int(rng.integers(2)), int(rng.integers(4)), readout, attention, float(rng.choice([0.0, 0.006])))


def check_six(text, shown, point):
    """From the curves that are drawn, which end at their level or below it; and the words in the picture."""
    (run,) = shown.runs
    names = ("places", "groups", "walks", "sentences", "prompts")
    apart = [[], []]  # last over first, by the step and by the clock
    for watch in (0, 1):
        for name in names:
            ends = [run[f"{name}{i}"][-1] for i in (1, 2)]
            assert max(*run[f"{name}1"], *run[f"{name}2"]) <= 1 + 1e-9
            at = [run[f"at{watch}_{name}{i}"][-1] for i in (1, 2)]
            both = min(ends) > 1 - 1e-9
            apart[watch] += [max(at) / min(at)] if both else []
            words = say([six.verdict(name)], shown.facts) if watch == point["watch"] else None
            who = {(0, 0): "neither", (1, 0): "only the fast", (0, 1): "only the slow"}
            if words and both and max(at) <= 1.15 * min(at):
                assert words == "they meet"
            elif words and both:
                assert float(words.removesuffix(" times apart")) == pytest.approx(max(at) / min(at), abs=0.051)
            elif words:
                assert words == who[ends[0] > 1 - 1e-9, ends[1] > 1 - 1e-9] + " run reaches the line"
        assert shown.theory["law.level"] == [1.0, 1.0]
    for name, clock in (("places", 15.0), ("prompts", 6.25)):  # "predicted"
        (told,) = shown.theory[f"law.clock_{name}"]
        assert np.isnan(told) if point["optimiser"] else told == pytest.approx(clock / point["attention"])
    steps, clocks = apart
    assert ("In none of the 5 tasks" in text) == (not steps)
    if point["watch"] and steps:
        assert said(text, "of the") == len(steps)
        assert said(text, "within 15% in") == sum(x <= 1.15 for x in clocks)
    elif steps:
        assert said(text, "takes up to") == pytest.approx(max(steps), rel=0.006, abs=0.051)


def check_clock(text, shown, point):
    """From what is drawn: where each run crosses 0.3, and what its clock reads there."""
    (run,) = shown.runs
    at, steps, clocks = np.array(shown.theory["steps"]), {}, {}
    for name in ("fast", "slow"):
        seen, clock = np.abs(run[f"{name}_signal"]), np.array(run[f"{name}_clock"])
        over = np.flatnonzero((seen[1:] >= 0.3) & (seen[:-1] < 0.3))
        assert run[f"{name}_left"][0] == 1.0
        if over.size:
            k = over[0]
            assert run[f"{name}_left"][k] > 0.6  # the error waits for attention
            steps[name] = np.interp(0.3, seen[k : k + 2], at[k : k + 2])
            clocks[name] = np.interp(steps[name], at, clock)
            x, y = np.array(run[f"{name}_steps"]), np.array(run[f"{name}_area"])  # from (0, 0) back to the axis
            assert np.array_equal([x[: k + 1], y[: k + 1]], [at[: k + 1], run[f"{name}_rate"][: k + 1]])
            assert (x[0], y[0], x[-1], y[-1]) == pytest.approx((0, 0, steps[name], 0), abs=1e-12)
            assert np.dot(np.diff(x), y[1:] + y[:-1]) / 2 == pytest.approx(clocks[name], rel=0.04)  # "area", of a sum
            np.testing.assert_allclose(x[k + 1 :], steps[name])
    if len(steps) < 2:
        assert said(text, "within 300 steps:") == len(steps)
        return
    assert [shown.facts[run] for run in steps] == pytest.approx(list(steps.values()), abs=0.51)  # "at step"
    told = re.search(r"the areas are ([\d.]+) and ([\d.]+); theory", text)
    assert [float(told[1]), float(told[2])] == pytest.approx([clocks["fast"], clocks["slow"]], abs=0.051)
    rate, told = re.search(r"theory predicts 0\.3/([\d.]+) = ([\d.]+)\.$", text).groups()
    assert float(rate) == pytest.approx(point["lr_A"], rel=0.006)
    assert float(told) == pytest.approx(float(theory.half_clock(0.3, point["lr_A"])), rel=0.006)


def check_deaf(text, shown, point):
    """From the bars that are drawn."""
    (run,) = shown.runs
    votes, parent = np.array(run["sign_votes"])[-6:], [100 * run[f"{name}_parent"][-1] for name in ("sign", "gradient")]
    assert (np.ptp(votes) < 1e-12) == (point["less"] == 0) == ("every node the same answer" in text)
    found = re.search(r"(\d+)% of (?:its attention on|it is there)", text)
    assert float(found[1]) == pytest.approx(parent[0], abs=0.51)
    assert point["less"] == 1 or said(text, "descent has") == pytest.approx(parent[1], abs=0.51)


def check_hand(text, shown, point):
    """From the bars that are drawn."""
    answers, weights = shown.theory["layer.answers"], shown.theory["layer.attention"]
    assert shown.theory["layer.equal"] == [0.5] * 5
    assert said(text, "answers give") == 0.5
    assert said(text, "now give") == pytest.approx(np.dot(answers, weights), abs=0.006)


TEXTBOOKS = {
    "textbook": Textbook(
        draw,
        each(steps=0, lr_V=-1.0, lr_A=-1.0, batch=0),
        dict(lr_V=500.0, lr_A=0.0, steps=60),
    ),
    "textbook_deaf": Textbook(
        lambda rng: Deaf(float(rng.uniform()), int(rng.integers(1, 5))), each(less=-0.1, steps=0), None
    ),
    "textbook_six": Textbook(
        draw_six,
        each(watch=2, optimiser=4, readout=-1.0, attention=-1.0, length=2.0),
        dict(readout=1e4, attention=0.0, length=0.1),
    ),
}
FIGURES = {
    "clock": Figure({"T": 16, "N": 2, "lr_A": 0.04, "lr_V": 0.015}, check_clock, lost=False),
    "six": Figure({"readout": 2.0, "attention": 2.0}, check_six, lost=False),
}
SMALLS = {"deaf": Small(check_deaf), "hand": Small(check_hand)}
