"""Runs beyond the paper: other starts, softmax attention, labels fed back as tokens, screening by counting.

Chapter `scb`. arXiv 2410.23438 asks these questions (Sections 2.1, 5.2 and 6, conjecture after Theorem 3.1); the
measurements are ours.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb.runs.algorithm import output_step, signals
from lib import optim
from lib.errors import require
from lib.models import scb
from lib.sampling import Rngs, choose, generators
from lib.train import Trajectory, train


def first_reach(steps: NDArray, values: NDArray, level: float) -> NDArray:
    """First recorded step at which |values| (seeds, K) reaches the level, interpolated; NaN if it never does."""
    found = np.full(len(values), np.nan)
    for s, row in enumerate(np.abs(values)):
        above = np.flatnonzero(row >= level)
        if above.size and above[0] > 0:
            j = above[0]
            found[s] = np.interp(level, [row[j - 1], row[j]], [steps[j - 1], steps[j]])
    return found


def random_start(task: scb.Task, seeds: Sequence[int], size: float = 1.0) -> scb.Params:
    """V = mu 1^T + a random centred matrix, `size` times as long as the true signal; run r depends on seeds[r] alone.

    Raises:
        InputError: if the task has a run axis or the size is negative.
    """
    require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
    require(size >= 0, "size", "a number of at least 0", size)
    V, A = scb.LinearTransformer(task).init(len(seeds))
    for r, rng in enumerate(generators(seeds, 2)):
        G = scb.centred(rng.standard_normal((task.N, task.N)), task.mu)
        V[r] += size * np.sqrt(task.K_P) / scb.mu_norm(G, task.mu) * G
    return scb.Params(V, A)


def learn_softmax(
    task: scb.Task,
    seeds: Sequence[int],
    *,
    lr: float,
    lr_w: ArrayLike,
    batch: int,
    steps: int,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
) -> Trajectory:
    """Plain SGD of the softmax model from uniform attention, with the same rescaling by token frequency.

    Args:
        task, seeds, lr, batch, steps, record_at: as in `learn`.
        lr_w: step of the logits, in nats per unit of gradient; number or (R,). Between 3 and 12 at T = 200.

    Returns:
        The trajectory with the chapter's signals, measured on the attention weights; params are V and logits.

    Raises:
        InputError: if a rate is negative or not finite.
    """
    rate = np.broadcast_to(np.asarray(lr_w, float), (len(seeds),))
    optimiser = optim.per_field(
        V=output_step(task, lr / task.K_Q),
        w=optim.chain(optim.precondition(1 / task.mu[..., :, None]), optim.scale_by_learning_rate(rate)),
    )
    model = scb.SoftmaxTransformer(task)
    record = {name: _on_weights(measure) for name, measure in signals(task).items()}
    start, rngs = model.init(len(seeds)), generators(seeds)
    return train(model, start, optimiser, steps, batch, rngs, record, record_at, {"lr": lr, "lr_w": lr_w})


def _on_weights(measure: Callable[[scb.Params], NDArray]) -> Callable[[scb.SoftmaxParams], NDArray]:
    return lambda params: measure(scb.as_linear(params))


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
    """Law (tokens, N) of the 1st, 2nd, ... generated token: frequencies of the labels over many chains.

    With `fresh`, a token drawn from mu is appended in place of the label, so that nothing is fed back.
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


def screened_share(task: scb.Task, samples: int, seeds: Sequence[int]) -> float:
    """Share of seeds in which the top Q cells of the chi-squared table are exactly the support, for every last token.

    Raises:
        InputError: if `samples`, of all last tokens together, is below 1 or the task has a run axis.
    """
    found = []
    for rng in generators(seeds):  # one at a time: a long context with many samples is tens of megabytes
        scores = scb.chi_squared(scb.sample(task, samples, [rng]), task)
        found.append(bool(scb.top_cells_are_support(scores, task)[0]))
    return float(np.mean(found))
