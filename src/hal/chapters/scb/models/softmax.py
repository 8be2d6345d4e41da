"""The linear model's attention as a softmax of logits: beyond the paper, as a problem of `lib.train.train`.

Chapter `scb`. Shapes and refusals are those of `lib.models.scb`; logits are in nats.
"""

from typing import NamedTuple

import numpy as np

from lib.attention import softmax, softmax_pullback
from lib.models.scb.fast import Array, Batch, LinearTransformer, Params, loss_and_gradient
from lib.sampling import Rngs


class SoftmaxParams(NamedTuple):
    """Parameters of R runs of the softmax model."""

    V: Array  #: (R, N, N)
    w: Array  #: (R, N, T) attention logits, in nats


class SoftmaxTransformer(LinearTransformer):
    """The SCB task with softmax attention, in the form that `lib.train.train` asks for."""

    def init(  # type: ignore[override]  # `train` asks for any NamedTuple
        self, runs: int = 1, rngs: Rngs = ()
    ) -> SoftmaxParams:
        """The start with logits 0: the same uniform attention as the linear model."""
        V, A = super().init(runs)
        return SoftmaxParams(V, np.zeros_like(A))

    def loss_and_gradient(  # type: ignore[override]  # logits in place of weights
        self, params: SoftmaxParams, batch: Batch
    ) -> tuple[Array, SoftmaxParams]:
        """Loss (R,) and exact gradient in V and the logits: (diag(a) - a a^T) times the gradient in a."""
        linear = as_linear(params)
        loss, grad = loss_and_gradient(linear, batch, self.dtype)
        return loss, SoftmaxParams(grad.V, softmax_pullback(linear.A, grad.A))


def as_linear(params: SoftmaxParams) -> Params:
    """The linear parameters with the same V and the same attention weights."""
    return Params(params.V, softmax(params.w))
