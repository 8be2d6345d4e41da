"""A sample to poke: a sequence of cells, a question, a guess; then the answer is shown, and the next sample comes.

The samples are drawn in the reader's browser by a portable function, so that there is always another one, offline and
without a kernel. `js/poke.js` is the page's side.
"""

from __future__ import annotations

import functools
import html
import inspect
import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lib.errors import require
from lib.explorer.explorer import STATIC
from lib.explorer.source import portable_part
from lib.portable.translation import Module
from lib.portable.translation import program as script_of

# The host script may load before or after a sample is parsed: whoever comes first leaves a queue.
_QUEUE = "<script>(globalThis.libPokes??=[]).push(document.currentScript.previousElementSibling)</script>"
_PLACE = re.compile(r"\{(\w+)\}")
NAMES = ("query", "place", "found", "next", "chance")


class Poke:
    """A sequence with an answer, as the reader meets it.

    Args:
        sample: portable function (task, number) of two whole numbers; samples of one task have the same rule. Its
            results: `cells` (T,), the kind of every cell; `query` (1,), the kind that asks; `right` (T,), the weight of
            every cell in the answer, 0 where it is wrong; `law` (N,), chances of what comes next. Kinds count from 0.
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
        >>> from lib.chapters.scb.explorers import guess
        >>> guess.explorer().said(guess.sample(0, 3)).startswith("Last token")
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
        plain = re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9]+)*", name)
        require(plain, "name", "lower case, digits, dashes, underscores", repr(name))
        parameters = list(inspect.signature(sample).parameters)
        require(len(parameters) == 2, "sample", "a function of task and number", parameters)
        unknown = sorted(set(_PLACE.findall(reveal)) - set(NAMES) | set(_PLACE.findall(question)) - {"query"})
        require(not unknown, "question, reveal", f"braces with {', '.join(NAMES)} (the question: query)", unknown)
        self.sample, self.name, self.title, self.letters = sample, name, title, letters
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
        wanted = len(drawn["cells"]), len(self.letters)
        require(sizes == wanted, "sample", f"right and law of {wanted} numbers", sizes)
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

    @functools.cached_property
    def program(self) -> str:
        """The JavaScript function that gives the page the sample.

        Raises:
            OutsideSubset: if it is not portable.
        """
        name, file = self.sample.__module__, Path(inspect.getsourcefile(self.sample) or "")
        part = portable_part(file.read_text(encoding="utf-8"), [self.sample.__name__])
        known: dict[str, Module] = {}
        known[name] = Module(name, part, f"{name.replace('.', '/')}.py", known)
        return f"function () {{\n{script_of(known)}return portable;\n}}"

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        words = {
            key: getattr(self, key) for key in ("name", "title", "letters", "question", "reveal", "asks", "follows")
        }
        return {**words, "module": self.sample.__module__, "sample": self.sample.__name__}

    def html(self) -> str:
        """Markup of the static page: the first sample as text, for a page without JavaScript, and the program."""
        drawn = self.sample(0, 0)
        cells = " ".join(self.letters[int(kind)] for kind in drawn["cells"])
        spec = json.dumps(self.spec(), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
        title, asked, answer = (html.escape(text) for text in (self.title, self.said(drawn, False), self.said(drawn)))
        return (
            f'<div class="lib-explorer lib-poke" data-poke="{self.name}" id="{self.name}">'
            f'<script type="application/json" class="le-spec">{spec}</script>'
            f'<script>(globalThis.libPokePrograms??={{}})["{self.name}"]={self.program};</script>'
            f'<div class="le-still"><p><strong>{title}</strong></p><p>{asked}</p><p><code>{cells}</code></p>'
            f"<details><summary>Answer</summary>{answer}</details></div></div>{_QUEUE}"
        )

    @functools.cached_property
    def widget(self) -> Any:
        """The anywidget that draws; the samples are drawn in the browser."""
        from lib.explorer.poke_view import PokeView

        return PokeView(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if os.environ.get(STATIC):
            return {"text/html": self.html(), "text/plain": repr(self)}
        return self.widget._repr_mimebundle_(include=include, exclude=exclude)

    def __repr__(self) -> str:
        return f"Poke({self.name!r})"
