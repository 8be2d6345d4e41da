"""Explorer `scan_snap-fate`: does attention move towards a token that one class has more often than the other?

Chapter `scan_snap`, beyond the paper, whose Theorem 2 (arXiv 2305.16380) treats distinct and common tokens only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scan_snap.explorers._shared import log_time, signed, sliders, step_text
from lib.chapters.scan_snap.runs.compare import both, start_inputs
from lib.chapters.scan_snap.runs.fates import start_drift, start_threshold
from lib.chapters.scan_snap.runs.log_time import TIMES, TOLERANCE, check_query
from lib.errors import require
from lib.explorer import Explorer, Line, Mark, lines
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


def panels() -> list[Any]:
    """Logits of a partly common token, its first drift against its ratio, the threshold over time, other tokens."""

    def pair(name: str, label: str, idea: str) -> list[Line]:
        dashed = Line(f"ref_{name}", f"{label}, reference", idea=idea, theory=True)
        return [Line(name, label, idea=idea), dashed]

    token = pair("mirror", "its mirror image", "counterpart") + pair("token", "token", "partly")
    others = pair("top", "most frequent distinct token", "distinct") + pair("common", "common token", "common")
    moving = [
        Line("kappa_now", "ratio κ of the token", idea="partly"),
        Line("ref_kappa_now", "ratio κ, reference", idea="partly", theory=True),
        Line("threshold_now", "threshold κ★", idea="joint"),
        Line("ref_threshold_now", "threshold κ★, reference", idea="reference", theory=True),
    ]
    turns = [Mark("turn", "turns"), Mark("ref_turn", "reference turns")]
    drift = [Line("push", "joint flow", idea="joint"), Line("ref_push", "theory", theory=True)]
    return [
        log_time(token, "attention logit z (nats)", "The token", marks=turns, bits=9),
        lines(
            x="kappas",
            y=drift,
            marks=[Mark("threshold", "κ★"), Mark("here", "κ")],
            xlabel="ratio κ (no unit)",
            ylabel="drift over the top distinct token's (fraction)",
            title="First drift: above 0 it gains",
        ),
        log_time(moving, "ratio (no unit)", "The threshold moves", marks=turns, ylog=True, bits=9),
        log_time(others, "attention logit z (nats)", "Other tokens", marks=[], bits=9),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """Side of the threshold, where the token ends, and whether it turned on the way."""
    kappa, star = float(data["here"]), float(data["threshold"])
    above = kappa > star
    side = "above" if above else "below"
    first = "gains at first" if above else "loses at first"
    turned = f", turns at step {step_text(float(data['turn']))}" if np.isfinite(data["turn"]) else ""
    z, ref = (signed(float(data[name][-1]), 3) for name in ("token", "ref_token"))
    end = f"stands at {z} at step 10⁵ (reference: {ref})"
    return f"κ = {kappa:g} is {side} κ★ = {star:.2f}: the token {first}{turned} and {end}."


def explorer() -> Explorer:
    """The explorer `scan_snap-fate`, as the chapter shows it."""
    return Explorer(
        fate_run,
        name="scan_snap-fate",
        title="Neither common nor distinct",
        grid=dict(
            kappa=[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0],
            query=["own", "shared"],
            common=[3, 10, 30],
            lr_Y=[0.1, 1.0],
            lr_Z=[0.1, 1.0],
        ),
        default=dict(kappa=3.0, query="shared", common=10, lr_Y=1.0, lr_Z=1.0),
        columns=2,
        sliders=sliders("kappa", "query", "common", "lr_Y", "lr_Z", common=(1, 60)),
        reading=reading,
        panels=panels(),
    )
