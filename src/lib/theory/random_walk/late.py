r"""After attention has settled on the parent: every value grows on its own, and V turns towards the root of the law.

Chapter `random_walk`. Source: ours, from the model of arXiv 2511.23239, Section 2, whose theorem has V turn towards
the law itself. With $\bar x = x_{N-1}$, $V_{ij} \leftarrow V_{ij} + \frac{\eta}{K}\frac{\Pi_{ji}}{V_{ij}+\epsilon}$, so
$(V_{ij}+\epsilon)^2 \approx \text{const} + \frac{2\eta t}{K}\Pi_{ji}$. A circle has K >= 3 nodes, a step is
clockwise with the chance p in [0, 1]; learning rate and the offset `epsilon` of the loss are above 0. Other values
raise InputError.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import whole
from lib.portable import lift
from lib.theory._arrays import Array, positive
from lib.theory.random_walk import portable
from lib.theory.random_walk.circle import ring, step_matrix

best_accuracy = lift(portable.best_accuracy)
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
