"""Interactive figures: one file of author code, live in a kernel and on the static page, quick when headless.

`Computed` trains in the reader's browser, at any value of every slider: its run is portable Python (`lib.portable`).
`Explorer` moves over a recorded grid on the static page, for runs that no page can compute. In a notebook::

    from lib.explorer import Explorer, Line, Slider, lines

    Explorer(
        run,
        grid={"T": [64, 128, 256, 512], "lr": [0.01, 0.02, 0.04], ...},
        sliders={"T": Slider("Context length T", unit="tokens"), "lr": Slider("Learning rate η", unit="no unit"), ...},
        panels=[lines("steps", [Line("alpha_V", "V signal", idea="V"), Line("flow_V", "theory", theory=True)], ...)],
        name="scb-long",
        title="From nothing to everything",
        reading=lambda settings, data: f"Stage 1 takes {data['tau']:.0f} steps.",
    )
"""

from lib.explorer.cell import show
from lib.explorer.clouds import Recorded
from lib.explorer.computed import Computed
from lib.explorer.controls import Slider
from lib.explorer.explorer import Explorer
from lib.explorer.groups import Groups
from lib.explorer.marks import Field, Line, Mark, Path
from lib.explorer.panels import bars, cloud, heatmap, lines, plane
from lib.explorer.poke import Poke
from lib.explorer.regression import Regression
from lib.explorer.sentences import Say
from lib.explorer.sphere import Sphere
from lib.explorer.tour import Step
from lib.explorer.weights import Weights

__all__ = [
    "Computed",
    "Explorer",
    "Field",
    "Groups",
    "Line",
    "Mark",
    "Path",
    "Poke",
    "Recorded",
    "Regression",
    "Say",
    "Slider",
    "Sphere",
    "Step",
    "Weights",
    "bars",
    "cloud",
    "heatmap",
    "lines",
    "plane",
    "show",
]
