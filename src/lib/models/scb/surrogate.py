"""SGD simulation at sizes where tokens are too many: expected gradients plus Gaussian noise of the right covariance.

Chapter `scb`. Source: arXiv 2410.23438 says its larger runs add Gaussian noise to the population dynamics; the noise
covariance used here is derived in the chapter and is ours. That of the output layer is exact at every point and for
every T (`gradient_covariance`), that of the attention is right to leading order in T; the noise of one layer is drawn
independently of the other's.
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.models.scb.gradient_covariance import covariance_V, fourth_moments
from lib.models.scb.model import Params, initial
from lib.models.scb.signal import centred_V
from lib.models.scb.task import Array, Task, mu_inner, mu_inner_rows, mu_norm, mu_norm_rows
from lib.sampling import Rngs


class Noise(NamedTuple):
    """Standard normal numbers of one step of R runs, and the batch size they stand for."""

    V: Array  #: (R or 1, N, N)
    A: Array  #: (R or 1, N, T)
    batch: int


class GaussianSurrogate:
    """Stands in for `LinearTransformer` in `lib.train.train`: O(N T) a step whatever the batch size.

    Args:
        task: one task, shared by all runs.

    Raises:
        InputError: if the task has a run axis.
    """

    def __init__(self, task: Task) -> None:
        require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
        self.task = task
        self._tensors = fourth_moments(task.mu)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """The paper's start for `runs` runs."""
        return initial(self.task, runs)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Noise:
        """Standard normal numbers for one step; run r depends on rngs[r] alone.

        Raises:
            InputError: if batch < 1.
        """
        require(batch >= 1, "batch", "at least 1 sample", batch)
        N, T = self.task.N, self.task.T
        V = np.stack([rng.standard_normal((N, N)) for rng in rngs])
        return Noise(V, np.stack([rng.standard_normal((N, T)) for rng in rngs]), batch)

    def loss_and_gradient(self, params: Params, noise: Noise) -> tuple[Array, Params]:
        """Population loss (R,), and a gradient with the mean and, in each layer, the covariance of a minibatch's."""
        task, mu = self.task, self.task.mu
        R, U = task.P - mu[:, None], centred_V(params, task)
        AA, AQ = mu_norm_rows(params.A, mu) ** 2, mu_inner_rows(params.A, task.Q, mu)
        UU, UR = mu_norm(U, mu) ** 2, mu_inner(U, R, mu)
        drift = (params.V @ mu - mu)[..., None]
        mean_V = AA[:, None, None] * U - AQ[:, None, None] * R + drift
        mean_A = UU[:, None, None] * (params.A - 1 / task.T) - UR[:, None, None] * (task.Q - 1 / task.T)
        loss = 0.5 * (1 - mu @ mu - 2 * AQ * UR + AA * UU + np.square(drift[..., 0]).sum(-1))
        beside = self.deviation(params, noise)
        # Undo the preconditioning, which the optimiser will apply.
        return loss, Params((mean_V + beside.V) * mu, (mean_A + beside.A) * mu[:, None])

    def deviation(self, params: Params, noise: Noise) -> Params:
        """What a minibatch's preconditioned gradient has besides its mean: V (R, N, N) and A (R, N, T)."""
        task, mu = self.task, self.task.mu
        D, S = np.diag(mu), np.diag(mu) - np.outer(mu, mu)
        R, U = task.P - mu[:, None], centred_V(params, task)
        cross = U @ D @ R.T
        own = np.square(params.A).sum(-1)[..., None, None]  # (R, N, 1, 1)
        match = (params.A * task.Q).sum(-1)[..., None, None]
        M = U @ D @ U.swapaxes(-1, -2)  # (R, N, N)
        E = S + own * M[:, None] - match * (cross + cross.swapaxes(-1, -2))[:, None]  # (R, N, N, N)
        spread = np.sqrt(np.maximum(np.einsum("rij,rkji->rk", M, E), 0.0) / (noise.batch * mu))
        noise_A = spread[..., None] * (noise.A - noise.A.mean(-1, keepdims=True))
        noise_V = _root(covariance_V(params.V, params.A, task, self._tensors)) @ noise.V.reshape(len(noise.V), -1, 1)
        return Params(noise_V.reshape(-1, *M.shape[1:]) / mu / np.sqrt(noise.batch), noise_A)


def _root(M: Array) -> Array:
    """Symmetric square root of (R, N, N) positive semi-definite matrices."""
    values, vectors = np.linalg.eigh(M)
    return (vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]) @ vectors.swapaxes(-1, -2)
