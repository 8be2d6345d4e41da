"""`python -m hal.chapters.records scan_snap text`: train on real text and record it in hal/results/.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 7 and 10, on other texts. Some ten minutes of one core.
"""

import json
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from hal import results
from hal.chapters.scan_snap.runs import corpora, text
from lib.sweep import SweepResult, sweep

RATES = (0.5, 1.0, 2.0, 5.0)
STEPS, RECORDS = 2400, 16
SEEDS, SHUFFLED_SEEDS = (0, 1), (0,)


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Train all runs and write them in one piece; `jobs` and `cache` are those of `lib.sweep.sweep`.

    Returns:
        How long it took; `text.text_runs` reads what was written.

    Raises:
        RuntimeError: if a run failed; nothing is written then.
    """
    start = perf_counter()
    real = sweep(text.short_run, _points(False), SEEDS, cache, jobs, chunk=len(SEEDS))
    noise = sweep(text.short_run, _points(True), SHUFFLED_SEEDS, cache, jobs, chunk=1)
    if real.failed or noise.failed:
        raise RuntimeError(f"runs failed: {real.failures | noise.failures}")
    book: dict[str, Any] = {
        "runs": [_group(real, "kjv"), _group(noise, "kjv shuffled")],
        "uniform": round(float(real.results[0]["uniform"]), 6),
        "provenance": _provenance(round(perf_counter() - start)),
    }
    results.write(path, json.dumps(book, separators=(",", ":")).replace('},"', '},\n"').replace("},{", "},\n{"))
    return f"{book['provenance']['seconds']} s"


def _points(shuffle: bool) -> list[dict[str, Any]]:
    common = {"steps": STEPS, "records": RECORDS, "shuffle": shuffle}
    return [{**common, "eta": eta} for eta in RATES]


def _group(found: SweepResult, name: str) -> dict[str, Any]:
    """Curves of all rates and seeds of one text."""
    seeds = list(dict.fromkeys(point["seed"] for point in found.points))
    if (found["diverged_at"] >= 0).any():
        raise RuntimeError(f"runs diverged: {name}")
    shape = (len(RATES), len(seeds), -1)
    curves = {key: np.round(found[key], 4).reshape(shape).tolist() for key in ("loss", "entropy")}
    return {"corpus": name, "eta": RATES, "seeds": seeds, "steps": found["steps"][0].tolist(), **curves}


def _provenance(seconds: int) -> dict[str, Any]:
    import torch

    corpus = corpora.load()
    return {
        **results.provenance(text.COMMAND),
        "seconds": seconds,
        "torch": torch.__version__,
        "settings": {
            "width": text.WIDTH,
            "window": text.WINDOW,
            "batch": text.BATCH,
            "clip": text.CLIP,
            "steps": STEPS,
            "validation windows": text.VALIDATION_WINDOWS,
        },
        "corpus": {
            "title": corpora.TITLE,
            "licence": corpora.LICENCE,
            "training tokens": len(corpus.train),
            "validation tokens": len(corpus.validation),
            "vocabulary": len(corpus.words),
            "unknown": round(float((corpus.train == 0).mean()), 4),
        },
    }
