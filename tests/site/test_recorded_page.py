"""The table of recorded sweeps: every record that is a sweep, with the seconds that its rows say."""

import json
import re

from hal import results
from hal.chapters import records, written
from hal.site.recorded import costs, costs_html


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
    assert found == {}


def test_the_table_has_a_line_for_each_and_their_sum():
    found = costs()
    html = costs_html(found)
    assert html.count("<tr>") == len(found) + 1
    (hours,) = re.findall(r"together: ([\d.]+) core-hours", html)
    assert abs(float(hours) - sum(one.seconds for one in found) / 3600) <= 0.051


def test_a_folder_without_records_has_none(tmp_path):
    assert costs(tmp_path) == []
