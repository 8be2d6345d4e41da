"""The figure of the chapter that is no explorer."""

from hal.chapters.linear_block.figures.still import ingredients

__all__ = ["ingredients"]
