"""Stems: many thin columns over the places of a sequence, up to 5,000, with a band that can be dragged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hal.explorer.charts import Arrays, Limits
from hal.explorer.objects.base import GREY, TINTS, Scene, bare, last
from lib.errors import require

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path
    from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class Stems(Scene):
    """A column at every place, up or down.

    Args:
        values: key of the heights (n,).
        true: key of marks (n,); columns where it is not zero have the colour of `idea`, all others `other_idea`.
        kinds: key of token kinds (n,) from 0; a column of a kind has its tint, below 0 it has none.
        expected: key of heights (n,) drawn as dashed grey ticks; NaN draws none.
        letters: names of the kinds.
        true_is, expected_is: a word or two each, written at the first marked column and at the tallest tick.
        xlabel, ylabel: words at the ends of the axes.
        ylim: (low, high); None follows the data. Around 0 it is kept symmetric.
        band: a setting of at least 0: half the width of a band around 0, with handles at its edges.
        band_is: a few words that stand above it, at its left end.
        idea, other_idea: colours, keys of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `values` moves.

    Raises:
        InputError: if kinds have no letters.
    """

    kind: ClassVar[str] = "stems"
    roles: ClassVar[tuple[str, ...]] = ("values", "true", "kinds", "expected")
    moved: ClassVar[tuple[str, ...]] = ("band",)

    values: str
    true: str | None = None
    kinds: str | None = None
    expected: str | None = None
    letters: str = ""
    true_is: str = ""
    expected_is: str = ""
    xlabel: str = "position"
    ylabel: str = ""
    ylim: Limits = None
    band: str | None = None
    band_is: str = ""
    idea: str = "attention"
    other_idea: str = "noise"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.kinds is None or self.letters, "letters", "names of the kinds", repr(self.letters))

    def size(self, arrays: Arrays) -> int:
        """How many places there are."""
        still = [arrays[role].size for role in ("true", "kinds", "expected") if role in arrays]
        return int(still[0]) if still else arrays["values"].size

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        n = self.size(arrays)
        for role in ("true", "kinds", "expected"):
            self.agree(arrays, role, n, "the places")
        whole = arrays["values"].size % n == 0 and (self.frames or arrays["values"].size == n)
        require(whole, "stems", f"{self.values!r} of whole parts of {n} numbers", arrays["values"].size)

    def still(self, axes: Axes, arrays: Arrays) -> None:
        """Draw the last frame."""
        from matplotlib.patches import PathPatch  # matplotlib is for the build alone

        n = self.size(arrays)
        x, y = np.arange(1, n + 1), last(arrays["values"], n)
        true = arrays.get("true", np.zeros(n)) != 0
        spec: dict[str, Any] = self.spec()
        hues = np.where(true, spec["idea"], spec["other_idea"]).tolist()
        if "kinds" in arrays:
            hues = [TINTS[int(k) % len(TINTS)] if k >= 0 else hue for k, hue in zip(arrays["kinds"], hues, strict=True)]
        for hue in dict.fromkeys(hues):  # one path a colour: a thousand bars of their own weigh ten times as much
            axes.add_patch(PathPatch(_columns(x, y, np.array(hues) == hue), facecolor=hue, linewidth=0))
        axes.axhline(0, color=GREY, linewidth=0.8)
        if "expected" in arrays:
            ticks = np.stack([x - 0.6, x + 0.6, np.full(n, np.nan)], axis=1).ravel()
            axes.plot(ticks, np.repeat(arrays["expected"], 3), color=GREY, linewidth=1.4, linestyle=(0, (2, 1)))
        top = max(np.nanmax(np.abs(np.concatenate([y, arrays.get("expected", y)]))), 1e-12)
        low, high = self.ylim or (None, None)
        bare(axes, (0, n + 1), (low if low is not None else -1.1 * top, high if high is not None else 1.1 * top))
        axes.text(1, 0, f"{self.xlabel} 1 to {n} →", transform=axes.transAxes, ha="right", va="bottom", fontsize=9)
        axes.text(0, 1, f"↑ {self.ylabel}", transform=axes.transAxes, ha="left", va="top", fontsize=9)


def _columns(x: NDArray[Any], y: NDArray[Any], chosen: NDArray[np.bool_]) -> Path:
    """The outlines of the chosen columns, from 0 to y, as one path."""
    from matplotlib.path import Path

    known = chosen & np.isfinite(y)
    left, top, zero = x[known] - 0.36, y[known], np.zeros(int(known.sum()))
    corners = np.stack([np.stack([left, zero]), np.stack([left, top]), np.stack([left + 0.72, top]),
                        np.stack([left + 0.72, zero]), np.stack([left, zero])]).transpose(2, 0, 1)  # fmt: skip
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY] * len(left)
    return Path(corners.reshape(-1, 2), codes)


stems = Stems  # as an author calls it
