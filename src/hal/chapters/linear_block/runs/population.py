"""Problems whose loss is the exact risk, on all prompts there are: for theory's figures, without noise.

Chapter `linear_block`. Source: the risks of `lib.theory.linear_block`, the parameters of `lib.models.linear_block`.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.models import linear_block as lb
from lib.sampling import Rngs
from lib.theory import linear_block as theory

__all__ = ["PopulationBlock", "PopulationStep"]

Array = NDArray[np.float64]


class PopulationBlock(lb.LinearBlock):
    """The block's six matrices, down the exact risk; arguments as `lib.models.linear_block.LinearBlock`."""

    draws = False

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Any:
        """Nothing is drawn."""
        return ()

    def loss_and_gradient(self, params: lb.Weights, batch: Any = ()) -> tuple[Array, lb.Weights]:
        """The exact risk (R,), and its gradient."""
        block = theory.Effective(*lb.effective_of(params, self.mlp))
        risk, slopes = theory.block_risk_and_gradient(self.task, block)
        return risk, lb.weight_gradient(params, lb.EffectiveParams(*slopes), self.mlp)


class PopulationStep(lb.OneStep):
    """One learned step, down the exact risk; arguments as `lib.models.linear_block.OneStep`."""

    draws = False

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Any:
        """Nothing is drawn."""
        return ()

    def loss_and_gradient(self, params: lb.Step, batch: Any = ()) -> tuple[Array, lb.Step]:
        """The exact risk (R,), and its gradient through that of the block that takes the step."""
        beta, Gamma = params
        ones, zeros = np.ones(len(beta)), np.zeros_like(beta)
        block = theory.Effective(beta, -beta, ones, np.swapaxes(Gamma, -1, -2), zeros)
        risk, slopes = theory.block_risk_and_gradient(self.task, block)
        moved = zeros if self.from_zero else slopes.alpha - slopes.v
        return risk, lb.Step(moved, np.swapaxes(slopes.Q, -1, -2))
