"""What a panel draws, as an author writes it: series, vertical marks, paths of a plane."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hal.palette import IDEAS, PALETTE
from lib.errors import require

if TYPE_CHECKING:
    from hal.figure.sentences import Say

UNIT = re.compile(r"(.*?)\s*\(([^()]+)\)\s*")  # a label and the unit at its end
INK = "var(--le-fg)"  # of the page, in either theme


@dataclass(frozen=True)
class Line:
    """One series: an array (K,), or (S, K) with one row a seed, drawn as median and 10-90 % band.

    Args:
        name: key of the array: a reading of the runs, or a number of the theory as in "flow.alpha".
        label: text of the legend.
        idea: colour, a key of `hal.palette.IDEAS` or "#rrggbb"; None takes the next colour of the palette.
        theory: dashed, on top of what is measured.
        x: key of its own x array, for a theory curve on a finer grid, or for a run's own times.
        each: draw every seed as a thin line instead of a band.
        rows: a number or the name of a single number of the theory: the array holds so many curves, record by record
            (K x rows), each drawn as a thin line, for the one run that is shown.
        ahead: a theory curve over training time is drawn whole from the start, and so are the chart's marks.
            Among bars: an outline of the tops.
        named_at: where on x the name stands at the curve, in place of its end.
        fill: a filled shape over its own x, its label at its top; no curve that is read out.
        corner: with `fill`, the rectangle from (0, 0) to its place at the cursor, with its area; it is read out.
        dash: lengths of strokes and gaps of a theory line, in widths of the line; () is the dash of all theory.
    """

    name: str
    label: str
    idea: str | None = None
    theory: bool = False
    x: str | None = None
    each: bool = False
    rows: int | str | None = None
    ahead: bool = False
    named_at: float | None = None
    fill: bool = False
    corner: bool = False
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Mark:
    """A vertical line at a single number of the theory, the run metrics or the summary; not drawn where it is NaN.

    With `until`, the name of another one, a strip from here to there; none where that is not later, and to the end
    where it is NaN. With `bracket` too, a bracket at the top in place of the strip. With an `idea` the label has its
    colour and names a curve: the curves' ends have no names then.
    """

    name: str
    label: str
    until: str = ""
    bracket: bool = False
    idea: str | None = None


@dataclass(frozen=True)
class Spot:
    """A large dot of a chart with words at it; in a line chart spots name the curves, in place of a legend.

    Args:
        x, y: names of its place: the last number of an array of the theory or of the run, or a single number; nothing
            is drawn where one is NaN. Without them the words stand in the corner of the plot, larger.
        say: the words: of these alternatives the first that applies.
        idea: colour of the dot; None: words alone.
        aside: of such dots the words of the last one stand at its right, of all others at their left.
        drop: a thin line leads from it to the axis.
        late: its words stand at its left, and over training time are not seen before it.
    """

    x: str
    y: str
    say: Sequence[Say]
    idea: str | None = None
    aside: bool = False
    drop: bool = False
    late: bool = False

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        hue = colour(self.idea, 0) if self.idea else None
        told = {"say": [way.spec() for way in self.say], "colour": hue, "aside": self.aside}
        return {**told, "drop": self.drop, "corner": not self.x, **({"late": True} if self.late else {})}


@dataclass(frozen=True)
class Lift:
    """The beginning of a curve as a handle: mouse, touch and arrow keys lift it, and its height sets a setting.

    Args:
        setting: the slider; the height is in proportion to it.
        at: key of the height at which the handle stands now (1,); there is none where it is NaN.
        unit: key of the height where the setting is 1 (1,).
        sets: other settings that go with it.
    """

    setting: str
    at: str
    unit: str
    sets: Mapping[str, float]


@dataclass(frozen=True)
class Path:
    """A curve of a plane: arrays (K,), or (S, K) with one row a trajectory.

    Args:
        x, y: keys of the coordinates.
        label: text of the legend.
        idea, theory: as for `Line`.
        t: key of the training times of its points; None takes the time of the explorer where there are as many
            points, else points at equal shares of it.
    """

    x: str
    y: str
    label: str
    idea: str | None = None
    theory: bool = False
    t: str | None = None


@dataclass(frozen=True)
class Heights:
    """A function of a plane in bands of one ordered hue, the darker the smaller it is.

    Args:
        x, y: keys of the places of its grid (G,) and (H,), which span the picture evenly on its axes.
        z: key of the logarithms of the function there, row after row of y (H G,); between them it is bilinear.
        bounds: the function where two bands meet, falling.
        names: (x, y, words) that stand in the picture, around the place.
        level: a word before the first of the numbers on the lines; without it they have none, and the names are large,
            each with how many runs the plane's path of its number has.
    """

    x: str
    y: str
    z: str
    bounds: Sequence[float]
    names: Sequence[tuple[float, float, str]] = ()
    level: str = ""


def colour(idea: str | None, order: int, theory: bool = False) -> str:
    """The colour of an idea; without one the ink of theory, or the palette's colour number `order`."""
    if idea is not None and re.fullmatch("#[0-9a-fA-F]{6}", idea):
        return idea
    if theory and idea in (None, "theory"):
        return INK
    if idea is None:
        return list(PALETTE.values())[order % len(PALETTE)]
    require(idea in IDEAS, "idea", f"one of {sorted(IDEAS)} or '#rrggbb'", repr(idea))
    return IDEAS[idea]


def check_axis(text: str, argument: str, panel: str) -> str:
    """The label of an axis, which must end with its unit in brackets."""
    expected = "a label that ends with its unit in brackets, as in 'training time (steps)' or '(no unit)'"
    require(UNIT.fullmatch(text), f"{argument} of panel {panel!r}", expected, repr(text))
    return text


def shown(label: str) -> str:
    """A label as it is printed: its words, and in brackets the unit that they do not have."""
    found = UNIT.fullmatch(label)
    return label if not found or told_unit(*found.groups()) else found[1]


def told_unit(words: str, unit: str) -> str:
    """The unit where it says what a label's words do not: not nodes beside "Nodes K", nor "no unit"."""
    stem = unit.partition(" ")[0].rstrip("s")
    return "" if unit == "no unit" or re.search(rf"\b{re.escape(stem)}", words, re.I) else unit
