"""The task as a language model: labels fed back as tokens. What the tokens' law becomes, and learning on such text.

Chapter `scb`. Source: arXiv 2410.23438 names this extension (Sections 2.1 and 6); the measurements are ours.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.models import scb
from lib.sampling import Rngs, choose, generators


class Continued(scb.LinearTransformer):
    """The linear model on consecutive windows of parallel chains, in the form that `lib.train.train` asks for.

    The windows of a step follow those of the step before, so steps are asked for in their order; step 0 begins anew.

    Args:
        task: one task.
        chains: sequences a run; the batch size must equal it.
        seeds: R seeds of the first windows.
    """

    def __init__(self, task: scb.Task, chains: int, seeds: Sequence[int]) -> None:
        super().__init__(task)
        self._chains, self._seeds = chains, list(seeds)
        self._next, self._running = 0, scb.Chains(task, chains, generators(seeds, 6))

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> scb.Batch:
        """The windows of this step with fresh labels; then every chain moves on by one token.

        Raises:
            InputError: if the batch is not the number of chains, or the step not the next one.
        """
        require(batch == self._chains, "batch", f"the number of chains, {self._chains}", batch)
        if step == 0:
            self._next, self._running = 0, scb.Chains(self.task, self._chains, generators(self._seeds, 6))
        require(step == self._next, "step", f"the next step, {self._next}", step)
        self._next += 1
        return self._running.step(rngs)


def marginals(task: scb.Task, tokens: int, chains: int, seed: int = 0, fresh: bool = False) -> NDArray[np.float64]:
    """Law of the 1st, 2nd, ... generated token over many chains.

    Args:
        task: one task.
        tokens: tokens to generate.
        chains: chains to average over.
        seed: seed of everything.
        fresh: append a token drawn from mu in place of the label, so that nothing is fed back.

    Returns:
        (tokens, N) frequencies of the labels.
    """
    rngs = generators([seed])
    running = scb.Chains(task, chains, generators([seed], 6))
    out = []
    for _ in range(tokens):
        label = running.step(rngs).label[0]
        out.append(np.bincount(label, minlength=task.N) / chains)
        if fresh:
            running.window[0, :, -1] = choose(task.cumulative_mu, rngs[0].random(chains))
    return np.stack(out)


def drift(task: scb.Task, tokens: int, chains: int, seed: int = 0, fresh: bool = False) -> tuple[float, float]:
    """L1 distance to mu of the first generated token's law, and of the average law of the last half of them.

    Args:
        task: one task.
        tokens: tokens to generate, at least 2.
        chains: chains to average over.
        seed: seed of everything.
        fresh: see `marginals`.
    """
    law = marginals(task, tokens, chains, seed, fresh)
    late = law[tokens // 2 :].mean(axis=0)
    return float(np.abs(law[0] - task.mu).sum()), float(np.abs(late - task.mu).sum())
