"""Explorer `scan_snap-snap`: logits against the logarithm of time, reference dynamics beside joint gradient flow.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 2, Lemmas 8 and 9, Section 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scan_snap.explorers._shared import log_time, sliders, step_text, tracks, value_at
from lib.chapters.scan_snap.runs.compare import both
from lib.chapters.scan_snap.runs.log_time import TIMES, TOLERANCE, check_query, peak_time, transition
from lib.explorer import Explorer, Line
from lib.models import scan_snap as ss
from lib.sweep import vectorised
from lib.theory import scan_snap as theory

# Distinct tokens drawn, of ten: rarest, two between, most frequent.
SHOWN = (0, 3, 6, 9)
# Decimals of a nat: one less than the solver's absolute error.
DIGITS = 8

_DEFAULTS = {"M": 34, "K": 2, "common": 10, "lr_Y": 1.0, "lr_Z": 1.0, "query": "own"}


@vectorised(defaults=_DEFAULTS)
def snap_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Joint flow and reference dynamics of infinitely long sequences from zero, for each point.

    Args:
        points: settings M (outputs), K (classes), common (tokens), lr_Y and lr_Z (rates per step), query ("own" or
            "shared"); nothing is random, the seed changes nothing.

    Returns:
        For each point: steps (T,); logits of class 0's query, distinct (4, T), rarest first, and common (T,), of the
        joint flow, ref_top (T,), the most frequent distinct token, and ref_common (T,) of the reference dynamics,
        NaN without common tokens; speed and ref_speed (T,), length of dz/dt over its largest value; loss and ref_loss,
        entropy and ref_entropy (T,), nats; scan and snap, the times t0' and t0; peak and ref_peak, the times of
        largest speed (NaN if nothing moves).

    Raises:
        InputError: if a setting is out of range.

    Source: arXiv 2305.16380, Lemmas 4, 8 and 9, Theorem 4; in joint flow: beyond the paper.
    """
    for p in points:
        check_query(p["query"])
    return [_one(p) for p in points]


def _one(p: dict[str, Any]) -> dict[str, NDArray]:
    task = ss.base_task(K=p["K"], common=p["common"], queries=p["query"], M=p["M"], L=None)
    run = both(task, p["lr_Y"], p["lr_Z"], TIMES, TOLERANCE)
    own = np.flatnonzero(task.distinct[0])
    scan, snapped = transition(task, p["lr_Y"])
    gone = theory.residual(TIMES, task.K, task.M, p["lr_Y"])
    moves = [np.linalg.norm(speed[:, 0], axis=-1) for speed in (run.joint_speed, run.reference_speed)]
    # Without common tokens nothing moves, up to rounding.
    still = not task.common.any()
    fast = [np.zeros_like(v) if still else v / v.max() for v in moves]
    drawn = {
        "distinct": run.joint[:, 0, own[list(SHOWN)]].T,
        "common": _mean(run.joint[:, 0], task.common),
        "ref_top": run.reference[:, 0, own[-1]],
        "ref_common": _mean(run.reference[:, 0], task.common),
        "entropy": ss.entropy_of(run.joint_attention, task),
        "ref_entropy": ss.entropy_of(run.reference_attention, task),
    }
    return {
        "steps": TIMES,
        # What the solver cannot tell from 0 is 0: no axis should zoom in on its rounding.
        **{name: np.round(values, DIGITS) for name, values in drawn.items()},
        "speed": fast[0],
        "ref_speed": fast[1],
        "loss": run.loss,
        "ref_loss": -np.log1p(-gone),
        "scan": np.asarray(scan),
        "snap": np.asarray(snapped),
        "peak": np.asarray(peak_time(TIMES, fast[0])),
        "ref_peak": np.asarray(peak_time(TIMES, fast[1])),
    }


def _mean(z: NDArray, tokens: NDArray) -> NDArray:
    """Mean logit (T,) of some tokens (they are all alike); NaN if there are none."""
    return z[:, tokens].mean(axis=-1) if tokens.any() else np.full(len(z), np.nan)


def panels() -> list[Any]:
    """Logits, speed of attention, entropy and loss over the logarithm of time, both tracks."""
    logits = [
        Line("distinct", "distinct tokens, rarest to most frequent", idea="distinct", each=True),
        Line("common", "common tokens", idea="common"),
        Line("ref_top", "most frequent distinct, reference", idea="distinct", theory=True),
        Line("ref_common", "common, reference", idea="common", theory=True),
    ]
    return [
        log_time(logits, "attention logit z (nats)", "Logits", bits=9),
        tracks("speed", "length of dz/dt (fraction of its peak)", "Speed of attention", bits=8),
        tracks("entropy", "entropy on distinct tokens (nats)", "Entropy", bits=9),
        tracks("loss", "loss (nats)", "Loss", ylog=True, ylim=(1e-4, 20), bits=9),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """When attention moves fastest, and how much is still to come after the snap, in both tracks."""
    if not np.isfinite(data["peak"]):
        return f"Without common tokens nothing moves: logits stay at 0, entropy at {data['entropy'][-1]:.2f} nats."
    scan, snap = float(data["scan"]), float(data["snap"])
    fast = [f"{float(data[name]) / scan:.2f}" for name in ("peak", "ref_peak")]
    parts = []
    for z in (data["distinct"][-1], data["ref_top"]):
        before = value_at(data["steps"], z, snap)
        parts.append(f"{before:.2f} by t_0 and {z[-1] - before:.2f} after it")
    return (
        f"t_0′ is step {step_text(scan)}; attention moves fastest at {fast[0]} t_0′ (reference: {fast[1]}). "
        f"The most frequent distinct token gains {parts[0]} (reference: {parts[1]})."
    )


def explorer() -> Explorer:
    """The explorer `scan_snap-snap`, as the chapter shows it."""
    return Explorer(
        snap_run,
        name="scan_snap-snap",
        title="Scan, then snap: on the logarithm of time",
        grid=dict(
            M=[34, 1000, 10_000],
            K=[2, 5, 10],
            common=[0, 10, 30],
            lr_Y=[0.1, 1.0],
            lr_Z=[0.1, 1.0],
            query=["own", "shared"],
        ),
        default=dict(M=34, K=2, common=10, lr_Y=1.0, lr_Z=1.0, query="own"),
        columns=2,
        sliders=sliders("M", "K", "common", "lr_Y", "lr_Z", "query"),
        reading=reading,
        panels=panels(),
    )
