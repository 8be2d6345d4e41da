"""What the editor of each figure costs: bytes within the limit, waits recorded, and over where they are over."""

import copy

import pytest

from hal.results import read
from hal.site.budgets import part_of, recorded
from hal.site.editing import COMMAND, CURVE_MS, RECORD, limit, missed, weights
from tests.browser import pages_to_read

FOUND = read(RECORD, "the recorded costs of the editor", COMMAND)


@pytest.mark.browser
def test_every_editor_of_the_built_site_keeps_its_weight_and_is_recorded(site):
    measured = [
        page for page in pages_to_read() if part_of(page) not in recorded()["missing"]
    ]  # a chapter is built first
    built = {name: size for page in measured for name, size in weights(site, page).items()}
    assert set(built) == set(FOUND["figures"]), f"run `{COMMAND}`"
    assert {name: size for name, size in built.items() if size > limit(name)} == {}
    for name, size in built.items():
        assert abs(size - FOUND["figures"][name]["bytes"]) <= 1500, f"{name}: run `{COMMAND}`"


def test_the_record_keeps_the_limits_that_no_clock_measures():
    assert [line for line in missed(FOUND) if "bytes" in line] == []


def test_what_is_over_is_said():
    record = copy.deepcopy(FOUND)
    for one in record["figures"].values():
        one.update(ready_ms=1.0, curve_ms=1.0)
    assert missed(record) == []
    name = next(iter(record["figures"]))
    record["figures"][name]["curve_ms"] = CURVE_MS + 1
    assert missed(record) == [f"{name}: {CURVE_MS + 1} ms to the first new curve, at most {CURVE_MS}"]
    record["figures"][name]["bytes"] = 100_000
    assert len(missed(record)) == 2
