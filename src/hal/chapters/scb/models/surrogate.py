"""SGD simulation at sizes where tokens are too many: expected gradients plus Gaussian noise of the right covariance.

Chapter `scb`. Source: arXiv 2410.23438 says its larger runs add Gaussian noise to the population dynamics; the noise
covariance used here is derived in the chapter and is ours. That of the output layer is exact at every point and for
every T, that of the attention is right to leading order in T; the noise of one layer is drawn independently of the
noise of the other. A task with a run axis and an empty batch are refused (`InputError`).
"""

from typing import NamedTuple

import numpy as np

from lib.errors import require
from lib.models.scb import Params, Task, centred_V, mu_inner, mu_inner_rows, mu_norm, mu_norm_rows
from lib.models.scb.fast import Array, initial
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
    """

    def __init__(self, task: Task) -> None:
        require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
        self.task = task
        self._tensors = fourth_moments(task.mu)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Params:
        """The paper's start for `runs` runs."""
        return initial(self.task, runs)

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> Noise:
        """Standard normal numbers for one step; run r depends on rngs[r] alone."""
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


def fourth_moments(mu: Array) -> Array:
    """Seven tensors (7, N, N, N, N) of a token's law mu (N,), for moments of three h and one factor more, h or u.

    They are: mu four times; the covariance of two of the three h, times mu twice; the same of one of them and the last
    factor; the third cumulant of the three h; that of two of them and the last factor; the fourth cumulant; two
    covariances.
    """
    n = np.eye(len(mu)) - mu  # row x: the token x, less the mean
    S = np.einsum("x,xa,xb->ab", mu, n, n)
    third = np.einsum("x,xa,xb,xc->abc", mu, n, n, n)
    two = sum(np.einsum(f"{rule}->abcd", S, S) for rule in ("ab,cd", "ac,bd", "ad,bc"))
    fourth = np.einsum("x,xa,xb,xc,xd->abcd", mu, n, n, n, n) - two
    within, across = (
        sum(np.einsum(f"{rule}->abcd", S, mu, mu) for rule in rules)
        for rules in (("ab,c,d", "ac,b,d", "bc,a,d"), ("ad,b,c", "bd,a,c", "cd,a,b"))
    )
    triples = sum(np.einsum(f"{rule}->abcd", third, mu) for rule in ("abd,c", "acd,b", "bcd,a"))
    alone = np.einsum("abc,d->abcd", third, mu)
    return np.stack([np.einsum("a,b,c,d->abcd", mu, mu, mu, mu), within, across, alone, triples, fourth, two])


def covariance_V(V: Array, A: Array, task: Task, tensors: Array | None = None) -> Array:
    """Covariance (R, N^2, N^2) of the entries of r h', the gradient of one sample in V, ordered as V.reshape(N * N).

    With h = X a^(k) and u = X q^(k), r = V h - e_y and y has the law P u. Given the context, r r' has the mean
    (V h)(V h)' - V h (P u)' - P u (V h)' + diag(P u). So the second moment of r h' needs moments of h and u up to the
    fourth, and no more. Tokens are independent: the joint cumulants of h and u are those of one token, times sums over
    the positions of products of a and q.

    Args:
        V: (R, N, N).
        A: (R, N, T), rows that sum to 1.
        task: one task.
        tensors: `fourth_moments(task.mu)`, if it is at hand.
    """
    mu, P, Q, N = task.mu, task.P, task.Q, task.N
    tensors = fourth_moments(mu) if tensors is None else tensors
    square = A * A

    def sums(x: Array, y: Array) -> Array:
        """Sums over the positions, one for each last token."""
        return np.einsum("rkt,rkt->rk", x, np.broadcast_to(y, x.shape))

    aa, aq, a3, a2q = sums(A, A), sums(A, Q), sums(square, A), sums(square, Q)
    a4, a3q = sums(square, square), sums(square, A * Q)
    one = np.ones_like(aa)
    h4, h3u = (
        np.tensordot(np.stack(factors, axis=-2) @ mu, tensors, axes=1)  # (R, N, N, N, N), the mean over last tokens
        for factors in ([one, aa, aa, a3, a3, a4, aa * aa], [one, aa, aq, a3, a2q, a3q, aa * aq])
    )
    h2u = h3u.sum(axis=2)  # the entries of h sum to 1
    both = np.einsum("ria,rajld->rijld", V, h3u) @ P.T  # (V h)_i h_j h_l (P u)_k
    both = both.swapaxes(-1, -2)
    second = np.einsum("rijcl,rkc->rijkl", np.einsum("ria,rajcl->rijcl", V, h4), V)
    second -= both + both.transpose(0, 3, 4, 1, 2)
    second += np.einsum("ik,rjld,id->rijkl", np.eye(N), h2u, P)
    first = V @ h4.sum(axis=(3, 4)) - P @ h2u.sum(axis=2).swapaxes(-1, -2)
    first = first.reshape(-1, N * N)
    return second.reshape(-1, N * N, N * N) - first[:, :, None] * first[:, None, :]
