"""The figures of the chapter that are not explorers."""

from hal.chapters.linear_block.figures.head_start import steps_worth
from hal.chapters.linear_block.figures.still import block_and_attention, gpt_style, ingredients, table_1, which_starts

__all__ = [
    "block_and_attention",
    "gpt_style",
    "ingredients",
    "steps_worth",
    "table_1",
    "which_starts",
]
