"""Interactive samples: the reader is asked and guesses; then the answer is shown.

What they draw comes from portable functions that travel in the page, so that there is always another sample, offline
and without a kernel. The page wakes all of them alike.
"""

import functools
import html
import inspect
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

from hal.figure.assets import part
from hal.figure.names import check_name
from hal.figure.objects.base import TINTS
from hal.figure.page import STATIC, module_script, queued, spec_script
from hal.figure.program import add_part, digest
from hal.palette import IDEAS
from lib.errors import require
from lib.portable.translation import Module
from lib.portable.translation import program as script_of

SIGNS = (IDEAS["minus"], IDEAS["plus"])
HUES = {"tints": TINTS, "signs": SIGNS, "idea": IDEAS["attention"], "rival": IDEAS["rival"]}


class InteractiveSample(ABC):
    """A sample that the reader guesses or moves; what it draws comes from portable functions of one module.

    Args:
        name: of the element in the page.
        title: above it.
        roles: by the name that the page calls it, a portable function and the number of its parameters.
    """

    #: The name that its script has in `libPortable`, and the attributes that the page reads.
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
            f'<div class="lib-explorer lib-sample" data-sample="{self.name}" id="{self.name}">'
            f"{spec_script({**self.spec(), 'parts': apart})}"
            f"{''.join(module_script(key, part(kind)) for kind, key in apart.items())}"
            f'<script>(globalThis.libSamplePrograms??={{}})["{self.name}"]={self.program};</script>'
            f'<div class="le-still">{self._still()}</div></div>'
            f"{queued('libSamples')}"
        )

    @functools.cached_property
    def widget(self) -> Any:
        """The anywidget that draws; everything is computed in the browser."""
        from hal.figure.notebook import SampleView

        return SampleView(self.spec(), self.program, self.parts)

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
