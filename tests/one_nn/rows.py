"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from hal.chapters.one_nn.figures import shift
from hal.chapters.one_nn.models import textbook_shift
from hal.chapters.one_nn.theory import separated_loss
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
        steps=2 if extreme[3] else max(2, steps),
    )  # fmt: skip


def pairs(rng):
    """A test of two to five pairs, without separation and with so much that all labels agree among them."""
    K = int(rng.integers(2, 6))
    t = [0.0, *np.sort(10 ** rng.uniform(0, 6, K - 1)).tolist()]
    delta = float(rng.choice([0.0, 4.0, rng.uniform(0, 1)]))
    return textbook_shift.Settings(
        t, rng.uniform(-2, 90, K).tolist(), rng.uniform(-8, 90, K).tolist(), int(rng.integers(1, 20)),
        int(rng.integers(2, 10)), delta, int(rng.integers(1, 12)),
    )  # fmt: skip


TEXTBOOKS = {
    "textbook": Textbook(
        short,
        each(N=0, d=1, batch=0, lr=-1.0, steps=-1, sigma=1e7, start=float("nan")),
        dict(N=3, d=2, lr=1e8, batch=4, steps=40),
    ),
    "textbook_shift": Textbook(
        pairs,
        [*each(N=0, d=1, delta=-0.1, xi1=[1.0, 2.0], xi2=[1.0, 2.0]), dict(delta=4.5)],
        None,
    ),
}


def on_path(shown, name, t):
    """What theory has at a time, on a smooth line in log(1 + t)."""
    return CubicSpline(np.log1p(shown.theory["flow.t"]), shown.theory[f"flow.{name}"])(np.log1p(t))


def check_training(text, shown, point):
    spent = shown.runs[0]["time"][-1]
    assert said(text, "At t =") == pytest.approx(spent, abs=0.51)
    assert said(text, "SGD has ξ₁ =") == pytest.approx(middle(shown, "xi1"), abs=0.0051)
    after = np.searchsorted(shown.theory["flow.t"], spent)  # `test_figures` has the exact flow
    near = np.array(shown.theory["flow.xi1"])[max(0, after - 2) : after + 2]
    assert abs(said(text, "the flow has") - near.mean()) <= 0.6 * np.ptp(near) + 0.0051
    assert said(text, "Outside ξ₁ and ξ₂:") == as_said(
        100 * middle(shown, "off"), shown.facts.get("spread.off", 0.0), True
    )
    loss, xi1 = np.array(shown.theory["flow.loss"]), np.array(shown.theory["flow.xi1"])
    assert ("goes down to" in text) == (xi1.min() < point["start"] - 0.004)
    if "goes down to" in text:
        assert said(text, "ξ₁ goes down to") == pytest.approx(xi1.min(), abs=0.0051)
        own = point["start"] - point["sigma"] > abs(point["start"])  # no example can get a score as high
        assert ("looks at itself more than at any example" in text) == own
    (falls,) = np.nonzero((loss[:-1] > 0.1) & (loss[1:] <= 0.1))
    assert ("loss passes 0.1 between" in text) == bool(falls.size)
    assert f"{loss[-1]:.3f} at t = 1,000,000" in text
    if falls.size:
        around = np.array(shown.theory["flow.t"])[falls[0] : falls[0] + 2]
        found = re.search(r"passes 0.1 between t = ([\d,]+) and ([\d,]+),", text)
        told = [float(one.replace(",", "")) for one in found.groups()]
        assert told == pytest.approx(around, rel=0.0051, abs=0.51)


def check_rates(text, shown, point):
    d, N, loss, level = point["d"], point["N"], np.array(shown.theory["flow.loss"]), point["level"]
    assert ("does not reach" in text) == (loss[-1] > level)
    assert ("starts below" in text) == (loss[0] <= level)
    if loss[0] > level >= loss[-1]:
        reached = said(text, f"The flow reaches the loss {level:.3f} at t =")
        assert reached < 1000 or len(f"{reached:.0f}".rstrip("0")) <= 3  # no digits that are not known
        assert on_path(shown, "loss", reached) == pytest.approx(level, rel=0.05)
    t, xi1 = np.array(shown.theory["flow.t"]), np.array(shown.theory["flow.xi1"])
    decade = len(t) - 9  # a decade back, where all times are recorded
    for words, curve in (("ln L falls with slope", loss), ("ln ξ₁ grows with", xi1)):
        slope = np.log(curve[-1] / curve[decade]) / np.log(t[-1] / t[decade])
        assert said(text, words) == pytest.approx(slope, abs=0.00051)
    assert ("On the circle" in text) == (d == 2)
    if d > 2:
        assert said(text, "At t = 10⁸ the loss is") == pytest.approx(loss[-1], abs=0.000051)
        ratio = shown.theory["flow.xi2"][-1] / shown.theory["flow.xi1"][-1]
        assert said(text, "the ratio ξ₂/ξ₁ =") == pytest.approx(ratio, abs=0.0051)
        slow = on_path(shown, "loss", 100.0) * np.log(100) / np.log(1e8)
        assert said(text, "a curve 1 / log t would be at") == pytest.approx(slow, rel=0.01, abs=0.0006)
        law = float(theory.late_loss(theory.late_xi1(1e8, d, N, min(2, ratio)), d, N, ratio))
        assert said(text, "the late law") == pytest.approx(law, abs=0.000051)


def check_shift(text, shown, point):
    pair, place = (shown.theory["flow.xi1"][-1], shown.theory["flow.xi2"][-1]), (point["d"], point["N"])
    uniform, (apart, floor) = theory.reduced_loss(*pair, *place), separated_loss(*pair, *place, point["delta"])
    if point["delta"] == 0:
        apart = 0.0  # nothing is said of it
        assert said(text, "at t = 1,000,000 the loss is") == pytest.approx(uniform, rel=0.011)
    else:
        assert said(text, "on separated prompts and") == pytest.approx(uniform, rel=0.011)
        assert ("the loss is below 0.00001" in text) == (apart < 1e-5)
    if apart >= 1e-5:
        assert said(text, "At t = 1,000,000 the loss is") == pytest.approx(apart, rel=6e-3)
    share = 100 * floor / apart if apart >= 1e-5 else 0
    assert ("Nearly all" in text) == (share >= 99)
    assert ("Of the separated loss" in text) == (1 <= share < 99)
    if 1 <= share < 99:
        assert said(text, "Of the separated loss") == pytest.approx(share, abs=0.51)
    assert f"Of {len(shown.runs) * shift.PROMPTS:,} fresh prompts" in text
    for kind, name in ((" separated and", "shifted_right"), (" uniform.", "right")):
        wrong = sum(shift.PROMPTS * (1 - run[name][-1]) for run in shown.runs)
        assert f" {wrong:,.0f}{kind}" in text
    assert ("Without separation" in text) == (point["delta"] == 0)
    assert ("bound is below" in text) == (shown.theory["flow.bound"][-1] < 0.001)


FIGURES = {
    "training": Figure(
        {"N": 5, "d": 3, "lr": 1.7, "batch": 7}, check_training, lost=False, points=4,
    ),
    "rates": Figure(
        {"N": 5, "sigma": 2.7}, check_rates, lost=False, waiting="The flow reaches", points=4,
    ),
    "shift": Figure(
        {"N": 5, "d": 3, "delta": 0.31}, check_shift, lost=False,
        waiting="No test has finished yet", points=4,
    ),
}  # fmt: skip


def check_ties(text, shown, point):
    """The loss of the two nearest has its owner in test_smalls; the law by the library's own kappa."""
    whole = shown.theory["ties.whole"][0]
    law = float(theory.gap_density(point["d"], 8)) * (np.log(2) - 0.5) / point["xi1"]
    assert said(text, "The two nearest cost") == pytest.approx(whole, rel=0.006)
    assert said(text, "theory predicts") == pytest.approx(law, rel=0.006)
    if abs(abs(whole / law - 1) - 0.15) > 1e-4:
        assert ("doubling ξ₁ about halves it" in text) == (abs(whole / law - 1) < 0.15)


def check_mask(text, shown, point):
    """At first all examples have the weight 1 and the query e^-sigma; one half by the library's flow."""
    first = 100 / (1 + 8 * np.exp(point["sigma"]))
    assert ("less than 1%" in text) == (first < 0.5)
    assert ("it is half" in text) == (first > 50.5)
    if first >= 0.5:
        assert said(text, "the query gives itself") == pytest.approx(first, abs=0.51)
    if first > 50.5:
        half = said(text, "at t =")
        pair = theory.flow([max(0.001, 0.97 * half - 0.51), 1.03 * half + 0.51], 4, 8, point["sigma"])
        z = np.array(shown.theory["flow.z"])
        others = [np.exp(a * z - a + b).sum() for a, b in zip(pair.xi1, pair.xi2, strict=True)]
        assert others[0] < 1 < others[1]


def check_gap(text, shown, point):
    """The attention in NumPy; a zone of one label, and a lonely query where one is asked for."""
    z, kind = (np.array(shown.theory[f"prompt.{name}"]) for name in ("z", "kind"))
    own, near = kind[:8] == kind[z[:8].argmax()], z[:8].max()
    assert own[z[:8] > near - point["delta"] / 2].all()
    assert point["lonely"] == 0 or 16.05 * near <= 16.05 - 16.5
    weights = np.exp(16.05 * np.r_[z[:8], 1 - 16.5 / 16.05])
    weights *= 100 / weights.sum()
    assert said(text, "with the other label get") == pytest.approx(weights[:8][~own].sum(), abs=0.051)
    assert said(text, "the query itself") == pytest.approx(weights[8], abs=0.051)


SMALLS = {
    "gap": Small(check_gap), "mask": Small(check_mask), "ties": Small(check_ties),
}  # fmt: skip
