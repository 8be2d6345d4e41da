"""Claim SNAP-13: joint training solved exactly when every output occurs (M = K), and an identity for any data.

Chapter `scan_snap`. Beyond arXiv 2305.16380.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.joint_flow import flow
from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.claims import Part, Result, claim, result
from lib import optim
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

_TIMES = (0.0, 5.0, 20.0, 60.0, 200.0)
_SETTINGS = tuple((K, queries) for K in (2, 5) for queries in ("own", "shared"))


def _reduced(task: ss.Task, lr_Y: float, lr_Z: float, times: tuple[float, ...]) -> NDArray[np.float64]:
    """Logits (T, C) of class 0's tokens, common ones first, from the reduction."""
    own = task.P[0]
    path = theory.solvable_run(own[task.common], own[task.distinct[0]], task.K, task.K // task.Q, lr_Y, lr_Z, times)
    return np.concatenate([path.z_common, path.z_distinct], axis=-1)


def _gap(z: NDArray[np.float64], task: ss.Task, law: NDArray[np.float64]) -> float:
    """Largest difference of the logits (T, C) of class 0 from `law`, over the largest logit."""
    mine = np.concatenate([z[:, task.common], z[:, task.distinct[0]]], axis=-1)
    return float(np.abs(mine - law).max() / np.abs(law).max())


@claim(
    "SNAP-13",
    where="beyond the paper",
    says="With no never-next tokens ($M=K$) and classes that look alike, joint training has an exact reduction, "
    "whatever the ratio of rates, for own and shared queries. For any data, attention logits are the squared "
    "decoder weights minus a drain.",
    control={"never": 1},
    breaks="one output that never occurs",
)
def _check_13(never: int = 0) -> Result:
    flows, steps = [], []
    for K, queries in _SETTINGS:
        task = ss.base_task(K=K, queries="own" if queries == "own" else "shared", M=K + never, L=None)
        law = _reduced(task, 2.0, 1.0, _TIMES)
        flows.append(_gap(flow(task, 2.0, 1.0, _TIMES).params.Z[:, 0], task, law))
        dt = 0.2
        at = [round(t / dt) for t in _TIMES]
        run = learn(task, [0], rates(2 * dt, dt, optim.sgd), at[-1], record={"Z": lambda p: p.Z[:, 0]}, record_at=at)
        steps.append(_gap(run["Z"][0], task, law))
    return result(
        Part(
            "logits of the joint flow against the reduction, largest relative error", max(flows), 1e-6, kind="rounding"
        ),
        Part("the same for gradient steps of rates 0.4 and 0.2", max(steps), 0.01, 0, "at most"),
        Part("identity on random data, largest relative error", _identity_error(), 0.002, 0, "at most"),
    )


def _identity_error(seed: int = 0) -> float:
    """Logits of a joint flow on four random classes under one query, M = 7, against the identity with the decoder."""
    rng = np.random.default_rng(seed)
    task = ss.Task(rng.dirichlet(np.ones(12), size=4), np.zeros(4, dtype=int), 7, None)
    times = np.concatenate([[0.0], np.geomspace(0.01, 300.0, 400)])
    start = ss.Params(np.zeros((1, task.C, task.M)), np.zeros((1, 1, task.C)))  # all M columns
    Y, Z = flow(task, 0.5, 1.0, times, start).params
    f = theory.decoder_inputs(task.P, Z, task.query)
    delta = np.eye(task.K, task.M) - softmax(f @ Y)
    drain = theory.drain_rate(f, delta @ Y.swapaxes(-1, -2))
    law = theory.logits_from_decoder(times, np.square(Y).sum(axis=-1), drain, 0.5, 1.0)
    return float(np.abs(Z[:, 0] - law).max() / np.abs(Z).max())
