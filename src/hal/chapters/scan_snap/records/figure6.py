"""`python -m hal.chapters.records scan_snap figure6`: run the whole of Figure 6 and record it in hal/results/.

Chapter `scan_snap`. The record holds the released table, the replay of it, and our own numbers for the same cells.
Source: arXiv 2305.16380, Figure 6. About a minute of one core.
"""

import json
import os
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from hal.chapters.scan_snap.runs.figure6 import COMMAND, Figure6, own_figure6, replayed_figure6
from hal.chapters.scan_snap.runs.published import published_figure6
from hal.results import provenance, write


def cells(figure: Figure6) -> dict[str, Any]:
    """What is kept of a figure: of each cell the mean and the sample standard deviation (nats), lists (q, z, n)."""
    kept = {name: np.round(values, 5).tolist() for name, values in (("mean", figure.mean), ("std", figure.std))}
    return kept | {"seeds": f"{figure.seeds[0]}..{figure.seeds[-1]}"}


def record(path: Path, jobs: int = 1, cache: str | None = None) -> str:
    """Run everything and write it in one piece; `jobs` and `cache` are of no use.

    Returns:
        How far the replay is from the released table.
    """
    import torch

    begun = process_time()
    mean, std = published_figure6()
    replayed = replayed_figure6()
    middle = process_time()
    own = own_figure6()
    off = {"mean": float(np.abs(replayed.mean - mean).max()), "std": float(np.abs(replayed.std - std).max())}
    found = {
        "axes": {"queries": replayed.queries, "lr_Z": replayed.lr_Z, "lr_Y over lr_Z": replayed.ratios},
        "published": {"mean": mean.tolist(), "std": std.tolist(), "seeds": "1..10"},
        "replay": cells(replayed),
        "own": cells(own),
        "largest difference of replay": off,
        "provenance": {
            **provenance(COMMAND),
            "torch": torch.__version__,
            "threads": os.environ.get("OMP_NUM_THREADS"),
            "seconds": {"replay": round(middle - begun, 1), "own": round(process_time() - middle, 1)},
            "published": "numbers from the authors' repository, github.com/facebookresearch/luckmatters (CC BY-NC 4.0)",
        },
    }
    write(path, json.dumps(found, separators=(",", ":")).replace('},"', '},\n"'))
    return f"largest difference of the replay {max(off.values()):.6f} nats"
