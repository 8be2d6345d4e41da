"""Runs behind the chapter's measured answers: the sign curve, three first experiments, flows to compare with.

Chapter `scb`, on questions that arXiv 2410.23438 raises; the measurements are ours.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs.algorithm import finish, learn, stack
from hal.chapters.scb.runs.beyond import first_reach, learn_softmax
from hal.chapters.scb.runs.transfer import first_step
from hal.remember import remembered
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory


@remembered
def sign_curve(T: int, lr: float, batches: Sequence[int], seeds: Sequence[int]) -> dict[str, NDArray]:
    """Share of Stage 1 runs with the true sign, for each batch size; every batch size uses all seeds.

    Returns:
        G, share, error (one standard error), each (len(batches),), and s2.
    """
    task = scb.ring_task(T, rng=0)
    steps = int(1.15 * float(theory.escape_time(0.3, lr, task.K_Q, T)))
    record = {"alpha_V": lambda p: scb.alpha_V(p, task)}
    share = np.array(
        [
            np.mean(
                learn(
                    task, seeds, lr=lr, batch=b, steps=steps, record=record, record_at=[0, steps], keep_mean=True
                ).arrays["alpha_V"][:, -1]
                > 0
            )
            for b in batches
        ]
    )
    return {
        "G": np.array([theory.control_number(b, lr, T) for b in batches]),
        "share": share,
        "error": np.sqrt(np.maximum(share * (1 - share), 1 / len(seeds)) / len(seeds)),
        "s2": np.asarray(theory.constants(task.mu, task.P, task.Q).s2),
    }


def softmax_against_linear(
    T: int, seeds: Sequence[int], *, lr: float = 0.02, lr_w: float = 6.0, batch: int = 64, steps: int = 2500
) -> dict[str, Any]:
    """The linear and the softmax model on one task and the same samples, plain SGD both.

    V moves by lr / K_Q in both models, the softmax logits by steps of `lr_w`, in nats.

    Returns:
        "linear" and "softmax", trajectories with distance_V, distance_A, alpha_V and alpha_A; "escape", the step at
        which theory expects the softmax model to leave the start.

    Source: arXiv 2410.23438, Section 5.2 and Figure 2; the escape time is beyond the paper.
    """
    task = scb.ring_task(T, rng=0)
    at = np.linspace(0, steps, 101).astype(int)
    linear = learn(task, seeds, lr=lr, batch=batch, steps=steps, record_at=at)
    softmax = learn_softmax(task, seeds, lr=lr, lr_w=lr_w, batch=batch, steps=steps, record_at=at)
    escape = theory.softmax_escape_time(T, lr / task.K_Q, lr_w, task.K_P, task.Q.max())
    return {"linear": linear, "softmax": softmax, "escape": float(escape)}


def large_flow(T: int, N: int, Q: int, lr: float = 0.02, steps: int = 700) -> theory.PopulationPath:
    """The population flow of the ring task of these sizes, to draw under `simulation`."""
    task = scb.ring_task(T, N, weights=scb.even_weights(Q), rng=0)
    return theory.population_run(task.K_P, task.K_Q, T, lr, steps)


@remembered
def first_experiments(seeds: Sequence[int] = (0, 1, 2)) -> dict[str, dict[str, NDArray]]:
    """Three first experiments: stages against T, error against the threshold, transfer; medians over the seeds.

    Returns:
        "stages" (T, measured and predicted end of Stage 1), "threshold" (ratio, distance_V, distance_A) and
        "transfer" (samples and distance_A, from scratch and with rho = 0.5).
    """
    return {"stages": _stages(seeds), "threshold": _threshold(seeds), "transfer": _transfer(seeds)}


def _stages(seeds: Sequence[int]) -> dict[str, NDArray]:
    lengths, lr = np.array([64, 256, 1024, 4096]), 0.02
    measured, predicted = [], []
    for T in lengths:
        task = scb.ring_task(int(T), rng=0)
        tau = float(theory.escape_time(0.1, lr, task.K_Q, task.T))
        record = {"alpha_V": lambda p, task=task: scb.alpha_V(p, task)}
        steps = int(1.6 * tau)
        run = learn(task, seeds, lr=lr, batch=64, steps=steps, record=record, record_at=range(steps + 1))
        measured.append(np.nanmedian(first_reach(run.steps, run.arrays["alpha_V"], 0.1)))
        predicted.append(tau)
    return {"T": lengths, "measured": np.array(measured), "predicted": np.array(predicted)}


def _threshold(seeds: Sequence[int]) -> dict[str, NDArray]:
    ratios, lr = np.array([0.0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]), 0.02
    task = scb.ring_task(1024, rng=0)
    shrink = np.repeat(ratios * lr, len(seeds))
    run = learn(
        task, list(seeds) * len(ratios), lr=lr, batch=64, steps=700, switch=300, threshold=shrink, record_at=[0, 700]
    )
    upright = scb.unmirror(run.params, task)
    shape = (len(ratios), len(seeds))
    return {
        "ratio": ratios,
        "distance_V": np.median(scb.distance_V(upright, task).reshape(shape), axis=1),
        "distance_A": np.median(scb.distance_A(upright, task).reshape(shape), axis=1),
    }


def _transfer(seeds: Sequence[int], rho: float = 0.5, theta: float = 0.5, batch: int = 4096) -> dict[str, NDArray]:
    task = stack([scb.ring_task(1024, rng=0)])
    lr, B = 0.02, 64
    scratch = learn(task, seeds, lr=lr, batch=B, steps=700, switch=300, threshold=0.05 * lr)
    V = task.mu[:, None] + theta * scb.correlated_signal(task, rho, generators([0], 2)[0])
    score = first_step(task, V, [batch], seeds)[0]
    start = scb.Params(np.broadcast_to(V, (len(seeds), *V.shape)).copy(), scb.round_attention(score, keep=0.4))
    after = finish(task, start, seeds, lr=lr, batch=B, steps=100, keep=0.4)
    # Before its one step the transferred model attends uniformly, at the distance sqrt(K_Q).
    return {
        "samples": np.maximum(scratch.steps * B, B),
        "scratch": np.median(scratch.arrays["distance_A"], axis=0),
        "samples_transfer": np.r_[B, batch - 1, batch + after.steps * B],
        "transfer": np.r_[[np.sqrt(float(task.K_Q))] * 2, np.median(after.arrays["distance_A"], axis=0)],
    }
