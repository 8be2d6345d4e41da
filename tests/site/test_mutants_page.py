"""What the performance page says of broken formulas, and how the record is added to."""

import json
import xml.etree.ElementTree as ET

import pytest

from benchmarks.mutants.places import LIBRARY, all_mutants
from hal import results
from hal.site.mutants import REASONS, RECORD, add, mutants_html, reasons, recorded, still_open
from lib.errors import InputError
from tests.browser import ROOT

FOLDER = results.FOLDER / "site"


def entry(key, **by):
    return {"key": key, "file": f"{key.partition('/')[0]}/a.py", "operator": "sign", "line": 1, **by}


SAMPLE = [
    entry("optim/a < b", tests="t::one", claims=""),
    entry("optim/c", tests="t::two", claims="", **{"claims asked": 0}),
    entry("optim/same", tests="", claims="", **{"claims asked": 0}),
    entry("train/open", tests=""),
    entry("train/seen", tests="", claims="SCB-1"),
]


def test_the_page_has_both_scores_and_every_survivor(tmp_path):
    for found in SAMPLE:
        add(tmp_path, found, {one["key"] for one in SAMPLE}, 1)
    why = {"optim/same": "a + b is b + a"}
    page = ET.fromstring(f"<div>{mutants_html(json.loads((tmp_path / RECORD).read_text()), why)}</div>")
    scores, survivors = ([["".join(cell.itertext()) for cell in row] for row in body] for body in page.iter("tbody"))
    assert scores == [
        ["optim", "3", "67 %", "100 % of 2", "0 % of 2; 0 % of 1 that one runs", "1", "0"],
        ["train", "2", "50 %", "0 % of 2", "100 % of 1", "0", "1"],
        ["all", "5", "60 %", "50 % of 4", "33 % of 3; 50 % of 2 that one runs", "1", "1"],
    ]
    assert survivors == [["optim/same", "a + b is b + a"], ["train/open", "open; claims not run yet"]]
    assert "5 of a sample of 5 (seed 1), by make mutants" in "".join(page.itertext())
    with pytest.raises(InputError, match="record: expected at least one mutant"):
        mutants_html({"mutants": []}, {})


def test_a_run_adds_to_the_record_and_what_left_the_sample_goes(tmp_path):
    add(tmp_path, entry("a", tests=""), {"a", "b"}, 1)
    add(tmp_path, entry("b", tests="t"), {"a", "b"}, 1)
    add(tmp_path, entry("a", claims="SCB-2"), {"a", "b"}, 1)
    assert recorded(tmp_path) == [entry("a", tests="", claims="SCB-2"), entry("b", tests="t")]
    add(tmp_path, entry("b", tests=""), {"b"}, 1)
    assert recorded(tmp_path) == [entry("b", tests="")]
    with pytest.raises(InputError, match="path: expected recorded mutants"):
        recorded(tmp_path / "none")


def test_reasons_are_read_and_must_belong_to_something(tmp_path):
    assert reasons(tmp_path) == {}
    (tmp_path / REASONS).write_text("a: x + y -> y\n    because x\n    is 0\n\nb\n  why\n")
    assert reasons(tmp_path) == {"a: x + y -> y": "because x is 0", "b": "why"}
    assert still_open([entry("b", tests=""), entry("c", tests="", claims="")], reasons(tmp_path)) == [
        entry("c", tests="", claims="")
    ]
    for text, message in (
        ("a\nb\n  why\n", r"a reason, indented, below each key, got none for \['a'\]"),
        ("  why\n", "a"),
    ):
        (tmp_path / REASONS).write_text(text)
        with pytest.raises(InputError, match=message):
            reasons(tmp_path)


def test_every_reason_is_of_a_formula_that_stands():
    there = {mutant.key for mutant in all_mutants(ROOT / LIBRARY, 1)}
    assert set(reasons(FOLDER)) <= there


@pytest.mark.browser
@pytest.mark.parametrize("width", [390, 1280])
def test_why_a_formula_is_the_same_is_read_without_scrolling(chromium, site, width):
    page = chromium.new_page(viewport={"width": width, "height": 900})
    page.goto((site / "book" / "performance.html").as_uri())
    boxes = page.locator(".lib-words td").evaluate_all("all => all.map((e) => e.getBoundingClientRect().toJSON())")
    assert boxes
    right = page.locator("article").bounding_box()
    assert max(box["right"] for box in boxes) <= right["x"] + right["width"] + 1
    page.close()
