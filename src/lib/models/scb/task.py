"""The sparse contextual bigram (SCB) task: a token law mu, a transition matrix P and sparse attention targets Q.

Chapter `scb`. Source: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear
Transformers" (arXiv 2410.23438), Section 2.1 and Assumption 2.1.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.sampling import TokenSampler, check_distribution

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Task:
    """One SCB task, or R tasks of the same shape.

    The last token k says where to look: a position s is drawn from row k of `Q`. The token found there says what
    comes next: the label is drawn from column x_s of `P`.

    Attributes:
        mu: (N,) or (R, N) law of the context tokens, positive, stationary for P.
        P: (N, N) or (R, N, N) transition matrix; column j is the law of the label after token j.
        Q: (N, T) or (R, N, T) attention targets; row k is a sparse probability vector over the T positions.

    Raises:
        InputError: if a law is negative or does not sum to 1, mu is not positive or not stationary, or the
            shapes disagree.

    Source: arXiv 2410.23438, Section 2.1. The paper stores Q as T x N; row k here is its column k.
    """

    mu: Array  # (R?, N)
    P: Array  # (R?, N, N)
    Q: Array  # (R?, N, T)

    def __post_init__(self) -> None:
        for name in ("mu", "P", "Q"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), dtype=np.float64))
        mu, P, Q = self.mu, self.P, self.Q
        require(mu.ndim in (1, 2) and mu.shape[-1] >= 2, "mu", "shape (N,) or (R, N) with N >= 2", mu.shape)
        lead, n = mu.shape[:-1], mu.shape[-1]
        require(P.shape == (*lead, n, n), "P", f"shape {(*lead, n, n)}", P.shape)
        require(Q.ndim == mu.ndim + 1 and Q.shape[:-1] == (*lead, n), "Q", f"shape {(*lead, n, 'T')}", Q.shape)
        check_distribution("mu", mu)
        require(np.all(mu > 0), "mu", "positive probabilities", f"a smallest of {mu.min():g}")
        check_distribution("P (columns)", P, axis=-2)
        drift = float(np.abs(np.einsum("...ij,...j->...i", P, mu) - mu).max())
        require(drift <= 1e-9, "mu", "the stationary law of P (P mu = mu)", f"a largest difference of {drift:.3g}")
        check_distribution("Q (rows)", Q)

    @property
    def N(self) -> int:
        """Number of tokens in the vocabulary."""
        return self.mu.shape[-1]

    @property
    def T(self) -> int:
        """Length of the context, in tokens."""
        return self.Q.shape[-1]

    @property
    def sparsity(self) -> int:
        """The largest number of positions that a row of Q looks at (the paper's integer Q)."""
        return int(np.count_nonzero(self.Q, axis=-1).max())

    @cached_property
    def K_P(self) -> Array:
        """Strength of the transition signal, ||P||_mu^2 - ||mu||^2; shape () or (R,)."""
        return mu_norm(self.P - self.mu[..., :, None], self.mu) ** 2

    @cached_property
    def K_Q(self) -> Array:
        """Strength of the attention signal, ||Q||_mu^2 - 1/T; shape () or (R,)."""
        return mu_norm_rows(self.Q - 1 / self.T, self.mu) ** 2

    @cached_property
    def sampler(self) -> TokenSampler:
        """The exact sampler of context tokens."""
        return TokenSampler(self.mu)

    @cached_property
    def cumulative_P(self) -> Array:
        """(R?, N, N) cumulative law of the label; row j belongs to token j."""
        return np.cumsum(np.swapaxes(self.P, -1, -2), axis=-1)

    @cached_property
    def support(self) -> tuple[NDArray[np.intp], Array]:
        """Positions (R?, N, sparsity) that each last token looks at, and their cumulative weights."""
        order = np.argsort(-self.Q, axis=-1, kind="stable")[..., : self.sparsity]
        return order, np.cumsum(np.take_along_axis(self.Q, order, axis=-1), axis=-1)

    @cached_property
    def targets(self) -> tuple[Array, NDArray[np.intp]]:
        """Cumulative joint law (R?, N * sparsity) of last token and place in its support, and the positions."""
        positions, _ = self.support
        joint = np.cumsum(
            (self.mu[..., None] * np.take_along_axis(self.Q, positions, axis=-1)).reshape(*self.mu.shape[:-1], -1),
            axis=-1,
        )
        # Divided by the sum, so that rounding leaves no chance to a place of weight 0 at the end.
        return joint / joint[..., -1:], positions.reshape(joint.shape)

    @cached_property
    def label_edges(self) -> Array:
        """(R?, N, N) cumulative law of the label after token j, plus j: all tokens' laws as one increasing list."""
        edges = self.cumulative_P / self.cumulative_P[..., -1:]
        return edges + np.arange(self.N)[:, None]


def mu_inner(M: Array, W: Array, mu: Array) -> Array:
    """Column-weighted inner product <M, W>_mu = sum_k mu_k <M_:k, W_:k> of (..., I, N) matrices; shape (...)."""
    return np.einsum("...ik,...ik,...k->...", M, W, mu)


def mu_inner_rows(M: Array, W: Array, mu: Array) -> Array:
    """The same for attention stored by rows, (..., N, T): sum_k mu_k <M_k, W_k>; shape (...)."""
    return np.einsum("...kt,...kt,...k->...", M, W, mu)


def mu_norm(M: Array, mu: Array) -> Array:
    """||M||_mu of (..., I, N) matrices, the norm in which the paper measures V - P; shape (...)."""
    return np.sqrt(mu_inner(M, M, mu))


def mu_norm_rows(M: Array, mu: Array) -> Array:
    """||M||_mu of attention stored by rows, (..., N, T); shape (...)."""
    return np.sqrt(mu_inner_rows(M, M, mu))
