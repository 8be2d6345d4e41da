"""A law for a slider, what figures measure of a textbook run, and how sure a share of runs is.

Chapter `scb`. Source: arXiv 2410.23438, Sections 2.3, 3.1 and 3.4, and Appendix C. The measures are those of
`hal.chapters.scb.models.measures`, which has them over arrays; distances are in the norm weighted by mu, no unit.
"""

from lib.errors import require
from lib.models.scb.textbook import Ring
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, copy, sqrt, zeros
from lib.portable.vectors import add, dot, largest, reflect, scale, total

_TWO_SIDED_95 = 1.959963984540054  # normal quantile of 0.975


def skewed_law(N: int, skew: float) -> Vector:
    """Zipf's law mu (N,), mu_k proportional to (k + 1) ** -skew; 0 is uniform."""
    require(N >= 1, "N", "at least 1 token", N)
    require(skew >= 0.0 and skew <= 10.0, "skew", "a number from 0 to 10", skew)
    mu = zeros(N)
    for k in range(N):
        mu[k] = exp(-skew * log(float(k + 1)))
    scale(mu, 1.0 / total(mu))
    return mu


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
    Our own, from the paper's Section 2.1; `population_loss` of `measures` has it over arrays.
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


def on_true(A: Matrix, task: Ring) -> float:
    """The attention on the true positions, a mean over the last tokens."""
    held = 0.0
    for k in range(len(A)):
        for q in range(len(task.w)):
            held += task.mu[k] * A[k][task.s[k][q]]
    return held


def flat(rows: Matrix) -> Vector:
    """All entries, row after row."""
    width = len(rows[0])
    found = zeros(len(rows) * width)
    for j in range(len(rows)):
        for i in range(width):
            found[j * width + i] = rows[j][i]
    return found


def share_interval(count: float, trials: float) -> tuple[float, float]:
    """The 95 % interval of a share counted in independent trials; (0, 1) before the first.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if trials < 1.0:
        return 0.0, 1.0
    share = count / trials
    z2 = _TWO_SIDED_95 * _TWO_SIDED_95 / trials
    middle = (share + 0.5 * z2) / (1.0 + z2)
    half = _TWO_SIDED_95 / (1.0 + z2) * sqrt(share * (1.0 - share) / trials + 0.25 * z2 / trials)
    low = middle - half if count > 0.0 else 0.0
    high = middle + half if count < trials else 1.0
    return low, high
