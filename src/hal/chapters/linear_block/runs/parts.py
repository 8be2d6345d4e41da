"""The parts of a block's output, told apart from outside: by running it on changed prompts.

Chapter `linear_block`. Source: ours, from arXiv 2402.14951, equation D.1; `textbook_parts.py` does the same prompt by
prompt.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lib.models import linear_block as lb

__all__ = ["told_apart"]

Array = NDArray[np.float64]


def told_apart(output: Callable[[lb.Prompts], Array], prompts: lb.Prompts) -> Array:
    """The parts of an output on each prompt.

    Args:
        output: prompts -> predictions (R, B); a block with or without residual, MLP and mask.
        prompts: the batch.

    Returns:
        (5, R, B) in the order of `lib.theory.linear_block.PARTS`; they add up to the output.
    """
    X, y, x, target = prompts
    no_X, no_y = np.zeros_like(X), np.zeros_like(y)
    alone = output(lb.Prompts(no_X, no_y, x, target))
    cubic = (output(lb.Prompts(no_X, no_y, 2 * x, target)) - 2 * alone) / 6
    odd = (output(prompts) - output(lb.Prompts(X, -y, x, target))) / 2
    features = output(lb.Prompts(X, no_y, x, target)) - alone
    labels = output(lb.Prompts(no_X, y, x, target)) - alone
    return np.stack([alone - cubic, odd, features, labels, cubic])
