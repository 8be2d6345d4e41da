"""A ring: nodes on a circle, a walker with its last steps as a tail, attention on the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hal.figure.charts import Arrays
from hal.figure.marks import colour
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Ring(Scene):
    """Nodes clockwise from the top. The walk's last eight steps wind inwards, oldest innermost, as large as their
    attention; the walker stands at the last one.

    Args:
        walk: key of the nodes visited (L,) from 0, oldest first.
        nodes: how many nodes: a number, or the key of a single one.
        attention: key of the attention to each place of the walk (L,).
        fill: key of a number for each node (nodes,), its ink, as strong as its share of the largest.
        marked: key of marks (nodes,); nodes where it is not zero have a frame.
        dots: key of a share for each node (nodes,), a black dot inside it of that area; `dots_are` says what they are.
        names: of the nodes; none counts from 1.
        fill_is: what the ink of the nodes is, in a word or two.
        idea: colour of the attention; `fill_idea` of the ink: keys of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `attention` and `fill` move.
    """

    kind: ClassVar[str] = "ring"
    roles: ClassVar[tuple[str, ...]] = ("walk", "attention", "fill", "marked", "dots", "nodes")

    walk: str
    nodes: int | str
    attention: str | None = None
    fill: str | None = None
    marked: str | None = None
    dots: str | None = None
    dots_are: str = ""
    names: Sequence[str] = ()
    fill_is: str = "ink"
    idea: str = "attention"
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
        nodes, steps = self.count(arrays), arrays["walk"].size
        self.agree(arrays, "marked", nodes, "the nodes")
        self.agree(arrays, "dots", nodes, "the nodes")
        for role, size in (("attention", steps), ("fill", nodes)):
            self.whole(arrays, role, size)
        walk = arrays["walk"]
        on = ((walk >= 0) & (walk < nodes)).all()
        require(on, "ring", f"nodes of {self.walk!r} from 0 to {nodes - 1}", f"{walk.min():g} to {walk.max():g}")


ring = Ring  # as an author calls it
