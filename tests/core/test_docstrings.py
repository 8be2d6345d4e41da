"""Laws of docstrings: theory names its source, and arguments are called as they are spelt."""

import ast
import re

import pytest

from tests.packages import LIB, modules, name_of

THEORY = [path for path in modules() if path.is_relative_to(LIB / "theory") and path.name[0] != "_"]


def functions(text):
    """Every function of a module's text."""
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]


def without_source(text):
    """Public functions, of the module itself, whose docstring names no source."""
    own = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return [node.name for node in own if node.name[0] != "_" and "Source: " not in (ast.get_docstring(node) or "")]


def capitalised(text):
    """Functions whose docstring begins with an argument's name in capitals, as a sentence cannot."""
    found = []
    for node in functions(text):
        begins = re.match(r"(\w+): ", ast.get_docstring(node) or "")
        names = {argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)}
        if begins and begins[1] not in names and begins[1].lower() in {name.lower() for name in names}:
            found.append(node.name)
    return found


@pytest.mark.parametrize("path", THEORY, ids=name_of)
def test_theory_names_its_source(path):
    assert without_source(path.read_text()) == []


def test_no_docstring_begins_with_a_capitalised_argument():
    assert {name_of(path): found for path in modules() if (found := capitalised(path.read_text()))} == {}


def test_both_laws_can_fail():
    assert without_source('def law(x):\n    """A law."""\ndef same(x):\n    """As. Source: our own."""') == ["law"]
    assert capitalised('def run(late):\n    """Late: by how many."""\ndef walk(late):\n    """By `late`."""') == ["run"]
