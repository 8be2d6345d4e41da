"""Runs beyond the paper: other starts, softmax attention, labels fed back as tokens, screening by counting.

Chapter `scb`. arXiv 2410.23438 asks these questions (Sections 2.1, 5.2 and 6, conjecture after Theorem 3.1); the
measurements are ours.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hal.chapters.scb.runs.algorithm import learn, signals
from lib import optim
from lib.errors import require
from lib.models import scb
from lib.sampling import Rngs, choose, generators
from lib.train import Trajectory, record_points, train


def first_reach(steps: NDArray, values: NDArray, level: float) -> NDArray:
    """First recorded step at which |values| (seeds, K) reaches the level, interpolated; NaN if it never does."""
    found = np.full(len(values), np.nan)
    for s, row in enumerate(np.abs(values)):
        above = np.flatnonzero(row >= level)
        if above.size and above[0] > 0:
            j = above[0]
            found[s] = np.interp(level, [row[j - 1], row[j]], [steps[j - 1], steps[j]])
    return found


def random_start(
    task: scb.Task, seeds: Sequence[int], size_V: float = 1.0, size_A: float = 0.0, dirichlet: bool = False
) -> scb.Params:
    """V = mu 1^T + a random centred matrix, A uniform plus noise; run r depends on seeds[r] alone.

    Args:
        task: one task.
        seeds: R seeds.
        size_V: norm of the random part of V, in units of sqrt(K_P), the norm of the true signal.
        size_A: standard deviation of Gaussian attention entries, before their mean is taken off.
        dirichlet: draw the attention rows from Dirichlet(1) instead.

    Raises:
        InputError: if the task has a run axis or a size is negative.
    """
    require(task.mu.ndim == 1, "task", "a single task without a run axis", f"mu of shape {task.mu.shape}")
    require(size_V >= 0 and size_A >= 0, "size_V, size_A", "numbers of at least 0", (size_V, size_A))
    V, A = scb.LinearTransformer(task).init(len(seeds))
    for r, rng in enumerate(generators(seeds, 2)):
        G = scb.centred(rng.standard_normal((task.N, task.N)), task.mu)
        V[r] += size_V * np.sqrt(task.K_P) / scb.mu_norm(G, task.mu) * G
        if dirichlet:
            A[r] = rng.dirichlet(np.ones(task.T), size=task.N)
        noise = size_A * rng.standard_normal((task.N, task.T))
        A[r] += noise - noise.mean(axis=-1, keepdims=True)
    return scb.Params(V, A)


def learn_from(
    task: scb.Task,
    start: scb.Params | None,
    seeds: Sequence[int],
    *,
    lr: float = 0.02,
    batch: int = 64,
    steps: int = 300,
    level: float = 0.1,
) -> tuple[Trajectory, np.ndarray, np.ndarray, np.ndarray]:
    """Plain SGD from any start: when it escapes, which sign it takes, whether the support can be read off.

    Args:
        task: one task.
        start: R starts; None is the paper's.
        seeds: R seeds of the samples.
        lr: base step.
        batch: samples a step.
        steps: number of steps.
        level: |alpha_A| that counts as escaped.

    Returns:
        The trajectory, then for each run: escape (steps, NaN if never), mirrored, and support (true where
        |A - 1/T| is largest exactly on the support of Q); each (R,).

    Raises:
        InputError: if sizes disagree.
    """
    record = {"alpha_A": lambda p: scb.alpha_A(p, task), "alpha_V": lambda p: scb.alpha_V(p, task)}
    run = learn(
        task,
        seeds,
        lr=lr,
        batch=batch,
        steps=steps,
        start=start,
        record=record,
        record_at=record_points(steps, steps // 5),
        keep_mean=True,
    )
    escape = first_reach(run.steps, run["alpha_A"], level)
    return run, escape, run["alpha_A"][:, -1] < 0, scb.support_recovered(run.params, task)


def learn_softmax(
    task: scb.Task,
    seeds: Sequence[int],
    *,
    lr: float,
    lr_w: ArrayLike,
    batch: int,
    steps: int,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
    start: scb.SoftmaxParams | None = None,
) -> Trajectory:
    """Plain SGD of the softmax model from uniform attention, with the same rescaling by token frequency.

    Args:
        task: one task for all runs, or R tasks.
        seeds: R seeds of the samples.
        lr: base step; V moves by lr / K_Q.
        lr_w: step of the logits, in nats per unit of gradient; number or (R,). Between 3 and 12 at T = 200.
        batch: samples a step.
        steps: number of steps.
        record_at: steps to record.
        start: R starts; None is V = mu 1^T and logits 0.

    Returns:
        The trajectory with the chapter's signals, measured on the attention weights; params are V and logits.

    Raises:
        InputError: if a rate is negative or not finite.
    """
    inverse = 1 / task.mu
    rate = np.broadcast_to(np.asarray(lr_w, float), (len(seeds),))
    optimiser = optim.per_field(
        V=optim.chain(optim.precondition(inverse[..., None, :]), optim.scale_by_learning_rate(lr / task.K_Q)),
        w=optim.chain(optim.precondition(inverse[..., :, None]), optim.scale_by_learning_rate(rate)),
    )
    model = scb.SoftmaxTransformer(task)
    record = {name: _on_weights(measure) for name, measure in signals(task).items()}
    start = model.init(len(seeds)) if start is None else start
    return train(model, start, optimiser, steps, batch, generators(seeds), record, record_at, {"lr": lr, "lr_w": lr_w})


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


def screened_share(task: scb.Task, samples: int, seeds: Sequence[int]) -> float:
    """Share of seeds in which the top Q cells of the chi-squared table are exactly the support, for every last token.

    Args:
        task: one task.
        samples: samples of all last tokens together.
        seeds: seeds of the samples.

    Raises:
        InputError: if samples < 1 or the task has a run axis.
    """
    found = []
    for rng in generators(seeds):  # one at a time: a long context with many samples is tens of megabytes
        scores = scb.chi_squared(scb.sample(task, samples, [rng]), task)
        found.append(bool(scb.top_cells_are_support(scores, task)[0]))
    return float(np.mean(found))
