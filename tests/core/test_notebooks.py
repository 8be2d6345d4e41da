"""Chapters as files: outputs that nbval compares and no others, a kernel that everyone has, no downloads."""

import json
import re
from pathlib import Path

import pytest

BOOK = Path(__file__).parents[2] / "book"
CHAPTERS = sorted(BOOK.glob("*.ipynb"))
CHECKED = "nbval-check-output"


def cells(path, kind):
    return [c for c in json.loads(path.read_text())["cells"] if c["cell_type"] == kind]


def code(path):
    return [(number, "".join(cell["source"]), cell) for number, cell in enumerate(cells(path, "code"))]


assert CHAPTERS, f"no chapters in {BOOK}"
pytestmark = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)


def test_committed_for_the_kernel_of_everyone_with_outputs_that_nbval_compares_alone(path):
    assert json.loads(path.read_text())["metadata"]["kernelspec"]["name"] == "python3"
    assert any(CHECKED in cell["metadata"].get("tags", []) for _, _, cell in code(path)), "no number is compared"
    for number, source, cell in code(path):
        if CHECKED in cell["metadata"].get("tags", []):
            assert cell["execution_count"], f"cell {number} is compared by nbval only once it has run: {source}"
            assert cell["outputs"], f"cell {number} has nothing to compare: {source}"
            assert {o["output_type"] for o in cell["outputs"]} <= {"stream", "execute_result"}, source
        else:
            assert (cell["execution_count"], cell["outputs"]) == (None, []), f"cell {number}: {source}"


def test_nothing_is_installed_or_downloaded(path):
    for number, source, _ in code(path):
        words = ("pip install", "urlopen", "requests.", "wget", "curl ", "open(")
        assert not [w for w in words if w in source], f"cell {number}: {source}"


def test_numbers_of_a_phrase_are_those_that_it_sets(path):
    """`[at $\\lambda=0.1\\,\\eta$](#scb-prox:lam=0.1)`: what the words name is what the figure takes."""
    text = "\n".join("".join(cell["source"]) for cell in cells(path, "markdown"))
    for words, settings in re.findall(r"\[([^]\[]*)\]\(#[\w-]+:([^)]*)\)", text):
        numbers = {float(one) for one in re.findall(r"(?<![\w.^])\d+(?:\.\d+)?", words)}
        given = {float(one) for one in re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e-?\d+)?", settings)}
        assert numbers <= {abs(one) for one in given}, f"[{words}] sets {settings}"
