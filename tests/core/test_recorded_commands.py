"""Every recorded result names a command that exists, so that a reader can make it again."""

import json
import re
from importlib.util import find_spec

import pytest

from tests.browser import ROOT

RESULTS = sorted((ROOT / "src" / "hal" / "results").glob("*/*.json"))


def commands(node):
    """Every command that a record names, however deep."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "command":
                yield value
            else:
                yield from commands(value)
    elif isinstance(node, list):
        for value in node:
            yield from commands(value)


def missing(command):
    """What the command names and the repository lacks; "" if all is there."""
    program, *words = command.split()
    if program == "make":
        text = (ROOT / "Makefile").read_text()
        return "" if re.search(rf"^{re.escape(words[0])}:", text, re.M) else f"target {words[0]}"
    assert program == "python", f"expected a command of python or make, got {command!r}"
    if words[0] != "-m":
        return "" if (ROOT / words[0]).is_file() else words[0]
    modules = [words[1]]
    if words[1] == "hal.chapters.records":
        modules.append(f"hal.chapters.{words[2]}.records.{words[3]}")
    return " ".join(module for module in modules if not exists(module))


def exists(module):
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("path", RESULTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_it_names_a_command_that_exists(path):
    found = set(commands(json.loads(path.read_text(encoding="utf-8"))))
    assert found, "a record says how it was made"
    assert {command: missing(command) for command in found} == dict.fromkeys(found, "")
