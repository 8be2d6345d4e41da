"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from lib.models.one_nn.textbook import Settings
from lib.theory import one_nn as theory
from tests.rows import Figure, Small, Textbook, as_said, each, middle, said


def short(rng, work=20_000):
    """Settings over the full ranges, extremes among them, cut so that a run costs so many inner operations."""
    N, d = round(40 ** rng.uniform()), int(rng.integers(2, 10))
    batch = max(1, min(round(16 ** rng.uniform()), work // (20 * N * d)))
    steps = min(120, work // (batch * (N + 1) * (d + 2)))
    extreme = rng.uniform(size=4) < 0.1
    return Settings(
        N, d, lr=0.0 if extreme[0] else float(10 ** rng.uniform(-1, 1.5)), batch=batch,
        sigma=float(rng.choice([-30.0, 30.0]) if extreme[1] else rng.uniform(-8, 30)),
        start=0.0 if extreme[2] else float(rng.uniform(-2, 60)),
        steps=2 if extreme[3] else max(2, steps), kappa=float(rng.choice([1.0, 8.0, rng.uniform(0.5, 5)])),
    )  # fmt: skip


TEXTBOOKS = {
    "textbook": Textbook(
        short,
        each(N=0, d=1, batch=0, lr=-1.0, steps=-1, sigma=1e7, start=float("nan"), kappa=0.0),
        dict(N=3, d=2, lr=1e8, batch=4, steps=40),
    ),
}


def check_training(text, shown, point):
    assert said(text, "At t =") == pytest.approx(shown.runs[0]["time"][-1], abs=0.51)
    off = 100 * middle(shown, "off")
    assert ("less than 0.01%" in text) == (off < 0.01)
    if off >= 0.01:
        found = float(re.search(r"([\d.]+)% of W \(in norm\) lies outside", text)[1])
        assert found == as_said(off, shown.facts.get("spread.off", 0.0), True)
    assert ("crowd around one axis" in text) == (point["kappa"] > 1)


FIGURES = {"training": Figure({"N": 5, "d": 3, "lr": 1.7, "batch": 7}, check_training, lost=False, points=4)}


def check_rates(text, shown, point):
    """Times to a loss by a spline through the flow; the law at the end by the library."""
    loss, d, N = np.array(shown.theory["flow.loss"]), point["d"], point["N"]
    at = np.expm1(CubicSpline(-np.log(loss), np.log1p(shown.theory["flow.t"]))(-np.log([0.02, 0.01])))
    reached = said(text, "The loss reaches 0.02 at t =")
    assert reached == pytest.approx(at[0], rel=0.02)
    assert len(f"{reached:.0f}".rstrip("0")) <= 3  # no digits that are not known
    assert ("times as long" in text) == (loss[-1] <= 0.01)
    if loss[-1] <= 0.01:
        assert said(text, "To reach 0.01 takes") == pytest.approx(at[1] / at[0], rel=0.02)
        assert at[1] / at[0] == pytest.approx(8, rel=0.06)  # as the picture says
    ratio = min(2, shown.theory["flow.ratio"][0])
    law = float(theory.late_loss(theory.late_xi1(1e8, d, N, ratio), d, N, ratio))
    assert shown.theory["flow.late"][-1] == pytest.approx(law, rel=1e-3)


def check_ties(text, shown, point):
    """Gaps below 1 / xi1, and the part of the loss that these prompts have; the losses have their owner elsewhere."""
    gap, last = np.array(shown.theory["prompts.gap"]), np.array(shown.theory["prompts.losses"][-400:])
    near = gap < 1 / shown.theory["prompts.xi1"][0]  # `test_smalls` has the library's
    tied = int(re.search(r"(\d+|no) (?:of 400 prompts have|prompt here has) a gap below", text)[1].replace("no", "0"))
    assert tied == near.sum()
    if tied:
        assert said(text, "They account for") == pytest.approx(100 * last[near].sum() / last.sum(), abs=0.51)


SMALLS = {"rates": Small(check_rates), "ties": Small(check_ties)}
