"""A sample to poke: a sequence of cells, a question, a guess; then the answer is shown, and the next sample comes.

The samples are drawn in the reader's browser by a portable function, so that there is always another one, offline and
without a kernel. `js/sample.js` is the page's side.
"""

import html
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hal.explorer.poke_base import PokeBase
from lib.errors import require

_PLACE = re.compile(r"\{(\w+)\}")
NAMES = ("query", "place", "found", "next", "chance")


class Poke(PokeBase):
    """A sequence with an answer, as the reader meets it.

    Args:
        sample: portable function (task, number) of two whole numbers; samples of one task have the same rule. Its
            results: `cells` (T,), the kind of every cell; `query` (1,), the kind that asks; `right` (T,), the weight of
            every cell in the answer, 0 where it is wrong; `law` (n,), chances of what comes next, for the first n of
            the N kinds. Kinds count from 0.
        name: of the element in the page.
        title: above it.
        letters: N names of the kinds.
        question: with {query} in it.
        reveal: said after a guess; may hold {query}, {place} (from 1, of the largest weight), {found} (the kind there),
            {next} (the likeliest) and {chance} (its chance in per cent).
        asks: what the cell beside the sequence is, "last token".
        follows: what the chances are of, "label".

    Raises:
        InputError: if an argument is refused; each message names the argument.

    Example:
        >>> from hal.chapters.scb.figures import guess
        >>> guess.figure().said(guess.sample(0, 3)).startswith("Last token")
        True
    """

    def __init__(
        self,
        sample: Callable[[int, int], Mapping[str, Sequence[float]]],
        *,
        name: str,
        title: str,
        letters: str,
        question: str,
        reveal: str,
        asks: str,
        follows: str,
    ) -> None:
        super().__init__((sample,), name, title)
        parameters = list(inspect.signature(sample).parameters)
        require(len(parameters) == 2, "sample", "a function of task and number", parameters)
        unknown = sorted(set(_PLACE.findall(reveal)) - set(NAMES) | set(_PLACE.findall(question)) - {"query"})
        require(not unknown, "question, reveal", f"braces with {', '.join(NAMES)} (the question: query)", unknown)
        self.sample, self.letters = sample, letters
        self.question, self.reveal, self.asks, self.follows = question, reveal, asks, follows
        self.check(sample(0, 0))

    def check(self, drawn: Mapping[str, Sequence[float]]) -> None:
        """Raise `InputError` unless a sample is one."""
        expected = "cells, query, right and law"
        require({"cells", "query", "right", "law"} <= set(drawn), "sample", expected, sorted(drawn))
        kinds = [*drawn["cells"], *drawn["query"]]
        known = all(kind == int(kind) and 0 <= kind < len(self.letters) for kind in kinds)
        require(known, "sample", f"kinds from 0 to {len(self.letters) - 1}", kinds)
        sizes = len(drawn["right"]), len(drawn["law"])
        most = len(drawn["cells"]), len(self.letters)
        fits = sizes[0] == most[0] and 1 <= sizes[1] <= most[1]
        require(fits, "sample", f"right of {most[0]} numbers and law of 1 to {most[1]}", sizes)
        require(max(drawn["right"]) > 0, "sample", "a cell that is right", list(drawn["right"]))

    def said(self, drawn: Mapping[str, Sequence[float]], seen: bool = True) -> str:
        """What is said of a sample: after the guess, or the question before it."""
        right, law = list(drawn["right"]), list(drawn["law"])
        place = right.index(max(right))
        facts = {
            "query": self.letters[int(drawn["query"][0])],
            "place": str(place + 1),
            "found": self.letters[int(drawn["cells"][place])],
            "next": self.letters[law.index(max(law))],
            "chance": str(int(100 * max(law) + 0.5)),
        }
        return _PLACE.sub(lambda found: facts[found[1]], self.reveal if seen else self.question)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        words = {
            key: getattr(self, key) for key in ("name", "title", "letters", "question", "reveal", "asks", "follows")
        }
        return {"kind": "sample", **words, "module": self.sample.__module__, "sample": self.sample.__name__}

    def still(self) -> str:
        """The first sample as text, with its answer."""
        drawn = self.sample(0, 0)
        cells = " ".join(self.letters[int(kind)] for kind in drawn["cells"])
        asked, answer = html.escape(self.said(drawn, False)), html.escape(self.said(drawn))
        return f"<p>{asked}</p><p><code>{cells}</code></p><details><summary>Answer</summary>{answer}</details>"
