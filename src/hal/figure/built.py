"""A figure as its page has it, without one: computed, said and drawn by the page's JavaScript in V8."""

from __future__ import annotations

import base64
import json
import re
import struct
import weakref
import zlib
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np

from hal.figure.assets import FIGURES, style
from hal.figure.facts import Drawn, Readings, Result, packed
from hal.figure.sentences import Say
from hal.figure.v8 import asked

_NUMBERS = count()
_GONE: list[int] = []  # numbers of figures that nobody asks any more


class Built:
    """A figure in V8, with what was computed last.

    All numbers come with every bit. Where the page refuses settings it raises `InputError`.

    Args:
        spec: the figure's JSON.
        program: its modules, see `hal.figure.program`.
    """

    def __init__(self, spec: Mapping[str, Any], program: Mapping[str, str]) -> None:
        number = next(_NUMBERS)
        self._name = f"built[{number}]"
        modules = ", ".join(f"[{json.dumps(name)}, {text}]" for name, text in program.items())
        let_go = "".join(f"delete built[{_GONE.pop()}]; " for _ in range(len(_GONE)))
        asked(f"({let_go.replace(';', ',')} {self._name} = makeBuilt({json.dumps(spec)}, [{modules}]), 0)")
        weakref.finalize(self, _GONE.append, number)

    def choose(self, point: Mapping[str, Any], seed: int = 0) -> dict[str, list[float]]:
        """Theory at all sliders' values; of a small figure also what it draws for a seed."""
        return _unpacked(self._ask("choose", dict(point), seed))

    def train(self, seed: int) -> dict[str, list[float]]:
        """The readings of one more run at the chosen values."""
        return _unpacked(self._ask("train", seed))

    def compute(self, point: Mapping[str, Any], seed: int, runs: int) -> Result:
        """What `Computed.compute` gives at all sliders' values: the same, sooner."""
        theory = self.choose(point, seed)
        found = [self.train(seed + i) for i in range(runs)]
        return Result(theory, found, **self._facts(self._ask("facts")))

    def take(self, theory: Readings, runs: Sequence[Readings]) -> Result:
        """Theory and finished runs that come from elsewhere, with the facts that follow."""
        told = self._ask("take", packed([theory])[0], packed(runs))
        found = [{key: list(values) for key, values in one.items()} for one in (theory, *runs)]
        return Result(found[0], found[1:], **self._facts(told))

    def facts(self) -> dict[str, float]:
        """Single numbers that follow from what was computed last."""
        facts: dict[str, float] = self._facts(self._ask("facts"))["facts"]
        return facts

    def draw(self) -> Drawn:
        """Arrays and sentences of what was computed or taken last."""
        told = self._ask("draw")
        items = {role: _numbers(text).reshape(shape) for role, (shape, text) in told["arrays"].items()}
        return Drawn(items, told["reading"], told["notice"])

    def still(self, point: Mapping[str, Any]) -> str:
        """SVG text of what was computed or taken last, where the sliders stand so."""
        return _CANVAS.sub(_png, str(self._ask("still", dict(point), style(FIGURES))))

    def said(self, sentences: Sequence[Sequence[Say]]) -> str:
        """What sentences say of it."""
        return str(self._ask("say", [[way.spec() for way in ways] for ways in sentences]))

    def _facts(self, told: dict[str, Any]) -> dict[str, Any]:
        facts = {name: float(_numbers(text)[0]) for name, text in told["facts"].items()}
        return {"facts": facts, "shown": told["shown"]}

    def _ask(self, method: str, *arguments: Any) -> Any:
        return asked(f"{self._name}.{method}({', '.join(map(json.dumps, arguments))})")


def _numbers(text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.frombuffer(base64.b64decode(text), "<f8").copy()


def _unpacked(arrays: Mapping[str, str]) -> dict[str, list[float]]:
    return {name: _numbers(text).tolist() for name, text in arrays.items()}


_CANVAS = re.compile(r"canvas:(\d+),(\d+),([\w+/=]*)")


def _png(canvas: re.Match[str]) -> str:
    """The address of a PNG with a canvas' pixels."""
    width, height, pixels = int(canvas[1]), int(canvas[2]), base64.b64decode(canvas[3])
    rows = b"".join(b"\0" + pixels[4 * width * i : 4 * width * (i + 1)] for i in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    parts = [struct.pack(">I", len(b)) + name + b + struct.pack(">I", zlib.crc32(name + b)) for name, b in chunks]
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"".join(parts)).decode()
