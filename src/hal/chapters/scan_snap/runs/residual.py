"""With a residual connection the decoder sees the query: are "common" and "distinct" then local to a query?

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 7 (residue connection), stated there without experiment.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.dynamics import start_inputs
from hal.chapters.scan_snap.runs.learning import rates
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss
from lib.models.scan_snap.residual import ResidualTransformer
from lib.theory import scan_snap as theory
from lib.train import train

Array = NDArray[np.float64]
TOKEN, COMMON = 0, 2  # of `local_task`
_STEP = 1e-6  # of the decoder from zero: small enough that its errors are still those of the start


class Local(NamedTuple):
    """Logits in nats under the query of class 0, which stands for all classes by symmetry; population training."""

    times: Array  #: (T,) steps of rate 1: updates times the step size
    token: Array  #: (T,) the token that both queries have, each with one of its classes
    common: Array  #: (T,) a token of both classes of the query, and of no other query
    distinct: Array  #: (T,) the distinct token of class 0 that is as frequent as `token`
    loss: Array  #: (T,) nats
    drift: Array  #: (3,) first dz/dt per unit of t of token, common, distinct, at rates 1
    reference: Array  #: (3,) first motion of the same in the reference dynamics, per unit of lr_Z gamma t


class OwnQuery(NamedTuple):
    """The top distinct token of class 0 where each class has its own query."""

    logit: float  #: nats, after training
    loss: float  #: nats
    reference: float  #: its first motion in the reference dynamics, per unit of lr_Z gamma t


def local_task(common: int = 2, distinct: int = 5, M: int | None = None) -> ss.Task:
    """Four classes, two queries of two classes each; infinitely long sequences. Source: beyond the paper.

    Tokens: 0 in classes 0 and 2, and 1 in classes 1 and 3, so that each occurs with both queries but in one class of
    each; then `common` tokens of classes 0 and 1, as many of 2 and 3, all of weight 1; then the distinct tokens of each
    class, with weights from 0.2 to 1.

    Args:
        common: locally common tokens a query, at least 1.
        distinct: distinct tokens a class, at least 1.
        M: size of the decoder's vocabulary, at least 4; None counts all tokens.

    Raises:
        InputError: if a number is too small.
    """
    require(common >= 1, "common", "at least 1 token a query", common)
    require(distinct >= 1, "distinct", "at least 1 token a class", distinct)
    pairs = np.tile(np.eye(2), (2, 1))
    own = np.kron(np.eye(4), np.linspace(0.2, 1, distinct) if distinct > 1 else np.ones(1))
    weights = np.hstack([pairs, np.kron(np.eye(2), np.ones((2, common))), own])
    C = weights.shape[1]
    law = weights / weights.sum(axis=1, keepdims=True)
    return ss.Task(law, np.array([0, 0, 1, 1]), C + 2 + 4 if M is None else M, None)


def tracked(task: ss.Task) -> list[int]:
    """Of a `local_task`: the token of one class of each query, a locally common one, and class 0's top distinct one."""
    return [TOKEN, COMMON, int(np.flatnonzero(task.distinct[0])[-1])]


def local_run(
    weight: float = 1.0, M: int | None = None, time: float = 500.0, lr: float = 1.0, step: float = 0.1
) -> Local:
    """Train both layers from zero on `local_task`. Source: arXiv 2305.16380, Section 7.

    Args:
        weight: of the query in the decoder input; 0 for no residual connection, 1 is the paper's.
        M: size of the decoder's vocabulary, at least 4; None counts all tokens, 32.
        time: length of training, in steps of rate 1.
        lr: rate of attention over that of the decoder, not negative.
        step: rate of the decoder per update, small: nearly gradient flow.

    Raises:
        InputError: if an argument is out of range.
    """
    for name, value in (("time", time), ("step", step)):
        require(bool(np.isfinite(value) and value > 0), name, "a finite positive number", value)
    task = local_task(M=M)
    rows = tracked(task)
    model = ResidualTransformer(task, weight)
    steps = max(1, round(time / step))
    run = train(
        model,
        None,
        rates(step, step * lr, optim.sgd),
        steps,
        None,
        None,
        {"z": lambda params: params.Z[:, 0, rows]},
        np.unique(np.append(0, np.geomspace(1, steps, 200).astype(np.int64))),
    )
    z = run["z"][0]
    drift, reference = first_drift(task, weight)[0, rows], reference_start(task, weight)[0, rows]
    return Local(
        np.asarray(run.steps * step, dtype=np.float64), z[:, 0], z[:, 1], z[:, 2], run["loss"][0], drift, reference
    )


def own_query(
    weight: float = 1.0, optimiser: optim.Transform | None = None, steps: int = 100, task: ss.Task | None = None
) -> OwnQuery:
    """Train the population of Syn-Small, where the query alone gives the class away to a decoder that sees it.

    Args:
        weight: of the query in the decoder input; 0 for no residual connection.
        optimiser: any; default `rates()`, momentum with rates 1.
        steps: number of updates.
        task: default Syn-Small with infinitely long sequences; of another task only the law counts.

    Raises:
        InputError: if an argument is out of range.

    Source: arXiv 2305.16380, Sections 7 and 8.
    """
    data = ss.base_task(L=None) if task is None else ss.Task(task.P, task.query, task.M, None)
    model = ResidualTransformer(data, weight)
    end = train(model, None, rates() if optimiser is None else optimiser, steps).params
    loss, _ = model.loss_and_gradient(end, ss.population(data))
    top = int(np.argmax(np.where(data.distinct[0], data.P[0], 0.0)))
    m = data.query[0]
    return OwnQuery(float(end.Z[0, m, top]), float(loss[0]), float(reference_start(data, weight)[m, top]))


def first_drift(task: ss.Task, weight: float) -> Array:
    """(Q, C) first motion dz/dt of the logits in joint training from zero, per unit of t, at rates 1.

    Raises:
        InputError: if the weight is negative.
    """
    model, data = ResidualTransformer(task, weight), ss.population(task)
    start = model.init()
    _, first = model.loss_and_gradient(start, data)
    _, second = model.loss_and_gradient(ss.Params(-_STEP * first.Y, start.Z), data)
    return -second.Z[0] / _STEP


def reference_start(task: ss.Task, weight: float) -> Array:
    """(Q, C) first motion of the logits in the reference dynamics, per unit of lr_Z gamma t.

    Raises:
        InputError: if the weight is negative.
    """
    return theory.residual_velocity(start_inputs(task), task.query, task.M, weight)
