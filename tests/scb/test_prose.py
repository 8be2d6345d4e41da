"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import json

import numpy as np

from lib.chapters.scb.explorers import flow, stages
from tests.browser import ROOT

CELLS = json.loads((ROOT / "book" / "scb.ipynb").read_text())["cells"]
TEXT = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")


def test_runs_slide_along_the_valley():
    assert r"slide along it, near $(0.6, 1.5)$ at the default: the product is right, the split is noise" in TEXT
    runs = flow.explorer().compute(runs=3).runs
    ends = np.array([[run["alpha_V"][-1], run["alpha_A"][-1]] for run in runs])
    np.testing.assert_allclose(ends, np.broadcast_to([0.6, 1.5], ends.shape), atol=0.1)
    np.testing.assert_allclose(ends.prod(axis=1), 1, atol=0.15)
    theory = flow.explorer().compute(runs=0).theory
    np.testing.assert_allclose([theory["flow.alpha_V"][-1], theory["flow.alpha_A"][-1]], 1, atol=0.01)


def test_the_threshold_pushes_speckle_down_and_stage_3_clears_it():
    said = "the threshold pushes it down; it comes back while the signal grows, and only the rounding of Stage 3 clears"
    assert said in TEXT
    found = stages.explorer().compute(runs=2)
    switch, third = found.theory["stages.second"][0], found.theory["stages.third"][0]
    for run in found.runs:
        steps = np.array(run["steps"])
        useless = np.array(run["useful"]) == 0
        speckle = np.abs(np.array(run["attention"]).reshape(len(steps), -1)[:, useless]) > 0.02
        many = speckle.sum(axis=1)
        before, late = (np.searchsorted(steps, at) - 1 for at in (switch, third))
        soon = many[(steps > switch) & (steps < switch + 60)].min()
        assert many[before] > 1.2 * soon, "the threshold takes none away"
        assert many[late] > 2 * soon, "it does not come back"
        assert many[-1] == 0
