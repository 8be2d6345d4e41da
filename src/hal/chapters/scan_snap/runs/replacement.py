"""Training with the decoder gradient that the paper's analysis puts in place of the true one.

Chapter `scan_snap`. On an example of class n the true gradient moves the decoder by f_n delta^T. The paper replaces it
by (f_n - F E' e_n) delta^T, so that each class moves its own row of W = F^T Y and no other. Its reference dynamics rest
on this; here it is trained, with attention held still or learning as well, on contexts of infinite length. What is out
of range is refused with an `InputError`. Source: arXiv 2305.16380, Lemma 3 and its proof.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import rates
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.optim.base import stateless
from lib.sampling import Rngs, generators
from lib.train import Trajectory, train

Array = NDArray[np.float64]
Record = Mapping[str, Callable[[Any], NDArray]]


def replace_gradient(task: ss.Task) -> optim.Transform:
    """Turn the true gradient of the decoder into the replacement of Lemma 3, at the attention of the moment; the
    gradient of Z passes through. At an update the classes' decoder inputs must be linearly independent.

    The true gradient is -F D, row n of D the mean residual of class n, and the replacement is -F (I - E') D with
    I - E' = (F^T F)^{-1}. Columns of F^+T are the directions f_n - F E' e_n, so one is F^+T F^+ times the other.
    """

    def update(updates: ss.Params, params: ss.Params) -> ss.Params:
        f = decoder_inputs(params, task)
        size = np.linalg.svd(f, compute_uv=False)[..., -1].min()
        require(size > 1e-8, "task", "classes with independent decoder inputs", f"a singular value of {size:.1e}")
        pinv = np.linalg.pinv(f)  # (R, C, K), columns f_n - F E' e_n
        return ss.Params(pinv @ (pinv.swapaxes(-1, -2) @ updates.Y), updates.Z)

    return stateless(update)


def decoder_inputs(params: ss.Params, task: ss.Task) -> Array:
    """(R, K, C) inputs f_n of the decoder for contexts of infinite length: attention over its Euclidean norm."""
    c = ss.attention(params, task)
    return c / np.sqrt(np.square(c).sum(axis=-1, keepdims=True))


class OneByOne(ss.Transformer):
    """The model on single examples of infinite length: each step draws a class, and its whole law is the context."""

    draws = True

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> ss.Batch:  # type: ignore[override]  # it draws
        """Classes drawn uniformly, (R, batch), with the counts P(l | n) of their classes."""
        label = _classes(self.task.K, batch, rngs)
        return ss.Batch(self.task.P[label], self.task.query[label], label)


def learn_replaced(
    task: ss.Task,
    seeds: Sequence[int] = (0,),
    optimiser: optim.Transform | None = None,
    steps: int = 1000,
    one_by_one: bool = False,
    replaced: bool = True,
    record: Record | None = None,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
) -> Trajectory:
    """Train from zero with the replacement gradient in the decoder; all M columns are kept.

    Where attention has the rate 0 it stays, F with it, and this is the setting of Lemmas 3 and 5. With a positive rate
    both layers learn together and attention receives its true gradient, given that decoder.

    Args:
        task: its length plays no part: contexts are infinitely long.
        seeds: R seeds; they matter only for the order of classes.
        optimiser: what follows the replacement; default `rates(0.1, 0.0, optim.sgd)`, attention held still.
        steps: number of updates.
        one_by_one: each step sees one example of a class drawn uniformly, instead of the mean over all K classes.
        replaced: False trains on the true gradient, for comparison.
        record: name -> function of the parameters; default Y (R, C, M) and Z (R, Q, C) themselves.
        record_at: steps to record; default the first and the last.
    """
    require(len(seeds) > 0, "seeds", "at least one seed", "none")
    R, endless = len(seeds), replace(task, L=None)
    plain = rates(0.1, 0.0, optim.sgd) if optimiser is None else optimiser
    return train(
        OneByOne(endless) if one_by_one else ss.Transformer(endless),
        ss.Params(np.zeros((R, task.C, task.M)), np.zeros((R, task.Q, task.C))),
        optim.chain(replace_gradient(endless), plain) if replaced else plain,
        steps,
        1 if one_by_one else None,
        generators(seeds) if one_by_one else None,
        {"Y": lambda p: p.Y, "Z": lambda p: p.Z} if record is None else record,
        [0, steps] if record_at is None and steps > 0 else record_at,
        settings={"one_by_one": one_by_one, "replaced": replaced, "seeds": list(seeds)},
    )


def times_seen(task: ss.Task, seeds: Sequence[int], steps: int) -> NDArray[np.int64]:
    """(R, steps + 1, K): how often each class was seen, after each update, in a run of `learn_replaced` with one_by_one
    and the same seeds."""
    rngs = generators(seeds)
    drawn = np.concatenate([_classes(task.K, 1, rngs) for _ in range(steps)], axis=1)  # (R, steps)
    counts = np.cumsum(np.eye(task.K, dtype=np.int64)[drawn], axis=1)
    return np.concatenate([np.zeros_like(counts[:, :1]), counts], axis=1)


def _classes(K: int, batch: int, rngs: Rngs) -> NDArray[np.int64]:
    """(R, batch) classes, run r from rngs[r] alone."""
    return np.stack([rng.integers(K, size=batch) for rng in rngs])
