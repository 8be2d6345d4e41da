"""Explorer `scan_snap-ratio`: entropy of attention against the ratio of the two learning rates, beside the paper's.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 6.2 and Figure 6 (Syn-Medium), settings as released.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.chapters.scan_snap.explorers._shared import NATS, TIME_LABEL, sliders
from lib.chapters.scan_snap.runs import published
from lib.chapters.scan_snap.runs.learning import learn, rates
from lib.errors import require, whole
from lib.explorer import Explorer, Line, Mark, lines
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.sweep import vectorised
from lib.train import train

SEEDS = 3
RATIOS = np.array([0.5, 1.0, 2.0, 5.0, 10.0, 20.0])
FINE = np.geomspace(0.5, 20.0, 11)
STEPS = 100
COURSE = np.r_[0:17:2, 20:41:5, 50:101:10]

_DEFAULTS = {"queries": 3, "lr_Z": 1.0, "T": 128, "steps": 100}


@vectorised("queries", "lr_Z", "T", defaults=_DEFAULTS)
def ratio_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Three training runs from a random start at each of six ratios lr_Y / lr_Z, and infinitely long sequences.

    Args:
        points: settings queries (two classes each), lr_Z (rate of attention per step), T (tokens of a sequence, its
            query included), steps (1 .. 100, when the entropy is read) and seed; queries, lr_Z and T agree within a
            call. Ten common tokens, ten distinct ones a class, momentum 0.9, batch 128.

    Returns:
        For each point: ratios (6,); entropy (3, 6), nats, at `steps`; fine (11,) and population (11,), the same for
        infinitely long sequences from a zero start; released and spread (6,), mean and standard deviation of ten runs
        as the authors released them, NaN where they have none; course_steps (K,) and course_1, course_2, course_5,
        course_10 (K,), the median entropy of the runs at that ratio over the whole training; reading_at, the step;
        diverged_at (18,), the first recorded step, up to `steps`, without an entropy, or -1.

    Raises:
        InputError: if a setting is out of range.

    Source: arXiv 2305.16380, Figure 6.
    """
    first = points[0]
    for p in points:
        require(whole("steps", p["steps"], 1) <= STEPS, "steps", f"1 to {STEPS}", p["steps"])
    require(first["T"] >= 2, "T", "at least 2 tokens, the query among them", first["T"])
    lr_Z, queries = first["lr_Z"], first["queries"]
    require(queries >= 1, "queries", "at least 1 query", queries)
    task, endless = (ss.base_task(K=2 * queries, queries=queries, L=L) for L in (first["T"] - 1, None))
    at = np.union1d(COURSE, [int(p["steps"]) for p in points])
    limit = learn(endless, [0] * len(FINE), rates(lr_Z * FINE, lr_Z), steps=STEPS, record_at=at)["entropy"]
    sampled = {seed: _runs(task, lr_Z, seed, at) for seed in sorted({p["seed"] for p in points})}
    out = []
    for p in points:
        entropy = sampled[p["seed"]]  # (seeds, ratios, times)
        k = int(np.searchsorted(at, p["steps"]))
        mean, std = _released(p)
        out.append(
            {
                "ratios": RATIOS,
                "entropy": entropy[..., k],
                "fine": FINE,
                "population": limit[:, k],
                "released": mean,
                "spread": std,
                "course_steps": COURSE,
                **_course(entropy[..., np.isin(at, COURSE)]),
                "reading_at": np.asarray(p["steps"]),
                "diverged_at": _diverged_at(entropy[..., : k + 1], at).ravel(),
            }
        )
    return out


def folded_start(task: ss.Task, seed: int) -> ss.Params:
    """The random start with its M - K never-next columns replaced by their mean, which is one column; one run.

    Those columns enter only through the sum of their exponentials, so that final entropies move by at most some
    thousandths of a nat (tested), and a step costs a fraction.
    """
    Y, Z = ss.random_start(task, generators([seed], purpose=2))
    return ss.Params(np.concatenate([Y[..., : task.K], Y[..., task.K :].mean(axis=-1, keepdims=True)], axis=-1), Z)


def _runs(task: ss.Task, lr_Z: float, seed: int, at: NDArray) -> NDArray:
    """Entropy (seeds, ratios, times) of the runs of a point; runs of one seed see the same sequences."""
    out = []
    for s in range(SEEDS * seed, SEEDS * (seed + 1)):
        start = folded_start(task, s)
        run = train(
            ss.Transformer(task, shared=True),
            ss.Params(*(np.repeat(x, len(RATIOS), axis=0) for x in start)),
            rates(lr_Z * RATIOS, lr_Z),
            STEPS,
            published.BATCH,
            generators([s] * len(RATIOS)),
            {"entropy": lambda params: ss.entropy(params, task)},
            at,
        )
        out.append(run["entropy"])
    return np.stack(out)


def _diverged_at(entropy: NDArray, at: NDArray) -> NDArray:
    """First of the steps `at` (T,) at which an entropy (..., T) is NaN, as `train` leaves it; -1 if none is."""
    lost = np.isnan(entropy)
    return np.where(lost.any(axis=-1), at[lost.argmax(axis=-1)], -1)


def _course(entropy: NDArray) -> dict[str, NDArray]:
    """Median over seeds (K,) of entropies (seeds, ratios, K) at the ratios the authors used."""
    where = np.searchsorted(RATIOS, published.RATIOS)
    return {f"course_{r}": np.median(entropy[:, k], axis=0) for r, k in zip(published.RATIOS, where, strict=True)}


def _released(p: dict[str, Any]) -> tuple[NDArray, NDArray]:
    """Released mean and standard deviation (6,) at the settings of a point; NaN where there is none."""
    mean, std = np.full(len(RATIOS), np.nan), np.full(len(RATIOS), np.nan)
    same = p["T"] == published.LENGTH + 1 and p["steps"] == published.STEPS
    if same and p["queries"] in published.QUERIES and p["lr_Z"] in published.LR_Z:
        means, stds = published.published_figure6()
        where = published.QUERIES.index(p["queries"]), published.LR_Z.index(p["lr_Z"])
        here = np.isin(RATIOS, published.RATIOS)
        mean[here], std[here] = means[where], stds[where]
    return mean, std


def panels() -> list[Any]:
    """Entropy against the ratio of rates with the released error bars, and over time at four ratios."""
    course = [Line(f"course_{r}", f"ratio {r}") for r in (1, 2, 5, 10)]
    return [
        lines(
            x="ratios",
            y=[
                Line("entropy", "three runs, median and 10–90 %", idea="A"),
                Line("population", "infinitely long sequences", theory=True, x="fine"),
                Line("released", "released: mean ± s.d. of ten runs", idea="V", error="spread"),
            ],
            xlabel="ratio of rates η_Y / η_Z (no unit)",
            ylabel=NATS,
            title="Entropy against the ratio of rates",
            xlog=True,
        ),
        lines(
            x="course_steps",
            y=course,
            xlabel=TIME_LABEL,
            ylabel=NATS,
            title="How it came to that",
            marks=[Mark("reading_at", "read here")],
            bits=9,
        ),
    ]


def reading(settings: Mapping[str, Any], data: Mapping[str, NDArray]) -> str:
    """At which ratio attention is sparsest, beside the released number."""
    middle = np.median(data["entropy"], axis=0)  # NaN where a run diverged
    if not np.isfinite(middle).any():
        return "At every ratio a run diverged."
    best = int(np.nanargmin(middle))
    when = f"After {settings['steps']} step{'' if settings['steps'] == 1 else 's'}"
    said = f"{when} attention is sparsest at ratio {data['ratios'][best]:g}, with {middle[best]:.3f} nats"
    if np.isfinite(data["released"]).any():
        there = int(np.nanargmin(data["released"]))
        said += f" (released: {data['ratios'][there]:g}, {data['released'][there]:.3f} ± {data['spread'][there]:.3f})"
    limit = int(np.argmin(data["population"]))
    return f"{said}; infinitely long sequences have {data['population'][limit]:.3f} at {data['fine'][limit]:.1f}."


def explorer() -> Explorer:
    """The explorer `scan_snap-ratio`, as the chapter shows it."""
    return Explorer(
        ratio_run,
        name="scan_snap-ratio",
        title="How fast should the decoder be?",
        grid=dict(queries=[1, 3, 5, 10], lr_Z=[0.5, 1.0, 2.0, 3.0], T=[32, 128, 512], steps=[10, 20, 50, 100]),
        default=dict(queries=3, lr_Z=1.0, T=128, steps=100),
        sliders=sliders("queries", "lr_Z", "T", "steps"),
        reading=reading,
        panels=panels(),
    )
