"""The figures of the chapter that are not explorers."""

from hal.chapters.linear_block.figures.still import ingredients, table_1

__all__ = ["ingredients", "table_1"]
