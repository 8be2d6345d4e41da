"""Which distinct token Adam selects, over more than two decades of its learning rate, and in which layer it matters.

Chapter `scan_snap`. Source: ours; arXiv 2305.16380, Section 8, Figure 5, has Adam at three learning rates. Syn-Small
from zero; read where the decoder has learned, when the loss of a batch is first below 0.01 nats, and 100 steps later.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import learn
from hal.results import path_of
from hal.results.rows import recorded_rows
from lib import optim
from lib.errors import require
from lib.models import scan_snap as ss

Array = NDArray[np.float64]
COMMAND = "python -m hal.chapters.records scan_snap adam_rates"
RECORD = path_of("scan_snap", "adam_rates")
SEEDS = range(8200, 8216)
RATES = (0.01, 0.018, 0.032, 0.056, 0.1, 0.18, 0.32, 0.56, 1.0, 1.8, 3.2)
WHO = ("both", "decoder", "attention")  # whom Adam trains; the other layer has gradient descent
PLAIN, LEARNED, LATER = 1.0, 0.01, 100  # gradient descent's learning rate; nats; steps
GRID = [{"who": who, "rate": rate} for who in WHO for rate in RATES] + [{"who": "none", "rate": PLAIN}]
READ = ("lead", "winner", "entropy", "common")


def steps_of(who: str, rate: float) -> int:
    """Enough for the decoder to learn, and a hundred more: gradient descent takes some 300, Adam some 5 / rate."""
    return LATER + (400 if who in ("attention", "none") else round(30 + 7 / rate))


def read(Z: Array, task: ss.Task) -> Array:
    """Of attention logits (R, queries, C), (4, R): share of the most frequent one among the distinct tokens of class 0;
    which of them has most, 0 for the rarest; the entropy, nats; attention on all common tokens."""
    params = ss.Params(np.empty(0), Z)
    c = ss.attention(params, task)
    own = c[:, 0][:, task.distinct[0]]
    return np.stack([own[:, -1] / own.sum(axis=1), own.argmax(axis=1), ss.entropy(params, task),
                     ss.mass_on(c, task.common)])  # fmt: skip


def selections(who: str, rate: float, seeds: Sequence[int]) -> dict[str, Array]:
    """Train with Adam in one layer, in both or in none.

    Args:
        who: "both", "decoder", "attention" or "none".
        rate: of Adam.
        seeds: R seeds.

    Returns:
        steps (R,), where the decoder has learned, NaN if it has not; at (2, 4, R), there and 100 steps later: what
        `read` returns; lost (R,), 1 for a run that diverged.

    Raises:
        InputError: if `who` is unknown.
    """
    require(who in (*WHO, "none"), "who", f"one of {', '.join(WHO)}, none", repr(who))
    task, steps = ss.base_task(), steps_of(who, rate)
    adam, plain = optim.adam(rate), optim.sgd(PLAIN)
    rule = optim.per_field(
        Y=adam if who in ("both", "decoder") else plain, Z=adam if who in ("both", "attention") else plain
    )
    run = learn(task, list(seeds), rule, steps, record={"Z": lambda p: p.Z}, record_at=range(steps + 1))
    at, step = np.full((2, len(READ), len(seeds)), np.nan), np.full(len(seeds), np.nan)
    for r, loss in enumerate(run["loss"]):
        over = np.flatnonzero(loss < LEARNED)
        if over.size and over[0] + LATER <= steps:
            step[r] = over[0]
            at[:, :, r] = read(run["Z"][r, [over[0], over[0] + LATER]], task).T
    return {"steps": step, "at": at, "lost": (run.diverged_at >= 0).astype(float)}


def cell(who: str, rate: float) -> dict[str, Any]:
    """One setting of the record; None for a run whose decoder has not learned."""
    found = selections(who, rate, SEEDS)
    at = [[[round(float(x), 4) if np.isfinite(x) else None for x in row] for row in rows] for rows in found["at"]]
    steps = [int(x) if np.isfinite(x) else None for x in found["steps"]]
    return {"steps": steps, "at": at, "lost": int(found["lost"].sum())}


def recorded_selections(path: Path | str = RECORD) -> tuple[Array, Array, Array, int]:
    """The record: at (3 whom, rates, 2 times, 4 readings, seeds); steps (3, rates, seeds); at of gradient descent in
    both layers (2, 4, seeds); runs that diverged.

    Raises:
        InputError: if there is no record, or it lacks a row.
    """
    rows = recorded_rows(path, "the recorded selections", COMMAND, GRID)
    at = np.array([[rows[who, rate]["at"] for rate in RATES] for who in WHO], float)
    steps = np.array([[rows[who, rate]["steps"] for rate in RATES] for who in WHO], float)
    return at, steps, np.array(rows["none", PLAIN]["at"], float), sum(row["lost"] for row in rows.values())
