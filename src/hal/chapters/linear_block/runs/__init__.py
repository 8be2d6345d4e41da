"""The standard runs of the linear transformer block (arXiv 2402.14951): what claims and figures share."""

from hal.chapters.linear_block.runs.gpt import gpt_errors, recorded_errors
from hal.chapters.linear_block.runs.ingredients import ingredient_errors, recorded_ingredients, small_block_errors
from hal.chapters.linear_block.runs.prompts import EXCESS, draw_prompts, query_errors, told_apart
from hal.chapters.linear_block.runs.starts import ends_of_starts, recorded_starts
from hal.chapters.linear_block.runs.table1 import recorded_table1
from hal.chapters.linear_block.runs.training import (
    TRAPPING,
    PopulationBlock,
    PopulationStep,
    fall,
    fast_population,
    train_on_all,
    train_on_prompts,
)

__all__ = [
    "EXCESS", "TRAPPING", "PopulationBlock", "PopulationStep", "draw_prompts", "ends_of_starts", "fall",
    "fast_population", "gpt_errors", "ingredient_errors", "query_errors", "recorded_errors", "recorded_ingredients",
    "recorded_starts", "recorded_table1", "small_block_errors", "told_apart", "train_on_all", "train_on_prompts",
]  # fmt: skip
