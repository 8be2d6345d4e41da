"""Scenes: pictures of the object itself, each a panel like a chart, composed by any chapter.

A scene is given arrays by name, says in `alt` what it shows at the default, and has handles that mouse, touch and arrow
keys move. A class here says what an author writes; `js/KIND.js` draws it, and travels only with pages that use it.
"""

from hal.figure.objects.base import Scene
from hal.figure.objects.places import (
    Arrows,
    Grid,
    Landscape,
    Points,
    Ring,
    Vessels,
    arrows,
    grid,
    landscape,
    points,
    ring,
    vessels,
)
from hal.figure.objects.rows import Arcs, Columns, Ink, Stems, arcs, columns, ink, stems

__all__ = [
    "Arcs", "Arrows", "Columns", "Grid", "Ink", "Landscape", "Points", "Ring", "Scene", "Stems", "Vessels",
    "arcs", "arrows", "columns", "grid", "ink", "landscape", "points", "ring", "stems", "vessels",
]  # fmt: skip
