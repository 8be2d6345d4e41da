"""Records of many settings: whole, made by the command that they name; one that was interrupted goes on."""

import json
from importlib import import_module

import pytest

from hal.chapters import records, written
from hal.results import path_of
from hal.results.rows import record_rows, recorded_rows
from lib.errors import InputError

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
