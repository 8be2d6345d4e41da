"""Claims ATL-10 and ATL-20: right answers certify no mechanism.

Chapter `atlas`. Source: our own.
"""

import numpy as np

from hal.chapters.atlas.runs.reasons import RUNS
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import train


@claim(
    "ATL-10",
    where="our own",
    says="A layer whose attention never moves answers every test sequence of Scan and Snap correctly, with 35% of its "
    "attention on distinct tokens.",
    control={"distinct": False},
    breaks="the classes have no tokens of their own: both draw from one distribution",
)
def _check_10(distinct: bool = True, block: int = 0) -> Result:
    """Train the decoder alone, and count correct answers on 2,000 sequences per run."""
    seeds = seed_block(block, 2)
    task = base = ss.base_task()
    if not distinct:
        task = ss.Task(np.tile(task.P.mean(axis=0), (2, 1)), task.query * 0, task.M, task.L)
    model, frozen = ss.Transformer(task), optim.per_field(Y=optim.sgd(1.0), Z=optim.sgd(0.0))
    run = train(model, model.init(len(seeds)), frozen, 200, 128, generators(seeds), record_at=[0, 200])
    tests = ss.sample(task, 2000, generators(seeds, 3))
    f = tests.counts / np.linalg.norm(tests.counts, axis=-1, keepdims=True)
    said = np.matmul(f, run.params.Y)[..., : task.K].argmax(axis=-1)
    share = (base.P * base.distinct).sum() / base.K
    own = task.distinct[tests.label] * tests.counts if distinct else tests.counts
    return result(
        Part("accuracy on test sequences", (said == tests.label).mean(), 1.0, 0.01),
        Part("attention on distinct tokens", own.sum() / tests.counts.sum(), share, 0.01, drift=0.01),
        seeds=seeds,
    )


@claim(
    "ATL-20",
    where="our own",
    says="In three tasks a run is right at least nine tenths as often as is possible at best, with less than half of "
    "its attention on the right place: Scan and Snap with frozen attention, group-sparse classification under Adam, "
    "and random walks without chance.",
    control={"honest": True},
    breaks="attention learns, by gradient descent, on the chapters' own tasks",
)
def _check_20(honest: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 2)
    parts = []
    for name, (book, other) in RUNS.items():
        path = (book if honest else other)(seeds)
        parts += [
            Part(f"accuracy over the best possible one, {name}", path.right, 0.9, kind="at least", drift=0.01),
            Part(f"attention on the right place, {name}", path.seen, 0.5, kind="at most", drift=0.02),
        ]
    return result(*parts, seeds=seeds)
