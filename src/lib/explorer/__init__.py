"""Interactive figures: one cell of author code, live in a kernel, precomputed on the static page, quick when headless.

In a notebook::

    from lib.explorer import Explorer, Line, Slider, lines
    from lib.chapters.scb.explorers.flow import flow

    Explorer(
        flow,
        grid={"T": [64, 128, 256, 512], "lr": [0.01, 0.02, 0.04], ...},
        sliders={"T": Slider("Context length T", unit="tokens"), "lr": Slider("Learning rate η", unit="no unit"), ...},
        panels=[lines("steps", [Line("alpha_V", "V signal", idea="V"), Line("flow_V", "theory", theory=True)], ...)],
        name="scb-flow",
        title="From nothing to everything",
        reading=lambda settings, data: f"Stage 1 takes {data['tau']:.0f} steps.",
    )
"""

from lib.explorer.controls import Slider
from lib.explorer.explorer import Explorer
from lib.explorer.marks import Field, Line, Mark, Path
from lib.explorer.panels import bars, heatmap, lines, plane

__all__ = ["Explorer", "Field", "Line", "Mark", "Path", "Slider", "bars", "heatmap", "lines", "plane"]
