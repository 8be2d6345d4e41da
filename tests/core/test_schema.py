"""Every record is what schema.json says of its kind, and the table of contents of a release names each once."""

import copy
import json
import tomllib

import jsonschema
import pytest

from hal import results
from tests.packages import ROOT, script

datapackage = script("datapackage")

SCHEMA = json.loads((results.FOLDER / "schema.json").read_text(encoding="utf-8"))
PATHS = sorted(results.FOLDER.glob("*/*.json"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def wrong(record, kind):
    """The first thing that the schema does not allow, in words; "" if there is none."""
    checked = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]})
    return next((error.message for error in checked.iter_errors(record)), "")


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_is_as_the_schema_says(path):
    assert wrong(json.loads(path.read_text(encoding="utf-8")), datapackage.kind(path)) == ""


def test_what_is_no_record_is_refused():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    whole = json.loads(results.path_of("scb", "claims").read_text(encoding="utf-8"))
    for change in ({"verdict": "perhaps"}, {"parts": []}, {"more": 1}):
        other = copy.deepcopy(whole)
        other["claims"]["SCB-9"]["check"] |= change
        assert wrong(other, "claims"), change


def test_the_contents_name_each_record_once_with_its_digest():
    found = datapackage.contents(results.FOLDER, PROJECT)
    assert sorted(one["path"] for one in found["resources"]) == [f"{p.parent.name}/{p.name}" for p in PATHS]
    assert len({one["name"] for one in found["resources"]}) == len(PATHS)
    assert {one["described"].rpartition("/")[2] for one in found["resources"]} <= set(SCHEMA["$defs"])
    assert (found["version"], found["licenses"][0]["name"]) == (PROJECT["version"], "CC-BY-4.0")
