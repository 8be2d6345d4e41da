"""Every claim comes out as the book says, its control comes out the other way, and the ledger tells the truth."""

import math
from pathlib import Path

import pytest

from lib import claims
from lib.chapters import written
from lib.claims.base import Claim, Part, Result, result
from lib.claims.ledger import Table, record, recorded
from lib.errors import InputError

RESULTS = Path(__file__).parents[2] / "results"


@pytest.mark.parametrize("claim", claims.all(), ids=lambda claim: claim.id)
def test_claim(claim):
    """One test per claim: verdict as declared, control the other way, both as recorded."""
    check, control = claim.check(), claim.control()
    assert check.verdict == claim.verdict, str(check)
    assert control.good != check.good, f"the control did not come out the other way: {control}"
    old_check, old_control = recorded(RESULTS / claim.paper / "claims.json")[claim.id]
    assert (old_check.verdict, old_control.good) == (check.verdict, control.good), "run `python -m lib.claims`"
    assert [p.name for p in old_check.parts] == [p.name for p in check.parts], "run `python -m lib.claims`"
    for new, old in zip(check.parts, old_check.parts, strict=True):
        # Another processor sums in another order; what a reader sees may not move by more than the claim allows.
        room = max(0.05 * abs(old.measured), abs(old.tolerance), 1e-9)
        assert abs(new.measured - old.measured) <= room, f"recorded {old}, now {new}: run `python -m lib.claims`"


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_ledger_has_no_claim_that_is_gone(slug):
    assert set(recorded(RESULTS / slug / "claims.json")) == {claim.id for claim in claims.of(slug)}


def test_ids_are_unique():
    ids = [claim.id for claim in claims.all()]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("part", "good"),
    [
        (Part("a", 1.0, 1.05, 0.1), True),
        (Part("a", 1.0, 1.2, 0.1), False),
        (Part("a", 110, 100, 0.1, "relative"), True),
        (Part("a", 111, 100, 0.1, "relative"), False),
        (Part("a", 0.3, 0.2, 0.0, "at most"), False),
        (Part("a", 0.2, 0.2, 0.0, "at most"), True),
        (Part("a", 0.1, 0.2, 0.0, "at least"), False),
        (Part("a", math.nan, 0.0, math.inf), False),
    ],
)
def test_part(part, good):
    assert part.good is good


def test_a_result_without_parts_does_not_hold():
    assert Result(()).verdict == "fails"


def test_unknown_names_say_what_there_is():
    with pytest.raises(InputError, match="paper: expected one of scb"):
        claims.of("nope")
    with pytest.raises(InputError, match="id: expected a claim id such as SCB-1"):
        claims.get("SCB-999")


def test_record_and_table(tmp_path):
    def check():
        return result(Part("x <unit>", 1.0, 1.0, 0.1), seeds=[1, 2])

    def control():
        return result(Part("x <unit>", 2.0, 1.0, 0.1))

    claim = Claim("X-1", "x", "Lemma 1", "One is one.", check, control, "two")
    record([claim], tmp_path / "ledger.json")
    table = Table([claim], tmp_path / "ledger.json")
    assert "holds" in repr(table)
    page = table._repr_html_()
    assert "x &lt;unit&gt;: 1 (expected 1 ± 0.1)" in page
    assert "2 seeds" in page
    with pytest.raises(InputError, match="path: expected a recorded ledger"):
        Table([claim], tmp_path / "none.json")
