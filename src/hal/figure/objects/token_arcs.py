"""Arcs: a row of tokens and the one that asks, with attention as arcs; or a ring of nodes with a walker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hal.figure.charts import Arrays
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Arcs(Scene):
    """Tokens in a row, the last one apart in a ring, arcs from it: width and opacity by weight, purple below 0.

    Beyond 128 tokens the 200 largest arcs are drawn, and one grey comb with its share in text stands for the rest.

    Args:
        weights: key of the attention to each place (n,).
        tokens: key of the kinds of the tokens (n,) from 0.
        letters: names of the kinds.
        asks: key of the kind of the token that asks (1,).
        rows: key of how many kinds of tokens may ask (1,): `weights` and `answer` hold a row for each, and buttons
            under the picture choose whose is drawn.
        answer: key of the weights that theory has (n,), drawn as dashed grey arcs where they are not zero.
        spoils: whether the answer is drawn only at the end of the time, or where a button asks for it.
        pick: the setting that takes the place, from 1, of a token that is clicked or reached with the arrow keys.
        idea: colour of the arcs, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `weights` moves.
    """

    kind: ClassVar[str] = "arcs"
    roles: ClassVar[tuple[str, ...]] = ("weights", "tokens", "asks", "rows", "answer")
    moved: ClassVar[tuple[str, ...]] = ("pick",)

    weights: str
    tokens: str
    letters: str
    asks: str | None = None
    rows: str | None = None
    answer: str | None = None
    spoils: bool = False
    pick: str | None = None
    idea: str = "attention"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.letters, "letters", "names of the kinds of tokens", repr(self.letters))
        require(not self.spoils or self.answer, "spoils", "an answer to hide", self.answer)
        require(not (self.rows and self.asks), "rows", "no `asks`", self.rows)

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a kind has no letter."""
        n = arrays["tokens"].size
        many = int(arrays["rows"][0]) if "rows" in arrays else 1
        require(1 <= many <= len(self.letters), "rows", f"from 1 to {len(self.letters)}, each with a letter", many)
        self.agree(arrays, "answer", n * many, "the tokens" if many == 1 else f"{many} rows of the tokens")
        self.agree(arrays, "asks", 1, "one token asks")
        self.whole(arrays, "weights", n * many)
        kinds = np.concatenate([arrays["tokens"], arrays.get("asks", [])])
        known = ((kinds >= 0) & (kinds < len(self.letters))).all()
        require(known, "arcs", f"kinds from 0 to {len(self.letters) - 1}", f"{kinds.min():g} to {kinds.max():g}")


arcs = Arcs  # as an author calls it
