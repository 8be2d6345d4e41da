"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import json

import numpy as np
import pytest

from lib.chapters.scb.explorers import flow, stages
from lib.theory import scb as theory
from tests.browser import ROOT

CELLS = json.loads((ROOT / "book" / "scb.ipynb").read_text())["cells"]
RECORD = json.loads((ROOT / "results" / "scb" / "claims.json").read_text())["claims"]
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


@pytest.mark.parametrize(
    ("claim", "part", "number", "said"),
    [
        (
            "SCB-13",
            "slope of the log energy",
            "1.00",
            "the energy $\\mathbb E\\lVert\\hat g_A\\rVert_\\mu^2$ grows with slope {}",
        ),
        ("SCB-17", "samples until then (median)", "6120", "it takes a median of {} samples"),
        ("SCB-17", "times more than at T = 512", "1.5", "{} times the number at $T=512$ (SCB-17)"),
        ("SCB-26", "median escape", "25", "Stage 1 takes a median of {} steps"),
        ("SCB-29", "law of later tokens", "0.03", "(by {} in $L_1$ distance, in the middle of 24 random tasks)"),
        ("SCB-33", "|A - Q| of rounded attention", "2.2", "nearer to $Q$ by a factor of {} (SCB-33)"),
    ],
)
def test_numbers_of_claims_are_those_of_the_record(claim, part, number, said):
    assert said.format(number) in TEXT
    (found,) = (one for one in RECORD[claim]["check"]["parts"] if one["name"].startswith(part))
    decimals = len(number.partition(".")[2])
    assert f"{found['measured']:.{decimals}f}" == number


def test_the_closure_is_as_near_as_the_chapter_says():
    assert "it predicts SGD to within 5 %, whatever the seeds (SCB-32)" in TEXT
    assert RECORD["SCB-32"]["spread"]["agree"] == 16
    assert {part["tolerance"] for part in RECORD["SCB-32"]["check"]["parts"]} == {0.05}


def test_the_break_even_of_transfer():
    assert r"from scratch below $\rho\approx0.17$ at $T=4096$" in TEXT
    task = theory.ring_constants(4, 4096, 0.75, (0.6, 0.4))
    assert f"{float(theory.break_even_correlation(task.s2, 4096, task.K_Q, task.mu_min, 0.4)):.2f}" == "0.17"
