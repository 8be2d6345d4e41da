"""The downstream task: a new direction in the same group, learned by online SGD from a pretrained layer or from none.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 4 and the downstream figure; learning rates are ours. What is
out of range raises `InputError`.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.group_sparse.models import Features, LogisticRegression, attended, flattened, one_by_one
from hal.chapters.group_sparse.models.downstream import downstream
from hal.chapters.group_sparse.runs.learning import learn
from lib import optim
from lib.errors import require
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
TESTS = 1000  # fresh examples that measure an error
LR_LINEAR = 0.1


class Downstream(NamedTuple):
    """Test errors (R, K) after each of K numbers of examples."""

    examples: NDArray[np.int64]  #: (K,)
    tuned: Array  #: value and attention go on learning
    frozen: Array  #: attention stays as it was pretrained
    linear: Array  #: logistic regression on all d D variables


def pretrained(task: gs.Task, seeds: Sequence[int], n: int = 500, lr: float = 0.1, steps: int = 300) -> gs.Params:
    """Key-query matrices of R layers pretrained by `learn`, with the values forgotten (v = 0)."""
    params = learn(task, seeds, n, lr, steps).run.params
    return params._replace(v=np.zeros_like(params.v))


def error_curves(
    task: gs.Task,
    start: gs.Params,
    seeds: Sequence[int],
    examples: Sequence[int],
    gamma: float = 0.2,
    lr: float | None = None,
) -> Downstream:
    """Test errors along one pass of online SGD, each example used once.

    Args:
        task: gives sizes and the group that decides.
        start: of R runs, from `pretrained` or `GroupTransformer.init`.
        seeds: R seeds of the downstream examples.
        examples: increasing numbers of examples after which the error is measured, at least 1.
        gamma: margin of the new task.
        lr: learning rate of v and W; default 0.1/D^2, since $HS1$ is D tokens long.

    Returns:
        `Downstream` with K = len(examples).
    """
    require(len(seeds) == len(start.v), "seeds", f"one a run ({len(start.v)})", len(seeds))
    at = np.concatenate([[0], np.asarray(examples)])
    rate = 0.1 / task.D**2 if lr is None else lr
    model = gs.GroupTransformer(task)
    given = downstream(task, int(at[-1]), generators(seeds, 2), gamma=gamma)
    fresh = downstream(task, TESTS, generators(seeds, 3), gamma=gamma)
    read, tests = attended(model, start, given), attended(model, start, fresh)
    flat, flat_tests = flattened(given), flattened(fresh)
    return Downstream(
        at[1:],
        _errors(model, start, given, fresh, rate, at),
        _regression(read, tests, rate, at),
        _regression(flat, flat_tests, LR_LINEAR, at),
    )


def _regression(given: Features, fresh: Features, rate: float, at: NDArray[np.int64]) -> Array:
    """Errors (R, K) of logistic regression by online SGD after each number of examples in `at` but the first, 0."""
    problem = LogisticRegression(given.x.shape[-1])
    return _errors(problem, problem.init(len(given.x)), given, fresh, rate, at)


def _errors(problem: Any, params: Any, given: Any, fresh: Any, rate: float, at: NDArray[np.int64]) -> Array:
    record = {"error": lambda p: 1 - gs.accuracy(problem.output(p, fresh[0]), fresh[1])}
    stream = GivenBatches(problem, list(one_by_one(given)))
    return train(stream, params, optim.sgd(rate), int(at[-1]), record=record, record_at=at)["error"][:, 1:]


def samples_needed(errors: Array, examples: NDArray[np.int64], level: float = 0.05) -> float:
    """Examples until the mean over runs of the errors (R, K) is at most `level`, or NaN.

    Between two measurements, at increasing numbers of examples (K,), it is read off a log axis.
    """
    mean = errors.mean(axis=0)
    below = np.flatnonzero(mean <= level)
    if below.size == 0:
        return float("nan")
    k = int(below[0])
    if k == 0:
        return float(examples[0])
    share = (mean[k - 1] - level) / (mean[k - 1] - mean[k])
    return float(np.exp((1 - share) * np.log(examples[k - 1]) + share * np.log(examples[k])))
