"""What a textbook run measures of itself: the two signals, the distance to the plane of the flow, to the answer.

Chapter `scb`. Source: arXiv 2410.23438, Sections 2.3, 3.1 and 3.4, and Appendix C. The measures are those of
`lib.models.scb.signal`.
"""

from lib.models.scb.textbook_ring import Ring
from lib.portable.primitives import Matrix, copy, sqrt, zeros
from lib.portable.vectors import add, dot, largest, reflect, smallest, total


def signal_V(V: Matrix, task: Ring) -> float:
    """alpha_V, where V lies on the line from mu 1' (0) to P (1): <V, R>_mu / K_P with R = P - mu 1'."""
    mu = task.mu
    inner = 0.0
    for j in range(len(mu)):
        for i in range(len(mu)):
            inner += mu[j] * V[j][i] * (task.P[j][i] - mu[i])
    return inner / task.K_P


def signal_A(A: Matrix, task: Ring) -> float:
    """alpha_A, where A lies on the line from uniform attention (0) to the targets (1)."""
    inner = 0.0
    for k in range(len(A)):
        for q in range(len(task.w)):
            inner += task.mu[k] * task.w[q] * A[k][task.s[k][q]]
    return (inner - 1.0 / float(len(A[0]))) / task.K_Q


def distance_to_flow(V: Matrix, A: Matrix, task: Ring, alpha_V: float, alpha_A: float) -> float:
    """Distance of V and A from the plane in which the population flow moves, in the norm weighted by mu."""
    mu = task.mu
    T = len(A[0])
    square = 0.0
    for j in range(len(mu)):
        for i in range(len(mu)):
            off = V[j][i] - mu[i] - alpha_V * (task.P[j][i] - mu[i])
            square += mu[j] * off * off
        uniform = (1.0 - alpha_A) / float(T)
        for t in range(T):
            off = A[j][t] - uniform
            square += mu[j] * off * off
        for q in range(len(task.w)):  # at these positions the plane is elsewhere
            wrong = A[j][task.s[j][q]] - uniform
            off = wrong - alpha_A * task.w[q]
            square += mu[j] * (off * off - wrong * wrong)
    return sqrt(max(square, 0.0))


def is_mirrored(A: Matrix) -> bool:
    """Whether the attention that is farthest from uniform is below it; no answer is needed to see that."""
    uniform = 1.0 / float(len(A[0]))
    high, low = uniform, uniform
    for k in range(len(A)):
        high, low = max(high, largest(A[k])), min(low, smallest(A[k]))
    return high - uniform < uniform - low


def distance_V(V: Matrix, task: Ring, mirrored: bool) -> float:
    """|V - P| in the norm weighted by mu; of a mirrored run that of 2 mu 1' - V, turned round."""
    square = 0.0
    for j in range(len(V)):
        for i in range(len(V)):
            value = 2.0 * task.mu[i] - V[j][i] if mirrored else V[j][i]
            off = value - task.P[j][i]
            square += task.mu[j] * off * off
    return sqrt(square)


def distance_A(A: Matrix, task: Ring, mirrored: bool) -> float:
    """|A - Q| in the norm weighted by mu; of a mirrored run that of 2/T - A, turned round."""
    uniform = 1.0 / float(len(A[0]))
    square = 0.0
    for k in range(len(A)):
        a = copy(A[k])
        if mirrored:
            reflect(a, uniform)
        for q in range(len(task.w)):
            a[task.s[k][q]] -= task.w[q]
        for t in range(len(a)):
            square += task.mu[k] * a[t] * a[t]
    return sqrt(square)


def excess_loss(V: Matrix, A: Matrix, task: Ring) -> float:
    """The expected loss above the best possible, squared error: half the mean square of V X a^(k) - P X q^(k).

    Exact for any V (N, N) and A (N, T), token by token and row by row: with S = diag(mu) - mu mu' the columns of X give
    |a|^2 tr(V S V') - 2 <a, q> tr(V S P') + |q|^2 tr(P S P') + |sum(a) V mu - mu|^2.
    Source: our own, from arXiv 2410.23438, Section 2.1; `lib.models.scb.population_loss` has it over arrays.
    """
    mu, N = task.mu, len(task.mu)
    mean = zeros(N)
    VV, VP, PP = 0.0, 0.0, -dot(mu, mu)
    for j in range(N):
        add(mean, mu[j], V[j])
    for j in range(N):
        VV += mu[j] * dot(V[j], V[j])
        VP += mu[j] * dot(V[j], task.P[j])
        PP += mu[j] * dot(task.P[j], task.P[j])
    VV -= dot(mean, mean)
    VP -= dot(mean, mu)
    loss = 0.0
    for k in range(N):
        inner = 0.0
        for q in range(len(task.w)):
            inner += task.w[q] * A[k][task.s[k][q]]
        whole = total(A[k])
        off = whole * whole * dot(mean, mean) - 2.0 * whole * dot(mean, mu) + dot(mu, mu)
        loss += mu[k] * (dot(A[k], A[k]) * VV - 2.0 * inner * VP + dot(task.w, task.w) * PP + off)
    return 0.5 * loss
