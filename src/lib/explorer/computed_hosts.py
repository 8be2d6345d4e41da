"""Where a computing explorer is shown: on a static page, and in a notebook. The browser computes in both."""

from __future__ import annotations

import base64
import html
import json
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from lib.explorer.assets import computing_module, style
from lib.explorer.picture import picture
from lib.explorer.program import digest
from lib.explorer.static import QUEUE

if TYPE_CHECKING:
    from lib.explorer.computed import Computed

MOST_NUMBERS = 5000  # of the first runs that travel in a page; heavier ones, with heat maps, the page trains anew


class ComputedView(anywidget.AnyWidget):
    """The widget: settings come from Python or from linked sliders; nothing goes back but those of its own sliders.

    Args:
        explorer: the figure it shows. Nothing is computed here.
    """

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    spec = traitlets.Dict().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    seed = traitlets.Int(0).tag(sync=True)

    def __init__(self, explorer: Computed) -> None:
        module = computing_module(explorer.program)
        super().__init__(_esm=module, _css=style(), spec=explorer.spec(), settings=explorer.default)


def packed(runs: list[dict[str, list[float]]]) -> list[dict[str, str]]:
    """Readings of runs, each array as the base64 text of its doubles: every bit arrives."""
    return [
        {key: base64.b64encode(np.asarray(values, "<f8").tobytes()).decode() for key, values in run.items()}
        for run in runs
    ]


def markup(explorer: Computed) -> str:
    """The cell's output: the figure of the default settings, its runs, the spec, the program, the line that queues it.

    Raises:
        InputError: if the run refuses the default.
    """
    result = explorer.compute(runs=explorer.first)
    drawn = explorer.draw(result)
    alt = explorer.alt or f"{explorer.title}. {drawn.reading}"
    svg = base64.b64encode(picture(explorer, drawn).encode()).decode()
    spec: dict[str, Any] = explorer.spec()
    if sum(len(values) for run in result.runs for values in run.values()) <= MOST_NUMBERS:
        spec["computes"]["first"] = packed(result.runs)
    text = json.dumps(spec, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    caption = f"<figcaption>{html.escape(explorer.caption)}</figcaption>" if explorer.caption else ""
    program = f'(globalThis.libExplorerPrograms??={{}})["{explorer.name}"]={explorer.program};'
    return (
        f'<div class="lib-explorer le-computes" data-explorer="{explorer.name}" id="{explorer.name}">'
        f'<script type="application/json" class="le-spec">{text}</script>'
        f'<script class="le-program" data-hash="{digest(program)}">{program}</script>'
        f'<figure class="le-still"><img class="dark-light" alt="{html.escape(alt, quote=True)}" '
        f'src="data:image/svg+xml;base64,{svg}">{caption}</figure></div>{QUEUE}'
    )
