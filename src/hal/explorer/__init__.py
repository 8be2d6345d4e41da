"""Interactive figures: one module of author code, which trains in the reader's browser at any value of every slider.

A module of `hal.chapters.SLUG.figures` defines what `Computed` reads by name, and a notebook's cell shows it::

    from hal import show
    from hal.chapters.scb.figures import run

    show(run)

Its run is a textbook, its theory portable functions (`lib.portable`): the page runs both, translated, offline.
A picture to poke (`Poke`, `Race`, `Sphere`, `Groups`, `Regression`) asks before it shows.
"""

from hal.explorer.cell import figure_of, show
from hal.explorer.charts import bars, lines, over_steps
from hal.explorer.clouds import Recorded, cloud
from hal.explorer.computed import Computed
from hal.explorer.controls import Slider, Weights, sliders
from hal.explorer.groups import Groups
from hal.explorer.marks import Heights, Lift, Line, Mark, Path
from hal.explorer.objects import arcs, area, arrows, columns, grid, ink, landscape, points, ring, stems
from hal.explorer.poke import Poke
from hal.explorer.race import Level, Player, Race
from hal.explorer.regression import Regression
from hal.explorer.scenes import heatmap, plane
from hal.explorer.sentences import Say, waiting
from hal.explorer.small import Idea, Small
from hal.explorer.sphere import Sphere
from hal.explorer.timebar import TimeBar
from hal.explorer.tour import Step

__all__ = [
    "Computed", "Groups", "Heights", "Idea", "Level", "Lift", "Line", "Mark", "Path", "Player", "Poke", "Race",
    "Recorded", "Regression", "Say", "Slider", "Small", "Sphere", "Step", "TimeBar", "Weights", "arcs", "area",
    "arrows", "bars", "cloud", "columns", "figure_of", "grid", "heatmap", "ink", "landscape", "lines", "over_steps",
    "plane", "points", "ring", "show", "sliders", "stems", "waiting",
]  # fmt: skip
