"""Sentences that follow numbers, the same in Python and in the page; `js/facts.js` is the page's side.

A sentence is a list of alternatives; the first that applies is said, and none if none does. Numbers are called by
name: `{loss}` has three significant digits, `{loss:3}` three decimals, `{tau:0}` none.
"""

import math
import operator
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from lib.errors import require

_PLACE = re.compile(r"\{([A-Za-z_.][A-Za-z0-9_.]*)(?::(\d))?\}")
_CONDITION = re.compile(r"([A-Za-z_.][A-Za-z0-9_.]*) ?(==|<=|>=|<|>) ?([A-Za-z_.][A-Za-z0-9_.]*|-?\d+(?:\.\d+)?)")
_WHOLE = re.compile(r"(?<![\d.,])100\.0+ %")
_THREE = Context(prec=3, rounding=ROUND_HALF_UP)
#: A number below it is no number of a figure but what rounding has left.
ROUNDING = 1e-15
_HIGH = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_HOLDS = {"==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Say:
    """One way to say something.

    Args:
        text: with numbers by name in braces; it applies only if all of them are known.
        conditions: what must hold besides, each a comparison of a number with another or with a value, as in
            `"sum.mirrored >= 2"`, `"reached < quiet.tau"`, `"runs == 1"`.

    Raises:
        InputError: if the text has braces that name no number, or a comparison cannot be read.
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

    def applies(self, facts: Mapping[str, float]) -> bool:
        """Whether its numbers are known, and its conditions hold."""
        known = all(math.isfinite(facts.get(name, math.nan)) for name in self.names)
        value = lambda one: facts[one] if isinstance(one, str) else one  # noqa: E731
        return known and all(_HOLDS[sign](facts[name], value(other)) for name, sign, other in self.conditions)

    def filled(self, facts: Mapping[str, float]) -> str:
        """The text with its numbers; of "100.0 %" the decimals say nothing, and "= about 0" is "≈ 0"."""
        text = _PLACE.sub(lambda found: _written(facts[found[1]], found[2]), self.text)
        return _WHOLE.sub("100 %", text).replace("= about 0", "≈ 0")

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {"text": self.text, "when": self.conditions}


def _written(value: float, decimals: str | None) -> str:
    return number(value) if decimals is None else shown(value, int(decimals))


def number(value: float) -> str:
    """A number for a reader: three significant digits, above 1,000 all before the point, far from 1 a power of ten.

    What is smaller than rounding is about 0.

    Example:
        >>> number(0.00512), number(1234.5), number(12.0), number(-3.14e-7), number(2e-104)
        ('0.00512', '1,235', '12', '−3.14×10⁻⁷', 'about 0')
    """
    if 0 < abs(value) < ROUNDING:
        return "about 0"
    sign, size = "−" if value < 0 else "", Decimal(abs(value))
    if value and not 1e-4 <= size < 1e7:
        head, exponent = f"{_THREE.create_decimal(size):.2e}".split("e")
        power = "10" + str(int(exponent)).translate(_HIGH)
        return sign + (power if float(head) == 1 else f"{head.rstrip('0').rstrip('.')}×{power}")
    if size >= 1000:
        return f"{sign}{size.quantize(Decimal(1), ROUND_HALF_UP):,f}"
    text = f"{_THREE.create_decimal(size):,f}"
    return sign + (text.rstrip("0").rstrip(".") if "." in text else text)


def shown(value: float, decimals: int = 0) -> str:
    """A number with so many decimals, halves rounded up, thousands set apart; zero has none.

    Example:
        >>> shown(1234.5), shown(-0.125, 2), shown(0.0, 2), shown(0.004, 2)
        ('1,235', '−0.13', '0', 'about 0')
    """
    units = math.floor(abs(value) * 10.0**decimals + 0.5)
    if not units:
        return "about 0" if value else "0"
    whole, rest = divmod(units, 10**decimals)
    text = f"{whole:,}" + (f".{rest:0{decimals}d}" if decimals else "")
    return f"−{text}" if value < 0 else text


def say(sentences: Sequence[Sequence[Say]], facts: Mapping[str, float]) -> str:
    """Of each sentence the first alternative that applies, in one line."""
    chosen = (next((way.filled(facts) for way in ways if way.applies(facts)), "") for ways in sentences)
    return " ".join(filter(None, chosen))


def waiting(remedy: str = "a smaller learning rate may help") -> list[Say]:
    """What a sentence says before there is a run to speak of, and what may help where all runs have diverged."""
    return [
        Say(f"Every run so far has diverged; {remedy}.", "runs == 0", "lost >= 1"),
        Say("No run has finished yet.", "runs == 0"),
    ]
