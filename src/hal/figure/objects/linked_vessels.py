"""Vessels: two that fill each other through two pipes, and drops that fall into the first one from outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.marks import colour
from hal.figure.objects.base import Scene
from lib.errors import require


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


vessels = Vessels  # as an author calls it
