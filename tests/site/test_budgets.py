"""The recorded budgets: of pages, figures and editors, within the limits, and of a site like the one that is tested."""

import copy
import json

import pytest

from hal.results import path_of, read
from hal.site import editing
from hal.site.budgets import BUDGETS, missed, part_of, recorded
from hal.site.weights import weight
from lib.errors import InputError
from tests.browser import pages_to_read
from tests.chapters import chapters, moved

RECORD = recorded()
AGAIN = "run `make budgets`"
MEASURED = [path for path in chapters() if path.stem not in RECORD["missing"]]


def measured():
    """The pages of the site, but for a chapter that is just written."""
    return {page for page in pages_to_read() if part_of(page) not in RECORD["missing"]}


def test_every_budget_that_no_clock_measures_is_kept():
    clocks = tuple(budget.what for budget in BUDGETS if budget.unit == "ms")
    assert [line for line in missed(RECORD) if not line.startswith(clocks)] == []


def test_every_figure_is_recorded_and_moved_everywhere():
    made = {name: path for path in MEASURED for name in moved(path.stem)}
    assert set(RECORD["explorers"]) == set(made), AGAIN
    for name, path in made.items():
        found, own = RECORD["explorers"][name], json.loads(path_of(path.stem, "budgets").read_text())
        assert found["page"] == f"book/{path.stem}.html"
        assert found["moves"] >= min(30, own["provenance"]["settings"]["moves"])  # one may be measured after the others


def test_built_site_has_at_most_30_megabytes(built):
    assert sum(path.stat().st_size for path in built.rglob("*") if path.is_file()) <= 30e6
    assert [*built.rglob("*.map"), *built.rglob("fa-*.ttf")] == []


@pytest.mark.browser
def test_every_built_page_is_recorded_as_it_is(site):
    assert set(RECORD["pages"]) == measured(), AGAIN
    for name, found in RECORD["pages"].items():
        for kind, size in zip(("first_load", "ours"), weight(site, name), strict=True):
            assert abs(size - found[kind]) <= 0.15 * found[kind] + 5000, f"{name}, {kind}: {AGAIN}"


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.what)
def test_a_number_over_its_limit_is_said(budget):
    record = copy.deepcopy(RECORD)
    for entry in record["explorers"].values():
        entry.update({name: 1.0 for name in entry if name.endswith("_ms")})
    place = next(iter(budget.measured(record)))
    kind = "pages" if place in record["pages"] else "explorers"
    for name in record[kind][place]:
        over = copy.deepcopy(record)
        over[kind][place][name] = 10_000_000
        if budget.measured(over) != budget.measured(record):
            assert any(line.startswith(budget.what) and place in line for line in missed(over))
            break
    else:
        pytest.fail("no entry of the record counts for this budget")


def test_a_dear_run_may_take_its_time_but_not_its_first_points():
    record = copy.deepcopy(RECORD)
    name, entry = next(iter(record["explorers"].items()))
    entry.update(run_p95_ms=9e9, slow_run_p95_ms=9e9, points_p95_ms=9e9, slow_reason="It takes <a while>.")
    assert [line.partition(":")[0] for line in missed(record) if "e+09" in line and name in line] == [
        "Move to the first points, 95th percentile"
    ]


def test_a_missing_record_names_the_command_that_makes_it(tmp_path):
    with pytest.raises(InputError, match=r"budgets \(`make budgets` makes it\).*site/budgets"):
        recorded(tmp_path)


FOUND = read(editing.RECORD, "the recorded costs of the editor", editing.COMMAND)


@pytest.mark.browser
def test_every_editor_of_the_built_site_keeps_its_weight_and_is_recorded(site):
    built = {name: sizes for page in measured() for name, sizes in editing.weights(site, page).items()}
    assert set(built) == set(FOUND["figures"]), f"run `{editing.COMMAND}`"
    found = editing.missed({"figures": {name: FOUND["figures"][name] | sizes for name, sizes in built.items()}})
    assert [line for line in found if "bytes" in line] == []
    for name, sizes in built.items():
        for kind, size in sizes.items():
            assert abs(size - FOUND["figures"][name][kind]) <= 1500, f"{name}: run `{editing.COMMAND}`"
