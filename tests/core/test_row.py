"""The row of a chapter: every column with a text, a claim and a figure that exist; what is wrong is refused by name."""

import json
import re

import pytest

from hal import claims
from hal.chapters import row
from hal.chapters.row import COLUMNS
from lib.errors import InputError
from tests.packages import ROOT

FILES = sorted((ROOT / "src" / "hal" / "chapters").glob("*/row.json"))


def figures(slug):
    """Labels of a chapter's figures: those that a cell shows, `show(quiet)` for `scb-quiet`, and those with a name."""
    found = set()
    for cell in json.loads((ROOT / "book" / f"{slug}.ipynb").read_text(encoding="utf-8"))["cells"]:
        found |= {f"{slug}-{name}" for name in re.findall(r"\bshow\((\w+)[,)]", "".join(cell["source"]))}
        found.add(cell["metadata"].get("mystnb", {}).get("figure", {}).get("name"))
    return found


@pytest.mark.parametrize("slug", [path.parent.name for path in FILES])
def test_claims_and_figures_of_a_row_exist(slug):
    found = row.read(slug)
    assert list(found) == list(COLUMNS)
    assert {entry.claim for entry in found.values()} <= {claim.id for claim in claims.all()}
    assert {entry.figure.partition(":")[0] for entry in found.values()} - figures(slug) == set()
    assert all(entry.text.count("$") % 2 == 0 for entry in found.values())


def test_the_box_shows_the_three_answers_with_their_evidence():
    box, found = row.take_home("scb"), row.read("scb")
    for column in COLUMNS:
        assert COLUMNS[column] in box._repr_html_()
        assert f'<span class="lib-claim">({found[column].claim})</span>' in box._repr_html_()
        assert f'href="#{found[column].figure}"' in box._repr_html_()
        assert f"{found[column].text} ({found[column].claim})" in repr(box)


def whole():
    return {column: {"text": "One.", "claim": "SCB-1", "figure": "scb-sample"} for column in COLUMNS}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"speed": None}, "speed in the row of scb: expected text, claim and figure"),
        ({"speed": {"text": " ", "claim": "SCB-1", "figure": "scb-sample"}}, "none empty"),
        (
            {"speed": {"text": "One.", "claim": "NN-1", "figure": "scb-sample"}},
            "claim of speed: expected an id",
        ),
        (
            {"speed": {"text": "One.", "claim": "SCB-1", "figure": "sample"}},
            "figure of speed: expected a label scb-",
        ),
        ({"extra": {"text": "One.", "claim": "SCB-1", "figure": "scb-sample"}}, "a difference in extra"),
    ],
)
def test_what_is_wrong_is_refused_by_name(change, said):
    assert row.parse("scb", whole())["speed"].text == "One."
    with pytest.raises(InputError, match=said):
        row.parse("scb", whole() | change)
