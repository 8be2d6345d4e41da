"""A new task on the group that a first one has chosen, with a margin.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4. Shapes and refusals are those of `lib.models.group_sparse`.
"""

import math

import numpy as np

from lib.errors import require, whole
from lib.models.group_sparse.fast import Array, Examples, Task, unit_direction
from lib.sampling import Rngs


def downstream(task: Task, n: int, rngs: Rngs, v_tilde: Array | None = None, gamma: float = 0.2) -> Examples:
    r"""Examples of a new task on the same group: the component of $x_{j^*}$ along $\tilde v^*$ is $y(\gamma + |g|)$.

    The label is a fair sign, g a standard normal number, so that every example keeps the margin $\gamma$.

    Args:
        task: gives D, d, the group and $\sigma_x$ of all other components.
        n: examples a run, at least 1.
        rngs: R generators; run r depends on rngs[r] alone.
        v_tilde: the new direction (d,), of length one; default the last axis.
        gamma: margin, at least 0.

    Source: arXiv 2504.08638, Section 4 (margin condition); the law of the inputs is ours.
    """
    n = whole("n", n, 1)
    require(len(rngs) > 0, "rngs", "at least one generator", "none")
    require(math.isfinite(gamma) and gamma >= 0, "gamma", "a finite margin >= 0", gamma)
    direction = unit_direction("v_tilde", np.eye(task.d)[-1] if v_tilde is None else v_tilde, task.d)
    X = np.stack([rng.standard_normal((n, task.D, task.d)) for rng in rngs]) * task.sigma_x
    y = np.stack([np.where(rng.random(n) < 0.5, -1.0, 1.0) for rng in rngs])
    along = y * (gamma + np.abs(np.stack([rng.standard_normal(n) for rng in rngs])))
    chosen = X[:, :, task.star]
    chosen += (along - chosen @ direction)[..., None] * direction
    return Examples(X, y)
