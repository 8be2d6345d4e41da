"""From the named flat numbers of a figure to what its panels draw; `js/binding.js` is the page's side.

A theory function and a run give flat arrays by name. What shape a panel needs of one follows from the panel: a curve a
run, several curves of one run (`Line.rows`), or frame after frame (`rows` and `columns` of a heat map, the places
of a bar chart).
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.explorer.charts import Bars, Lines, Panel
from hal.explorer.facts import Result
from hal.explorer.marks import Line
from hal.explorer.objects import Scene
from hal.explorer.scenes import Heatmap, Plane
from lib.errors import require

Array = NDArray[np.float64]


def shaped(panel: Panel, result: Result, time: str) -> dict[str, Any]:
    """The arrays that a panel asks for, by name, in the shapes it asks for; `time` is the name of the training time.

    Raises:
        InputError: if a name is unknown, or a flat array does not divide into the rows or frames it is to hold.
    """
    named = _Named(result, panel.title)
    if isinstance(panel, Scene):
        return {name: named.flat(name) for name in panel.sources().values()}
    if isinstance(panel, (Lines, Bars)):
        data = _framed(panel, named, time) if panel.frames else _curves(panel, named)
        singles = panel.singles.values() if isinstance(panel, Lines) else ()
        return {**data, **{name: result.facts.get(name, np.nan) for name in singles}}
    if isinstance(panel, Heatmap):
        return _heatmap(panel, named, time)
    if isinstance(panel, Plane):
        return _plane(panel, named, time)
    curve = {name: named.flat(name) for role, name in panel.sources().items() if role in ("cx", "cy")}
    return {**{name: result.facts.get(name, np.nan) for name in panel.sources().values()}, **curve}


class _Named:
    """The numbers of a result by name; a run's are those of the run that is shown where one is asked for."""

    def __init__(self, result: Result, panel: str) -> None:
        self.theory, self.runs, self.panel = result.theory, result.runs, panel
        self.shown = result.runs[result.shown] if result.runs else {}

    def of_theory(self, name: str) -> bool:
        return name in self.theory

    def flat(self, name: str) -> Array:
        values = self.theory.get(name, self.shown.get(name))
        known = sorted({*self.theory, *self.shown})
        require(values is not None, "run", f"numbers {name!r} for panel {self.panel!r}", f"only {known}")
        return np.asarray(values, dtype=float)

    def rows(self, name: str, length: int) -> Array:
        """One row a run, (R, length), NaN where a run has not come."""
        self.flat(name)
        return np.array([_padded(np.asarray(run[name], dtype=float), length) for run in self.runs])

    def size(self, size: int | str | None, argument: str) -> int:
        """A number of rows or columns."""
        require(size is not None, argument, f"a number or the name of one, in panel {self.panel!r}", size)
        if not isinstance(size, str):
            return int(size or 0)
        value = self.theory.get(size, [])
        single = len(value) == 1 and value[0] == int(value[0]) and value[0] >= 1
        require(single, argument, f"the name of a whole number of the theory in panel {self.panel!r}", repr(size))
        return int(value[0])


def _padded(values: Array, length: int) -> Array:
    return np.r_[values[:length], np.full(max(0, length - values.size), np.nan)]


def _parts(values: Array, size: int, name: str, what: str) -> Array:
    """Flat numbers as (K, size)."""
    require(values.size % size == 0, "run", f"{name!r} of whole {what} of {size} numbers", values.size)
    return values.reshape(-1, size)


def _places(named: _Named, name: str) -> Array:
    """The x of curves: (K,), or (R, K) where runs have different ones."""
    if named.of_theory(name):
        return named.flat(name)
    own = named.rows(name, max(len(run.get(name, ())) for run in named.runs))
    longest = own[np.isfinite(own).sum(axis=1).argmax()]
    return longest if np.all((own == longest) | np.isnan(own)) else own


def _curves(panel: Lines | Bars, named: _Named) -> dict[str, Any]:
    data: dict[str, Any] = {panel.x: _places(named, panel.x)}
    for s in panel.series:
        if s.x is not None:
            data[s.x] = _places(named, s.x)
        length = data[s.x or panel.x].shape[-1]
        data[s.name] = _curve(s, named, length)
        if s.error is not None:
            data[s.error] = named.flat(s.error)
        data |= {name: named.flat(name) for _, name in s.ends}
    return data


def _curve(s: Line, named: _Named, length: int) -> Array:
    if s.rows is not None:
        size = named.size(s.rows, "rows")
        return np.array([_padded(row, length) for row in _parts(named.flat(s.name), size, s.name, "records").T])
    if named.of_theory(s.name):
        return named.flat(s.name)
    return named.rows(s.name, length)


def _times(panel: Any, named: _Named, time: str) -> tuple[str, Array]:
    name = panel.frames if isinstance(panel.frames, str) else time
    return name, named.flat(name)


def _frames(values: Array, count: int) -> Array:
    """Frames (K, ...), the last one again where a run ended before its time; no more than there are times."""
    require(len(values), "run", "at least one frame", 0)
    return values[np.minimum(np.arange(count), len(values) - 1)]


def _framed(panel: Lines | Bars, named: _Named, time: str) -> dict[str, Any]:
    name, times = _times(panel, named, time)
    data: dict[str, Any] = {panel.x: named.flat(panel.x), name: times}
    for s in panel.series:
        if s.x is not None:
            data[s.x] = named.flat(s.x)
        size, values = data[s.x or panel.x].size, named.flat(s.name)
        still = named.of_theory(s.name) and values.size == size
        data[s.name] = values if still else _frames(_parts(values, size, s.name, "frames"), times.size)
    return data


def _heatmap(panel: Heatmap, named: _Named, time: str) -> dict[str, Any]:
    rows, columns = named.size(panel.rows, "rows"), named.size(panel.columns, "columns")
    frames = _parts(named.flat(panel.name), rows * columns, panel.name, "frames").reshape(-1, rows, columns)
    still = (panel.xticks, panel.yticks, panel.groups)
    data: dict[str, Any] = {name: named.flat(name) for name in still if isinstance(name, str)}
    if panel.outline is not None:
        cells = named.flat(panel.outline)
        require(cells.size == rows * columns, "run", f"{panel.outline!r} of {rows} x {columns} numbers", cells.size)
        data[panel.outline] = cells.reshape(rows, columns)
    if not panel.frames:
        require(len(frames) == 1, "run", f"one frame in {panel.name!r}, which stands still", len(frames))
        return {**data, panel.name: frames[0]}
    name, times = _times(panel, named, time)
    return {**data, name: times, panel.name: _frames(frames, times.size)}


def _plane(panel: Plane, named: _Named, time: str) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for p in panel.drawn:
        length = named.flat(time).size
        if not named.of_theory(p.x):
            longest = max(len(run.get(p.x, ())) for run in named.runs)
            length = longest if p.t is not None or longest > length else length
        for name in filter(None, (p.x, p.y, p.t)):
            data[name] = named.flat(name) if named.of_theory(name) else named.rows(name, length)
    if panel.field is not None:
        f = panel.field
        data |= {name: named.flat(name) for name in (f.x, f.y)}
        for name in filter(None, (f.u, f.v, panel.basin)):
            values, shape = named.flat(name), (data[f.y].size, data[f.x].size)
            require(values.size == shape[0] * shape[1], "run", f"{name!r} on the grid {shape}", values.size)
            data[name] = values.reshape(shape)
    if panel.heights is not None:
        data |= {name: named.flat(name) for name in (panel.heights.x, panel.heights.y, panel.heights.z)}
    return data
