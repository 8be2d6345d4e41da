"""Explorer `scb-sign`: how often a run takes the right sign, against the sign law.

Chapter `scb`, beyond the paper; the drift that decides is that of arXiv 2410.23438, equation (9).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scb.explorers._shared import TIME_LABEL, sliders
from lib.chapters.scb.runs.algorithm import learn
from lib.chapters.scb.runs.tasks import stack
from lib.explorer import Explorer, Path, plane
from lib.models import scb
from lib.sampling import generators
from lib.sweep import vectorised
from lib.theory import scb as theory
from lib.train import record_points

RUNS = 60
SHOWN = 24


@vectorised("T", "lr", "batch", defaults={"T": 256, "lr": 0.04, "batch": 8, "c": 0.7})
def sign_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Sixty independent Stage 1 runs a point: the share with the right sign, and 24 of their paths.

    Args:
        points: settings T, lr, batch, c (strength of the transition) and seed; N is 4 and Q is 2.

    Returns:
        For each point: time (24, K); true_paths and mirror_paths (24, K), alpha_V of the runs that end with either
        sign (a diverged run counts as mirrored); share, its standard error, G and law as numbers; log_G,
        share_point (1,), bar_G, bar (2,) to draw them; log_ratios and law_curve (M,), the law over log10 of G;
        diverged_at (60,).

    Raises:
        InputError: if a setting is out of range.
    """
    first = points[0]
    lr, batch = first["lr"], first["batch"]
    tasks = [scb.ring_task(p["T"], c=p["c"], rng=generators([p.get("seed", 0)], 1)[0]) for p in points]
    steps = int(1.25 * float(theory.escape_time(0.3, lr, tasks[0].K_Q, tasks[0].T)))
    at = record_points(steps, 30)
    seeds = [RUNS * p.get("seed", 0) + s for p in points for s in range(RUNS)]
    task = stack([t for t in tasks for _ in range(RUNS)])
    record = {"alpha_V": lambda p: scb.alpha_V(p, task)}
    run = learn(task, seeds, lr=lr, batch=batch, steps=steps, record=record, record_at=at, keep_mean=True)
    ratios = np.geomspace(0.05, 50, 61)
    out = []
    for i, t in enumerate(tasks):
        rows = slice(i * RUNS, (i + 1) * RUNS)
        paths = run.arrays["alpha_V"][rows]
        s2 = theory.constants(t.mu, t.P, t.Q).s2
        share = float((paths[:, -1] > 0).mean())
        error = float(np.sqrt(max(share * (1 - share), 1 / RUNS) / RUNS))
        G = float(theory.control_number(batch, lr, t.T))
        out.append(
            {
                "steps": at,
                "time": np.repeat(at[None], SHOWN, axis=0),
                "true_paths": _only(paths[:SHOWN], paths[:SHOWN, -1] > 0),
                "mirror_paths": _only(paths[:SHOWN], ~(paths[:SHOWN, -1] > 0)),
                "share": np.asarray(share),
                "error": np.asarray(error),
                "law": np.asarray(theory.sign_probability(batch, lr, s2, t.T)),
                "G": np.asarray(G),
                "log_G": np.log10([G]),
                "share_point": np.array([share]),
                "bar_G": np.log10([G, G]),
                "bar": np.array([share - error, share + error]),
                "log_ratios": np.log10(ratios),
                "law_curve": theory.sign_probability(ratios, 1.0, s2, 1.0),
                "diverged_at": run.diverged_at[rows],
            }
        )
    return out


def _only(paths: NDArray, which: NDArray) -> NDArray:
    """The paths (S, K) with those outside `which` (S,) blanked."""
    return np.where(which[:, None], paths, np.nan)


def panels() -> list[Any]:
    """Paths leaving zero, and the measured share on the curve of the law."""
    return [
        plane(
            paths=[
                Path("time", "true_paths", "true sign", idea="signal"),
                Path("time", "mirror_paths", "mirrored", idea="mirror"),
            ],
            xlabel=TIME_LABEL,
            ylabel="transition signal α_V (no unit)",
            title="Twenty-four runs leaving zero",
            equal=False,
        ),
        plane(
            paths=[],
            curves=[Path("log_ratios", "law_curve", "law", theory=True), Path("bar_G", "bar", "standard error")],
            points=[Path("log_G", "share_point", "share of 60 runs")],
            xlabel="log₁₀ of the control number G (no unit)",
            ylabel="share with the true sign (fraction)",
            title="One number decides",
            xlim=(-1.3, 1.5),
            ylim=(0.3, 1.03),
            equal=False,
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """Measured share against the law."""
    share, error, law = (float(data[name]) for name in ("share", "error", "law"))
    return (
        f"{100 * share:.0f} % of 60 runs take the true sign (± {100 * error:.0f} %); the law says {100 * law:.0f} % "
        f"at G = {float(data['G']):.2f}."
    )


def explorer() -> Explorer:
    """The explorer `scb-sign`, as the chapter shows it."""
    return Explorer(
        sign_run,
        name="scb-sign",
        title="Which way will it go?",
        grid=dict(T=[64, 128, 256], lr=[0.02, 0.04], batch=[2, 4, 8, 16], c=[0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]),
        default=dict(T=256, lr=0.04, batch=8, c=0.7),
        sliders=sliders("T", "lr", "batch", "c"),
        reading=reading,
        panels=panels(),
    )
