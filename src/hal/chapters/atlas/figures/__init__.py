"""The figures of the chapter that are drawn while the book is built; the interactive ones are modules beside them."""

from hal.chapters.atlas.figures.endings import six_endings
from hal.chapters.atlas.figures.table import six_tasks

__all__ = ["six_endings", "six_tasks"]
