"""Scenes: pictures of the object itself, each a panel like a chart, composed by any chapter.

A scene is given arrays by name, says in `alt` what it shows at the default, and has handles that mouse, touch and arrow
keys move. One module here says what an author writes; `js/KIND.js` draws it, and travels only with pages that use it.
What is refused is refused with `InputError`, which names the argument, what is expected and what it got.
"""

from hal.figure.objects.base import Scene
from hal.figure.objects.cell_grid import Grid, grid
from hal.figure.objects.corner_area import Area, area
from hal.figure.objects.free_columns import Columns, columns
from hal.figure.objects.inked_words import Ink, ink
from hal.figure.objects.level_bands import Landscape, landscape
from hal.figure.objects.linked_vessels import Vessels, vessels
from hal.figure.objects.node_ring import Ring, ring
from hal.figure.objects.point_plane import Points, points
from hal.figure.objects.thin_stems import Stems, stems
from hal.figure.objects.token_arcs import Arcs, arcs
from hal.figure.objects.unit_arrows import Arrows, arrows

__all__ = [
    "Arcs", "Area", "Arrows", "Columns", "Grid", "Ink", "Landscape", "Points", "Ring", "Scene", "Stems", "Vessels",
    "arcs", "area", "arrows", "columns", "grid", "ink", "landscape", "points", "ring", "stems", "vessels",
]  # fmt: skip
