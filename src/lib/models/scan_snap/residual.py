"""The same model with a residual connection: the decoder sees the query too.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 7 (residue connection), which leaves it to future work; the
weight of the query is ours. The decoder input is f' = (f, w e_m) / sqrt(1 + w^2), of length 1: f on contextual tokens,
and the query token m, which never is context. So Y has Q more rows, those of the queries, and the overlap of two
classes is (f_n . f_n' + w^2 [same query]) / (1 + w^2).
"""

import numpy as np

from lib.attention import softmax
from lib.errors import require
from lib.models.scan_snap.model import Batch, Params, Transformer, _decoder_input, output_weights
from lib.models.scan_snap.task import Array, Task
from lib.sampling import Rngs


class ResidualTransformer(Transformer):
    """A task with the residual model, in the form that `lib.train.train` asks for. Source: arXiv 2305.16380, Section 7.

    Args:
        task: finite L: fresh samples at each step; L = None: the population, one example a class, nothing is drawn.
        weight: w >= 0 of the query's one-hot against f; 1 is the paper's, 0 no residual connection.

    Raises:
        InputError: if the weight is negative or not finite.
    """

    def __init__(self, task: Task, weight: float = 1.0) -> None:
        require(bool(np.isfinite(weight) and weight >= 0), "weight", "a finite number of at least 0", weight)
        super().__init__(task)
        self.weight = float(weight)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """Y (R, C + Q, M folded) and Z (R, Q, C), all zero.

        Raises:
            InputError: if runs < 1.
        """
        require(runs >= 1, "runs", "at least 1 run", runs)
        task = self.task
        return Params(np.zeros((runs, task.C + task.Q, min(task.M, task.K + 1))), np.zeros((runs, task.Q, task.C)))

    def loss_and_gradient(self, params: Params, batch: Batch) -> tuple[Array, Params]:
        """Mean cross-entropy of a minibatch, and its exact gradient in Y and Z.

        With delta = e_label - softmax(Y^T f'): the loss falls along f' delta^T in Y. Only f depends on the logits, so
        in row m of Z it falls along f * (g - f (f . g)) / sqrt(1 + w^2), g the contextual part of Y delta.

        Args:
            params: parameters of R runs, Y (R, C + Q, M or K + 1) and Z (R, Q, C).
            batch: samples of R runs, or the same for all.

        Returns:
            loss (R,) in nats, to 1e-16, and the gradient as `Params`.

        Raises:
            InputError: if Y does not have C + Q rows, or neither M nor K + 1 columns.

        Source: arXiv 2305.16380, Lemma 1 and Section 7.
        """
        Y, Z = params
        C, Q, B = self.task.C, self.task.Q, batch.label.shape[-1]
        require(Y.shape[1] == C + Q, "Y", f"C + Q = {C + Q} rows", Y.shape[1])
        weights = output_weights(Y.shape[-1], self.task)
        norm = np.sqrt(1 + self.weight**2)
        belongs = np.eye(Q)[batch.query]  # (r or 1, B, Q)
        f = _decoder_input(Z, batch.counts, batch.query)
        seen = np.broadcast_to(self.weight * belongs, (*f.shape[:-1], Q))
        x = np.concatenate([f, seen], axis=-1) / norm
        mass = softmax(x @ Y + np.log(weights))  # of a folded column: of all its outputs together
        hit = np.broadcast_to(batch.label, mass.shape[:-1])[..., None]
        loss = -np.log(np.take_along_axis(mass, hit, axis=-1)).mean(axis=(-2, -1))
        error = (mass - (np.arange(len(weights)) == hit)) / B  # -delta / B
        g = error @ Y[:, :C].swapaxes(-1, -2)
        g -= f * np.sum(f * g, axis=-1, keepdims=True)
        g *= f / norm
        return loss, Params(x.swapaxes(-1, -2) @ (error / weights), belongs.swapaxes(-1, -2) @ g)
