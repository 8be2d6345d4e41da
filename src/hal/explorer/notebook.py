"""The live host: an anywidget that computes any settings on the spot, and ipywidgets sliders linked to it.

The browser keeps one request in flight and sends only the newest settings after it, so dragging never queues.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from lib.explorer.assets import module, style
from lib.explorer.controls import Control
from lib.explorer.encode import clean
from lib.explorer.words import words

if TYPE_CHECKING:
    from lib.explorer.computed import Computed
    from lib.explorer.explorer import Explorer


class LiveView(anywidget.AnyWidget):
    """The widget: `settings` come from the browser (or Python), `drawn` goes back.

    Args:
        explorer: the figure it shows; its default point is computed here.
    """

    _esm = module()
    _css = style()
    spec = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    drawn = traitlets.Dict().tag(sync=True)

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        first = explorer.default
        super().__init__(spec=explorer.spec(), settings=first, drawn=answer(explorer, first))
        self.observe(self._compute, "settings")

    def _compute(self, change: Any) -> None:
        self.drawn = answer(self._explorer, change["new"])


def answer(explorer: Explorer, settings: dict[str, Any]) -> dict[str, Any]:
    """What the browser draws for some settings, or the reason why there is nothing, in words."""
    try:
        drawn, _ = explorer.compute(settings)
    # A reader who moves a slider should read what went wrong, whatever it is, and be able to move it back.
    except Exception as error:
        return {"settings": settings, "arrays": {}, "reading": "", "notice": "", "error": words(error)}
    values = {key: clean(item) for key, item in drawn.items.items()}
    arrays = {key: {"shape": list(v.shape), "data": v.astype("<f4").tobytes()} for key, v in values.items()}
    return {"settings": settings, "arrays": arrays, "reading": drawn.reading, "notice": drawn.notice, "error": ""}


def linked_controls(explorer: Explorer | Computed) -> Any:
    """A box of ipywidgets sliders; moving one moves the figure, and the other way round."""
    import ipywidgets

    view = explorer.widget
    # Hidden settings are moved in the figure.
    tracks = {
        name: c for name, c in explorer.controls_by_name.items() if isinstance(c, Control) and not c.slider.hidden
    }
    boxes = {name: _slider(ipywidgets, control, view.settings[name]) for name, control in tracks.items()}
    talking = False

    def to_view(_: Any) -> None:
        if not talking:
            now = view.settings
            view.settings = {**now, **{name: _value(tracks[name], box, now[name]) for name, box in boxes.items()}}

    def from_view(change: Any) -> None:
        nonlocal talking
        # One setting after the other: each would send a half-moved point back.
        talking = True
        try:
            for name, box in boxes.items():
                box.value = change["new"][name]
        finally:
            talking = False

    for box in boxes.values():
        box.observe(to_view, "value")
    view.observe(from_view, "settings")
    return ipywidgets.VBox(list(boxes.values()))


def _value(control: Control, box: Any, now: Any) -> Any:
    """The value of a slider; the exact present one where the slider's track only rounds it."""
    if not control.numeric or control.integer:
        return box.value
    bend = math.log10 if control.log else float
    return now if abs(bend(box.value) - bend(now)) < 0.51 * box.step else box.value


def _slider(ipywidgets: Any, control: Control, value: Any) -> Any:
    unit = control.slider.unit
    look = {
        "description": control.slider.label + (f" ({unit})" if unit and unit != "no unit" else ""),
        "style": {"description_width": "14em"},
        "layout": {"width": "32em"},
        "continuous_update": True,
    }
    if not control.numeric or control.slider.names:
        texts = [(str((control.slider.names or {}).get(v, v)), v) for v in control.stops]
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
