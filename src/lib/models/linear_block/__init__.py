"""Regression in context and the linear transformer block that does it (chapter `linear_block`, arXiv 2402.14951)."""

from lib.models.linear_block.fast import (
    STARTS,
    EffectiveBlock,
    EffectiveParams,
    LinearBlock,
    OneStep,
    Prompts,
    Step,
    Task,
    Weights,
    block_loss_and_gradient,
    block_output,
    effective_of,
    power_task,
    random_task,
    squared_error,
    step_output,
    weight_gradient,
)

__all__ = [
    "STARTS", "EffectiveBlock", "EffectiveParams", "LinearBlock", "OneStep", "Prompts", "Step", "Task", "Weights",
    "block_loss_and_gradient", "block_output", "effective_of", "power_task", "random_task", "squared_error",
    "step_output", "weight_gradient",
]  # fmt: skip
