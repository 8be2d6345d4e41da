"""The numbers that describe a task, in portable Python: signal strengths and noise constants.

Chapter `scb`. The same as `lib.theory.scb.constants`, for tasks whose last tokens all have the same weights. Source:
Ren, Wang, Lee (2024), arXiv 2410.23438; c1, c2 and s2 are beyond the paper.
"""

from dataclasses import dataclass

from lib.portable.primitives import Matrix, Vector, zero_matrix
from lib.portable.vectors import dot, smallest


@dataclass
class Constants:
    """Constants of a task."""

    N: int  # tokens in the vocabulary
    T: float  # context length in tokens
    mu: Vector  # (N,)
    mu_min: float  # probability of the rarest token
    q_norm2: float  # |q^(k)|^2, for every k
    q_min: float  # smallest weight
    K_P: float  # transition signal
    K_Q: float  # attention signal
    c1: float  # tr(R D R' S)
    c2: float  # tr((R D R')^2)
    s2: float  # c1 / K_P^2
    tr_S: float  # 1 - |mu|^2
    tr_S2: float  # tr(S^2)


def constants(mu: Vector, P: Matrix, w: Vector, T: int) -> Constants:
    """The constants of a task: mu (N,), P (N, N) with P[j] the law after token j, weights w (Q,), T tokens of context.

    Source: the paper's notation section; c1, c2, s2 beyond the paper.
    """
    N = len(mu)
    moved = zero_matrix(N, N)  # R D R' with R = P - mu 1'
    for j in range(N):
        for i in range(N):
            for k in range(N):
                moved[i][k] += mu[j] * (P[j][i] - mu[i]) * (P[j][k] - mu[k])
    K_P = 0.0
    c1 = 0.0
    c2 = 0.0
    tr_S2 = 0.0
    for i in range(N):
        for k in range(N):
            S = (mu[i] if i == k else 0.0) - mu[i] * mu[k]
            c1 += moved[i][k] * S
            c2 += moved[i][k] * moved[i][k]
            tr_S2 += S * S
    for j in range(N):
        for i in range(N):
            K_P += mu[j] * (P[j][i] - mu[i]) * (P[j][i] - mu[i])
    q_norm2 = dot(w, w)
    K_Q = q_norm2 - 1.0 / float(T)
    return Constants(
        N, float(T), mu, smallest(mu), q_norm2, smallest(w), K_P, K_Q, c1, c2, c1 / K_P / K_P, 1.0 - dot(mu, mu), tr_S2
    )
