"""The two question-answering tasks, learned from random starts on all their questions.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6; that tokens have length 1 is our reading.
"""

from collections.abc import Sequence

import numpy as np

from lib.models import random_walk as rw
from lib.sampling import generators
from lib.train import GivenBatches, Trajectory, train

__all__ = ["answer"]


def answer(
    questions: rw.Walks,
    seeds: Sequence[int],
    lr: float = 0.1,
    steps: int = 100,
    sigma: float = 0.01,
    unit_length: bool = True,
    record_at: Sequence[int] | None = None,
) -> Trajectory:
    """Train from R random starts; records "accuracy" and "divergence", the latter in nats from the right answer.

    Args:
        questions: `most_frequent()` or `preferred()` of `lib.models.random_walk`, or others of that kind.
        seeds: R seeds of the starts.
        lr: learning rate of V and W.
        steps: of gradient descent, each on all questions.
        sigma: standard deviation of the entries of V and W at the start.
        unit_length: whether tokens are divided by their length.
        record_at: see `lib.train.train`; default the start and the end.
    """
    K, N = len(rw.WORDS), questions.s.shape[-1]
    model = rw.MinimalTransformer(K=K, N=N, M=1000, unit_length=unit_length, sigma=sigma)
    right = (questions.s[..., -1:] == np.arange(K)).astype(float)
    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, questions), questions),
        "divergence": lambda p: rw.divergence(model.output(p, questions), right, questions.weight),
    }
    at = [0, steps] if record_at is None else record_at
    start = model.init(len(seeds), generators(seeds, 2))
    fixed = GivenBatches(model, [questions])
    return train(fixed, start, model.optimiser(lr), steps, record=record, record_at=at)
