"""The numbers that describe a sparse contextual bigram task: signal strengths and noise constants.

Chapter `scb`. K_P and K_Q are the paper's (Ren, Wang, Lee 2024, arXiv 2410.23438);
c1, c2 and s2 are beyond the paper. Leading axes are runs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.theory._arrays import Array, floats
from lib.theory.scb.coordinates import centred, inner_A, inner_V

_SUMS = 1e-8  # how far a column sum may be from one: rounding of Sinkhorn and of stored tasks


@dataclass(frozen=True)
class Constants:
    """Constants of a task; fields without a shape comment have the shape of the runs, (...)."""

    N: int  # tokens in the vocabulary
    T: Array  # context length in tokens
    mu: Array  # (..., N)
    R: Array  # (..., N, N)  P - mu 1^T
    S: Array  # (..., N, N)  D - mu mu^T, covariance of one token
    D: Array  # (..., N, N)  diag(mu)
    RDR: Array  # (..., N, N)  R D R^T
    q_norm2: Array  # (..., N)  |q^(k)|^2
    K_P: Array  # transition signal, |R|_mu^2
    K_Q: Array  # attention signal, |Q|_mu^2 - 1/T
    c1: Array  # tr(R D R^T S)
    c2: Array  # tr((R D R^T)^2)
    s2: Array  # c1 / K_P^2
    norm_mu2: Array  # |mu|^2
    tr_S: Array  # 1 - |mu|^2
    tr_S2: Array  # tr(S^2)
    L_star: Array  # irreducible loss

    @property
    def d(self) -> Array:
        """Drift number 1/(K_Q T), shape (...): the small push towards the true sign. Source: beyond the paper."""
        return 1.0 / (self.K_Q * self.T)

    @property
    def mu_min(self) -> Array:
        """Probability of the rarest token, shape (...). Source: the paper's notation section."""
        return np.min(self.mu, axis=-1)


def constants(mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Constants:
    """Compute every constant of a task from its definition.

    Args:
        mu: token distribution (..., N), positive.
        P: transition matrix (..., N, N), columns are distributions, P mu = mu.
        Q: true attention by rows (..., N, T), rows sum to one.

    Returns:
        `Constants` with the runs' shape in front.

    Raises:
        InputError: if shapes disagree, a sum is not one, P mu != mu, or there is no signal (K_P or K_Q is 0).

    Source: the paper's notation section; c1, c2, s2 beyond the paper.
    """
    mu, P, Q = floats(mu), floats(P), floats(Q)
    N = mu.shape[-1] if mu.ndim else 0
    require(N >= 2, "mu", "shape (..., N) with N >= 2", mu.shape)
    require(P.shape[-2:] == (N, N), "P", f"shape (..., {N}, {N})", P.shape)
    require(Q.ndim >= 2 and Q.shape[-2] == N, "Q", f"shape (..., {N}, T), rows are attentions", Q.shape)
    require(
        np.all(mu > 0) and np.allclose(mu.sum(-1), 1.0, rtol=0, atol=_SUMS), "mu", "positive entries that sum to 1", mu
    )
    require(
        np.all(P >= -1e-12) and np.allclose(P.sum(-2), 1.0, rtol=0, atol=_SUMS),
        "P",
        "columns that are distributions",
        f"column sums {P.sum(-2)}",
    )
    P_mu = np.einsum("...ij,...j->...i", P, mu)
    require(np.allclose(P_mu, mu, rtol=0, atol=_SUMS), "P", "P mu = mu", f"P mu = {P_mu}")
    require(np.allclose(Q.sum(-1), 1.0, rtol=0, atol=_SUMS), "Q", "rows that sum to 1", f"row sums {Q.sum(-1)}")
    T = Q.shape[-1]
    R = centred(P, mu)
    D = mu[..., :, None] * np.eye(N)
    S = D - mu[..., :, None] * mu[..., None, :]
    RDR = np.einsum("...ij,...j,...kj->...ik", R, mu, R)
    K_P, K_Q = inner_V(mu, R, R), inner_A(mu, Q - 1.0 / T, Q - 1.0 / T)
    require(np.all(K_P > 1e-12), "P", "columns that differ (K_P > 0)", f"K_P = {K_P}")
    require(np.all(K_Q > 1e-12), "Q", "attention that is not uniform (K_Q > 0)", f"K_Q = {K_Q}")
    c1 = np.einsum("...ij,...ji->...", RDR, S)
    norm_mu2 = np.sum(mu * mu, axis=-1)
    return Constants(
        N=N,
        T=floats(T),
        mu=mu,
        R=R,
        S=S,
        D=D,
        RDR=RDR,
        q_norm2=np.sum(Q * Q, axis=-1),
        K_P=K_P,
        K_Q=K_Q,
        c1=c1,
        c2=np.einsum("...ij,...ji->...", RDR, RDR),
        s2=c1 / K_P**2,
        norm_mu2=norm_mu2,
        tr_S=1.0 - norm_mu2,
        tr_S2=np.einsum("...ij,...ji->...", S, S),
        L_star=0.5 * (1.0 - norm_mu2 - K_P * (K_Q + 1.0 / T)),
    )


def ring_constants(N: int, T: ArrayLike, c: ArrayLike, weights: ArrayLike) -> Constants:
    """`Constants` of the ring task: uniform tokens, a cyclic shift of strength c, the same weights in every row of Q.

    K_P = c^2 (N-1)/N, s2 = 1/(c^2 (N-1)), c2 = c^4 (N-1)/N^2, K_Q = |w|^2 - 1/T.

    Args:
        N: tokens in the vocabulary.
        T: context length in tokens; a number or an array (R,).
        c: strength of the shift in (0, 1]; a number or an array (R,).
        weights: the non-zero attention weights (sparsity,), summing to one. Their positions do not matter.

    Raises:
        InputError: if a value is out of range.

    Example:
        >>> float(ring_constants(4, 1024, 0.75, (0.6, 0.4)).K_P)
        0.421875

    Source: beyond the paper (closed forms of the canonical task).
    """
    w = floats(weights)
    N = whole("N", N, 2)
    require(w.ndim == 1 and w.size > 0 and np.isclose(w.sum(), 1.0), "weights", "a vector that sums to 1", weights)
    T, c = np.broadcast_arrays(floats(T), floats(c))
    require(np.all(w.size < T), "T", f"more tokens than the {w.size} weights", T)
    require(np.all((c > 0) & (c <= 1)), "c", "values in (0, 1]", c)
    runs = c.shape
    norm_w2 = float(np.sum(w * w))
    centre = np.eye(N) - 1.0 / N
    wide = c[..., None, None]
    shift = np.roll(np.eye(N), 1, axis=0)  # column j has its one in row j + 1
    return Constants(
        N=int(N),
        T=T,
        mu=np.full((*runs, N), 1.0 / N),
        R=wide * (shift - 1.0 / N),
        S=np.broadcast_to(centre / N, (*runs, N, N)),
        D=np.broadcast_to(np.eye(N) / N, (*runs, N, N)),
        RDR=wide**2 * centre / N,
        q_norm2=np.full((*runs, N), norm_w2),
        K_P=c**2 * (N - 1) / N,
        K_Q=norm_w2 - 1.0 / T,
        c1=c**2 * (N - 1) / N**2,
        c2=c**4 * (N - 1) / N**2,
        s2=1.0 / (c**2 * (N - 1)),
        norm_mu2=np.full(runs, 1.0 / N),
        tr_S=np.full(runs, 1.0 - 1.0 / N),
        tr_S2=np.full(runs, (N - 1) / N**2),
        L_star=0.5 * (N - 1) / N * (1.0 - c**2 * norm_w2),
    )
