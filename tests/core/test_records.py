"""Records: whole, as the schema says, spoilt ones refused; what a release says of them and of all that it carries."""

import copy
import errno
import json
import re
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import jsonschema
import pytest

from hal import results
from hal.chapters import records, written
from hal.claims.ledger import recorded
from hal.results import path_of
from hal.results.rows import record_rows, recorded_rows
from hal.site.ledger import rows_html
from lib.errors import InputError
from tests.packages import ROOT, script

HOSTILE = "\"><script>x()</script><img src=x onerror=x()>'"
SLUG = written()[0].slug


def leaves(node, at=()):
    """Where a record holds something that is no list and no object."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    if not isinstance(node, (dict, list)):
        yield at
    for key, value in inside:
        yield from leaves(value, (*at, key))


def spoilt(book, at, value):
    other = copy.deepcopy(book)
    node = other
    for key in at[:-1]:
        node = node[key]
    node[at[-1]] = value
    return other


def test_whatever_stands_in_a_record_it_is_refused_by_the_claim_s_name_or_shown_as_text(tmp_path):
    path, whole = tmp_path / "claims.json", json.loads(path_of(SLUG, "claims").read_text(encoding="utf-8"))
    id, entry = next((id, entry) for id, entry in whole["claims"].items() if entry.get("spread"))
    for side in ("check", "control"):
        entry[side]["parts"] = entry[side]["parts"][:2]  # two are enough
        entry[side]["seeds"] = entry[side]["seeds"][:2]
    kept = {part["name"] for part in entry["check"]["parts"]}
    entry["spread"]["parts"] = {name: three for name, three in entry["spread"]["parts"].items() if name in kept}
    places = [("claims", id, *at) for at in leaves(entry)]
    assert len(places) > 20
    refused = unnamed = shown = 0
    for at in places:
        for value in (HOSTILE, None, [], {}, float("inf"), -1):
            path.write_text(json.dumps(spoilt(whole, at, value)), encoding="utf-8")
            try:
                html = rows_html(SLUG, path, {})
            except InputError as error:
                named = f"expected of claim {id} what `" in str(error)
                refused, unnamed = refused + named, unnamed + (not named)
                continue
            shown += 1
            assert not re.search(r"<script|<img|<[^>]*\son", html), at
    assert unnamed == 0
    assert refused > 50
    assert shown > 10  # another number is a number


@pytest.mark.parametrize("text", ["", "{", '{"claims": {"A-1', "\0\0\0", "not JSON"])
def test_half_a_record_is_named_with_what_makes_it_anew(text, tmp_path):
    path = tmp_path / "claims.json"
    path.write_text(text)
    with pytest.raises(
        InputError, match=r"claims\.json: expected a recorded ledger as JSON \(`python -m hal\.claims` makes it\)"
    ):
        recorded(path)


def test_a_full_disk_leaves_the_old_record_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "claims.json"
    results.write(path, '{"old": 1}')
    real = Path.write_text

    def full(self, text, **options):
        real(self, text[:3], **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        results.write(path, '{"new": 2}')
    assert [one.name for one in tmp_path.iterdir()] == ["claims.json"]
    assert json.loads(path.read_text()) == {"old": 1}


GRID = [{"T": T, "rule": rule} for T in (8, 16, 32) for rule in ("sgd", "adam")]


def recorders():
    """Every module of a chapter that records many settings, by "SLUG-NAME"."""
    for slug, name in [(row.slug, name) for row in written() for name in records.names(row.slug)]:
        module = import_module(f"hal.chapters.{slug}.records.{name}")
        if hasattr(module, "record_rows"):
            yield pytest.param(slug, name, module, id=f"{slug}-{name}")


@pytest.mark.parametrize(("slug", "name", "module"), list(recorders()))
def test_record_holds_every_setting_and_names_its_command(slug, name, module, monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(module, "record_rows", lambda *given: asked.append(given))
    module.record(tmp_path / "record.json")
    ((_, command, settings, _),) = asked
    book = json.loads(path_of(slug, name).read_text())
    assert book["provenance"]["command"] == command
    assert [row["setting"] for row in book["runs"]] == json.loads(json.dumps(list(settings)))


def test_interrupted_record_is_refused_and_goes_on_to_what_an_uninterrupted_one_is(tmp_path):
    path, seen = tmp_path / "record.json", []

    def run(setting):
        seen.append(setting)
        if len(seen) == 3:
            raise KeyboardInterrupt
        return {"found": [float(setting["T"])]}

    with pytest.raises(KeyboardInterrupt):
        record_rows(path, "make it", GRID, run)
    with pytest.raises(InputError, match=r"path: expected a whole record \(`make it` goes on with it\)"):
        recorded_rows(path, "the record", "make it", GRID)
    assert record_rows(path, "make it", GRID, run) == f"{len(GRID)} settings"
    assert seen[2] == seen[3]  # where it was
    assert len(seen) == len(GRID) + 1
    kept = [(row["setting"], row["found"]) for row in json.loads(path.read_text())["runs"]]
    assert kept == [(setting, [float(setting["T"])]) for setting in GRID]
    assert recorded_rows(path, "the record", "make it", GRID)[16, "adam"]["found"] == [16.0]


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


materials = script("materials")

TEXTS = [path.read_text(encoding="utf-8") for path in ROOT.glob("[as]*/**/VENDOR.md")]


def test_what_is_carried_has_name_version_and_licence():
    found = {one["name"]: one for text in TEXTS for one in materials.carried(text)}
    assert {"d3-scale", "internmap", "katex", "@fortawesome/fontawesome-free"} <= set(found)
    assert found["d3-time-format"]["version"] == "4.1.1"  # of a row with several
    assert found["katex"]["purl"] == f"pkg:npm/katex@{found['katex']['version']}"
    assert all(list(materials.carried(text)) for text in TEXTS), "a VENDOR.md without rows is a hole in the bill"
    assert found["katex"]["licenses"][0]["license"]["id"] == "MIT"


def test_no_place_on_a_machine_is_told():
    own = {"name": "book", "externalReferences": [{"url": "file:///home/one", "type": "distribution"}]}
    other = {"name": "b", "externalReferences": [{"url": "https://b.org", "type": "website"}]}
    bill = materials.whole({"metadata": {"component": own}, "components": [other]}, TEXTS)
    assert "file:" not in json.dumps(bill)
    assert bill["components"][0]["externalReferences"] == [{"url": "https://b.org", "type": "website"}]
    assert len(bill["components"]) == 1 + sum(len(list(materials.carried(text))) for text in TEXTS)
