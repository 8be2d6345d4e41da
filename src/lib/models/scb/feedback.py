"""Feeding outputs back: drop the first token, append the label, ask again. The task as a language model.

Chapter `scb`. Source: arXiv 2410.23438 names this extension and leaves it to future work (Sections 2.1 and 6); all
measurements of it are ours.
"""

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models.scb.model import Batch
from lib.models.scb.task import Task
from lib.sampling import Rngs, choose


class Chains:
    """`chains` parallel sequences a run, each continued by the task's own law.

    A window is (x_1 ... x_T, x_(T+1)); its label becomes the next token. All windows start i.i.d. from mu.

    Args:
        task: one task.
        chains: sequences a run; also the batch size of `sample`.
        rngs: R generators, for the first windows.

    Raises:
        InputError: if the task has a run axis or chains < 1.
    """

    def __init__(self, task: Task, chains: int, rngs: Rngs) -> None:
        require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
        require(chains >= 1, "chains", "at least 1", chains)
        self.task = task
        uniform = np.stack([rng.random((chains, task.T + 1)) for rng in rngs])
        self.window: NDArray[np.uint8] = choose(task.cumulative_mu, uniform).astype(np.uint8)  # (R, B, T + 1)

    def step(self, rngs: Rngs) -> Batch:
        """The present windows with fresh labels, as a `Batch`; then every window moves on by one token.

        Args:
            rngs: R generators.
        """
        task, window = self.task, self.window
        runs, chains, _ = window.shape
        uniform = np.stack([rng.random((2, chains)) for rng in rngs])
        last = window[..., -1].astype(np.intp)
        positions, weights = task.support
        where = choose(weights[last], uniform[:, 0])
        rows, each = np.arange(runs)[:, None], np.arange(chains)
        token = window[rows, each, positions[last, where]]
        label = choose(task.cumulative_P[token], uniform[:, 1])
        cuts = np.repeat(np.arange(1, task.N, dtype=np.uint8)[None], runs, axis=0)  # tokens are their own draws
        batch = Batch(window[..., :-1].copy(), cuts, last, label)
        window[..., :-1] = window[..., 1:]
        window[..., -1] = label
        return batch
