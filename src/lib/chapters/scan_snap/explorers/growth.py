"""Explorer `scan_snap-growth`: growth factor of the leading distinct token against Theorems 3 and 4, and in joint flow.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scan_snap.explorers._shared import log_time, sliders
from lib.chapters.scan_snap.runs.compare import start_inputs
from lib.chapters.scan_snap.runs.joint_flow import flow
from lib.chapters.scan_snap.runs.log_time import TIMES, TOLERANCE, transition
from lib.explorer import Explorer, Line
from lib.models import scan_snap as ss
from lib.sweep import vectorised
from lib.theory import scan_snap as theory

DISTINCT = 5
# The gain over Theorem 3 is a ratio of two small numbers until the leading token has grown by this factor.
GROWN = 1.001

_DEFAULTS = {"K": 2, "M": 1000, "rho": 0.3, "lr_Y": 0.1, "lr_Z": 0.1}


@vectorised(defaults=_DEFAULTS)
def growth_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Joint flow and reference dynamics with one common token and one query, for each point.

    Args:
        points: settings K (classes), M (outputs), rho (correlation of two classes at the start), lr_Y and lr_Z (rates
            per step); nothing is random, the seed changes nothing.

    Returns:
        For each point: steps (T,); chi and ref_chi (T,), growth factor of the most frequent distinct token; upper and
        lower (T,), the bounds of Theorem 3; closed (T,), e^{2B/K} with the B of Theorem 4; gain (4, T), the relative
        gain of that token over the others, rarest first, in joint flow over what Theorem 3 makes of its growth factor,
        and ref_gain (4, T) in the reference dynamics, NaN until the token has grown by a thousandth; common and
        ref_common (T,), logit of the common token, and closed_common (T,), that of Theorem 4; scan and snap, the times
        t0' and t0; allowed, true if the data obey Assumption 2.

    Raises:
        InputError: if a setting is out of range.

    Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3; in joint flow: beyond the paper.
    """
    return [_one(p) for p in points]


def _one(p: dict[str, Any]) -> dict[str, NDArray]:
    K, M, rates = p["K"], p["M"], (p["lr_Y"], p["lr_Z"])
    task = ss.single_common_task(K, p["rho"], M, DISTINCT)
    joint = flow(task, *rates, TIMES, tolerance=TOLERANCE)
    reference = theory.reference_run(task.P, task.query, M, *rates, TIMES)
    own = np.flatnonzero(task.distinct[0])
    top, common = task.leader[0], int(np.flatnonzero(task.common)[0])
    start = start_inputs(task)
    lower, upper = theory.growth_bounds(start[0, top], reference.B[:, 0])
    # The reduced system has f_n . f_n' = e^{2z} / rho_0^2: at the start that is rho, which fixes C0 = rho_0^4 / K.
    B = theory.reduced_B(TIMES, K, M, *rates, C0=1 / (K * p["rho"] ** 2))
    chi, ref_chi = (theory.growth_factor(z[:, 0, top], 0.0) for z in (joint.params.Z, reference.z))
    scan, snapped = transition(task, rates[0])
    return {
        "steps": TIMES,
        "chi": chi,
        "ref_chi": ref_chi,
        "lower": lower,
        "upper": upper,
        "closed": np.exp(2 * B / K),
        "gain": _gain(task, joint.params.Z, own, chi),
        "ref_gain": _gain(task, reference.z, own, ref_chi),
        "common": joint.params.Z[:, 0, common],
        "ref_common": reference.z[:, 0, common],
        "closed_common": -B,
        "scan": np.asarray(scan),
        "snap": np.asarray(snapped),
        "allowed": np.asarray(bool(theory.assumption_2(theory.correlations(start), M).holds)),
    }


def _gain(task: ss.Task, z: NDArray, own: NDArray, chi: NDArray) -> NDArray:
    """Relative gain (4, T) of class 0's leading token over its other tokens, over r(0) chi of Theorem 3."""
    r0 = theory.relative_gain(task.P, task.leader)[0, own[:-1]]
    r = theory.relative_gain(theory.scores(task.P, z, task.query), task.leader)[:, 0, own[:-1]]
    with np.errstate(over="ignore"):
        return np.where(chi >= GROWN, r.T / theory.predicted_gain(r0[:, None], chi), np.nan)


def panels() -> list[Any]:
    """Growth factor with its bounds, logit of the common token with Theorem 4, and relative gain over Theorem 3."""
    factors = [
        Line("chi", "joint flow", idea="joint"),
        Line("ref_chi", "reference dynamics", idea="reference"),
        Line("closed", "Theorem 4, exp(2B/K)", idea="partly", theory=True),
        Line("upper", "Theorem 3, upper bound", theory=True),
        Line("lower", "Theorem 3, lower bound", theory=True),
    ]
    common = [
        Line("common", "joint flow", idea="joint"),
        Line("ref_common", "reference dynamics", idea="reference"),
        Line("closed_common", "Theorem 4, −B", idea="partly", theory=True),
    ]
    gains = [
        Line("gain", "joint flow, rarest to second most frequent token", idea="joint", each=True),
        Line("ref_gain", "reference dynamics", idea="reference", each=True),
    ]
    return [
        log_time(factors, "growth factor χ (no unit)", "Growth of the most frequent distinct token"),
        log_time(common, "logit of the common token (nats)", "Fall of the common token"),
        log_time(
            gains, "measured over r(0) χ (fraction)", "Relative gain over Theorem 3", bits=9, height=150, wide=True
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """Growth at the end in both tracks, with the bounds, and whether the data are within the paper's assumption."""
    end = {name: float(data[name][-1]) for name in ("chi", "ref_chi", "lower", "upper", "closed")}
    obeys = "obey" if bool(data["allowed"]) else "violate"
    return (
        f"By step 10⁵ the reference dynamics have χ = {end['ref_chi']:.2f}, between {end['lower']:.2f} and "
        f"{end['upper']:.2f} (Theorem 4: {end['closed']:.2f}); joint gradient flow has {end['chi']:.2f}. "
        f"These data {obeys} Assumption 2."
    )


def explorer() -> Explorer:
    """The explorer `scan_snap-growth`, as the chapter shows it."""
    return Explorer(
        growth_run,
        name="scan_snap-growth",
        title="How much a token can grow",
        grid=dict(K=[2, 3, 5], M=[34, 100, 1000, 10_000], rho=[0.1, 0.2, 0.3, 0.5], lr_Y=[0.1, 1.0], lr_Z=[0.1, 0.5]),
        default=dict(K=2, M=1000, rho=0.3, lr_Y=0.1, lr_Z=0.1),
        columns=2,
        sliders=sliders("K", "M", "rho", "lr_Y", "lr_Z", K=(2, 8), lr_Z=(0.05, 1.0)),
        reading=reading,
        panels=panels(),
    )
