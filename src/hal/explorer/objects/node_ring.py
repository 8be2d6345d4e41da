"""A ring: nodes on a circle, a walker with its last steps as a tail, what may come next, attention on the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hal.explorer.charts import Arrays
from hal.explorer.marks import colour
from hal.explorer.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Ring(Scene):
    """Nodes clockwise from the top. The walk's last steps wind inwards, oldest innermost, as large as their attention.

    Args:
        walk: key of the nodes visited (L,) from 0, oldest first.
        nodes: how many nodes: a number, or the key of a single one.
        here: key of the place in the walk (1,), from 0, where the walker stands; None: the last one.
        attention: key of the attention to each place of the walk (L,); those after the walker's are not drawn.
        chances: key of the chance of each node (nodes,) to be next: edges from the walker, width by chance, with its
            number where there is room.
        fill: key of a number for each node (nodes,), its ink, as strong as its share of the largest.
        marked: key of marks (nodes,); nodes where it is not zero have a frame.
        tail: how many of the last steps are drawn, at most.
        names: of the nodes; none counts from 1.
        fill_is: what the ink of the nodes is, in a word or two.
        pick: the setting that takes the node, from 1, that is clicked or reached with the arrow keys.
        idea: colour of the attention; `edge_idea` of the chances, `fill_idea` of the ink: keys of
            `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `here`, `attention`, `chances` and `fill` move.

    Raises:
        InputError: if there are fewer than three nodes.
    """

    kind: ClassVar[str] = "ring"
    roles: ClassVar[tuple[str, ...]] = ("walk", "here", "attention", "chances", "fill", "marked", "nodes")
    moved: ClassVar[tuple[str, ...]] = ("pick",)

    walk: str
    nodes: int | str
    here: str | None = None
    attention: str | None = None
    chances: str | None = None
    fill: str | None = None
    marked: str | None = None
    tail: int = 8
    names: Sequence[str] = ()
    fill_is: str = "ink"
    pick: str | None = None
    idea: str = "attention"
    edge_idea: str = "output"
    fill_idea: str = "signal"
    height: int = 260

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = isinstance(self.nodes, str) or self.nodes >= 3
        require(enough, "nodes", "at least 3, or the key of a single number", self.nodes)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        nodes = {} if isinstance(self.nodes, str) else {"nodes": self.nodes}
        hues = {"edge_colour": colour(self.edge_idea, 0), "fill_colour": colour(self.fill_idea, 0)}
        return {**super().spec(), **nodes, **hues, "names": list(self.names)}

    def count(self, arrays: Arrays) -> int:
        """How many nodes there are."""
        return int(arrays["nodes"][0]) if isinstance(self.nodes, str) else self.nodes

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a step leads to no node."""
        nodes, steps = self.count(arrays), arrays["walk"].size
        self.agree(arrays, "marked", nodes, "the nodes")
        for role, size in (("attention", steps), ("chances", nodes), ("fill", nodes), ("here", 1)):
            self.whole(arrays, role, size)
        walk, here = arrays["walk"], arrays.get("here", np.zeros(1))
        on = ((walk >= 0) & (walk < nodes)).all()
        require(on, "ring", f"nodes of {self.walk!r} from 0 to {nodes - 1}", f"{walk.min():g} to {walk.max():g}")
        inside = ((here >= 0) & (here < steps)).all()
        require(inside, "ring", f"places of {self.here!r} from 0 to {steps - 1}", f"{here.min():g} to {here.max():g}")


ring = Ring  # as an author calls it
