"""Explorer `scan_snap-fate`: does attention move towards a token that one class has more often than the other?

Chapter `scan_snap`, beyond the paper, whose Theorem 2 (arXiv 2305.16380) treats distinct and common tokens only.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import require
from lib.experiments.scan_snap.compare import both, start_inputs
from lib.experiments.scan_snap.fate import start_drift, start_threshold
from lib.experiments.scan_snap.show_tracks import TIMES, TOLERANCE, check_query
from lib.models import scan_snap as ss
from lib.sweep import vectorised
from lib.theory import scan_snap as theory

# Half as frequent as a common token in its own class: enough to see it move.
WEIGHT = 0.5
KAPPAS = np.geomspace(1.0, 8.0, 13)
TOKEN, MIRROR, COMMON = 0, 1, 2

_DEFAULTS = {"kappa": 3.0, "query": "shared", "common": 10, "lr_Y": 1.0, "lr_Z": 1.0}


@vectorised("query", "common", defaults=_DEFAULTS)
def fate_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Logits of a token that is kappa times as frequent in class 0 as in class 1, and of its mirror image.

    Args:
        points: settings kappa (at least 1), query ("own" or "shared"), common (tokens, at least 1), lr_Y and lr_Z
            (rates per step); query and common agree within a call. Nothing is random, the seed changes nothing.

    Returns:
        For each point: steps (T,); logits of class 0's query, token, mirror, common, top (T,) in joint flow (top is
        the most frequent distinct token), ref_token, ref_mirror, ref_common, ref_top (T,) in the reference dynamics;
        kappas (H,), push and ref_push (H,), the first drift of the token over that of the top distinct token, in the
        joint flow and in theory; here, the point's kappa; rho, the correlation of the classes at the start, and
        threshold, the kappa above which the token then gains; kappa_now and threshold_now (T,), the token's ratio in
        decoder inputs and the threshold at each moment of the joint flow, and turn, when the token turns in it (NaN
        if it does not); ref_kappa_now, ref_threshold_now and ref_turn, the same in the reference dynamics.

    Raises:
        InputError: if a setting is out of range.

    Source: beyond the paper.
    """
    query, common = points[0]["query"], points[0]["common"]
    check_query(query)
    require(common >= 1, "common", "at least 1 common token, whose logit is drawn", common)
    push = np.array([start_drift(kappa, query, common, WEIGHT) for kappa in KAPPAS])
    predicted = np.array([_predicted_drift(_task(kappa, query, common)) for kappa in KAPPAS])
    return [{**_one(p), "kappas": KAPPAS, "push": push, "ref_push": predicted} for p in points]


def _task(kappa: float, query: Any, common: int) -> ss.Task:
    return ss.partly_common_task(kappa, WEIGHT, common, queries=query)


def _one(p: dict[str, Any]) -> dict[str, NDArray]:
    task = _task(p["kappa"], p["query"], p["common"])
    run = both(task, p["lr_Y"], p["lr_Z"], TIMES, TOLERANCE)
    rows = {"token": TOKEN, "mirror": MIRROR, "common": COMMON, "top": task.leader[0]}
    shared = p["query"] == "shared"
    tracks = {"": run.joint, "ref_": run.reference}
    inputs = {track: theory.decoder_inputs(task.P, z, task.query) for track, z in tracks.items()}
    rho, threshold = start_threshold(task)
    return {
        "steps": TIMES,
        **{track + name: z[:, 0, row] for track, z in tracks.items() for name, row in rows.items()},
        "here": np.asarray(p["kappa"]),
        "rho": np.asarray(rho),
        "threshold": np.asarray(threshold),
        **{f"{track}kappa_now": f[:, 0, TOKEN] / f[:, 1, TOKEN] for track, f in inputs.items()},
        **{f"{track}threshold_now": theory.kappa_star(theory.overlap(f), shared) for track, f in inputs.items()},
        "ref_turn": np.asarray(turning_time(TIMES, run.reference_speed[:, 0, TOKEN])),
        "turn": np.asarray(turning_time(TIMES, run.joint_speed[:, 0, TOKEN])),
    }


def turning_time(times: NDArray, speed: NDArray) -> float:
    """First time at which a speed (times,) changes sign, interpolated over ln t; NaN if it does not.

    Args:
        times: increasing positive times.
        speed: dz/dt at these times.
    """
    flips = np.flatnonzero(np.sign(speed[1:]) * np.sign(speed[:-1]) < 0)
    if not flips.size:
        return float("nan")
    i = int(flips[0])
    share = speed[i] / (speed[i] - speed[i + 1])
    return float(times[i] * (times[i + 1] / times[i]) ** share)


def _predicted_drift(task: ss.Task) -> float:
    """First motion of the token over that of the top distinct token by Lemma 4."""
    move = theory.logit_velocity(start_inputs(task), task.query, task.M)[0]
    return float(move[TOKEN] / move[task.leader[0]])
