"""What the performance page shows of a benchmark's record, whoever wrote it."""

import json
import xml.etree.ElementTree as ET

import pytest

from hal.chapters import written
from hal.results import path_of
from hal.site.benchmarks import benchmark_html
from lib.errors import InputError

RECORD = {
    "tables": [{"says": "a < b:", "head": ["Who", "Took"], "rows": [["us", "1 < 2 s"]], "label": "times", "note": "c"}],
    "provenance": {
        "settings": {"N": 3},
        "processor": "P<1>",
        "threads": "1",
        "date": "2026-01-02T",
        "command": "run",
    },
}


def test_tables_are_text_with_their_provenance():
    page = ET.fromstring(f"<div>{benchmark_html(RECORD)}</div>")
    assert [[cell.text for cell in row] for row in next(page.iter("tbody"))] == [["us", "1 < 2 s"]]
    text = [paragraph.text for paragraph in page.iter("p")]
    assert text[:2] == ["a < b:", "c"]
    assert "in one process on P<1>, 1 thread, 2026-01-02, by run (N 3)" in "".join(page.itertext())


def test_other_records_are_refused():
    with pytest.raises(InputError, match="record: expected tables"):
        benchmark_html({"compare": {}})
    with pytest.raises(InputError, match="table: expected the parts says, head"):
        benchmark_html({**RECORD, "tables": [{"head": []}]})


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_the_record_of_every_chapter_can_be_shown(slug):
    record = json.loads(path_of(slug, "benchmarks").read_text())
    page = ET.fromstring(f"<div>{benchmark_html(record)}</div>")
    assert len(list(page.iter("tr"))) > 2
    assert record["passed"]
    assert f"python benchmarks/{slug}.py --record" in "".join(page.itertext())
