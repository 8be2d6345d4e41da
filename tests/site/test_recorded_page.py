"""The table of recorded sweeps: every record that is a sweep, with the seconds that its rows say."""

import json
import re
from pathlib import Path

from hal import results
from hal.chapters import records, written
from hal.results.forecast import first, forecast
from hal.site.recorded import costs, costs_html

PAGE = Path(__file__).parents[2] / "book" / "sweeps.md"


def test_every_record_with_rows_is_in_it_with_its_seconds():
    found = {(one.slug, one.name): one for one in costs()}
    for slug in (row.slug for row in written()):
        for name in records.names(slug):
            record = json.loads(results.path_of(slug, name).read_text())
            rows = record.get("runs", [])
            if rows and "seconds" in rows[0]:
                one = found.pop((slug, name))
                assert one.settings == len(rows)
                assert abs(one.seconds - sum(row["seconds"] for row in rows)) < 1e-6
                assert one.dearest == max(row["seconds"] for row in rows)
                tried = [rows[i]["seconds"] for i in first(len(rows))]
                assert one.forecast == forecast([row["setting"] for row in rows], tried)
    assert found == {}


def test_the_table_has_a_line_for_each_and_their_sum():
    found = costs()
    html = costs_html(found)
    assert html.count("<tr>") == len(found) + 1
    (hours,) = re.findall(r"together: ([\d.]+) core-hours", html)
    assert abs(float(hours) - sum(one.seconds for one in found) / 3600) <= 0.051
    (told,) = re.findall(r"forecasts say (\d+\.\d)", html)
    assert abs(float(told) - sum(one.forecast for one in found) / 3600) <= 0.051


def test_what_the_page_says_of_the_forecasts():
    found = costs()
    ratios = sorted(max(one.forecast / one.seconds, one.seconds / one.forecast) for one in found)
    said = re.search(r"within (\d+)% for half of the sweeps and within (\d+)% for all but (\w+)", PAGE.read_text())
    half, most, others = int(said[1]), int(said[2]), {"one": 1, "two": 2, "three": 3}[said[3]]
    assert ratios[len(ratios) // 2] <= 1 + half / 100 < ratios[len(ratios) // 2] + 0.02
    assert ratios[-others - 1] <= 1 + most / 100 < ratios[-others]


def test_a_folder_without_records_has_none(tmp_path):
    assert costs(tmp_path) == []
