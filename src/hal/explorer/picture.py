"""The still picture of an explorer's default point, for print and for readers without JavaScript."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from hal.explorer.objects import Scene
from hal.explorer.still_names import MOST, Named, name_curves

if TYPE_CHECKING:
    from hal.explorer.computed import Computed
    from hal.explorer.facts import Drawn

GREY = "#6b7280"
LARGEST = 1e30  # numbers beyond it are not drawn
# Text stays text and paths are simplified: a picture is some ten kilobytes. No date, fixed ids: the same every build.
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "explorer",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": GREY,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "path.simplify_threshold": 0.5,
}
Arrays = dict[str, NDArray[Any]]


def _said(control: Any, value: Any) -> str:
    """The value of a control as a reader knows it: its name, where it has one."""
    names = control.slider.names
    if names and value in names:
        return str(names[value])
    return f"{value:g}" if control.numeric else str(value)


def picture(explorer: Computed, drawn: Drawn, at: dict[str, Any] | None = None) -> str:
    """SVG text of one point: the panels in sight side by side, maps where the cursor stands at first, the reading.

    Args:
        explorer: the figure.
        drawn: what it draws.
        at: where its sliders stand; None takes the default.
    """
    at = at or explorer.default
    arrays: Arrays = {key: _known(array) for key, array in drawn.items.items()}
    seen = len(explorer.panels) - explorer.folded
    specs = [p.spec() for p in explorer.panels[:seen]]
    columns = min(explorer.columns or 2, len(specs))
    rows = -(-len(specs) // columns)
    with matplotlib.rc_context(STYLE):
        small = "small" in explorer.spec()
        size = (7.84, explorer.panels[0].height / 80 + 0.9) if small else (4.3 * columns, 3.1 * rows + 0.7)
        figure = Figure(figsize=size, layout="constrained")
        figure.patch.set_alpha(0)
        figure.suptitle(maths(explorer.title), x=0.01, ha="left", fontsize=11, fontweight="bold")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes in grid[len(specs) :]:
            axes.axis("off")
        for i, (axes, spec) in enumerate(zip(grid, specs, strict=False)):
            mine = {key.split(".", 1)[1]: a for key, a in arrays.items() if key.startswith(f"{i}.")}
            if spec["kind"] == "heatmap" and mine["z"].ndim > 2:
                mine["z"] = mine["z"][round(explorer.at * (len(mine["z"]) - 1))]
            axes.patch.set_alpha(0)
            axes.set_title("" if small else maths(spec["title"]), loc="left", fontsize=9.5, fontweight="bold")
            if isinstance(panel := explorer.panels[i], Scene):
                panel.still(axes, mine)
                continue
            axes.set_xlabel(maths(spec["xlabel"]))
            axes.set_ylabel(maths(spec["ylabel"]))
            DRAW[spec["kind"]](axes, spec, mine)
        shown = [(k, c) for k, c in explorer.controls_by_name.items() if not c.slider.hidden]
        settings = ", ".join(f"{k} = {_said(c, at[k])}" for k, c in shown)
        left = ", ".join(p.title for p in explorer.panels[seen:])
        more = f" More curves, without a picture here: {left}." if left else ""
        figure.supxlabel(maths(f"{settings}. {drawn.reading}{more}"), fontsize=8.5, color=GREY, wrap=True)
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    # Hundredths of a point are finer than a printer; the other digits would be half of the picture's weight.
    text = re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path[0]), out.getvalue())
    return text[text.index("<svg") :].replace("'DejaVu Sans'", "system-ui")


def _known(array: NDArray[Any]) -> NDArray[Any]:
    """The array with NaN for what is not finite, or so large that it is a run on its way to overflow."""
    with np.errstate(invalid="ignore"):
        return np.where(np.abs(array) <= LARGEST, array, np.nan)


def maths(text: str) -> str:
    """Text with subscripts, α_V or x_{out}, as matplotlib writes them."""
    plain = text.replace("$", r"\$")
    return re.sub(r"_(?:\{([^{}]*)\}|([A-Za-z0-9])(?![A-Za-z0-9_]))", r"$_{\\mathrm{\1\2}}$", plain)


def last(array: NDArray[Any], dims: int) -> NDArray[Any]:
    """The last frame, if the array has frames of so many axes."""
    return array[-1] if array.ndim > dims else array


def _finish(axes: Axes, spec: dict[str, Any]) -> None:
    """Scales, legend and limits of a chart."""
    if axes.get_legend_handles_labels()[1]:
        axes.legend(loc="best", edgecolor="none", framealpha=0.8, fontsize=7.5)
    for side in ("x", "y"):
        getattr(axes, f"set_{side}scale")("log" if spec.get(f"{side}log") else "linear")
        if side == "y" and spec.get("ynear") and spec["ylog"]:
            axes.set_yscale("asinh", linear_width=spec["ynear"])
        if limits := spec.get(f"{side}lim"):
            getattr(axes, f"set_{side}lim")(*limits)


def _lines(axes: Axes, spec: dict[str, Any], arrays: Arrays) -> None:
    def shown(array: NDArray[Any]) -> NDArray[Any]:
        return np.where(array > 0, array, np.nan) if spec.get("ylog") and not spec.get("ynear") else array

    ends = [series for series in spec["series"] if not series["error"]]
    beside = spec["kind"] == "lines" and 0 < len(ends) <= MOST
    named = []
    for j, series in enumerate(spec["series"]):
        x = arrays.get(f"y{j}.x", arrays["x"])
        y = arrays[f"y{j}"]
        y = shown(last(y, 1) if spec["frames"] else y)
        look = {"color": series["colour"], "label": maths(series["label"]), "linewidth": 1.6}
        if spec["kind"] == "bars" and not series["theory"]:
            step = float(np.diff(x).min()) if x.size > 1 else 1.0
            axes.bar(x, y, width=0.7 * step, color=series["colour"], label=maths(series["label"]))
            continue
        if series["theory"]:
            dashed = {"linestyle": (0, series["dash"]) if "dash" in series else "--", "zorder": 3}
            look.update({"linestyle": "none", "marker": "_"} if spec["kind"] == "bars" else dashed)
        if f"y{j}.low" in arrays:
            low, high = shown(arrays[f"y{j}.low"]), shown(arrays[f"y{j}.high"])
            axes.fill_between(x, low, high, color=series["colour"], alpha=0.2, linewidth=0)
        if series["error"]:
            look.update(linestyle="none", marker="o", markersize=4, capsize=2.5, elinewidth=1.2, zorder=4)
            axes.errorbar(x, y, arrays[f"y{j}.error"], **look)
            continue
        many = axes.plot(x.T, np.atleast_2d(y).T, **look)
        for extra in many[0 if beside else 1 :]:
            extra.set_label("_")
        if beside:
            named.append(Named(maths(series["label"]), series["colour"], series["theory"], x, y))
    for j, label in enumerate(spec["marks"]):
        if np.isfinite(arrays[f"m{j}"][0]):
            axes.axvline(arrays[f"m{j}"][0], color=GREY, linewidth=0.8, linestyle=":", label=maths(label))
    axes.grid(alpha=0.2, linewidth=0.5)
    _finish(axes, spec)
    name_curves(axes, named)


def _heatmap(axes: Axes, spec: dict[str, Any], arrays: Arrays) -> None:
    z = arrays["z"]
    low = spec["vmin"] if spec["vmin"] is not None else float(np.nanmin(z)) if np.isfinite(z).any() else 0.0
    high = spec["vmax"] if spec["vmax"] is not None else float(np.nanmax(z)) if np.isfinite(z).any() else 1.0
    if spec["diverging"]:
        high = max(abs(low), abs(high))
        low = -high
    red, blue = (int(spec["colour"][i : i + 2], 16) for i in (1, 5))
    # The far side of a blue is vermilion, of any warmer colour blue.
    ends = (
        ["#d55e00" if blue > red else "#0072b2", "#ffffff", spec["colour"]]
        if spec["diverging"]
        else ["#f4f4f2", spec["colour"]]
    )
    ramp = LinearSegmentedColormap.from_list("idea", ends)
    image = axes.imshow(last(z, 2), aspect="auto", cmap=ramp, vmin=low, vmax=high, interpolation="nearest")
    bar = axes.figure.colorbar(image, ax=axes, shrink=0.8, label=maths(spec["clabel"]))
    bar.outline.set_visible(False)
    for side, size in (("x", z.shape[-1]), ("y", z.shape[-2])):
        getattr(axes, f"{side}axis").set_major_locator(MaxNLocator(integer=True, nbins=8))
        words = spec["ynames"] if side == "y" else []
        named = spec[f"{side}ticks"] or (
            [words[int(v)] if words else f"{v:g}" for v in arrays[f"{side}ticks"]] if f"{side}ticks" in arrays else None
        )
        if named:
            every = 1 if words else max(1, size // 8)
            getattr(axes, f"set_{side}ticks")(range(0, size, every), named[::every])
    if "groups" in arrays:
        sizes = arrays["groups"]
        middles = np.cumsum(sizes) - sizes / 2 - 0.5
        texts = np.array(spec["group_labels"])
        axes.set_xticks(middles[sizes > 0], texts[sizes > 0].tolist())
    if "outline" in arrays:
        for row, column in zip(*np.nonzero(arrays["outline"] > 0.5), strict=True):
            axes.add_patch(matplotlib.patches.Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, ec="#111", lw=1))


def _cloud(axes: Axes, spec: dict[str, Any], arrays: Arrays) -> None:
    recorded = np.array([(x, y) for x, y, _ in spec["recorded"]], dtype=float)
    axes.plot(*recorded.T, "o", color=GREY, alpha=0.35, markersize=4, label=maths(spec["recorded_label"]))
    if spec["curve"]:
        axes.plot(arrays["cx"], arrays["cy"], "--", color=GREY, label=maths(spec["curve"]))
    if np.isfinite([arrays["x"][0], arrays["y"][0]]).all():
        look: Any = {"color": spec["colour"], "label": maths(spec["label"]), "fmt": "o", "capsize": 2.5}
        ends = [arrays["y"] - arrays["low"], arrays["high"] - arrays["y"]] if "low" in arrays else None
        axes.errorbar(arrays["x"], arrays["y"], None if ends is None else np.maximum(ends, 0), **look)
    _finish(axes, spec)


REGIONS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7"]


def _near(grid: NDArray[Any], value: float) -> int:
    """The place of the number that is nearest to a value."""
    return int(np.abs(grid - value).argmin())


def _plane(axes: Axes, spec: dict[str, Any], arrays: Arrays) -> None:
    for k, label in enumerate(spec["basin_labels"]):
        inside = (arrays["basin"] == k + 1).astype(float)
        hue = REGIONS[k % len(REGIONS)]
        axes.contourf(arrays["fx"], arrays["fy"], inside, levels=[0.5, 1.5], colors=[hue], alpha=0.2)
        axes.plot([], [], "s", color=hue, alpha=0.4, label=maths(label))
    if "hz" in arrays:
        z = arrays["hz"].reshape(arrays["hy"].size, arrays["hx"].size)
        bounds = np.log(spec["bounds"][::-1])
        axes.contourf(arrays["hx"], arrays["hy"], z, levels=[-1e9, *bounds, 1e9], cmap="Blues_r", alpha=0.6)
    if "fx" in arrays and np.isfinite(arrays["fu"]).any():  # a field may give regions alone
        u, v = arrays["fu"], arrays["fv"]
        size = np.hypot(u, v) + 1e-30
        # Long arrows would hide the curves: lengths by the fourth root show where the flow is slow.
        scale = (size / size.max()) ** 0.25 / size
        axes.quiver(arrays["fx"], arrays["fy"], u * scale, v * scale, color=GREY, alpha=0.45, width=0.003)
    for j, mark in enumerate(spec["marks"]):
        x, y = arrays[f"x{j}"], arrays[f"y{j}"]
        look: dict[str, Any] = {"color": mark["colour"] or GREY, "linestyle": "--" if mark["theory"] else "-"}
        if mark["role"] == "points":
            axes.plot(
                x.ravel(), y.ravel(), "o", color=mark["colour"] or "#111", markersize=5, label=maths(mark["label"])
            )
            continue
        many = axes.plot(
            x.T, y.T, linewidth=1.0 if mark["role"] == "curves" else 1.6, label=maths(mark["label"]), **look
        )
        for extra in many[1:]:
            extra.set_label("_")
        if mark["role"] == "paths":
            axes.plot(x[:, -1], y[:, -1], "o", color=look["color"], markersize=3.5)
    inside = {k + 1: label for k, label in enumerate(spec["basin_labels"])}
    for x, y, words in spec["names"]:
        here = arrays["basin"][_near(arrays["fy"], y), _near(arrays["fx"], x)] if inside else 0
        if words not in inside.values() or inside.get(int(here)) == words:
            axes.text(x, y, words, ha="center", va="center", fontsize=9)
    if spec["asinh"]:
        axes.set_xscale("asinh", linear_width=spec["asinh"])
        axes.set_yscale("asinh", linear_width=spec["asinh"])
    _finish(axes, spec)
    if spec["equal"]:
        axes.set_aspect("equal", adjustable="box" if spec["xlim"] else "datalim")


DRAW = {"lines": _lines, "bars": _lines, "heatmap": _heatmap, "plane": _plane, "cloud": _cloud}
