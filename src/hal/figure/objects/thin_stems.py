"""Stems: many thin columns over the places of a sequence, up to 5,000, with a band that can be dragged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hal.figure.charts import Arrays, Limits
from hal.figure.objects.base import Scene
from lib.errors import require


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
    other_idea: str = "data"

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


stems = Stems  # as an author calls it
