"""Claims RW-19 to RW-21: other graphs, two heads, positions that are not orthogonal.

Chapter `random_walk`, beyond arXiv 2511.23239.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs import learn, with_heads, with_positions
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, Trajectory, train


def _on_parent(steps: NDArray[np.float64], start: rw.Minimal, N: int, loss: str, record_at: list[int]) -> Trajectory:
    """Values of runs that read the parent, trained on all pairs of parent and target by their chances."""
    K = len(steps)
    pairs = np.argwhere(steps > 0)
    chances = theory.parent_law(steps, N)[pairs[:, 0]] * steps[tuple(pairs.T)]
    last = rw.MinimalTransformer(K=K, N=2, loss=loss)
    runs = len(start.V)
    params = rw.Minimal(start.V, np.zeros((runs, K)), np.tile([1000.0, 0.0], (runs, 1)))
    record = {
        "to_root": lambda p: rw.direction_distance(p.V, theory.joint_root(steps, N)),
        "to_step": lambda p: rw.direction_distance(p.V, steps.T),
    }
    batch = GivenBatches(last, [rw.Walks(pairs[None], chances[None])])
    return train(batch, params, last.optimiser(1.0), record_at[-1], record=record, record_at=record_at)


@claim(
    "RW-19",
    where="beyond the paper",
    says=(
        "On random graphs of 12 nodes with three neighbours each and uneven chances, training from zero finds the "
        "parent in most runs, and where it does is right as often as can be. V then turns to the entrywise root of the "
        "joint law of parent and target, at the rate $t^{-1/2}$; its distance from the law of a step stops where "
        "that says."
    ),
    control={"loss": "square"},
    breaks="the square loss",
)
def _check_19(loss: str = "log", block: int = 0) -> Result:
    graphs, N = seed_block(block, 3), 97
    parent, misses, far, ratios = [], [], [], []
    for graph in graphs:
        steps = rw.uneven(rw.regular_steps(12, 3, graph), graph)
        run = learn(rw.GraphWalk(steps, N), seed_block(graph, 6), loss=loss).run
        late = _on_parent(steps, run.params, N, loss, [0, 1250, 5000])
        parent += list(run["lag"][:, -1] == 1)
        misses += list(theory.graph_accuracy(steps, N) - run["accuracy"][:, -1])
        far.append(np.median(late["to_step"][:, -1]) / theory.joint_distance(steps, N))
        ratios += list(late["to_root"][:, 1] / late["to_root"][:, 2])
    read = np.array(parent)
    return result(
        Part("share of runs that read the parent", np.mean(read), 0.6, 0, "at least", drift=0.06),
        Part("accuracy short of the best, median of these", np.median(np.array(misses)[read]), 0, 0.03),
        Part("distance of V from the law of a step, over the predicted one", np.median(far), 1.0, 0.01),
        Part("distance from the root, step 1250 over step 5000", np.median(ratios), 2.0, 0.1),
        seeds=graphs,
    )


@claim(
    "RW-20",
    where="beyond the paper",
    says=(
        "Two heads from zero stay alike to the last bit. From random starts on a circle of 6 nodes with a fair coin "
        "each turns to odd or to even lags almost on its own: one of them is odd nearly as often as in two independent "
        "choices of a layer of one head."
    ),
    control={"twins": True},
    breaks="two heads that start alike",
)
def _check_20(twins: bool = False, block: int = 0) -> Result:
    seeds = seed_block(block, 64)
    alike = with_heads(2, rw.Walk(6, 49, 0.7), seeds[:2], steps=10, n=200).params
    kind: dict[str, Any] = {"sigma": 0.01, "unit_length": True, "lr": 10.0, "steps": 300, "n": 200}
    two = with_heads(2, rw.Walk(6, 49, 0.5), seeds, twins=twins, **kind)["odd"][:, -1]
    one = np.mean(with_heads(1, rw.Walk(6, 49, 0.5), seeds, **kind)["odd"][:, -1] > 0)
    found, expected = float(np.mean((two > 0).any(axis=1))), float(1 - (1 - one) ** 2)
    return result(
        Part("largest difference between heads from zero", max(np.ptp(x, axis=1).max() for x in alike), 0.0,
             kind="rounding"),
        Part("share of 64 runs with a head on odd lags", found, expected, 0.15, drift=2 / 64),
        seeds=seeds,
    )  # fmt: skip


@claim(
    "RW-21",
    where="beyond the paper",
    says=(
        "With positions drawn at random and learned, the deterministic walk with N = rK + 1 is no ridge: three steps "
        "from zero are always right, at the place whose position overlaps most with what the first step of W pulls "
        "along. At p = 0.7 the same place wins in a third of the runs or more, and few find the parent."
    ),
    control={"positions": "sine"},
    breaks="orthogonal positions of one length",
)
def _check_21(positions: str = "random", block: int = 0) -> Result:
    seeds, N, M = seed_block(block, 12), 97, 300
    sure = with_positions(rw.Walk(6, N, 1.0), seeds, positions, steps=3, M=M)
    drawn = with_positions(rw.Walk(6, N, 0.7), seeds, positions, steps=6, n=500, M=M)
    P = rw.PlacedTransformer(positions=positions, N=N, M=M).init(len(seeds), generators(seeds, 2)).P
    told = N - 1 - np.argmax(theory.overlaps(P), axis=1)
    return result(
        Part("smallest accuracy after three steps, p = 1", sure["accuracy"][:, -1].min(), 1.0, 1e-9),
        Part("runs of twelve at the place that overlaps say, p = 1", np.sum(sure["lag"][:, -1] == told), 12, 0.5),
        Part("runs of twelve at the place that overlaps say, p = 0.7", np.sum(drawn["lag"][:, -1] == told), 3, 0,
             "at least", drift=2),
        Part("runs of twelve at the parent, p = 0.7", np.sum(drawn["lag"][:, -1] == 1), 3, 0, "at most", drift=1),
        seeds=seeds,
    )  # fmt: skip
