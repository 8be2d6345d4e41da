"""What pictures to poke have in common: portable functions that travel in the page, a still for those without it."""

import functools
import html
import inspect
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hal.explorer.page import STATIC, queued, spec_script
from hal.explorer.program import portable_part
from lib.errors import require
from lib.portable.translation import Module
from lib.portable.translation import program as script_of


class PokeBase(ABC):
    """A picture that the reader pokes.

    Args:
        functions: portable functions of one module, which the page calls.
        name: of the element in the page.
        title: above it.

    Raises:
        InputError: if the name is refused, or the functions are of several modules.
    """

    def __init__(self, functions: tuple[Callable[..., Any], ...], name: str, title: str) -> None:
        plain = re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9]+)*", name)
        require(plain, "name", "lower case, digits, dashes, underscores", repr(name))
        modules = {function.__module__ for function in functions}
        require(len(modules) == 1, functions[-1].__name__, "a function of the module of the other", sorted(modules))
        self.functions, self.name, self.title = functions, name, title

    @abstractmethod
    def spec(self) -> dict[str, Any]:
        """The JSON the page reads; its `kind` is the name that its script has in `pokeKinds`."""

    @abstractmethod
    def still(self) -> str:
        """Markup below the title for a page without JavaScript and for print."""

    @functools.cached_property
    def program(self) -> str:
        """The JavaScript function that gives the page the functions.

        Raises:
            OutsideSubset: if they are not portable.
        """
        name, file = self.functions[0].__module__, Path(inspect.getsourcefile(self.functions[0]) or "")
        part = portable_part(file.read_text(encoding="utf-8"), [function.__name__ for function in self.functions])
        known: dict[str, Module] = {}
        known[name] = Module(name, part, f"{name.replace('.', '/')}.py", known)
        return f"function () {{\n{script_of(known)}return portable;\n}}"

    def html(self) -> str:
        """Markup of the static page: the still picture, and the program."""
        return (
            f'<div class="lib-explorer lib-poke" data-poke="{self.name}" id="{self.name}">'
            f"{spec_script(self.spec())}"
            f'<script>(globalThis.libPokePrograms??={{}})["{self.name}"]={self.program};</script>'
            f'<div class="le-still"><p><strong>{html.escape(self.title)}</strong></p>{self.still()}</div></div>'
            f"{queued('libPokes')}"
        )

    @functools.cached_property
    def widget(self) -> Any:
        """The anywidget that draws; everything is computed in the browser."""
        from hal.explorer.notebook import PokeView

        return PokeView(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if os.environ.get(STATIC):
            return {"text/html": self.html(), "text/plain": repr(self)}
        return self.widget._repr_mimebundle_(include=include, exclude=exclude)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"
