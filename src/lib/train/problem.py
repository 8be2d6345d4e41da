"""What `train` trains: the protocol of a problem, and the problem whose batches are given.

Used by every chapter. A replayed stream of samples, a fixed training set and the gradient of a whole population are
problems like any other: they say that they draw nothing, and take neither a batch size nor generators.
"""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.sampling import Rngs

Batch = TypeVar("Batch")


class Problem(Protocol[Batch]):
    """What is learned: where runs start, how a batch is drawn, and the loss with its exact gradient.

    A problem that draws nothing at random also has an attribute `draws = False`. Its `sample` is then called with
    batch 0 and no generators.
    """

    def init(self, runs: int, rngs: Rngs) -> Any:
        """The start of `runs` runs, a NamedTuple of float64 arrays (R, ...), run r from `rngs[r]` alone.

        A start without randomness uses no generator, and takes an empty `rngs`.
        """

    def sample(self, batch: int, rngs: Rngs, step: int) -> Batch:
        """The batch of step `step` (from 0): `batch` examples for each run, run r from `rngs[r]` alone."""

    def loss_and_gradient(self, params: Any, batch: Batch) -> tuple[NDArray[np.float64], Any]:
        """The loss (R,) and its gradient, a NamedTuple like `params`; neither argument is written to."""


def draws(problem: Any) -> bool:
    """Whether a problem draws at random: true unless it says `draws = False`."""
    for name in ("sample", "loss_and_gradient"):
        wanted, came = "a problem with init, sample and loss_and_gradient", f"{type(problem).__name__} without {name}"
        require(callable(getattr(problem, name, None)), "problem", wanted, came)
    return bool(getattr(problem, "draws", True))


class GivenBatches:
    """A problem on given batches, taken in turn again and again: one batch is a fixed training set, several are epochs.

    Args:
        problem: gives the start, the loss and the gradient.
        batches: what its `loss_and_gradient` takes, at least one.

    Example:
        >>> from lib.models import scb
        >>> from lib.optim import sgd
        >>> from lib.train import train
        >>> model = scb.LinearTransformer(scb.ring_task(T=16))
        >>> fixed = GivenBatches(model, [model.sample(256, [np.random.default_rng(0)])])
        >>> run = train(fixed, None, sgd(0.1), steps=100)
        >>> bool(run["loss"][0, -1] < run["loss"][0, 0])
        True
    """

    draws = False

    def __init__(self, problem: Problem[Batch], batches: Sequence[Batch]) -> None:
        require(len(batches) > 0, "batches", "at least one batch", "none")
        self.problem, self.batches = problem, list(batches)

    def init(self, runs: int = 1, rngs: Rngs = ()) -> Any:
        """The start of the problem itself."""
        return self.problem.init(runs, rngs)

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> Any:
        """The batch whose turn it is."""
        return self.batches[step % len(self.batches)]

    def loss_and_gradient(self, params: Any, batch: Any) -> tuple[NDArray[np.float64], Any]:
        """Those of the problem itself."""
        return self.problem.loss_and_gradient(params, batch)
