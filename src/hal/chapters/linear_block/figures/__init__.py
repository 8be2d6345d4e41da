"""The figures of the chapter that are not explorers."""

from hal.chapters.linear_block.figures.still import block_and_attention, ingredients, table_1

__all__ = ["block_and_attention", "ingredients", "table_1"]
