"""A figure that computes as pages and notebooks show it.

In a kernel the browser computes too, but for a reader's run that is not portable; sliders are ipywidgets.
"""

from __future__ import annotations

import functools
import os
from typing import Any

from hal.figure.comparison import Comparison, fast_runs
from hal.figure.declared import Declared
from hal.figure.page import STATIC, markup
from lib.errors import whole


class Computed(Declared):
    """An interactive figure: what its module declares, see `Declared`, and what shows it."""

    @functools.cached_property
    def widget(self) -> Any:
        """The anywidget that draws; it computes in the browser."""
        from hal.figure.notebook import ComputedView

        return ComputedView(self)

    @functools.cached_property
    def sliders(self) -> dict[str, Any]:
        """The ipywidgets sliders by name, linked with the figure."""
        from hal.figure.notebook import linked_sliders

        return linked_sliders(self, self.widget)

    @functools.cached_property
    def box(self) -> Any:
        """Sliders and figure side by side, as a notebook shows them."""
        from hal.figure.notebook import beside

        return beside(self, self.widget, self.sliders)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings the sliders stand at."""
        return dict(self.widget.settings)

    def set(self, **settings: Any) -> None:
        """Move sliders from code, to any value in range; settings left out stay."""
        self.widget.settings = self.check({**self.settings, **settings})

    def compare(self, runs: int | None = None, **settings: Any) -> Comparison:
        """Run the library's fast model at the settings the sliders stand at, and draw it over the figure's own runs.

        Args:
            runs: how many; None takes as many as the figure trains.
            settings: where the sliders are moved before; those left out stay.
        """
        many = self.runs if runs is None else whole("runs", runs, 1)
        static = os.environ.get(STATIC)  # where pages are built there are no sliders and nothing to draw over
        found = fast_runs(self, {**(self.default if static else self.settings), **settings}, many)
        if not static:
            self.set(**found.settings)
            self.widget.draw_over(found)
        return found

    def html(self) -> str:
        """Markup of the static page: the figure at the default, and the program."""
        return markup(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if os.environ.get(STATIC):
            return {"text/html": self.html(), "text/plain": repr(self)}
        from hal.figure.notebook import show_live

        show_live(self.box)
        return self.saved()

    def saved(self) -> dict[str, str]:
        """What a saved notebook keeps: the picture of one run where the sliders stand, with its sentence.

        Of a reader's own run, which may take any time, it keeps the words of `repr` alone.
        """
        if self.run is not self.textbook:
            return {"text/plain": repr(self)}
        self.built.compute(self.settings, self.widget.seed, min(1, self.runs))
        svg = self.built.still(self.settings).replace("<svg ", '<svg style="background:#fff" ', 1)
        return {"image/svg+xml": svg, "text/plain": f"{self!r}\n{self.built.said(self.reading)}"}

    def __repr__(self) -> str:
        return f"Computed({self.name!r}, {', '.join(self.controls_by_name)}: any value)"
