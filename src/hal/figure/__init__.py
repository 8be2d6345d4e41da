"""Interactive figures: one module of author code, which trains in the reader's browser at any value of every slider.

A module of `hal.chapters.SLUG.figures` defines what `Computed` reads by name, and a notebook's cell shows it::

    from hal import show
    from hal.chapters.scb.figures import run

    show(run)

Its run is a textbook, its theory portable functions (`lib.portable`): the page runs both, translated, offline.
An interactive sample (`Race`, `Sphere`, `Groups`, `Regression`) asks before it shows.

In all of its modules what is refused is refused with `InputError`, which names the argument, what is expected and what
it got; what is not portable with `OutsideSubset`: file, line, reason and remedy.
"""

from hal.figure.cell import figure_of, show
from hal.figure.charts import bars, lines, over_steps
from hal.figure.computed import Computed
from hal.figure.controls import Slider, Weights, sliders
from hal.figure.marks import Heights, Lift, Line, Mark, Path, Spot
from hal.figure.objects import arcs, arrows, columns, grid, ink, landscape, points, ring, stems, vessels
from hal.figure.race import Level, Player, Race
from hal.figure.samples import Groups, Regression, Sphere
from hal.figure.scenes import Recorded, cloud, heatmap, plane
from hal.figure.sentences import Say, waiting
from hal.figure.small import Idea, Small
from hal.figure.tour import Step

__all__ = [
    "Computed", "Groups", "Heights", "Idea", "Level", "Lift", "Line", "Mark", "Path", "Player", "Race",
    "Recorded", "Regression", "Say", "Slider", "Small", "Sphere", "Spot", "Step", "Weights", "arcs",
    "arrows", "bars", "cloud", "columns", "figure_of", "grid", "heatmap", "ink", "landscape", "lines", "over_steps",
    "plane", "points", "ring", "show", "sliders", "stems", "vessels", "waiting",
]  # fmt: skip
