"""Sentences that follow numbers: what an author writes; what they say is said by `js/facts.js`, here as in the page.

A sentence is a list of alternatives; the first that applies is said, and none if none does. Numbers are called by
name: `{loss}` has the digits that count, at most three, `{loss:3}` three decimals, `{tau:0}` none.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from hal.figure.v8 import called
from lib.errors import require

_PLACE = re.compile(r"\{([A-Za-z_.][A-Za-z0-9_.]*)(?::(\d))?\}")
_CONDITION = re.compile(r"([A-Za-z_.][A-Za-z0-9_.]*) ?(==|<=|>=|<|>) ?([A-Za-z_.][A-Za-z0-9_.]*|-?\d+(?:\.\d+)?)")


class Say:
    """One way to say something.

    Args:
        text: with numbers by name in braces; it applies only if all of them are known.
        conditions: what must hold besides, each a comparison of a number with another or with a value, as in
            `"sum.mirrored >= 2"`, `"reached < quiet.tau"`, `"runs == 1"`.
    """

    def __init__(self, text: str, *conditions: str) -> None:
        require(not re.search(r"[{}]", _PLACE.sub("", text)), "text", "numbers as {name} or {name:2}", repr(text))
        self.text = text
        self.conditions: list[tuple[str, str, str | float]] = []
        for one in conditions:
            found = _CONDITION.fullmatch(one)
            require(found, "conditions", "a comparison such as 'sum.right >= 2' or 'reached < quiet.tau'", repr(one))
            assert found is not None
            name, sign, other = found.groups()
            self.conditions.append((name, sign, float(other) if other[0] in "-0123456789" else other))

    @property
    def names(self) -> set[str]:
        """The numbers that it needs."""
        compared = {one for name, _, other in self.conditions for one in (name, other) if isinstance(one, str)}
        return {name for name, _ in _PLACE.findall(self.text)} | compared

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {"text": self.text, "when": self.conditions}


def digits(value: float, spread: float = math.nan) -> str:
    """A number for a reader, with no digits that do not count.

    Three significant digits, above 1,000 all before the point; fewer where the number spreads: the last digit stands
    for at most a third of the spread. Far from 1 it is a power of ten; what is smaller than rounding is about 0.

    Args:
        value: finite.
        spread: how far it differs from run to run, in its unit; NaN or 0 where it does not.

    Example:
        >>> digits(0.0414), digits(0.0414, 0.02), digits(1234.5), digits(1234.5, 70), digits(-2.213e-4)
        ('0.0414', '0.041', '1,235', '1,230', '−2.21×10⁻⁴')
    """
    return str(called("digits", value, spread))


def shown(value: float, decimals: int = 0) -> str:
    """A number with so many decimals, halves rounded up, thousands set apart; zero has none.

    Example:
        >>> shown(1234.5), shown(-0.125, 2), shown(0.0, 2), shown(0.004, 2)
        ('1,235', '−0.13', '0', 'about 0')
    """
    return str(called("shownNumber", value, decimals))


def say(sentences: Sequence[Sequence[Say]], facts: Mapping[str, float]) -> str:
    """Of each sentence the first alternative that applies, in one line."""
    return str(called("sayAll", [[way.spec() for way in ways] for ways in sentences], dict(facts)))


def waiting(remedy: str = "a smaller learning rate may help") -> list[Say]:
    """What a sentence says before there is a run to speak of, and what may help where all runs have diverged."""
    return [
        Say(f"Every run so far has diverged; {remedy}.", "runs == 0", "lost >= 1"),
        Say("No run has finished yet.", "runs == 0"),
    ]
