"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest

from hal.chapters.scb.figures import sign
from hal.figure import Computed
from tests.rows import whole_runs


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
