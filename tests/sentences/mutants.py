"""Would anyone notice a wrong condition, or a wrong number? Each is broken in turn; the judges of `trial` are asked.

Conditions: each comparison is left out, turned round, and its value moved by half. Estimators: each number that a
sentence uses, or asks for, is doubled. A broken one that changes no text at any position tried is not counted: there
nobody could notice it.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hal.explorer import Computed
from hal.explorer.sentences import Say, say
from tests.rows import Figure, Small
from tests.sentences.trial import Tried, judged

TURNED = {"==": ">", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
Reading = Sequence[Sequence[Say]]


class Broken(NamedTuple):
    """One broken thing: its name, the sentences with it, and the number that it doubles."""

    name: str
    reading: Reading
    doubled: str | None = None

    def said(self, facts: Mapping[str, float]) -> str:
        """What the figure says with it."""
        return say(self.reading, {**facts, self.doubled: 2 * facts[self.doubled]} if self.doubled else facts)


def broken(reading: Reading) -> Iterator[Broken]:
    """All that is broken of a figure's sentences, one at a time."""
    for i, ways in enumerate(reading):
        for j, way in enumerate(ways):
            for k, (name, sign, other) in enumerate(way.conditions):
                changed: dict[str, Any] = {"left out": None, f"turned to {TURNED[sign]}": (name, TURNED[sign], other)}
                if not isinstance(other, str):
                    changed["moved"] = (name, sign, 1.5 * other if other else 0.5)
                for how, condition in changed.items():
                    yield Broken(f"{way.text}: {name} {sign} {other} {how}", _with(reading, i, j, k, condition))
    for name in sorted({name for ways in reading for way in ways for name in way.names} - {"runs", "lost"}):
        yield Broken(f"{name} doubled", reading, name)


def _with(reading: Reading, i: int, j: int, k: int, condition: Any) -> Reading:
    """The sentences with another condition, or without it."""
    way = copy.copy(reading[i][j])
    way.conditions = [*way.conditions[:k], *([condition] if condition else []), *way.conditions[k + 1 :]]
    ways = [*reading[i][:j], way, *reading[i][j + 1 :]]
    return [*reading[:i], ways, *reading[i + 1 :]]


def noticed(figure: Computed, row: Figure | Small, found: Sequence[Tried]) -> dict[str, bool]:
    """Of each broken thing that changes a text somewhere, whether a judge objects to one of these texts.

    Args:
        figure, row: whose sentences.
        found: positions at which nothing was wrong.
    """
    asked: dict[str, bool] = {}
    for one in broken(figure.reading):
        changed = ((tried, text) for tried in found if (text := _text(one, tried)) != tried.text)
        for tried, text in changed:
            asked[one.name] = any(judged(figure, row, tried.result, tried.point, text))
            if asked[one.name]:
                break
    return asked


def _text(one: Broken, tried: Tried) -> str:
    return one.said(tried.result.facts) if one.doubled is None or one.doubled in tried.result.facts else tried.text
