"""Sentences that follow numbers, the same in Python and in the page; `js/sentences.js` is the page's side.

A sentence is a list of alternatives; the first that applies is said, and none if none does. Numbers are called by
name: `{tau}` is a whole number with its thousands set apart, `{loss:3}` has three decimals.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lib.errors import require

_PLACE = re.compile(r"\{([A-Za-z_.]+)(?::(\d))?\}")


class Say:
    """One way to say something.

    Args:
        text: with numbers by name in braces; it applies only if all of them are known.
        when: name -> the value that this number must have.

    Raises:
        InputError: if the text has braces that name no number.
    """

    def __init__(self, text: str, **when: float) -> None:
        require(not re.search(r"[{}]", _PLACE.sub("", text)), "text", "numbers as {name} or {name:2}", repr(text))
        self.text, self.when = text, when

    @property
    def names(self) -> set[str]:
        """The numbers that it needs."""
        return {name for name, _ in _PLACE.findall(self.text)} | set(self.when)

    def applies(self, facts: Mapping[str, float]) -> bool:
        """Whether its numbers are known, and those of `when` as they must be."""
        known = all(math.isfinite(facts.get(name, math.nan)) for name in self.names)
        return known and all(facts[name] == value for name, value in self.when.items())

    def filled(self, facts: Mapping[str, float]) -> str:
        """The text with its numbers."""
        return _PLACE.sub(lambda found: shown(facts[found[1]], int(found[2] or 0)), self.text)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {"text": self.text, "when": self.when}


def shown(value: float, decimals: int = 0) -> str:
    """A number with so many decimals, halves rounded up, thousands set apart.

    Example:
        >>> shown(1234.5), shown(-0.125, 2)
        ('1,235', '−0.13')
    """
    units = math.floor(abs(value) * 10.0**decimals + 0.5)
    whole, rest = divmod(units, 10**decimals)
    text = f"{whole:,}" + (f".{rest:0{decimals}d}" if decimals else "")
    return f"−{text}" if value < 0 and units else text


def say(sentences: Sequence[Sequence[Say]], facts: Mapping[str, float]) -> str:
    """Of each sentence the first alternative that applies, in one line."""
    chosen = (next((way.filled(facts) for way in ways if way.applies(facts)), "") for ways in sentences)
    return " ".join(filter(None, chosen))
