"""Heat maps and phase planes as data: the arrays they need from a run and the JSON the chart module reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lib.errors import require
from lib.explorer.charts import Limits, common, times_of
from lib.explorer.encode import Codec, Item
from lib.explorer.marks import Field, Path, agree, colour, shown, take


@dataclass(frozen=True)
class Heatmap:
    """A heat map, still or following the training time; made by `heatmap`."""

    title: str
    name: str
    xlabel: str
    ylabel: str
    clabel: str
    frames: bool | str
    idea: str | None
    diverging: bool
    vmin: float | None
    vmax: float | None
    xticks: str | tuple[str, ...] | None
    yticks: str | tuple[str, ...] | None
    outline: str | None
    outline_label: str
    bits: int
    height: int | None
    wide: bool
    kind: str = "heatmap"

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        ticks = {k: list(t) if isinstance(t := getattr(self, k), tuple) else None for k in ("xticks", "yticks")}
        labels = {k: shown(getattr(self, k)) for k in ("xlabel", "ylabel", "clabel")}
        same = {k: getattr(self, k) for k in ("diverging", "vmin", "vmax", "outline_label")}
        return {**common(self, **labels), **ticks, **same, "colour": colour(self.idea, 0)}

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw: z, t (times of the frames), xticks, yticks, outline.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        z = take(data, self.name, self.title, (2, 3), "(rows, columns) or (frames, rows, columns)")
        out: dict[str, Item] = {}
        if z.ndim == 3:
            times = times_of(data, self.frames, time, self.title, out)
            agree(z, 0, times, self.name, self.frames if isinstance(self.frames, str) else str(time))
        out["z"] = Item(z, Codec(self.bits, False, z.ndim == 3))
        for role, axis in (("xticks", -1), ("yticks", -2)):
            ticks = getattr(self, role)
            if isinstance(ticks, str):
                out[role] = Item(take(data, ticks, self.title, (1,), "(columns,)" if axis == -1 else "(rows,)"))
                agree(z, axis, out[role].array.size, self.name, ticks)
            elif ticks is not None:
                agree(z, axis, len(ticks), self.name, role)
        if self.outline is not None:
            cells = take(data, self.outline, self.title, (2,), "(rows, columns)")
            require(cells.shape == z.shape[-2:], "run", f"{self.outline!r} of shape {z.shape[-2:]}", cells.shape)
            out["outline"] = Item((cells != 0).astype(float), Codec(2))
        return out


@dataclass(frozen=True)
class Plane:
    """A phase plane: trajectories over a vector field; made by `plane`."""

    title: str
    paths: tuple[Path, ...]
    curves: tuple[Path, ...]
    points: tuple[Path, ...]
    field: Field | None
    xlabel: str
    ylabel: str
    xlim: Limits
    ylim: Limits
    equal: bool
    bits: int
    height: int | None
    wide: bool
    kind: str = "plane"

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        marks, order = [], 0
        for role in ("paths", "curves", "points"):
            for p in getattr(self, role):
                # Curves and points are the scene, not a series: grey unless an idea names them.
                hue = None if role != "paths" and p.idea is None else colour(p.idea, order, p.theory)
                order += role == "paths"
                marks.append({"role": role, "label": p.label, "colour": hue, "theory": p.theory})
        return {
            **common(self, xlabel=shown(self.xlabel), ylabel=shown(self.ylabel)),
            "marks": marks,
            "field": self.field.label if self.field else None,
            **{name: getattr(self, name) for name in ("xlim", "ylim", "equal")},
        }

    def sources(self) -> dict[str, str]:
        """The name behind every role of `items`, for a page that computes: x0, y0, fx and so on."""
        paths = [(f"{axis}{j}", getattr(p, axis)) for j, p in enumerate(self._paths()) for axis in "xy"]
        field = [(f"f{axis}", getattr(self.field, axis)) for axis in "xyuv"] if self.field else []
        return dict(paths + field)

    def _paths(self) -> tuple[Path, ...]:
        return (*self.paths, *self.curves, *self.points)

    def items(self, data: Mapping[str, Any], time: str | None) -> dict[str, Item]:
        """Arrays to draw: x0, y0 and so on, each (S, K); fx, fy, fu, fv.

        Raises:
            InputError: if an array is missing or its shape does not fit.
        """
        out: dict[str, Item] = {}
        for j, p in enumerate(self._paths()):
            x, y = (np.atleast_2d(take(data, n, self.title, (1, 2), "(K,) or (seeds, K)")) for n in (p.x, p.y))
            require(x.shape == y.shape, "run", f"{p.y!r} of the shape {x.shape} of {p.x!r}", y.shape)
            out[f"x{j}"], out[f"y{j}"] = Item(x, Codec(self.bits)), Item(y, Codec(self.bits))
        if self.field is not None:
            f = self.field
            fx, fy = (take(data, n, self.title, (1,), "(G,)") for n in (f.x, f.y))
            out["fx"], out["fy"] = Item(fx), Item(fy)
            for role, name in (("fu", f.u), ("fv", f.v)):
                values = take(data, name, self.title, (2,), "(H, G)")
                require(values.shape == (fy.size, fx.size), "run", f"{name!r} of {(fy.size, fx.size)}", values.shape)
                out[role] = Item(values, Codec(8))
        return out
