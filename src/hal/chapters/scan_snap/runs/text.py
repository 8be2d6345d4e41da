"""Real text: how sparse attention becomes at different learning rates.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 7 and 10, on other texts (see `corpora`); width 64, window 35,
batch 20, clipping at 0.5 as the authors' released settings or smaller. Losses and entropies are in nats.

`short_run` trains now, in seconds; `text_runs` reads the longer runs of hal/results/scan_snap/text.json, which
`python -m hal.chapters.records scan_snap text` makes anew.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal import results
from hal.chapters.scan_snap.models import text as model
from hal.chapters.scan_snap.runs import corpora
from lib import optim
from lib.errors import is_whole, require
from lib.sampling import generators
from lib.sweep import vectorised
from lib.train import record_points, train

RECORD = results.path_of("scan_snap", "text")
COMMAND = "python -m hal.chapters.records scan_snap text"
WINDOW, WIDTH, BATCH, CLIP = 35, 64, 20, 0.5
VALIDATION_WINDOWS = 100  # the loss and entropies are means over 3400 queries
DEFAULTS = {"eta": 2.0, "steps": 600, "records": 12, "shuffle": False}


@vectorised("steps", "records", "shuffle", defaults=DEFAULTS)
def short_run(points: list[dict[str, Any]]) -> list[dict[str, NDArray]]:
    """Train on a text with SGD at rate eta, one rate for everything; 600 steps take 4 seconds.

    Args:
        points: settings eta (>= 0, per step), steps, records (how many, evenly spaced,
            after the start), shuffle (True: the same words in random order) and seed, which decides the start and the
            windows; runs that differ in eta only have both in common.

    Returns:
        For each point: steps (K,); loss (K,) and entropy (K,) on the validation part; uniform, the entropy of uniform
        attention; diverged_at (1,).
    """
    first = points[0]
    require(is_whole(first["records"]) and first["records"] >= 1, "records", "at least 1 record", first["records"])
    for p in points:
        require(np.isfinite(p["eta"]) and p["eta"] >= 0, "eta", "a finite rate of at least 0", p["eta"])
    corpus = corpora.load()
    if first["shuffle"]:
        corpus = corpora.shuffled(corpus)
    windows, seeds = corpus.windows(VALIDATION_WINDOWS, WINDOW), [p["seed"] for p in points]
    run = train(
        model.TextModel(corpus.train, WINDOW),
        model.random_start(len(corpus.words), WIDTH, generators(seeds, purpose=2)),
        optim.chain(optim.clip_by_global_norm(CLIP), optim.sgd(np.array([float(p["eta"]) for p in points]))),
        first["steps"],
        BATCH,
        generators(seeds),
        {"validation": lambda p: model.evaluate(p, windows)},
        record_points(first["steps"], first["records"]),
    )
    return [
        {
            "steps": run.steps,
            "loss": run["validation"][i, :, 0],
            "entropy": run["validation"][i, :, 1],
            "uniform": np.asarray(model.uniform_entropy(WINDOW)),
            "diverged_at": run.diverged_at[i : i + 1],
        }
        for i in range(len(points))
    ]


def text_runs(path: Path | str = RECORD) -> dict[str, Any]:
    """The recorded runs as arrays.

    Returns:
        "runs": {text: group}, where a text is "kjv", or "kjv shuffled", the same words in
        random order, and a group holds eta (H,), seeds (S,), steps (K,), loss and entropy (H, S, K); "uniform", the
        entropy of uniform attention; "provenance": command, versions, settings.
    """
    book = results.read(path, "the recorded runs on real text", COMMAND)
    runs = {
        group["corpus"]: {name: np.asarray(value) for name, value in group.items() if name != "corpus"}
        for group in book["runs"]
    }
    return {"runs": runs, "uniform": book["uniform"], "provenance": book["provenance"]}
