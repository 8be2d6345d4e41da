"""The explorer: a run, a grid of settings and panels, shown by whichever host runs the cell.

`show` decides nothing but this: with `LIB_EXPLORER_STATIC` in the environment (the build sets it) the cell's output is
the static page's markup with every grid point; otherwise it is the live widget, which has computed the default point.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lib.errors import require
from lib.explorer.charts import Lines, Panel
from lib.explorer.controls import Control, Slider, make_control
from lib.explorer.encode import Item
from lib.explorer.words import divergence

if TYPE_CHECKING:
    from lib.explorer.live import LiveView

STATIC = "LIB_EXPLORER_STATIC"
MIN_POINTS = 150
BUDGET = 250_000
# Live results kept, so that going back on a slider is free.
KEPT = 64


class Drawn(NamedTuple):
    """What is drawn at one point: arrays by key, one sentence, and what went wrong in words (or nothing)."""

    items: dict[str, Item]
    reading: str
    notice: str


class Explorer:
    """An interactive figure of `run` over settings.

    Args:
        run: `run(**settings)` returns named arrays; `run.many(points)` is used for the grid where it exists.
        grid: stops of each setting; the static page holds their full product.
        panels: what is drawn, made by `lines`, `bars`, `heatmap`, `plane`.
        name: lower-case letters, digits, underscores and dashes; unique on its page, part of the page's address.
        title: a few words.
        reading: `reading(settings, data)` says in one sentence what is seen, with its numbers.
        default: a point of the grid; settings left out take their first stop.
        sliders: label and unit of each setting.
        time: key of the training time (K,); None takes "steps" if a line chart is over it, else the times of frames.
        time_label: its name with the unit.
        start: where the time cursor starts, "end", "start" or a fraction of the frames.
        fixed: further arguments of `run`, the same at every point.
        caption: text under the figure.
        alt: what the still picture shows; None takes the title and the reading of the default point.
        columns: panels a row on a wide page; None as many as fit.
        min_points: fewest grid points of a static page.
        budget: most bytes of the static page's data, gzip.

    Raises:
        InputError: if an argument is refused; each message names the argument.
    """

    def __init__(
        self,
        run: Callable[..., Mapping[str, Any]],
        grid: Mapping[str, Sequence[Any]],
        panels: Sequence[Panel],
        *,
        name: str,
        title: str,
        reading: Callable[[dict[str, Any], Mapping[str, Any]], str],
        sliders: Mapping[str, Slider],
        default: Mapping[str, Any] | None = None,
        time: str | None = None,
        time_label: str = "training time (steps)",
        start: str | float = "end",
        fixed: Mapping[str, Any] | None = None,
        caption: str = "",
        alt: str | None = None,
        columns: int | None = None,
        min_points: int = MIN_POINTS,
        budget: int = BUDGET,
    ) -> None:
        require(callable(run), "run", "a function of the settings", run)
        plain = re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9]+)*", name)
        require(plain, "name", "lower case, digits, dashes, underscores", repr(name))
        require(grid, "grid", "at least one setting with its stops", grid)
        require(panels, "panels", "at least one panel", "none")
        default, fixed = dict(default or {}), dict(fixed or {})
        for argument, given in (("default", default), ("sliders", sliders)):
            require(set(given) <= set(grid), argument, f"settings among {list(grid)}", sorted(set(given) - set(grid)))
        require(not set(fixed) & set(grid), "fixed", "no setting of the grid", sorted(set(fixed) & set(grid)))
        starts = {"start": 0.0, "end": 1.0}
        begin = starts.get(start, -1.0) if isinstance(start, str) else float(start)
        require(0 <= begin <= 1, "start", "'start', 'end' or a fraction from 0 to 1", repr(start))
        require(columns in (None, 1, 2, 3), "columns", "1, 2, 3 or None", columns)
        self.run, self.panels, self.name, self.title, self.reading = run, tuple(panels), name, title, reading
        self.controls_by_name: dict[str, Control] = {
            key: make_control(key, stops, sliders.get(key), default.get(key)) for key, stops in grid.items()
        }
        # A line chart over "steps" is over training time; else only what has frames of its own has a cursor.
        charts = ["steps" for p in self.panels if isinstance(p, Lines) and p.x == "steps" and not p.frames]
        framed = [f for p in self.panels if isinstance(f := getattr(p, "frames", False), str)]
        self.time = time or next(iter(charts + framed), None)
        self.time_label, self.begin, self.fixed = time_label, begin, fixed
        self.caption, self.alt, self.columns = caption, alt, columns
        self.min_points, self.budget = min_points, budget
        self._computed: dict[tuple[Any, ...], tuple[Drawn, Mapping[str, Any]]] = {}

    @property
    def default(self) -> dict[str, Any]:
        """The settings the figure starts with."""
        return {key: c.default for key, c in self.controls_by_name.items()}

    def points(self) -> list[dict[str, Any]]:
        """Every point of the grid, the last setting changing fastest."""
        stops = [c.stops for c in self.controls_by_name.values()]
        return [dict(zip(self.controls_by_name, values, strict=True)) for values in itertools.product(*stops)]

    def check(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, those left out at their default, each in its range.

        Raises:
            InputError: if a setting is unknown or out of range.
        """
        unknown = sorted(set(settings) - set(self.controls_by_name))
        require(not unknown, "settings", f"names among {list(self.controls_by_name)}", unknown)
        return {k: c.check(settings.get(k, c.default)) for k, c in self.controls_by_name.items()}

    def draw(self, settings: Mapping[str, Any], data: Mapping[str, Any]) -> Drawn:
        """Arrays and sentences of one point, from what `run` returned there.

        Raises:
            InputError: if an array is missing or does not fit its panel.
        """
        require(isinstance(data, Mapping), "run", "a dict of named arrays", type(data).__name__)
        items: dict[str, Item] = {}
        if self.time is not None:
            require(self.time in data, "run", f"the training time {self.time!r}", f"only {sorted(data)}")
            items["time"] = Item(np.asarray(data[self.time], dtype=float))
        for i, panel in enumerate(self.panels):
            items.update({f"{i}.{role}": item for role, item in panel.items(data, self.time).items()})
        reading = self.reading(dict(settings), data)
        require(isinstance(reading, str) and reading, "reading", "one sentence", repr(reading))
        return Drawn(items, reading, divergence(data))

    def compute(self, settings: Mapping[str, Any]) -> tuple[Drawn, Mapping[str, Any]]:
        """Arrays to draw and the data of the run at any settings in range; recent points are kept.

        Raises:
            InputError: if the settings, or the run there, are refused.
        """
        point = self.check(settings)
        key = tuple(point.values())
        if key not in self._computed:
            data = self.run(**self.fixed, **point)
            while len(self._computed) >= KEPT:
                self._computed.pop(next(iter(self._computed)))
            self._computed[key] = self.draw(point, data), data
        return self._computed[key]

    def spec(self) -> dict[str, Any]:
        """The JSON both hosts read."""
        function, bound = self.run, dict(self.fixed)
        while isinstance(function, functools.partial):
            bound, function = {**function.keywords, **bound}, function.func
        where = getattr(function, "__module__", "__main__"), getattr(function, "__qualname__", "run")
        return {
            "name": self.name,
            "title": self.title,
            "caption": self.caption,
            "columns": self.columns,
            "controls": [c.spec() for c in self.controls_by_name.values()],
            "panels": [p.spec() for p in self.panels],
            "time": None if self.time is None else {"key": self.time, "label": self.time_label, "start": self.begin},
            "python": {"module": where[0], "name": where[1], "fixed": {k: repr(v) for k, v in bound.items()}},
        }

    # The live host. Widgets are made when the figure is shown, never before.

    @functools.cached_property
    def widget(self) -> LiveView:
        """The anywidget; making it computes the default point."""
        from lib.explorer.live import LiveView

        return LiveView(self)

    @functools.cached_property
    def controls(self) -> Any:
        """ipywidgets sliders, linked both ways with the figure's own."""
        from lib.explorer.live import linked_controls

        return linked_controls(self)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings the sliders stand at."""
        return dict(self.widget.settings)

    @property
    def data(self) -> Mapping[str, Any]:
        """What `run` returned for the settings the sliders stand at.

        Raises:
            InputError: if the settings, or the run there, are refused.
        """
        return self.compute(self.settings)[1]

    @property
    def error(self) -> str:
        """What went wrong at the last settings, in words; empty if nothing."""
        return str(self.widget.drawn["error"])

    def set(self, **settings: Any) -> None:
        """Move sliders from code, to any value in range; settings left out stay.

        Raises:
            InputError: if a setting is unknown or out of range.
        """
        self.widget.settings = self.check({**self.settings, **settings})

    # The static host.

    def html(self) -> str:
        """Markup of the static page with every grid point in it.

        Raises:
            InputError: if the grid is too small or the data too large.
        """
        from lib.explorer.static import markup

        return markup(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if os.environ.get(STATIC):
            return {"text/html": self.html(), "text/plain": repr(self)}
        return self.widget._repr_mimebundle_(include=include, exclude=exclude)

    def __repr__(self) -> str:
        size = math.prod(len(c.stops) for c in self.controls_by_name.values())
        return f"Explorer({self.name!r}, {', '.join(self.controls_by_name)}: {size} points)"
