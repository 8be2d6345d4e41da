r"""After attention has settled: how often a lag is right, and where V turns, first to the law and late to its root.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2, whose theorem has V turn towards
the law itself. With $\bar x = x_{N-1}$, $V_{ij} \leftarrow V_{ij} + \frac{\eta}{K}\frac{\Pi_{ji}}{V_{ij}+\epsilon}$, so
$(V_{ij}+\epsilon)^2 \approx \text{const} + \frac{2\eta t}{K}\Pi_{ji}$. A circle has K >= 3 nodes, a step is
clockwise with the chance p in [0, 1]; learning rate and the offset `epsilon` of the loss are above 0. Other values
raise InputError.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.portable import lift
from lib.theory._arrays import Array, positive
from lib.theory.random_walk import portable
from lib.theory.random_walk.circle import ring, step_matrix

best_accuracy = lift(portable.best_accuracy)
lag_accuracy = lift(portable.lag_accuracy)
law_distance = lift(portable.law_distance)


def settled_value(time: ArrayLike, K: int, p: float, epsilon: float = 0.1) -> Array:
    r"""Late value of the likelier next node, $\sqrt{\epsilon^2 + 2\eta t\max(p, 1-p)/K} - \epsilon$, (...).

    The `time` t (...) is the learning rate times the steps, above 0.

    Source: beyond the paper.
    """
    ring(K, p)
    offset = positive(epsilon, "epsilon")
    return np.sqrt(offset**2 + 2 * positive(time, "time") * best_accuracy(p) / K) - offset


def saturated(V: Array, K: int, p: float, lr: float, steps: int, epsilon: float = 0.1) -> Array:
    """The values `V` (K, K) after so many more steps, with all attention on the parent.

    Entries are above -epsilon where the law is not 0.

    Source: beyond the paper.
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
    r"""The entrywise root of $\Pi^\top$ (K, K), which V turns towards.

    Source: beyond the paper.
    """
    return np.sqrt(step_matrix(K, p).T)


def two_regimes(
    steps: ArrayLike, settled: float, K: int, p: float, lr: float = 1.0, epsilon: float = 0.1
) -> tuple[Array, Array]:
    r"""Distances of the direction of V from the law of a step and from its root, (...) each.

    While attention is even, up to the step `settled`, at least 0, all entries grow alike, to $V_0$ with
    $(V_0+\epsilon)^2 = \epsilon^2 + 2\eta t_s/K^2$. From there each grows by its own chance,
    $V_{ij} = (V_0+\epsilon)\sqrt{1 + x\Pi_{ji}} - \epsilon$ with $x = 2\eta(t - t_s)/(K(V_0+\epsilon)^2)$: along the
    law while x is small, along its root when it is large. Where x moves by little in one step, both are right within
    0.02 from four times `settled` on.

    Args:
        steps: t (...), at least `settled`.
        settled: the step at which attention on the parent passes one half, at least 0.
        K: nodes.
        p: chance of a clockwise step.
        lr: learning rate.
        epsilon: offset of the loss.

    Source: ours, from the model of arXiv 2511.23239; its theorem on 0 < p < 1, item 3, has the first go to 0.
    """
    K, p = ring(K, p)
    t, rate, offset = np.asarray(steps, dtype=float), positive(lr, "lr"), positive(epsilon, "epsilon")
    require(np.isfinite(settled) and settled >= 0, "settled", "a step of at least 0", settled)
    require(bool((t >= settled).all()), "steps", f"steps from settled = {settled} on", steps)
    height = np.sqrt(offset**2 + 2 * rate * settled / K**2)
    x = 2 * rate * (t[..., None] - settled) / (K * height**2)
    chance = np.array([p, 1 - p, *np.zeros(K - 2)])  # of the turns 1, K - 1, and all others
    V = height * np.sqrt(1 + x * chance) - offset
    length = np.linalg.norm(V, axis=-1, keepdims=True)
    V = V / np.where(length > 0, length, 1)
    law, root = chance / np.linalg.norm(chance), np.sqrt(chance)
    return np.linalg.norm(V - law, axis=-1), np.linalg.norm(V - root, axis=-1)
