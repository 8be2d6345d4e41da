"""The exact covariance of one sample's gradient in V, at any point (V, A), for any context length.

Chapter `scb`, beyond the paper. With h = X a^(k) and u = X q^(k) the gradient is r h', where r = V h - e_y and y has
the law P u. Given the context, r r' has the mean (V h)(V h)' - V h (P u)' - P u (V h)' + diag(P u). So the second
moment of r h' needs moments of h and u up to the fourth, and no more. Tokens are independent: the joint cumulants of
h and u are those of one token, times sums over the positions of products of a and q.
"""

import numpy as np

from lib.models.scb.task import Array, Task


def fourth_moments(mu: Array) -> Array:
    """The seven tensors that make up moments of three h and one factor more, h or u.

    Args:
        mu: (N,) the law of a token.

    Returns:
        (7, N, N, N, N): mu four times; the covariance of two of the three h, times mu twice; the same of one of them
        and the last factor; the third cumulant of the three h; that of two of them and the last factor; the fourth
        cumulant; two covariances.
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
    """Covariance of the entries of r h', the gradient of one sample in V.

    Args:
        V: (R, N, N).
        A: (R, N, T), rows that sum to 1.
        task: one task.
        tensors: `fourth_moments(task.mu)`, if it is at hand.

    Returns:
        (R, N^2, N^2), entries in the order of `V.reshape(N * N)`.

    Source: beyond the paper; exact for every T.
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
