"""Figures in a notebook: widgets that the browser draws and computes, and ipywidgets sliders beside them.

A reader's own run that is not portable runs in the kernel.
"""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import anywidget
import ipywidgets
import numpy as np
import traitlets
from IPython.display import display
from numpy.typing import NDArray

from hal.figure.assets import computing_module, sample_module, style
from hal.figure.comparison import Comparison, with_fast
from hal.figure.controls import Control, idle_reasons
from hal.figure.declared import Declared
from hal.figure.facts import packed
from hal.figure.kernel_runs import KernelRuns
from lib.portable import OutsideSubset


class ComputedView(anywidget.AnyWidget):
    """The widget: settings come from Python or from linked sliders; nothing goes back but those of its own sliders.

    A reader's run that is not portable is run here, in the kernel, when the browser asks for it.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    seed = traitlets.Int(0).tag(sync=True)
    compared = traitlets.Dict().tag(sync=True)
    in_kernel = traitlets.Unicode("").tag(sync=True)  # why the run stays here; empty where the browser runs it

    def __init__(self, explorer: Declared) -> None:
        self._explorer = explorer
        try:
            program, why = explorer.program, ""
        except OutsideSubset as error:
            if explorer.run is explorer.textbook:
                raise
            program, why = explorer.program_without_run, str(error)
        spec, settings = explorer.spec(), explorer.default
        super().__init__(
            _esm=computing_module(program, explorer.parts), _css=style(), spec=spec, settings=settings, in_kernel=why
        )
        runs = KernelRuns(explorer)
        self.on_msg(lambda _, asked, __: runs.ask(asked["job"], self.send))

    def draw_over(self, found: Comparison) -> None:
        """Draw runs of the fast model over the figure's own, at the settings they were made for."""
        spec = self._explorer.spec(with_fast(self._explorer.panels, list(found.arrays)))
        with self.hold_sync():
            self.spec = spec
            self.compared = {
                "settings": found.settings,
                "runs": found.runs,
                "seconds": found.seconds,
                "bands": dict(zip(found.arrays, map(_packed_band, found.bands().values()), strict=True)),
            }


def _packed_band(band: NDArray[np.float64]) -> dict[str, str]:
    return packed([dict(zip(("low", "middle", "high"), band.tolist(), strict=True))])[0]


class SampleView(anywidget.AnyWidget):
    """The widget of an interactive sample."""

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)

    def __init__(self, spec: dict[str, Any], program: str, parts: Sequence[str]) -> None:
        super().__init__(_esm=sample_module(program, parts), _css=style(), spec=spec)


def linked_sliders(explorer: Declared, view: ComputedView) -> dict[str, Any]:
    """ipywidgets by name, sliders and switches; moving one moves the figure, and the other way round.

    A browser answers a value that a slider is given with its own rounding of it, and late where cells queue. An answer
    to a value that is no longer the last one moves nothing.
    """
    # Hidden settings are moved in the figure.
    tracks = {
        name: c for name, c in explorer.controls_by_name.items() if isinstance(c, Control) and not c.slider.hidden
    }
    boxes = {name: _slider(control, view.settings[name]) for name, control in tracks.items()}
    given = {name: [box.value] for name, box in boxes.items()}  # and not answered
    talking = False

    def to_view(name: str, _: Any) -> None:
        if talking:
            return
        control, box, now = tracks[name], boxes[name], view.settings
        stands = _rounds(control, box, now[name])
        old = [i for i, value in enumerate(given[name]) if box.value != value and _rounds(control, box, value)]
        if old and not stands:
            given[name] = given[name][old[-1] + 1 :]
            from_view({"new": now})
        else:
            given[name] = []
            view.settings = {**now, name: now[name] if stands else box.value}

    def from_view(change: Any) -> None:
        nonlocal talking
        # One setting after the other: each would send a half-moved point back.
        talking = True
        try:
            for name, box in boxes.items():
                if box.value != change["new"][name]:
                    box.value = change["new"][name]
                    given[name].append(box.value)
        finally:
            talking = False

    def say_idle(change: Any) -> None:
        reasons = idle_reasons(explorer.controls_by_name, change["new"])
        for name, box in boxes.items():
            box.disabled = name in reasons
            box.tooltip = reasons.get(name, tracks[name].slider.label)

    for name, box in boxes.items():
        box.observe(partial(to_view, name), "value")
    say_idle({"new": view.settings})
    view.observe(from_view, "settings")
    view.observe(say_idle, "settings")
    return boxes


def idle_words(explorer: Declared, view: ComputedView) -> Any:
    """A line below the sliders that says which of them do nothing here, and why."""
    line = ipywidgets.HTML()

    def say(change: Any) -> None:
        reasons = idle_reasons(explorer.controls_by_name, change["new"])
        labels = {name: control.slider.label for name, control in explorer.controls_by_name.items()}
        line.value = "<br>".join(html.escape(f"{labels[name]}: {reason}") for name, reason in reasons.items())

    say({"new": view.settings})
    view.observe(say, "settings")
    return line


def more_settings(explorer: Declared, view: ComputedView, sliders: Mapping[str, Any]) -> Any:
    """The folded settings as an accordion, closed until code or the figure moves one of them; None without any.

    Its title says how many are off their default.
    """
    if not explorer.behind:
        return None
    inner = ipywidgets.VBox([sliders[name] for name in explorer.behind])
    fold = ipywidgets.Accordion([inner])

    def tell(change: Any) -> None:
        off = [name for name in explorer.behind if change["new"][name] != explorer.default[name]]
        fold.set_title(0, "More settings" + (f" ({len(off)} moved)" if off else ""))
        if any(change["new"][name] != change["old"][name] for name in off):
            fold.selected_index = 0

    view.observe(tell, "settings")
    tell({"new": view.settings, "old": explorer.default})
    return fold


def beside(explorer: Declared, view: ComputedView, sliders: Mapping[str, Any]) -> Any:
    """The sliders left of the figure; above it where there is no room for both, see `explorer.css`."""
    seen = [box for name, box in sliders.items() if name not in explorer.behind]
    side = ipywidgets.VBox([*seen, *filter(None, [more_settings(explorer, view, sliders)]), idle_words(explorer, view)])
    side.add_class("lib-sliders")
    view.add_class("lib-figure")
    box = ipywidgets.Box([side, view])
    box.add_class("lib-beside")
    return box


def show_live(box: Any) -> None:
    """Show a widget as an output of its own, above what a saved notebook keeps; `explorer.css` shows one of them.

    In one output a notebook that is opened again would say that it has lost the widget, and show nothing else.
    """
    model = {"version_major": 2, "version_minor": 0, "model_id": box.model_id}
    display({"application/vnd.jupyter.widget-view+json": model, "text/plain": ""}, raw=True)


def _rounds(control: Control, box: Any, value: Any) -> bool:
    """Whether a slider stands where its track rounds this value to."""
    if control.integer:
        return bool(box.value == value)
    bend = math.log10 if control.log else float
    return abs(bend(box.value) - bend(value)) < 0.51 * box.step


def _slider(control: Control, value: Any) -> Any:
    unit = control.slider.unit
    look = {
        "description": control.slider.label + (f" ({unit})" if unit and unit != "no unit" else ""),
        "style": {"description_width": "14em"},
        "layout": {"width": "32em"},
        "continuous_update": True,
    }
    if names := control.slider.names:
        texts = [(names[value], value) for value in control.stops]
        if control.choice:
            look = {"description": look["description"], "style": {"description_width": "14em", "button_width": "auto"}}
            return ipywidgets.ToggleButtons(options=texts, value=value, **look)
        return ipywidgets.SelectionSlider(options=texts, value=value, **look)
    if control.log and not control.integer:
        low, high = math.log10(control.low), math.log10(control.high)
        return ipywidgets.FloatLogSlider(min=low, max=high, step=0.001, base=10, value=value, **look)
    if control.integer:
        return ipywidgets.IntSlider(min=int(control.low), max=int(control.high), value=value, **look)
    wide = control.high - control.low
    step = 10.0 ** math.floor(math.log10(wide / 300)) if wide > 0 else 1.0  # so that round numbers can be shown
    return ipywidgets.FloatSlider(
        min=control.low, max=control.high, step=step, value=value, readout_format=".4g", **look
    )
