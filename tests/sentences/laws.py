"""What holds of every sentence that a figure says, whatever it speaks of."""

import re
from collections.abc import Iterator

#: Smaller than this, a power of ten is rounding and no number of the figure.
SMALLEST = -15
_POWER = re.compile(r"×?10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_ALL = re.compile(r"(?<![\d.])100\.0+ %")
_NONE = re.compile(r"(?<![\d.,])0\.0+(?![\d×])")
_ONE = re.compile(r"(?<![\d.,×])1 (?:times|steps|samples|tokens|runs|walks|nodes|examples|positions|words|groups)\b")
_HALF = re.compile(r"\d\.5 of (?:ten|\d)")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def broken(text: str) -> Iterator[str]:
    """What is wrong with a text, as the reader sees it, by its words alone."""
    if not text.strip():
        yield "nothing is said"
    if re.search(r"\bnan\b|\binf\b|[{}]|undefined", text, re.I):
        yield "a number is missing"
    if _ALL.search(text):
        yield "decimals behind 100 %"
    for found in _POWER.finditer(text):
        if -int(found[1].translate(_PLAIN)) < SMALLEST:
            yield f"{found[0]} is rounding"
    if found := _ONE.search(text):
        yield f"{found[0]}: one of many"
    if found := _HALF.search(text):
        yield f"{found[0]}: half a place"
    if re.search(r"\berrs in 100 ?%", text):
        yield "always, as a percentage"
    if _NONE.search(text):
        yield "zero with decimals"
