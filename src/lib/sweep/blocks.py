"""Results of many points as few arrays: a block holds points whose arrays agree in name, shape and kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from lib.sweep.vectorise import Results

__all__ = ["Block", "Held", "Rows", "blocks_of", "flat", "joined"]


def flat(lists: Iterable[Iterable[Any]]) -> list[Any]:
    """The elements of lists as one list."""
    return [element for one in lists for element in one]


class Block(NamedTuple):
    """n points: name -> array (n, ...) of what they returned, and of how it was made, (n,) each.

    Made are seconds, at (seconds since 1970, UTC), host and process.
    """

    columns: dict[str, NDArray[Any]]
    made: dict[str, NDArray[Any]]

    def load(self) -> Block:
        """Itself, which is in memory."""
        return self

    def take(self, rows: Any) -> Block:
        """Some of its points."""
        return Block(*({name: values[rows] for name, values in part.items()} for part in self))

    @property
    def layout(self) -> Any:
        """What blocks must share to be joined."""
        return tuple((name, values.dtype, values.shape[1:]) for name, values in self.columns.items())

    @property
    def size(self) -> int:
        """Bytes of its arrays."""
        return sum(values.nbytes for part in self for values in part.values())


def joined(blocks: Sequence[Block]) -> Block:
    """Blocks of one layout as one, in their order."""
    parts = zip(*blocks, strict=True)
    return Block(*({name: np.concatenate([part[name] for part in same]) for name in same[0]} for same in parts))


class Held(Protocol):
    """A block in memory, or one that is read when it is needed."""

    def load(self) -> Block:
        """The block."""


def blocks_of(results: Sequence[Results | None], made: Mapping[str, Any]) -> list[tuple[list[int], Block]]:
    """Blocks of points and the places of their rows; results that are None are in no block.

    Args:
        results: name -> array, for each of n points.
        made: name -> a value for each point, or one for all.
    """
    layouts: dict[Any, list[int]] = {}
    for i, result in enumerate(results):
        if result is not None:
            layouts.setdefault(tuple((name, v.dtype, v.shape) for name, v in result.items()), []).append(i)
    each = {name: np.broadcast_to(values, len(results)) for name, values in made.items()}
    found = []
    for layout, places in layouts.items():
        rows: list[Any] = [results[i] for i in places]
        columns = {name: np.stack([row[name] for row in rows]) for name, _, _ in layout}
        found.append((places, Block(columns, {name: values[places] for name, values in each.items()})))
    return found


class Rows(Sequence[Results]):
    """The results of n points one by one, as dicts of arrays; empty where a point failed."""

    def __init__(self, held: Sequence[Held], block: NDArray[np.int64], row: NDArray[np.int64]) -> None:
        self._held, self._block, self._row = held, block, row  # which block (-1: failed), and which of its rows

    @classmethod
    def of(cls, count: int, found: Iterable[tuple[Iterable[int], Held]]) -> Rows:
        """Rows of `count` points from blocks, each with the places of its rows."""
        held: list[Held] = []
        block, row = np.full(count, -1), np.zeros(count, dtype=int)
        for places, one in found:
            given = np.array(list(places), dtype=int)
            block[given], row[given] = len(held), np.arange(len(given))
            held.append(one)
        return cls(held, block, row)

    def __len__(self) -> int:
        return len(self._block)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return self.take(np.arange(len(self))[i])
        if self._block[i] < 0:
            return {}
        columns, row = self._held[self._block[i]].load().columns, self._row[i]
        return {name: np.array(values[row, ...]) for name, values in columns.items()}

    def take(self, places: Any) -> Rows:
        """The rows at some places, sharing the blocks."""
        return Rows(self._held, self._block[places], self._row[places])

    def made(self, i: int) -> dict[str, Any]:
        """Where, when and how long row `i` was computed; empty where it failed."""
        if self._block[i] < 0:
            return {}
        made = self._held[self._block[i]].load().made
        found = {name: values[self._row[i]].item() for name, values in made.items()}
        at = datetime.fromtimestamp(found["at"], UTC).isoformat(timespec="seconds") if found else ""
        return {**found, "at": at} if found else {}

    def layouts(self) -> dict[str, dict[tuple[int, ...], int]]:
        """Name -> shape -> at how many points."""
        found: dict[str, dict[tuple[int, ...], int]] = {}
        for places, _, columns in self._each():
            for name, values in columns.items():
                shapes = found.setdefault(name, {})
                shapes[values.shape[1:]] = shapes.get(values.shape[1:], 0) + len(places)
        return found

    def stack(self, names: Iterable[str]) -> dict[str, NDArray[Any]]:
        """Arrays (n, ...) that have one shape wherever a point succeeded; failed points are rows of NaN, or of ""."""
        found: dict[str, tuple[list[Any], list[Any]]] = {name: ([], []) for name in names}
        for places, rows, columns in self._each():
            for name in found.keys() & columns.keys():
                found[name][0].append(places)
                found[name][1].append(columns[name][rows])
        failed = np.flatnonzero(self._block < 0)
        stacked = {}
        for name, (order, parts) in found.items():
            if len(failed):
                numbers = all(part.dtype.kind in "biufc" for part in parts)
                order.append(failed)
                parts.append(np.full((len(failed), *parts[0].shape[1:]), np.nan if numbers else ""))
            stacked[name] = np.concatenate(parts)[np.argsort(np.concatenate(order))]
        return stacked

    def _each(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], dict[str, NDArray[Any]]]]:
        """Places, rows and columns of every block, in the order of the points."""
        order = np.argsort(self._block, kind="stable")
        order = order[self._block[order] >= 0]
        groups = np.split(order, np.flatnonzero(np.diff(self._block[order])) + 1) if len(order) else []
        for places in sorted(groups, key=lambda places: int(places[0])):
            yield places, self._row[places], self._held[self._block[places[0]]].load().columns
