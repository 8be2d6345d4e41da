"""Explorer `scan_snap-growth`: growth factor of the leading distinct token against Theorems 3 and 4, and in joint flow.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 3 and 4, Figure 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.experiments.scan_snap.compare import start_inputs
from lib.experiments.scan_snap.flow import flow
from lib.experiments.scan_snap.show_tracks import TIMES, TOLERANCE, transition
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
