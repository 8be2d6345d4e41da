"""Where a computing explorer is shown: on a static page, and in a notebook. The browser computes in both.

In a notebook a reader's own run that is not portable runs in the kernel.
"""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import anywidget
import numpy as np
import traitlets
from numpy.typing import NDArray

from lib.explorer.assets import computing_module, style
from lib.explorer.comparison import Comparison, with_fast
from lib.explorer.kernel_runs import KernelRuns
from lib.explorer.picture import picture
from lib.explorer.program import digest
from lib.explorer.reader_run import OwnRun
from lib.explorer.static import QUEUE
from lib.explorer.wire import packed
from lib.portable import OutsideSubset

if TYPE_CHECKING:
    from lib.explorer.computed import Computed

MOST_NUMBERS = 5000  # of the first runs that travel in a page; heavier ones, with heat maps, the page trains anew

# What an SVG in an attribute may hold unescaped; as text it compresses to two thirds of what base64 does.
SVG_AS_IT_IS = " !$'()*+,/:;=?@[]^`{|}~-_."


class ComputedView(anywidget.AnyWidget):
    """The widget: settings come from Python or from linked sliders; nothing goes back but those of its own sliders.

    A reader's run that is not portable is run here, in the kernel, when the browser asks for it.

    Args:
        explorer: the figure it shows. Nothing is computed here.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    seed = traitlets.Int(0).tag(sync=True)
    compared = traitlets.Dict().tag(sync=True)
    in_kernel = traitlets.Unicode("").tag(sync=True)  # why the run stays here; empty where the browser runs it

    def __init__(self, explorer: Computed) -> None:
        self._explorer = explorer
        try:
            program, why = explorer.program, ""
        except OutsideSubset as error:
            if not isinstance(explorer.run, OwnRun):
                raise
            program, why = explorer.program_without_run, str(error)
        spec, settings = explorer.spec(), explorer.default
        super().__init__(_esm=computing_module(program), _css=style(), spec=spec, settings=settings, in_kernel=why)
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


def module_script(key: str, text: str) -> str:
    """One module of a program: figures that need the same share it, under its name and content."""
    return f'<script class="le-module" data-key="{key}">(globalThis.libPortable??={{}})["{key}"]={text};</script>'


def markup(explorer: Computed) -> str:
    """The cell's output: the figure of the default settings, its runs, the spec, the modules, the line that queues it.

    Raises:
        InputError: if the run refuses the default.
    """
    result = explorer.compute(runs=explorer.first)
    drawn = explorer.draw(result)
    alt = explorer.alt or f"{explorer.title}. {drawn.reading}"
    svg = quote(picture(explorer, drawn), safe=SVG_AS_IT_IS)
    spec: dict[str, Any] = explorer.spec()
    used = {"diverged_at", *spec["computes"]["measured"]}.union(
        *(panel.sources().values() for panel in explorer.panels)
    )
    first = [{name: values for name, values in run.items() if name in used} for run in result.runs]
    if sum(len(values) for run in first for values in run.values()) <= MOST_NUMBERS:
        spec["computes"]["first"] = packed(first)
    parts = {f"{name}-{digest(text)}": (name, text) for name, text in explorer.program.items()}
    spec["computes"]["program"] = [[name, key] for key, (name, _) in parts.items()]
    text = json.dumps(spec, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    caption = f"<figcaption>{html.escape(explorer.caption)}</figcaption>" if explorer.caption else ""
    return (
        f'<div class="lib-explorer le-computes" data-explorer="{explorer.name}" id="{explorer.name}">'
        f'<script type="application/json" class="le-spec">{text}</script>'
        f"{''.join(module_script(key, text) for key, (_, text) in parts.items())}"
        f'<figure class="le-still"><img class="dark-light" alt="{html.escape(alt, quote=True)}" '
        f'src="data:image/svg+xml,{svg}">{caption}</figure></div>{QUEUE}'
    )
