"""Pretraining: gradient descent on a fixed set of examples, on the six numbers, and on the population's two.

Chapter `group_sparse`. Source: arXiv 2504.08638, Sections 2 and 5. What is out of range raises `InputError`.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.group_sparse.models import PairTransformer, SymmetricTransformer
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse.textbook import Settings, steps_of
from lib.sampling import generators
from lib.train import GivenBatches, Trajectory, train

Array = NDArray[np.float64]
TESTS = 2000  # fresh examples of the same task that measure a trained layer


class Learned(NamedTuple):
    """R trained runs, measured on fresh examples."""

    model: gs.GroupTransformer
    run: Trajectory
    cosine: Array  #: (R,) of the value's variables with v*
    ratio: Array  #: (R,) length of the value's variables over the whole
    attention: Array  #: (R,) mean weight on the group that decides
    accuracy: Array  #: (R,) on fresh examples
    trained: Array  #: (R,) on the training examples


def learn(
    task: gs.Task,
    seeds: Sequence[int],
    n: int = 500,
    lr: float = 0.1,
    steps: int = 300,
    optimiser: Callable[[float], optim.Transform] = optim.sgd,
    record: Any = None,
    record_at: Any = None,
) -> Learned:
    """Train the layer on n examples a seed, each step on all of them, and measure it on fresh ones.

    Args:
        task: the task.
        seeds: R seeds; run r draws its examples from seeds[r] alone.
        n: examples.
        lr: learning rate of v and W.
        steps: of gradient descent.
        optimiser: function of the learning rate.
        record, record_at: see `lib.train.train`.
    """
    model = gs.GroupTransformer(task)
    examples = task.sample(n, generators(seeds))
    start, given = model.init(len(seeds)), GivenBatches(model, [examples])
    run = train(given, start, optimiser(lr), steps, record=record, record_at=record_at)
    fresh = task.sample(TESTS, generators(seeds, 1))
    return Learned(
        model,
        run,
        gs.cosine(run.params, task),
        gs.norm_ratio(run.params, task),
        gs.mean_attention(run.params, model, fresh.X),
        gs.accuracy(model.output(run.params, fresh.X), fresh.y),
        gs.accuracy(model.output(run.params, examples.X), examples.y),
    )


def learn_measured(
    task: gs.Task, seeds: Sequence[int], n: int, lr: float, steps: int, record_at: Any, **more: Any
) -> Trajectory:
    """`learn`, with records "cosine", "ratio", "attention" (on 500 fresh examples), each (R, K), and the loss."""
    model = gs.GroupTransformer(task)
    X = task.sample(500, [np.random.default_rng(0)]).X
    record = {
        "cosine": lambda p: gs.cosine(p, task),
        "ratio": lambda p: gs.norm_ratio(p, task),
        "attention": lambda p: gs.mean_attention(p, model, X),
    }
    return learn(task, seeds, n, lr, steps, record=record, record_at=record_at, **more).run


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """The textbook's runs with the fast model: attention (on fresh examples) and cosine, each (seeds, K).

    They are recorded where the textbook records. Random numbers are others, so runs agree in law, not one by one.
    """
    s = settings
    task = gs.Task(D=s.D, d=s.d, sigma_x=s.sigma, flips=s.flips, others=s.others)
    steps, place = np.unique(np.array(steps_of(settings)).astype(int), return_inverse=True)  # of short runs some twice
    found = learn_measured(task, list(seeds), settings.n, settings.lr, settings.steps, steps)
    return {name: found[name][:, place] for name in ("attention", "cosine")}


def learn_six(task: gs.Task, seeds: Sequence[int], n: int, lr: float, steps: int, record_at: Any = None) -> Trajectory:
    """`learn` for the symmetric model; records "attention", the mean weight on the group that decides, (R, K)."""
    six = SymmetricTransformer(task)
    batch = six.sample(n, generators(seeds))
    record = {"attention": lambda p: six.attention(p, batch)[:, :, task.star].mean(axis=(1, 2))}
    start, given = six.init(len(seeds)), GivenBatches(six, [batch])
    return train(given, start, six.optimiser(lr), steps, record=record, record_at=record_at)


def learn_pair(
    D: int,
    lr: float,
    steps: int,
    record_at: Any = None,
    sigma_x: float = 1.0,
) -> Trajectory:
    """The population in two numbers, by the steps of v and W; records "attention", "alpha" and "b", each (1, K).

    Args:
        D, lr, steps, record_at, sigma_x: as everywhere.
    """
    pair = PairTransformer(D, sigma_x)
    record = {"attention": pair.attention, "alpha": lambda p: p.alpha, "b": lambda p: p.b}
    b = optim.sgd(lr * pair.rates["b"])
    return train(pair, None, optim.per_field(alpha=optim.sgd(lr), b=b), steps, record=record, record_at=record_at)
