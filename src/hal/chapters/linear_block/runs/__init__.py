"""The standard runs of the linear transformer block (arXiv 2402.14951): what claims and figures share."""

from hal.chapters.linear_block.runs.gpt import gpt_errors, recorded_errors
from hal.chapters.linear_block.runs.ingredients import ingredient_errors, recorded_ingredients
from hal.chapters.linear_block.runs.prompts import draw_prompts, query_errors
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
    "TRAPPING", "PopulationBlock", "PopulationStep", "draw_prompts", "fall", "fast_population", "gpt_errors",
    "ingredient_errors", "query_errors", "recorded_errors", "recorded_ingredients", "recorded_table1", "train_on_all",
    "train_on_prompts",
]  # fmt: skip
