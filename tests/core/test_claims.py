"""Every claim comes out as the book says, its control comes out the other way, and the ledger tells the truth."""

import math
from dataclasses import replace
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
        assert new.agrees(old), f"recorded {old}, now {new}: run `python -m lib.claims`"


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
        (Part("a", -3e-13, 1e-12, kind="rounding"), True),
        (Part("a", -3e-12, 1e-12, kind="rounding"), False),
        (Part("a", math.nan, 0.0, math.inf), False),
    ],
)
def test_part(part, good):
    assert part.good is good


@pytest.mark.parametrize(
    ("part", "recorded", "same"),
    [
        (Part("rounding doubled", 4.97e-7, 2e-6, kind="rounding"), 3.27e-7, True),
        (Part("rounding vanished", 0.0, 1e-12, kind="rounding"), 8e-16, True),
        (Part("no rounding any more", 3e-6, 2e-6, kind="rounding"), 3.27e-7, False),
        (Part("no rounding then", 3.27e-7, 2e-6, kind="rounding"), 3e-6, False),
        (Part("another bound that failed", 0.5, 1e-12, kind="rounding"), 0.5 + 1e-9, True),
        (Part("sums in another order", 0.7 + 1e-5, 0.72, 0.05), 0.7, True),
        (Part("another run", 0.701, 0.72, 0.05), 0.7, False),
        (Part("well within the bound, another run", 0.011, 0.06, kind="at most"), 0.010, False),
        (Part("a difference that cancels", 4e-16, 0.0, 1e-12, "at least"), 0.0, True),
        (Part("training amplifies rounding", 0.711, 0.72, 0.05, drift=0.02), 0.7, True),
        (Part("by more than is allowed", 0.721, 0.72, 0.05, drift=0.02), 0.7, False),
        (Part("one run of 240", 200 / 240, 0.85, 0.07, drift=1 / 240), 201 / 240, True),
        (Part("two runs of 240", 199 / 240, 0.85, 0.07, drift=1 / 240), 201 / 240, False),
        (Part("not finite any more", math.inf, 0.72, 0.05), 0.7, False),
        (Part("never finite", math.nan, 0.72, 0.05), math.nan, True),
    ],
    ids=lambda value: value.name if isinstance(value, Part) else "",
)
def test_a_record_of_another_machine(part, recorded, same):
    assert part.agrees(replace(part, measured=recorded)) is same


def test_a_result_without_parts_does_not_hold():
    assert Result(()).verdict == "fails"


def test_unknown_names_say_what_there_is():
    with pytest.raises(InputError, match=f"paper: expected one of {claims.all()[0].paper}"):
        claims.of("nope")
    with pytest.raises(InputError, match=f"id: expected a claim id such as {claims.all()[0].id}"):
        claims.get("NONE-999")


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
