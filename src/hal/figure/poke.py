"""Pictures to poke, and the first of them: a sequence of cells, a question, a guess; then the answer is shown.

What they draw comes from portable functions that travel in the page, so that there is always another sample, offline
and without a kernel. `js/sample.js` is the page's side of `Poke`; the page wakes all of them alike.

What is refused is refused with `InputError`, which names the argument, what is expected and what it got. What is not
portable is refused with `OutsideSubset`: file, line, reason and remedy.
"""

import functools
import html
import inspect
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from hal.figure.assets import part
from hal.figure.names import check_name
from hal.figure.objects.base import TINTS
from hal.figure.page import STATIC, module_script, queued, spec_script
from hal.figure.program import add_part, digest
from hal.palette import IDEAS, PALETTE
from lib.errors import require
from lib.portable.translation import Module
from lib.portable.translation import program as script_of

SIGNS = (PALETTE["orange"], PALETTE["blue"])  # of the labels -1 and +1; vermilion is attention
HUES = {"tints": TINTS, "signs": SIGNS, "idea": IDEAS["attention"], "rival": IDEAS["rival"]}
_PLACE = re.compile(r"\{(\w+)\}")
NAMES = ("query", "place", "found", "next", "chance")


class PokeBase(ABC):
    """A picture that the reader pokes; what it draws comes from portable functions of one module.

    Args:
        name: of the element in the page.
        title: above it.
        roles: by the name that the page calls it, a portable function and the number of its parameters.
    """

    #: The name that its script has in `pokeKinds`, and the attributes that the page reads.
    kind: ClassVar[str]
    told: ClassVar[tuple[str, ...]]

    def __init__(self, name: str, title: str, **roles: tuple[Callable[..., Any], int]) -> None:
        check_name("name", name)
        for role, (function, count) in roles.items():
            taken = list(inspect.signature(function).parameters)
            require(len(taken) == count, role, f"a function of {count} parameters", f"{function.__name__} of {taken}")
        self.functions = {role: function for role, (function, _) in roles.items()}
        modules = {function.__module__ for function in self.functions.values()}
        require(len(modules) == 1, ", ".join(roles), "functions of one module", sorted(modules))
        self.module, self.name, self.title = modules.pop(), name, title

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        told = {name: getattr(self, name) for name in ("kind", "name", "title", "module", *self.told)}
        return told | HUES | {role: function.__name__ for role, function in self.functions.items()}

    @property
    def parts(self) -> tuple[str, ...]:
        """What draws it: of `hal.figure.assets.PARTS`."""
        return (self.kind,)

    @abstractmethod
    def still(self) -> str:
        """Markup below the title for a page without JavaScript and for print."""

    @functools.cached_property
    def program(self) -> str:
        """The JavaScript function that gives the page the functions."""
        known: dict[str, Module] = {}
        add_part(list(self.functions.values()), known)
        return f"function () {{\n{script_of(known)}return portable;\n}}"

    def html(self) -> str:
        """Markup of the static page: the still picture, and the program."""
        apart = {kind: f"part-{kind}-{digest(part(kind))}" for kind in self.parts}
        return (
            f'<div class="lib-explorer lib-poke" data-poke="{self.name}" id="{self.name}">'
            f"{spec_script({**self.spec(), 'parts': apart})}"
            f"{''.join(module_script(key, part(kind)) for kind, key in apart.items())}"
            f'<script>(globalThis.libPokePrograms??={{}})["{self.name}"]={self.program};</script>'
            f'<div class="le-still">{self._still()}</div></div>'
            f"{queued('libPokes')}"
        )

    @functools.cached_property
    def widget(self) -> Any:
        """The anywidget that draws; everything is computed in the browser."""
        from hal.figure.notebook import PokeView

        return PokeView(self.spec(), self.program, self.parts)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if os.environ.get(STATIC):
            return {"text/html": self.html(), "text/plain": repr(self)}
        from hal.figure.notebook import show_live

        show_live(self.widget)
        return {"text/html": f'<div class="lib-saved">{self._still()}</div>', "text/plain": repr(self)}

    def _still(self) -> str:
        return f"<p><strong>{html.escape(self.title)}</strong></p>{self.still()}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


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

    """

    kind = "sample"
    told = ("letters", "question", "reveal", "asks", "follows")

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
        super().__init__(name, title, sample=(sample, 2))
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

    def still(self) -> str:
        """The first sample as text, with its answer."""
        drawn = self.sample(0, 0)
        cells = " ".join(self.letters[int(kind)] for kind in drawn["cells"])
        asked, answer = html.escape(self.said(drawn, False)), html.escape(self.said(drawn))
        return f"<p>{asked}</p><p><code>{cells}</code></p><details><summary>Answer</summary>{answer}</details>"
