"""Sentences that follow numbers, the same in Python and in the page; `js/sentences.js` is the page's side.

A sentence is a list of alternatives; the first that applies is said, and none if none does. Numbers are called by
name: `{tau}` is a whole number with its thousands set apart, `{loss:3}` has three decimals.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lib.errors import require

_PLACE = re.compile(r"\{([A-Za-z_.][A-Za-z0-9_.]*)(?::(\d))?\}")
_TEST = re.compile(r"(<=|>=|<|>) ?([A-Za-z_.][A-Za-z0-9_.]*|-?\d+(?:\.\d+)?)")
_HOLDS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Say:
    """One way to say something.

    Args:
        text: with numbers by name in braces; it applies only if all of them are known.
        when: name -> the value that this number must have, or a comparison with a number or another name, as in
            `**{"sum.mirrored": ">= 2", "reached": "< quiet.tau"}`.

    Raises:
        InputError: if the text has braces that name no number, or a comparison cannot be read.
    """

    def __init__(self, text: str, **when: float | str) -> None:
        require(not re.search(r"[{}]", _PLACE.sub("", text)), "text", "numbers as {name} or {name:2}", repr(text))
        for name, test in when.items():
            readable = not isinstance(test, str) or _TEST.fullmatch(test)
            require(readable, name, "a number, or a comparison such as '>= 2' or '< quiet.tau'", repr(test))
        self.text, self.when = text, when

    @property
    def names(self) -> set[str]:
        """The numbers that it needs."""
        tests = [_TEST.fullmatch(test) for test in self.when.values() if isinstance(test, str)]
        compared = {found[2] for found in tests if found and not _is_number(found[2])}
        return {name for name, _ in _PLACE.findall(self.text)} | set(self.when) | compared

    def applies(self, facts: Mapping[str, float]) -> bool:
        """Whether its numbers are known, and those of `when` as they must be."""
        known = all(math.isfinite(facts.get(name, math.nan)) for name in self.names)
        return known and all(_holds(facts, facts[name], test) for name, test in self.when.items())

    def filled(self, facts: Mapping[str, float]) -> str:
        """The text with its numbers."""
        return _PLACE.sub(lambda found: shown(facts[found[1]], int(found[2] or 0)), self.text)

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {"text": self.text, "when": self.when}


def _is_number(text: str) -> bool:
    return text[0] == "-" or text[0].isdigit()


def _holds(facts: Mapping[str, float], value: float, test: float | str) -> bool:
    if not isinstance(test, str):
        return value == test
    found = _TEST.fullmatch(test)
    assert found is not None
    return bool(_HOLDS[found[1]](value, float(found[2]) if _is_number(found[2]) else facts[found[2]]))


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
