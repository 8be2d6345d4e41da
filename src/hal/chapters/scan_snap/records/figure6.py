"""`python -m hal.chapters.records scan_snap figure6`: run the whole of Figure 6 and record it in hal/results/.

Chapter `scan_snap`. The record holds the released table, the replay of it, our own numbers for the same cells, and more
seeds where ten are few. Source: arXiv 2305.16380, Figures 4, 6, 11, 12.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from hal.chapters.scan_snap.runs.figure6 import COMMAND, Figure6, own_figure6, replayed_figure6
from hal.chapters.scan_snap.runs.published import published_figure6, replayed_losses
from hal.results import provenance, write

MANY = tuple(range(1, 101))  # seeds of the cells with one query, whose spread has a heavy tail


def cells(figure: Figure6, digits: int = 5) -> dict[str, Any]:
    """What is kept of a figure: per cell the mean, sample standard deviation, median (nats) and drop of recall.

    Args:
        figure: q query counts, z rates, n ratios.
        digits: decimals kept.

    Returns:
        name -> nested lists (q, z, n), and the seeds.
    """
    kept = {
        "mean": figure.mean,
        "std": figure.std,
        "median": np.median(figure.entropy, axis=-1),
        "recall_drop": figure.drop,
    }
    return {name: np.round(values, digits).tolist() for name, values in kept.items()} | {
        "seeds": f"{figure.seeds[0]}..{figure.seeds[-1]}"
    }


def build() -> dict[str, Any]:
    """Run everything (about a minute and a half on one core) and return what is recorded; seconds are processor time.

    Source: arXiv 2305.16380, Figures 4, 6, 11, 12.
    """
    import torch

    seconds: dict[str, float] = {}

    def timed(name: str, work: Callable[[], Any]) -> Any:
        start = process_time()
        found = work()
        seconds[name] = round(process_time() - start, 1)
        return found

    mean, std = published_figure6()
    replayed = timed("replay", replayed_figure6)
    own = timed("own", own_figure6)
    logs = {
        name: {k: v.tolist() for k, v in replayed_losses(name)._asdict().items()} for name in ("figure4", "figure6")
    }
    return {
        "axes": {"queries": replayed.queries, "lr_Z": replayed.lr_Z, "lr_Y over lr_Z": replayed.ratios},
        "published": {"mean": mean.tolist(), "std": std.tolist(), "seeds": "1..10"},
        "replay": cells(replayed),
        "own": cells(own),
        "one query, many seeds": {
            "replay": cells(timed("replay, many seeds", lambda: replayed_figure6([1], seeds=MANY, points=2))),
            "own": cells(timed("own, many seeds", lambda: own_figure6([1], seeds=MANY, points=2))),
        },
        "losses": logs,
        "largest difference of replay": {
            "mean": float(np.abs(replayed.mean - mean).max()),
            "std": float(np.abs(replayed.std - std).max()),
        },
        "provenance": {
            **provenance(COMMAND),
            "torch": torch.__version__,
            "threads": os.environ.get("OMP_NUM_THREADS"),
            "seconds": seconds,
            "published": "numbers from the authors' repository, github.com/facebookresearch/luckmatters (CC BY-NC 4.0)",
        },
    }


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything and write it in one piece.

    Args:
        path: the JSON file.
        jobs: of no use here, it is a minute and a half of one core.
        cache: of no use here.

    Returns:
        How far the replay is from the released table.
    """
    found = build()
    write(path, json.dumps(found, separators=(",", ":")).replace('},"', '},\n"'))
    return f"largest difference of the replay {max(found['largest difference of replay'].values()):.6f} nats"
