"""Regression in context and the linear transformer block that does it (chapter `linear_block`, arXiv 2402.14951)."""

from lib.models.linear_block.block import (
    STARTS,
    EffectiveBlock,
    EffectiveParams,
    LinearBlock,
    Weights,
    block_loss_and_gradient,
    block_output,
    effective_of,
    literal_output,
    one_step_weights,
    weight_gradient,
)
from lib.models.linear_block.estimators import (
    OneStep,
    Step,
    bayes_output,
    least_squares_output,
    ridge_output,
    squared_error,
    step_output,
)
from lib.models.linear_block.gpt import GptBlocks, GptParams
from lib.models.linear_block.stacks import ATTENTIONS, MLPS, NORMS, SmallBlock, Stack, StackParams
from lib.models.linear_block.task import Prompts, Task, power_task, random_task

__all__ = [
    "ATTENTIONS", "MLPS", "NORMS", "STARTS", "EffectiveBlock", "EffectiveParams", "GptBlocks", "GptParams",
    "LinearBlock", "OneStep", "Prompts", "SmallBlock", "Stack", "StackParams", "Step", "Task", "Weights",
    "bayes_output", "block_loss_and_gradient", "block_output", "effective_of", "least_squares_output",
    "literal_output", "one_step_weights", "power_task", "random_task", "ridge_output", "squared_error", "step_output",
    "weight_gradient",
]  # fmt: skip
