"""The figures of the chapter that are drawn while the book is built; the interactive ones are modules beside them."""

from hal.chapters.atlas.figures.endings import six_endings
from hal.chapters.atlas.figures.grid import recorded_map
from hal.chapters.atlas.figures.reasons import two_reasons
from hal.chapters.atlas.figures.table import six_tasks

__all__ = ["recorded_map", "six_endings", "six_tasks", "two_reasons"]
