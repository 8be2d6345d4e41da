"""Scenes of places: points, a landscape, arrows, cells of a matrix, nodes on a ring, linked vessels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hal.figure.charts import Arrays
from hal.figure.marks import Path, check_axis, colour, shown
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Points(Scene):
    """Points with a sign each, and lines with their names.

    Args:
        x, y: keys of the places (n,); y moves.
        kinds: key of the kinds of the points (n,) from 0: colour and sign.
        ideas: colours of the kinds, keys of `hal.palette.IDEAS`.
        signs: a letter each, in the points; none, or "", draws plain dots.
        kind_names: what the kinds are, for the table and the read-out.
        at_x, at_y: keys of the query's place (1,).
        query: settings (x, y), moved by dragging the query or with the arrow keys.
        query_is: what it is, in a word.
        pale: kinds that are drawn faintly, under the others.
        lines: curves, each with its name at its end, with numbers as in a sentence; x or y moves.
        faint: how many of the lines, the last ones, are drawn faintly.
        sides: words at the top, left and right of the first line, which is upright.
        xlim, ylim: (low, high) of the picture.
        xlabel, ylabel: words at the ends of the axes.
        equal: one unit is as long on both axes.
        xlog: the axis of x is logarithmic; nothing is dragged on it.
        xticks: (place, name) along the bottom, in place of the limits of x.
        yticks: (place, name) up the side, in place of the limits of y.
        large: the names of lines are large, and have their lines' colours.
        ends: write the limits at the ends of the axes; False where they are places and no numbers.
        alt, title, height, wide, frames: as for every scene; `y` and the lines move.
    """

    kind: ClassVar[str] = "points"
    roles: ClassVar[tuple[str, ...]] = ("x", "y", "kinds", "at_x", "at_y", "lines")
    moved: ClassVar[tuple[str, ...]] = ("query",)

    x: str
    y: str
    xlim: tuple[float, float]
    ylim: tuple[float, float]
    kinds: str | None = None
    ideas: Sequence[str] = ("data",)
    signs: Sequence[str] = ()
    kind_names: Sequence[str] = ()
    at_x: str | None = None
    at_y: str | None = None
    query: tuple[str, str] | None = None
    query_is: str = "query"
    pale: Sequence[int] = ()
    lines: Sequence[Path] = ()
    faint: int = 0
    sides: Sequence[str] = ()
    xlabel: str = ""
    ylabel: str = ""
    equal: bool = False
    xlog: bool = False
    xticks: Sequence[tuple[float, str]] = ()
    yticks: Sequence[tuple[float, str]] = ()
    large: bool = False
    ends: bool = True
    height: int = 280

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, (low, high) in (("xlim", self.xlim), ("ylim", self.ylim)):
            require(low < high, name, "(low, high) with low below high", (low, high))
        require(not self.xlog or (self.xlim[0] > 0 and self.query is None), "xlog", "xlim above 0, no query", self.xlim)
        placed = (self.at_x is None) == (self.at_y is None) and (self.query is None or self.at_x is not None)
        require(placed, "at_x, at_y", "the keys of the query's place", (self.at_x, self.at_y))

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        look = ((p.label, p.theory, colour(p.idea, i, p.theory)) for i, p in enumerate(self.lines))
        marks = [{"label": label, "theory": theory, "colour": hue} for label, theory, hue in look]
        hues = [colour(idea, j) for j, idea in enumerate(self.ideas)]
        names = {k: list(getattr(self, k)) for k in ("signs", "kind_names", "xlim", "ylim")}
        return {**super().spec(), **names, "colours": hues, "marks": marks}

    def sources(self) -> dict[str, str]:
        """The name behind every role; x0, y0 and so on of the lines."""
        return super().sources() | {f"{side}{j}": getattr(p, side) for j, p in enumerate(self.lines) for side in "xy"}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a kind has no colour."""
        n = arrays["x"].size
        for role in ("kinds",) if self.frames else ("y", "kinds"):
            self.agree(arrays, role, n, f"{self.x!r}")
        self.whole(arrays, "y", n)
        for j, p in enumerate(self.lines):
            size, found = arrays[f"x{j}"].size, arrays[f"y{j}"].size
            fits = found == size or (self.frames and max(found, size) % min(found, size) == 0)
            require(fits, "points", f"{p.x!r} and {p.y!r} of one size", found)
        kinds = arrays.get("kinds", np.zeros(1))
        known = ((kinds >= 0) & (kinds < len(self.ideas))).all()
        require(known, "points", f"kinds from 0 to {len(self.ideas) - 1}", f"{kinds.min():g} to {kinds.max():g}")


@dataclass(frozen=True, kw_only=True)
class Landscape(Scene):
    """Bands of a function between its grid's points, light where it is low; over them paths, names.

    Args:
        x, y: keys of the places of the grid (G,) and (H,), increasing.
        z: key of the numbers on it, row after row of y (H x G).
        levels: how many bands.
        xlabel, ylabel: axis titles with the unit in brackets at the end.
        paths: runs; the first is the marble's own. One run a row where there are several.
        places: points with a name each, written beside it.
        start: settings (x, y), moved by dragging the marble or with the arrow keys.
        alt, title, height, wide: as for every scene.
    """

    kind: ClassVar[str] = "landscape"
    roles: ClassVar[tuple[str, ...]] = ("x", "y", "z", "paths", "places")
    moved: ClassVar[tuple[str, ...]] = ("start",)

    x: str
    y: str
    z: str
    levels: int = 12
    xlabel: str
    ylabel: str
    paths: Sequence[Path] = ()
    places: Sequence[Path] = ()
    start: tuple[str, str] | None = None
    height: int = 300

    def __post_init__(self) -> None:
        super().__post_init__()
        check_axis(self.xlabel, "xlabel", self.title)
        check_axis(self.ylabel, "ylabel", self.title)

    @property
    def marks(self) -> list[tuple[str, Path]]:
        """(role, path) of all that lies over the bands, in the order of the roles."""
        return [*(("path", p) for p in self.paths), *(("place", p) for p in self.places)]

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        marks = [
            {"role": role, "label": p.label, "theory": p.theory, "colour": colour(p.idea, i, p.theory)}
            for i, (role, p) in enumerate(self.marks)
        ]
        return {**super().spec(), "xlabel": shown(self.xlabel), "ylabel": shown(self.ylabel), "marks": marks}

    def sources(self) -> dict[str, str]:
        """The name behind every role: x, y, z, and x0, y0 and so on of the marks."""
        marks = {f"{side}{j}": getattr(p, side) for j, (_, p) in enumerate(self.marks) for side in "xy"}
        return {"x": self.x, "y": self.y, "z": self.z, **marks}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        self.agree(arrays, "z", arrays["x"].size * arrays["y"].size, f"{self.x!r} times {self.y!r}")
        for j, (_, p) in enumerate(self.marks):
            sizes = arrays[f"x{j}"].size, arrays[f"y{j}"].size
            require(sizes[0] == sizes[1], "landscape", f"{p.x!r} and {p.y!r} of one size", sizes[1])


@dataclass(frozen=True, kw_only=True)
class Arrows(Scene):
    """Arrows of length one from one point; angles in degrees, from the right, against the clock.

    Args:
        angles: key of the directions (n,).
        names: what each arrow is, written at its head.
        ideas: colours, keys of `hal.palette.IDEAS`, one an arrow; fewer begin anew.
        expected: key of directions (k,), drawn as dashed grey lines.
        expected_is: what they are, written at the first; or a name each.
        ghosts: key of directions (n,), drawn as pale arrows; not drawn where it is NaN.
        ghosts_are: what they are, written at the last.
        span: where the arc begins and ends; 360 degrees are a circle.
        idea: colour of the angle, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `angles` move.
    """

    kind: ClassVar[str] = "arrows"
    roles: ClassVar[tuple[str, ...]] = ("angles", "expected", "ghosts")

    angles: str
    names: Sequence[str]
    ideas: Sequence[str] = ("first", "second")
    expected: str | None = None
    expected_is: str | Sequence[str] = ""
    ghosts: str | None = None
    ghosts_are: str = ""
    span: tuple[float, float] = (0.0, 90.0)
    idea: str = "attention"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.names, "names", "a name for each arrow", self.names)
        low, high = self.span
        require(0 < high - low <= 360, "span", "an arc (from, to) of at most 360 degrees", self.span)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        hues = [colour(self.ideas[j % len(self.ideas)], j) for j in range(len(self.names))]
        axes = [self.expected_is] if isinstance(self.expected_is, str) else list(self.expected_is)
        lists = {"names": list(self.names), "span": list(self.span), "expected_is": axes}
        return {**super().spec(), **lists, "colours": hues}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        self.whole(arrays, "angles", len(self.names))


@dataclass(frozen=True, kw_only=True)
class Grid(Scene):
    """Cells with ink: as strong as the root of a number beside the largest, purple where it is negative.

    Args:
        cells: key of the numbers, row after row.
        rows, columns: how many, or the key of a single number.
        row_names, column_names: a letter or a word each; none counts from 1.
        rows_are, columns_are: what rows and columns are, "token found".
        outline: key of marks, row after row: cells where it is not zero have a frame.
        largest: the number that has full ink; None takes the largest of what is shown.
        root: ink by the square root, so that small numbers are seen; False: in proportion.
        digits: decimals of the numbers in the cells; None writes none.
        square: cells are squares where the shape of the matrix allows it; False: as wide as there is room.
        idea: colour, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `cells` moves.
    """

    kind: ClassVar[str] = "grid"
    roles: ClassVar[tuple[str, ...]] = ("cells", "outline", "rows", "columns")

    cells: str
    rows: int | str
    columns: int | str
    row_names: Sequence[str] = ()
    column_names: Sequence[str] = ()
    rows_are: str = ""
    columns_are: str = ""
    outline: str | None = None
    largest: float | None = None
    root: bool = True
    digits: int | None = None
    square: bool = True
    idea: str = "output"

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads; sizes that are numbers among it."""
        sizes = {k: v for k in ("rows", "columns") if not isinstance(v := getattr(self, k), str)}
        names = {"row_names": list(self.row_names), "column_names": list(self.column_names)}
        return {**super().spec(), **sizes, **names}

    def shape(self, arrays: Arrays) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = (int(arrays[k][0]) if k in arrays else int(getattr(self, k)) for k in ("rows", "columns"))
        return rows, columns

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        rows, columns = self.shape(arrays)
        self.agree(arrays, "outline", rows * columns, "the cells")
        size = arrays["cells"].size
        whole = size % (rows * columns) == 0 and (self.frames or size == rows * columns)
        require(whole, "grid", f"{self.cells!r} of whole parts of {rows} x {columns} numbers", size)
        for names, count in ((self.row_names, rows), (self.column_names, columns)):
            require(not names or len(names) >= count, "grid", f"names of {count} rows or columns", list(names))


@dataclass(frozen=True, kw_only=True)
class Ring(Scene):
    """Nodes clockwise from the top, the walker on one of them; beside the nodes either shares or a tally.

    Args:
        walk: key of the nodes visited (L,) from 0, oldest first; the walker stands on the last.
        nodes: how many nodes: a number, or the key of a single one.
        fill: key of a number for each node (nodes,), from the walker's clockwise: its ink, as strong as its share of
            the largest.
        dots: key of a share for each node (nodes,), a black dot inside it of that area; `dots_are` says what they are.
        tally: key of the visits of each node (nodes,), written outside it. An arrow leads from the walker to each node
            with ink, and in the middle stands how often answers are right, `right`, the key of a share (1,).
        names: of the nodes; none counts from 1.
        fill_is: what the ink of the nodes is, in a word or two.
        fill_idea: colour of the ink, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `fill` and `right` move.
    """

    kind: ClassVar[str] = "ring"
    roles: ClassVar[tuple[str, ...]] = ("walk", "fill", "dots", "tally", "right", "nodes")

    walk: str
    nodes: int | str
    fill: str | None = None
    dots: str | None = None
    dots_are: str = ""
    tally: str | None = None
    right: str | None = None
    names: Sequence[str] = ()
    fill_is: str = "ink"
    fill_idea: str = "data"
    height: int = 260

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = isinstance(self.nodes, str) or self.nodes >= 3
        require(enough, "nodes", "at least 3, or the key of a single number", self.nodes)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        nodes = {} if isinstance(self.nodes, str) else {"nodes": self.nodes}
        return {**super().spec(), **nodes, "fill_colour": colour(self.fill_idea, 0), "names": list(self.names)}

    def count(self, arrays: Arrays) -> int:
        """How many nodes there are."""
        return int(arrays["nodes"][0]) if isinstance(self.nodes, str) else self.nodes

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a step leads to no node."""
        nodes = self.count(arrays)
        self.agree(arrays, "dots", nodes, "the nodes")
        self.agree(arrays, "tally", nodes, "the nodes")
        self.whole(arrays, "fill", nodes)
        self.whole(arrays, "right", 1)
        walk = arrays["walk"]
        on = ((walk >= 0) & (walk < nodes)).all()
        require(on, "ring", f"nodes of {self.walk!r} from 0 to {nodes - 1}", f"{walk.min():g} to {walk.max():g}")


@dataclass(frozen=True, kw_only=True)
class Vessels(Scene):
    """Two vessels, the pipes between them, and a drip.

    Args:
        levels: key of how full each is, from 0 to 1 (2,).
        flows: key of what runs out of the first into the second, and back (2,).
        drip: key of what falls into the first from outside (1,).
        shut: key of the vessel that takes nothing (1,): 1, 2, or 0 for none.
        full: the flow that fills a pipe.
        names, ideas: of both vessels; a pipe has the colour of the vessel that it runs from.
        pipes_are: written at both pipes.
        drip_is: written at the drip.
        alt, title, height, wide, frames: as for every scene; `levels`, `flows` and `drip` move.
    """

    kind: ClassVar[str] = "vessels"
    roles: ClassVar[tuple[str, ...]] = ("levels", "flows", "drip", "shut")

    levels: str
    flows: str
    drip: str
    shut: str
    full: float
    names: Sequence[str]
    ideas: Sequence[str]
    pipes_are: Sequence[str]
    drip_is: str

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("names", "ideas", "pipes_are"):
            require(len(getattr(self, name)) == 2, f"{name} of vessels", "two", getattr(self, name))

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {**super().spec(), "colours": [colour(idea, j) for j, idea in enumerate(self.ideas)]}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        for role, size in (("levels", 2), ("flows", 2), ("drip", 1)):
            self.whole(arrays, role, size)


# As an author calls them.
points = Points
landscape = Landscape
arrows = Arrows
grid = Grid
ring = Ring
vessels = Vessels
