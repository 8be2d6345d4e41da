"""Sentences that follow numbers, the same in Python and in the page; `js/facts.js` is the page's side.

A sentence is a list of alternatives; the first that applies is said, and none if none does. Numbers are called by
name: `{loss}` has the digits that count, at most three, `{loss:3}` three decimals, `{tau:0}` none.
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

        def written(found: re.Match[str]) -> str:
            value, spread = facts[found[1]], facts.get(f"spread.{found[1]}", math.nan)
            if found[2] is not None:
                return shown(value, int(found[2]))
            # Percentages from 10 on have no decimals; one near 100 keeps what it lacks.
            whole = self.text.startswith((" %", "%"), found.end()) and 10 <= abs(value) < 99
            return digits(value, max(spread if spread > 0 else 0.0, 3.0) if whole else spread)

        return _WHOLE.sub("100 %", _PLACE.sub(written, self.text)).replace("= about 0", "≈ 0")

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {"text": self.text, "when": self.conditions}


def digits(value: float, spread: float = math.nan) -> str:
    """A number for a reader, with no digits that do not count; `js/numbers.js` has the same.

    Three significant digits, above 1,000 all before the point; fewer where the number spreads: the last digit stands
    for at most a third of the spread. Far from 1 it is a power of ten; what is smaller than rounding is about 0.

    Args:
        value: finite.
        spread: how far it differs from run to run, in its unit; NaN or 0 where it does not.

    Example:
        >>> digits(0.0414), digits(0.0414, 0.02), digits(1234.5), digits(1234.5, 70), digits(-2.213e-4)
        ('0.0414', '0.041', '1,235', '1,230', '−2.21×10⁻⁴')
    """
    if 0 < abs(value) < ROUNDING:
        return "about 0"
    sign, size = "−" if value < 0 else "", Decimal(abs(value))
    plain = not value or Decimal("0.001") <= size < 10**7
    most = size.adjusted() + 1 if plain and size >= 1000 else 3
    fine = size.adjusted() - Decimal(spread / 3).adjusted() + 1 if spread > 0 and size and spread < math.inf else most
    rounded = Context(prec=min(max(fine, 1), most), rounding=ROUND_HALF_UP).create_decimal(size)
    if not plain:
        exponent = rounded.adjusted()
        head = f"{rounded.scaleb(-exponent).quantize(Decimal('0.01')):f}".rstrip("0").rstrip(".")
        power = "10" + str(exponent).translate(_HIGH)
        return sign + (power if head == "1" else f"{head}×{power}")
    text = f"{rounded:,f}"
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
