"""The figures of the chapter that are not explorers."""

from hal.chapters.linear_block.figures.beyond import ingredients, table_1, which_starts
from hal.chapters.linear_block.figures.curves import block_and_attention, gpt_style

__all__ = ["block_and_attention", "gpt_style", "ingredients", "table_1", "which_starts"]
