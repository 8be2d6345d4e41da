"""Stems: many thin columns over the places of a sequence, up to 5,000."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays, Limits
from hal.figure.marks import colour
from hal.figure.objects.base import Scene


@dataclass(frozen=True, kw_only=True)
class Stems(Scene):
    """A column at every place, up or down.

    Args:
        values: key of the heights (n,).
        true: key of marks (n,); columns where it is not zero have the colour of attention, all others of data.
        true_is: a word or two, written at the first marked column.
        ylabel: words at the end of the axis.
        ylim: (low, high); None follows the data. Around 0 it is kept symmetric.
        alt, title, height, wide, frames: as for every scene; `values` moves.
    """

    kind: ClassVar[str] = "stems"
    roles: ClassVar[tuple[str, ...]] = ("values", "true")

    values: str
    true: str | None = None
    true_is: str = ""
    ylabel: str = ""
    ylim: Limits = None

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {**super().spec(), "idea": colour("attention", 0), "others": colour("data", 0)}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        self.whole(arrays, "values", arrays["true" if "true" in arrays else "values"].size)


stems = Stems  # as an author calls it
