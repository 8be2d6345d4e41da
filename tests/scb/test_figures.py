"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest

from hal.chapters.scb.figures import sign
from hal.chapters.scb.figures.sign import loop, recorded
from hal.chapters.scb.runs.sign_share import recorded_shares, sign_share, some_settings
from hal.figure import Computed
from hal.results import path_of
from lib.models import scb
from lib.theory import scb as theory
from tests.rows import whole_runs

SHARES = path_of("scb", "sign_share")


def test_a_share_counts_no_run_that_diverged():
    assert np.isnan(sign.summary(float("nan"), 0.0)["share"][0])
    half = sign.summary(3.0, 6.0)
    assert half["percent"] == [50.0]
    figure = Computed(sign)
    shown = figure.compute({"T": 24, "N": 4, "c": 0.5, "lr": 0.06, "batch": 2}, runs=12)
    kept = [run["alpha_V"][-1] + run["alpha_A"][-1] > 0 for run in whole_runs(shown)]
    assert 0 < len(kept) < 12
    assert shown.facts["summary.share"] == pytest.approx(np.mean(kept))
    assert f"{12 - len(kept)} more runs have diverged and are not counted." in figure.draw(shown).reading


def test_recorded_shares_are_what_their_settings_give():
    points = recorded_shares(SHARES)
    assert [point["settings"] for point in points] == some_settings(len(points))
    figure, inside = Computed(sign), 0
    for point in points:
        chosen = point["settings"]
        task = scb.ring_task(chosen["T"], chosen["N"], chosen["c"], scb.even_weights(2), chosen["skew"])
        known = theory.constants(task.mu, task.P, task.Q)
        G = theory.control_number(chosen["batch"], chosen["lr"], chosen["T"])
        inside += theory.noise_loop(G, known.T, known.N, known.K_P, known.K_Q, known.tr_S2) < 0.5
    assert len(recorded()) == inside == sum(loop(**point["settings"]) < 0.5 for point in points)
    cheapest = sorted(points, key=lambda p: p["settings"]["T"] * p["settings"]["batch"] / p["settings"]["lr"])
    for point in cheapest[:3]:
        figure.check(point["settings"])
        again = sign_share(**point["settings"])
        assert again["upright"] == pytest.approx(point["upright"], abs=2)
        assert again["law"] == pytest.approx(point["law"], rel=1e-9)
