"""Scenes of a row: tokens with arcs, words in ink, thin stems, columns over a line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hal.figure.charts import Arrays, Limits
from hal.figure.marks import colour
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
        answer: key of the weights that theory has (n,), drawn as dashed grey arcs where they are not zero.
        spoils: whether the answer is drawn only at the end of the time.
        pick: the setting that takes the place, from 1, of a token that is clicked or reached with the arrow keys.
        largest: the weight that has full width; None takes the largest of what is shown, at least 0.25.
        follows, follows_idea: what comes after each kind, a letter each, under the tokens to which the arcs lead; its
            colour, a key of `hal.palette.IDEAS`.
        idea: colour of the arcs, a key of `hal.palette.IDEAS`.
        alt, title, height, wide, frames: as for every scene; `weights` moves.
    """

    kind: ClassVar[str] = "arcs"
    roles: ClassVar[tuple[str, ...]] = ("weights", "tokens", "asks", "answer")
    moved: ClassVar[tuple[str, ...]] = ("pick",)

    weights: str
    tokens: str
    letters: str
    asks: str | None = None
    answer: str | None = None
    spoils: bool = False
    pick: str | None = None
    largest: float | None = None
    follows: str = ""
    follows_idea: str = "output"
    idea: str = "attention"

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self.letters, "letters", "names of the kinds of tokens", repr(self.letters))
        require(not self.spoils or self.answer, "spoils", "an answer to hide", self.answer)

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree, or a kind has no letter."""
        n = arrays["tokens"].size
        self.agree(arrays, "answer", n, "the tokens")
        self.agree(arrays, "asks", 1, "one token asks")
        self.whole(arrays, "weights", n)
        kinds = np.concatenate([arrays["tokens"], arrays.get("asks", [])])
        known = ((kinds >= 0) & (kinds < len(self.letters))).all()
        require(known, "arcs", f"kinds from 0 to {len(self.letters) - 1}", f"{kinds.min():g} to {kinds.max():g}")


@dataclass(frozen=True, kw_only=True)
class Ink(Scene):
    """Words or letters in lines: size 0.45 + 0.55 q and opacity 0.3 + 0.4 q^2, q their attention over the mean.

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
        asks: the last word of a sequence pays the attention to its others, framed; its own weight is NaN.
        percent: words with at least this share of the attention have it written beside them; None: none has.
        full: the weight that has full size, for one scale in several scenes; None takes the largest.
        alt, title, height, wide, frames: as for every scene; `weights` moves.
    """

    kind: ClassVar[str] = "ink"
    roles: ClassVar[tuple[str, ...]] = ("weights", "tokens", "groups", "rows", "places", "chances", "size")
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
    asks: bool = False
    percent: float | None = None
    full: float | None = None
    height: int = 180

    def __post_init__(self) -> None:
        super().__post_init__()
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


@dataclass(frozen=True, kw_only=True)
class Columns(Scene):
    """A few wide bars, with a line across them.

    Args:
        heights: key of the heights (n,).
        widths: key of the widths (n,), in proportion; None makes them equal. In `frames` they may move, beside `kinds`.
        kinds: key of numbers (n,) from 0: the colour of each bar among `ideas`.
        ideas: keys of `hal.palette.IDEAS`.
        names: under the bars; none counts from 1.
        ylabel: word at the top of the axis.
        ylim: (low, high); None for an end that follows the data.
        level: key of the height of the line (1,).
        line_is: what the line is, written on it, or below its answer.
        thick: the line is thick, with its number at its end, and the bars are pale.
        answers: words for a line below 0 and above it: it is what the areas add up to, and has them at its right end.
        told: the place, from 1, of the bar that alone has its height in numbers; 0: all have, where there is room.
        pick: the setting that takes the place, from 1, of a bar that is clicked or reached with the arrow keys.
        alt, title, height, wide, frames: as for every scene; `heights` and `level` move.

    Bars that are higher than `ylim` are cut, which is seen.
    """

    kind: ClassVar[str] = "columns"
    roles: ClassVar[tuple[str, ...]] = ("heights", "widths", "kinds", "level")
    moved: ClassVar[tuple[str, ...]] = ("pick",)

    heights: str
    widths: str | None = None
    kinds: str | None = None
    ideas: Sequence[str] = ("output",)
    names: Sequence[str] = ()
    ylabel: str = ""
    ylim: Limits = None
    level: str | None = None
    line_is: str = ""
    thick: bool = False
    answers: Sequence[str] = ()
    told: int = 0
    pick: str | None = None

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {**super().spec(), "colours": [colour(idea, j) for j, idea in enumerate(self.ideas)]}

    def size(self, arrays: Arrays) -> int:
        """How many bars there are."""
        roles = ("kinds",) if self.frames else ("widths", "kinds")
        still = [arrays[role].size for role in roles if role in arrays]
        return int(still[0]) if still else len(self.names) or arrays["heights"].size

    def check_sizes(self, arrays: Arrays) -> None:
        """Raise `InputError` where the sizes of the arrays disagree."""
        n = self.size(arrays)
        self.agree(arrays, "kinds", n, "the bars")
        self.whole(arrays, "widths", n)
        whole = arrays["heights"].size % n == 0 and (self.frames or arrays["heights"].size == n)
        require(whole, "columns", f"{self.heights!r} of whole parts of {n} numbers", arrays["heights"].size)


# As an author calls them.
arcs = Arcs
ink = Ink
stems = Stems
columns = Columns
