"""Line and bar charts as data: the arrays they need from a run and the JSON the chart module reads."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.explorer.encode import Codec, Item
from lib.explorer.marks import Line, Mark, agree, colour, shown, take

Limits = tuple[float | None, float | None] | None


class Panel(Protocol):
    """What the explorer asks of a panel."""

    @property
    def title(self) -> str:
        """Text above the panel."""

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw, by role, from what `run` returned; `time` is the key of the training time."""


@dataclass(frozen=True)
class Lines:
    """A line or bar chart; made by `lines` and `bars`."""

    title: str
    x: str
    y: tuple[Line, ...]
    xlabel: str
    ylabel: str
    xlog: bool
    ylog: bool
    xlim: Limits
    ylim: Limits
    marks: tuple[Mark, ...]
    frames: bool | str
    bits: int
    height: int | None
    wide: bool
    kind: str

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        series = [
            {
                "label": s.label,
                "colour": colour(s.idea, j, s.theory),
                "theory": s.theory,
                "each": s.each,
                "error": s.error is not None,
                "ownX": s.x is not None,
            }
            for j, s in enumerate(self.y)
        ]
        return {
            **common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "series": series,
            "marks": [m.label for m in self.marks],
            "frames": bool(self.frames),
            "x": self.x,
            **{name: getattr(self, name) for name in ("xlog", "ylog", "xlim", "ylim")},
        }

    def sources(self) -> dict[str, str]:
        """The name behind every role of `items`, for a page that computes: x, y0, y0.x, m0 and so on."""
        named = {f"y{j}": s.name for j, s in enumerate(self.y)}
        own = {f"y{j}.x": s.x for j, s in enumerate(self.y) if s.x is not None}
        return {"x": self.x, **named, **own, **{f"m{j}": mark.name for j, mark in enumerate(self.marks)}}

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw: x, t (times of the frames), y0, y0.low, y0.high, y0.x, y0.error, m0 and so on.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        x = take(data, self.x, self.title, (1,), "(K,)")
        out = {"x": Item(x)}
        times = times_of(data, self.frames, time, self.title, out)
        for j, s in enumerate(self.y):
            shape = "(M,) or (frames, M)" if self.frames else "(K,) or (seeds, K)"
            dims, shape = ((1,), "(K,), since it has error bars,") if s.error is not None else ((1, 2), shape)
            y = take(data, s.name, self.title, dims, shape)
            if s.x is not None:
                out[f"y{j}.x"] = Item(take(data, s.x, self.title, (1,), "(K,)"))
            agree(y, -1, out[f"y{j}.x" if s.x else "x"].array.size, s.name, s.x or self.x)
            codec = Codec(self.bits, self.ylog)
            if self.frames and y.ndim == 2:
                agree(y, 0, times, s.name, self.frames if isinstance(self.frames, str) else str(time))
                codec = codec._replace(frames=True)
            elif y.ndim == 2 and not s.each:
                middle, low, high = band(y)
                out[f"y{j}.low"], out[f"y{j}.high"], y = Item(low, codec), Item(high, codec), middle
            if s.error is not None:
                error = take(data, s.error, self.title, (1,), "(K,)")
                agree(error, 0, y.size, s.error, s.name)
                require(not np.any(error < 0), "run", f"half lengths of at least 0 in {s.error!r}", error.min())
                out[f"y{j}.error"] = Item(error, Codec(self.bits))
            out[f"y{j}"] = Item(y, codec)
        for j, mark in enumerate(self.marks):
            value = np.asarray(data.get(mark.name, np.nan), dtype=float)
            require(value.size == 1, "run", f"one number in {mark.name!r} for panel {self.title!r}", value.shape)
            out[f"m{j}"] = Item(value.reshape(1))
        return out


def band(y: NDArray[np.float64]) -> tuple[NDArray, NDArray, NDArray]:
    """Median, 10 % and 90 % quantile over seeds (S, K) -> three (K,); runs that diverged are left out."""
    y = np.where(np.isfinite(y), y, np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # "All-NaN slice": every seed diverged, a gap is right
        low, middle, high = np.nanquantile(y, [0.1, 0.5, 0.9], axis=0)
    return middle, low, high


def times_of(data: Mapping[str, Any], frames: bool | str, time: str | None, title: str, out: dict[str, Item]) -> int:
    """Number of frames of a panel; stores their times under "t"."""
    if frames is False:
        return 0
    name = frames if isinstance(frames, str) else time
    require(name is not None, "frames", f"a training time (Explorer(time=...)) for panel {title!r}", None)
    out["t"] = Item(take(data, str(name), title, (1,), "(frames,)"))
    return out["t"].array.size


def common(panel: Any, **labels: str) -> dict[str, Any]:
    """What the JSON of every panel has."""
    return {"kind": panel.kind, "title": panel.title, "height": panel.height, "wide": panel.wide, **labels}
