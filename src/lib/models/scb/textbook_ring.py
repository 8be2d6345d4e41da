"""The ring task in portable Python: token law, transition, targets, and the strength of both signals.

Chapter `scb`. The same task as `lib.models.scb.ring_task` with `even_weights`, but for the positions, which a seed of
the portable generator chooses. Matrices are stored token by token: P[j] is column j of the paper's P.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Table, Vector, whole_table, zero_matrix, zeros
from lib.portable.random_numbers import below
from lib.portable.vectors import dot, largest, scale, smallest, total


@dataclass
class Ring:
    """A task: the laws of its tokens and labels, and its attention targets."""

    mu: Vector  # (N,) law of the tokens
    P: Matrix  # (N, N) P[j] is the law of the label after token j
    w: Vector  # (Q,) weights of the positions
    s: Table  # (N, Q) s[k] are the positions that last token k looks at
    K_P: float  # strength of the transition signal
    K_Q: float  # strength of the attention signal


def ring_task(T: int, mu: Vector, Q: int, c: float, random: Vector) -> Ring:
    """The task of a law mu (N,) with chances above 0, Q positions, strength c from 0.01 to 1; positions from `random`.

    Raises:
        InputError: if a setting is out of range, among them Q > T.
    """
    N = len(mu)
    require(N >= 2, "N", "at least 2 tokens", N)
    require(smallest(mu) > 0.0, "mu", "chances above 0", smallest(mu))
    require(T >= 2, "T", "a context of at least 2 tokens", T)
    require(Q >= 1 and Q <= T, "Q", "at least 1 position, at most T", Q)
    require(c >= 0.01 and c <= 1.0, "c", "a strength from 0.01 to 1", c)
    P = ring_transition(mu, c)
    w = even_weights(Q)
    s = choose_positions(N, T, Q, random)
    K_P = 0.0
    for j in range(N):
        for i in range(N):
            K_P += mu[j] * (P[j][i] - mu[i]) * (P[j][i] - mu[i])
    return Ring(mu, P, w, s, K_P, dot(w, w) - 1.0 / float(T))


def skewed_law(N: int, skew: float) -> Vector:
    """Zipf's law mu (N,), mu_k proportional to (k + 1) ** -skew; 0 is uniform.

    Raises:
        InputError: if N is below 1, or the skew outside 0 to 10.
    """
    require(N >= 1, "N", "at least 1 token", N)
    require(skew >= 0.0 and skew <= 10.0, "skew", "a number from 0 to 10", skew)
    mu = zeros(N)
    for k in range(N):
        mu[k] = exp(-skew * log(float(k + 1)))
    scale(mu, 1.0 / total(mu))
    return mu


def ring_transition(mu: Vector, c: float) -> Matrix:
    """P[j] (N,): the law mu with chance 1 - c, else the circle of tokens, turned by 1/N.

    Tokens are arcs of the circle, of lengths mu. Turning keeps lengths, so P mu = mu.
    """
    N = len(mu)
    ends = zeros(N + 1)
    for k in range(N):
        ends[k + 1] = ends[k] + mu[k]
    ends[N] = 1.0
    P = zero_matrix(N, N)
    turn = 1.0 / float(N)
    for j in range(N):
        for i in range(N):
            for lap in range(2):  # an arc that passes the top of the circle is two pieces
                low = max(ends[i] + float(lap), ends[j] + turn)
                high = min(ends[i + 1] + float(lap), ends[j + 1] + turn)
                P[j][i] += max(high - low, 0.0)
        scale(P[j], c / total(P[j]))
        for i in range(N):
            P[j][i] += (1.0 - c) * mu[i]
    return P


def even_weights(Q: int) -> Vector:
    """Weights (Q,) of the positions, in proportion Q + 1, ..., 2."""
    w = zeros(Q)
    for i in range(Q):
        w[i] = float(Q + 1 - i)
    scale(w, 1.0 / total(w))
    return w


def choose_positions(N: int, T: int, Q: int, random: Vector) -> Table:
    """For each last token k its positions s[k] (Q,): different ones within a row, all sets equally likely."""
    s = whole_table(N, Q)
    for k in range(N):
        chosen = 0
        while chosen < Q:
            t = below(random, T)
            fresh = True
            for i in range(chosen):
                if s[k][i] == t:
                    fresh = False
            if fresh:
                s[k][chosen] = t
                chosen += 1
    return s


def useful(task: Ring, T: int) -> Vector:
    """(N T,) 1 where a last token looks, row by row; 0 elsewhere."""
    marks = zeros(len(task.s) * T)
    for k in range(len(task.s)):
        for q in range(len(task.w)):
            marks[k * T + task.s[k][q]] = 1.0
    return marks


def likeliest(task: Ring) -> Vector:
    """(N N,) 1 at the label that is likeliest after each token, row by row; 0 elsewhere."""
    N = len(task.mu)
    marks = zeros(N * N)
    for j in range(N):
        for i in range(N):
            if task.P[j][i] >= largest(task.P[j]):
                marks[j * N + i] = 1.0
    return marks
