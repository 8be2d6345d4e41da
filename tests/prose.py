"""What a chapter says in words, for tests that quote it and compute what it says; a table of rows is a test by itself:

@PROSE.rows([("Theory says step {}, runs reach it at {}", tau, PROSE.claim("SCB-9", "reached"))])
def test_number_in_text_is_what_is_computed(row):
    PROSE.says(*row)
"""

import ast
import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from hal.results import path_of
from tests.packages import ROOT

NUMBER = r"([+−-]?\d[\d, ]*(?:\.\d+)?(?:\s*\\cdot10\^\{?-?\d+\}?)?)"


class Prose:
    """The text of a chapter: what stands between its cells, and captions and words in place of its figures."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.cells = json.loads((ROOT / "book" / f"{slug}.ipynb").read_text(encoding="utf-8"))["cells"]

    @cached_property
    def text(self) -> str:
        """All of it."""
        parts = []
        for cell in self.cells:
            if cell["cell_type"] == "markdown":
                parts.append("".join(cell["source"]))
            pictured = cell["metadata"].get("mystnb", {})
            parts += filter(None, (pictured.get("figure", {}).get("caption"), pictured.get("image", {}).get("alt")))
        return "\n\n".join(parts)

    def says(
        self, sentence: str, *values: float | Sequence | Callable, text: str | None = None, slack: float = 0.0
    ) -> None:
        """Assert that the chapter, or a text, has this sentence once, and that the number at each {} is its value.

        A value is a number, some in a row, or a function that gives them when it is asked; it may be off by its
        rounding, or by `slack`. Without values the sentence may stand more than once, with {} as they stand.
        """
        where = self.text if text is None else text
        if not values:
            assert sentence in where, f"not in the chapter: {sentence}"
            return
        found = re.findall(re.escape(sentence).replace(r"\{\}", NUMBER), where)
        assert len(found) == 1, f"{len(found)} times in the chapter: {sentence}"
        numbers = [found[0]] if isinstance(found[0], str) else found[0]
        known = np.hstack([value() if callable(value) else value for value in values])
        for number, value in zip(numbers, known, strict=True):
            plain = re.sub("[, ]", "", number).replace("−", "-").replace("\\cdot10^", "e").translate({123: "", 125: ""})
            decimals = len(plain.partition("e")[0].partition(".")[2])
            unit = 10.0 ** (int(plain.partition("e")[2] or 0) - decimals)
            assert abs(float(plain) - value) <= max(0.5 * unit + 1e-9, slack), f"{number} for {value} in: {sentence}"

    @staticmethod
    def rows(table: Sequence[tuple]) -> pytest.MarkDecorator:
        """A test's parameter `row`: each row of a table for `says`."""
        return pytest.mark.parametrize("row", table, ids=[re.sub(r"\W+", "-", row[0])[:50] for row in table])

    def claim(self, claim: str, part: str, kind: str = "check", times: float = 1.0) -> Callable[[], float]:
        """For a row of a table: what a claim measured, see `measured`, times a factor."""
        return lambda: times * self.measured(claim, part, kind)

    @cached_property
    def record(self) -> dict:
        """The recorded claims of the chapter, by id."""
        return json.loads(path_of(self.slug, "claims").read_text(encoding="utf-8"))["claims"]

    def measured(self, claim: str, part: str, kind: str = "check") -> float:
        """The number that a claim measured, by its part's name or the beginning of it."""
        parts = {one["name"]: one["measured"] for one in self.record[claim][kind]["parts"]}
        (found,) = [part] if part in parts else [name for name in parts if name.startswith(part)]
        return parts[found]

    def loose_numbers(self, quoting: Path, bare) -> list[str]:
        """Numbers of two digits or more, outside of proofs and answers, that no quotation in a test file holds.

        `bare` takes from a text what is no statement.
        """
        text = bare(re.sub(r":::\{dropdown\} (?:Proof|Answer).*?\n:::", "", self.text, flags=re.S))
        quotes = [node.value for node in ast.walk(ast.parse(quoting.read_text())) if isinstance(node, ast.Constant)]
        held = np.zeros(len(text), bool)
        for quote in {bare(quote) for quote in quotes if isinstance(quote, str) and len(quote) > 16}:
            for found in re.finditer(re.escape(quote).replace(r"\{\}", NUMBER), text):
                held[found.start() : found.end()] = True
        numbers = [number.span() for number in re.finditer(r"\d+\.\d+|\d{2,}", text)]
        return [text[max(0, start - 40) : end + 20] for start, end in numbers if not held[start:end].all()]

    def holds(self, sentence: str, found, slack: float = 0.0) -> None:
        """Assert that the chapter has this sentence: of what is found a value stands at each {}, the rest is true."""
        values, holes = np.ravel(found), sentence.count("{}")
        self.says(sentence, *values[:holes], slack=slack)
        assert values[holes:].all(), f"not so: {sentence}"
