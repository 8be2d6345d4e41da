"""Sentences of the chapter that quote claims: quoted as they stand, and compared with the record."""

import json

import pytest

from tests.browser import ROOT

CELLS = json.loads((ROOT / "book" / "scan_snap.ipynb").read_text())["cells"]
TEXT = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")
RECORD = json.loads((ROOT / "results" / "scan_snap" / "claims.json").read_text())["claims"]


def measured(claim, part, kind="check"):
    """The number that a claim measured, by the beginning of its part's name."""
    (found,) = (one for one in RECORD[claim][kind]["parts"] if one["name"].startswith(part))
    return found["measured"]


@pytest.mark.parametrize(
    ("claim", "part", "numbers", "said"),
    [
        ("SNAP-18", "entropy at infinite length", "0.13", "entropy ends {} nats below that of infinite sequences"),
        ("SNAP-38", "the same, decay 0.01", "0.86", "is {} and 0.96 of the predicted one (SNAP-38)"),
        ("SNAP-38", "second most frequent token, decay 0.1", "0.96", "is 0.86 and {} of the predicted one (SNAP-38)"),
        ("SNAP-17", "lr_Y = 1: entropy", "1.94", "The entropy of the distinct part ends at {} nats"),
        ("SNAP-17", "lr_Y = 10: entropy", "2.09", "nats for $\\eta_Y=1$ and {} for"),
    ],
)
def test_numbers_of_claims_are_those_of_the_record(claim, part, numbers, said):
    assert said.format(numbers) in TEXT
    assert f"{measured(claim, part):.2f}" == numbers


def test_the_constant_of_theorem_4_is_as_near_as_the_table_of_slips_says():
    said = "the logit of the common token is within 8 % for overlaps up to 0.3; as printed it is off by up to half"
    assert said in TEXT
    assert abs(measured("SNAP-10", "common logit over the formula with K - 1") - 1) < 0.08
    assert abs(measured("SNAP-10", "the same with K, as printed") - 0.5) < 0.05


def test_the_exponent_of_the_reference_dynamics():
    assert "has 1.93 at $M=1000$ (the control of SNAP-36)" in TEXT
    found = measured("SNAP-36", "exponent of the common logit in the overlap, M = 1000", "control")
    assert f"{found:.2f}" == "1.93"
