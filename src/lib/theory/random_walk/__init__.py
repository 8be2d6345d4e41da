r"""What theory predicts for one layer that learns a random walk, over arrays; imports no model.

Chapter `random_walk`. Source: Shi, Cao, arXiv 2511.23239, Section 2 (task, model, log-loss) and its theorems on 0 < p <
1 and on p = 0 and 1; all that follows beyond them is ours. `portable` has what figures draw. A circle has K >= 3 nodes,
a step is clockwise with the chance p in [0, 1], a walk visits N >= 2 nodes; positions have the length M >= N, $\rho =
(M+1)/2$; the learning rate `lr` and the offset `epsilon` of the loss are above 0. Scores are in nats. Other values
raise InputError.

*Early.* The first step of training from zero moves V alone; the second raises the score of the token at lag l in
proportion to its lag signal $E_l$.

*Late.* With attention on the parent $\bar x = x_{N-1}$, $V_{ij} \leftarrow V_{ij} +
\frac{\eta}{K}\frac{\Pi_{ji}}{V_{ij}+\epsilon}$, so $(V_{ij}+\epsilon)^2 \approx \text{const} + \frac{2\eta
t}{K}\Pi_{ji}$: V turns first to the law, where the theorem has it go, and late to its root.

*The ridge.* For p = 0 or 1 and N = rK + 1 a walk visits every node r times. With even attention and all values equal to
v the output is v, and V, g move only together with a difference between places. Let $\hat g_d$ be the mean score of the
places whose token lies d steps before the target, $\nu_d$ the mean value at that turn. To first order
$\delta\nu_d = \frac{\eta|l'|c}{K^2}\hat g_d$ and $\delta\hat g_d = \frac{\eta\rho^2c|l'|}{N-1}\nu_d$ a step: both grow
by the factor $1 + \frac{\eta\rho c|l'|}{K\sqrt{N-1}}$, with $|l'| = 1/(f + \epsilon)$ and c the factor of the scores
(1, or about $1/\rho$ for tokens of length 1). The last place soon has no attention, as its score falls. For p = 1/2,
even K and odd N the same holds for the difference between even and odd lags.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require, whole
from lib.portable import lift
from lib.theory._arrays import Array, positive
from lib.theory.random_walk import portable

Integers = NDArray[np.intp]

best_accuracy = lift(portable.best_accuracy)
law_distance = lift(portable.law_distance)
even_output = lift(portable.even_output, positive=("lr", "epsilon"), epsilon=0.1, start=0.0)
growth = lift(portable.growth, positive=("lr", "epsilon"), epsilon=0.1)


def ring(K: int, p: float) -> tuple[int, float]:
    """A circle's size and chance of a clockwise step, checked."""
    require(0 <= p <= 1, "p", "a probability in [0, 1]", p)
    return whole("K", K, 3), float(p)


def step_matrix(K: int, p: float) -> Array:
    """Chances of a step, Pi (K, K): p from node i to i + 1, 1 - p to i - 1, nodes modulo K."""
    K, p = ring(K, p)
    return p * np.roll(np.eye(K), 1, axis=1) + (1 - p) * np.roll(np.eye(K), -1, axis=1)


def visits(K: int, p: float, N: int) -> Array:
    r"""How often a walk of N - 1 steps is k nodes clockwise of its start, $\sum_{m=1}^{N-1}[\Pi^m]_{0k}$, (K,).

    Example:
        >>> visits(3, 1.0, 5)
        array([1., 2., 1.])
    """
    here, Pi, total = np.eye(whole("K", K, 3))[0], step_matrix(K, p), np.zeros(K)
    for _ in range(whole("N", N, 2) - 1):
        here = here @ Pi
        total += here
    return total


def lag_signal(K: int, p: float, N: int) -> Array:
    r"""$E_l = \sum_{m=1}^{N-1}[\Pi^m(\Pi^\top)^l]_{00}$ for the lags l = 1 to N - 1, (N - 1,).

    The second step of training from zero raises the score of the token at lag l in proportion to it.
    """
    signal: Array = lift(portable.lag_signal)(K, p, N, np.asarray(N) - 1)
    return signal


def best_lag(K: int, p: float, N: int) -> int:
    """The lag with the largest signal, the smallest among equals up to rounding.

    Example:
        >>> best_lag(6, 0.8, 97), best_lag(20, 0.8, 101)
        (1, 3)
    """
    lag: int = lift(portable.best_lag)(K, p, N, np.asarray(N) - 1)
    return lag


def drawn_signal(D: Integers, K: int) -> Array:
    r"""The lag signal of drawn walks with all their turns, (R, N - 1) for the lags 1 to N - 1, in visits.

    $\hat E_l = \sum_k\hat P_l(k)\sum_{l'}\hat P_{l'}(k)$ of D (R, n, N - 1), the steps clockwise from each token to
    the target, 0 to K - 1, in the order of the walk; $\hat P_l(k)$ is the share of the n walks with k at lag l. On many
    walks it is `lag_signal`, and where two lags have nearly equal signals it is this that tells which one training on
    these walks settles on.
    """
    shares = [np.mean(np.equal(D, k), axis=1)[:, ::-1] for k in range(whole("K", K, 3))]
    P = np.stack(shares, axis=-1)  # (R, N - 1, K)
    signal: Array = np.einsum("rlk,rk->rl", P, P.sum(axis=1))
    return signal


def first_values(K: int, p: float, N: int, lr: float = 1.0, epsilon: float = 0.1) -> Array:
    r"""V after one step, exactly $\frac{\eta}{\epsilon NK}\sum_{m=1}^{N-1}(\Pi^\top)^m$, (K, K); scores are still 0."""
    k = np.arange(ring(K, p)[0])
    clockwise = visits(K, p, N)
    scale = positive(lr, "lr") / (positive(epsilon, "epsilon") * N * K)
    return scale * clockwise[(k[:, None] - k) % K]


def first_output(K: int, N: int, lr: float = 1.0, epsilon: float = 0.1) -> float:
    r"""Mean output there after a step, $\bar f = \frac{\eta}{\epsilon K^2}(\frac{N-1}{N})^2$, for long walks."""
    K, N = whole("K", K, 3), whole("N", N, 2)
    return float(positive(lr, "lr") / (positive(epsilon, "epsilon") * K**2) * ((N - 1) / N) ** 2)


def second_scores(K: int, p: float, N: int, M: int, lr: float = 1.0, epsilon: float = 0.1) -> Array:
    r"""How far the score of lag l lies below the parent's after two steps, (N - 1,) for l = 1 to N - 1; in nats.

    $g_{N-1} - g_{N-l} = \frac{\eta^2\rho^2(E_1 - E_l)}{\epsilon(\epsilon + \bar f)N^2K}$: exact where the output after
    one step is the same for all walks, so for long ones. Attention is the parent's as soon as this is large for all
    other lags: $M \gtrsim N^{3/2}$.
    """
    signal, rho = lag_signal(K, p, N), (whole("M", M, N) + 1) / 2
    f = first_output(K, N, lr, epsilon)
    return (lr * rho) ** 2 * (signal[0] - signal) / (epsilon * (epsilon + f) * N**2 * K)


def settled_value(time: ArrayLike, K: int, p: float, epsilon: float = 0.1) -> Array:
    r"""Late value of the likelier next node, $\sqrt{\epsilon^2 + 2\eta t\max(p, 1-p)/K} - \epsilon$, (...).

    The `time` t (...) is the learning rate times the steps, above 0.
    """
    ring(K, p)
    offset = positive(epsilon, "epsilon")
    return np.sqrt(offset**2 + 2 * positive(time, "time") * best_accuracy(p) / K) - offset


def saturated(V: Array, K: int, p: float, lr: float, steps: int, epsilon: float = 0.1) -> Array:
    """The values `V` (K, K) after so many more steps, with all attention on the parent.

    Entries are above -epsilon where the law is not 0.
    """
    gain = float(positive(lr, "lr")) / K * step_matrix(K, p).T
    where = gain > 0
    push, offset = gain[where], float(positive(epsilon, "epsilon"))
    value = positive(V[where] + offset, "V + epsilon")
    for _ in range(whole("steps", steps)):
        value = value + push / value
    result = V.astype(float)
    result[where] = value - offset
    return result


def root_target(K: int, p: float) -> Array:
    r"""The entrywise root of $\Pi^\top$ (K, K), which V turns towards."""
    return np.sqrt(step_matrix(K, p).T)
