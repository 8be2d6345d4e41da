"""Ink: sequences of words, each as large and as dark as the attention that it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hal.figure.charts import Arrays
from hal.figure.marks import colour
from hal.figure.objects.base import Scene
from lib.errors import require


@dataclass(frozen=True, kw_only=True)
class Ink(Scene):
    """Words or letters in lines: size 0.45 + 0.55 q and opacity 0.14 + 0.5 q^2, q their attention over the mean.

    Sizes end at 0.72 and 1.7 of an ordinary letter, opacity at 1; where the most attended word would be beyond, all
    above the mean are as much nearer to it. Where a sequence has more words than there is room for, the first ones are
    shown and the rest is counted.

    Args:
        weights: key of the attention to each place (n,), at least 0; several sequences one after the other.
            With `places` attention by kind (size,), which the words of a kind share.
        places, chances, size: keys of the place in `weights` of each word's kind (n,), of how frequent that kind is
            (n,), and of how many there are (1,): a word has the attention of its kind over its frequency, beside the
            others of its sequence.
        tokens: key of the kinds of the words (n,) from 0.
        words: what the kinds are printed as.
        groups: key of numbers (n,) from 0: the colour of each word among `ideas`; it may move.
        ideas: keys of `hal.palette.IDEAS`.
        group_names: what the groups are, written beneath in their colours.
        rows: how many sequences, n / rows words each: a number, or the key of a single one.
        row_names: a word each, at their left.
        pick: the setting that takes the place, from 1, of a word that is clicked or reached with the arrow keys; its
            copies are underlined with it.
        adds: key of numbers (n,): a click on a word adds its own to `pick`, where it is not 0, and it is underlined.
        asks: the last word of a sequence pays the attention to its others, framed; its own weight is NaN.
        alt, title, height, wide, frames: as for every scene; `weights` moves.
    """

    kind: ClassVar[str] = "ink"
    roles: ClassVar[tuple[str, ...]] = ("weights", "tokens", "groups", "rows", "places", "chances", "size", "adds")
    moved: ClassVar[tuple[str, ...]] = ("pick",)

    weights: str
    tokens: str
    words: Sequence[str]
    places: str | None = None
    chances: str | None = None
    size: str | None = None
    groups: str | None = None
    ideas: Sequence[str] = ("attention",)
    group_names: Sequence[str] = ()
    rows: int | str = 1
    row_names: Sequence[str] = ()
    pick: str | None = None
    adds: str | None = None
    asks: bool = False
    height: int = 180

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.adds is None or self.pick, "adds", "the setting in `pick` to which they are added", self.pick)
        given = [one is not None for one in (self.places, self.chances, self.size)]
        require(len(set(given)) == 1, "places", "with `chances` and `size`, or none of the three", self.places)
        require(self.words, "words", "what the kinds of tokens are printed as", self.words)
        few = len(self.group_names) <= len(self.ideas)
        require(few, "group_names", f"at most {len(self.ideas)}, a name for each idea", list(self.group_names))

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        rows = {} if isinstance(self.rows, str) else {"rows": self.rows}
        names = {k: list(getattr(self, k)) for k in ("words", "group_names", "row_names")}
        return {**super().spec(), **rows, **names, "colours": [colour(idea, j) for j, idea in enumerate(self.ideas)]}

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a kind has no word or no colour."""
        n = arrays["tokens"].size
        size = max(1, int(arrays["size"][0])) if self.places else n
        self.whole(arrays, "weights", size)
        for role in ("places", "chances"):
            self.agree(arrays, role, n, "the tokens")
        if self.places:
            require(arrays["places"].max() < size, "ink", f"places below {size}", f"{arrays['places'].max():g}")
        self.agree(arrays, "adds", n, "the tokens")
        self.whole(arrays, "groups", n)
        rows = self.count(arrays)
        require(rows >= 1 and n % rows == 0, "ink", f"{n} words in rows of one length", f"{rows} rows")
        for role, most in (("tokens", len(self.words)), ("groups", len(self.ideas))):
            kinds = arrays.get(role, np.zeros(1))
            known = ((kinds >= 0) & (kinds < most)).all()
            require(known, "ink", f"{role} from 0 to {most - 1}", f"{kinds.min():g} to {kinds.max():g}")

    def count(self, arrays: Arrays) -> int:
        """How many sequences there are."""
        return int(arrays["rows"][0]) if isinstance(self.rows, str) else self.rows


ink = Ink  # as an author calls it
