"""Every record is as schema.json says and names a command that exists; a release's contents name each record once."""

import copy
import json
import re
import tomllib
from importlib.util import find_spec

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


def exists(command):
    """Whether the repository has what a command calls: a target of make, a program, or modules."""
    program, *words = command.split()
    if program == "make":
        return re.search(rf"^{re.escape(words[0])}:", (ROOT / "Makefile").read_text(), re.M)
    if words[0] != "-m":
        return program == "python" and (ROOT / words[0]).is_file()
    record = words[1] == "hal.chapters.records"
    try:
        return find_spec(f"hal.chapters.{words[2]}.records.{words[3]}" if record else words[1])
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_record_is_as_the_schema_says_and_can_be_made_again(path):
    text = path.read_text(encoding="utf-8")
    assert wrong(json.loads(text), datapackage.kind(path)) == ""
    found = set(re.findall(r'"command": ?"([^"]*)"', text))
    assert found, "a record says how it was made"
    assert [command for command in found if not exists(command)] == []


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
