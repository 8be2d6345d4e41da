"""One task under both dynamics: the joint gradient flow of both layers, and the paper's reference dynamics.

Chapter `scan_snap`. Shared by the runs on the fate of tokens, on timing, and on the size of the drive. Source:
arXiv 2305.16380, Lemma 4 (reference) and Lemma 1 (joint).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.joint_flow import flow
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]


class Both(NamedTuple):
    """Attention logits (nats) and their motion in the two dynamics, at the same times."""

    times: Array  #: (T,) steps
    joint: Array  #: (T, Q, C) logits of the joint flow
    reference: Array  #: (T, Q, C) logits of the reference dynamics
    joint_speed: Array  #: (T, Q, C) dz / dt, nats a step
    reference_speed: Array  #: (T, Q, C)
    joint_attention: Array  #: (T, K, C)
    reference_attention: Array  #: (T, K, C)
    loss: Array  #: (T,) nats, of the joint flow


def start_inputs(task: ss.Task) -> Array:
    """Decoder inputs f_n (K, C) at the start, where attention logits are 0 and attention follows frequency.

    Source: arXiv 2305.16380, Lemma 2.
    """
    return theory.decoder_inputs(task.P, np.zeros((task.Q, task.C)), task.query)


def both(task: ss.Task, lr_Y: float, lr_Z: float, times: Sequence[float] | Array, tolerance: float = 1e-8) -> Both:
    """Run the joint flow and the reference dynamics from zero.

    Args:
        task: its law P (K, C) is the population, whatever its length.
        lr_Y: rate of the decoder, per step, positive.
        lr_Z: rate of attention, per step, not negative.
        times: increasing times in steps, of at least 0.
        tolerance: relative error of a step of the joint flow.

    Returns:
        `Both`.

    Raises:
        InputError: if an argument is out of range, or two classes attend to the same tokens alike.
        DivergedError: if an integration fails.

    Source: arXiv 2305.16380, Lemmas 1 and 4.
    """
    run = flow(task, lr_Y, lr_Z, times, tolerance=tolerance)
    path = theory.reference_run(task.P, task.query, task.M, lr_Y, lr_Z, times)
    motion = lr_Z * path.gamma[:, None, None] * theory.logit_velocity(path.inputs, task.query, task.M)
    return Both(
        run.times,
        run.params.Z,
        path.z,
        run.speed,
        motion,
        ss.attention(run.params, task),
        path.attention,
        run.loss,
    )
