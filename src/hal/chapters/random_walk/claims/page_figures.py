"""Claim RW-23: what the chapter's other figures compute in the page is the library's too.

Chapter `random_walk`, our own code. Beside the training of claim RW-22 the page rounds and reorders sums on the knife
edge, trains the population by its turns, and tells the parity of a random start.
"""

import numpy as np

from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_edge, textbook_parity, textbook_turns
from lib.models.random_walk.textbook_task import Settings
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train


def _edge_off(seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model where each place's sum begins elsewhere, the fast model's targets `late` walks late;
    and single minus double precision, relative to the largest number, all of it if a number has more digits.
    """
    edge = textbook_edge.Edge(K=5, N=12, M=30, n=40, steps=6, mixed=1)
    state = textbook_edge.start(edge, seed)
    model = rw.MinimalTransformer(K=5, N=12, M=30, sums="rolled")
    paths = np.array(state.inner.walks)
    paths[:, -1] = np.roll(paths[:, -1], late)
    run = train(
        GivenBatches(model, [rw.Walks(paths[None], np.full((1, 40), 1 / 40))]), None, model.optimiser(1.0), edge.steps
    )
    while not textbook_edge.done(state):
        textbook_edge.step(state)
    own = [np.array(x) for x in (state.inner.V, state.inner.u, state.inner.g)]
    off = [np.abs(mine - other[0]).max() / np.abs(other).max() for mine, other in zip(own, run.params, strict=True)]
    both = []
    for bits in (64, 32):
        rounded = textbook_edge.start(edge._replace(bits=bits, mixed=0, sigma=0.01, unit=1, lr=10.0), seed)
        while not textbook_edge.done(rounded):
            textbook_edge.step(rounded)
        both.append([np.array(x) for x in (rounded.inner.V, rounded.inner.u, rounded.inner.g)])
    apart = [
        np.abs(one - other).max() / np.abs(one).max() if np.array_equal(other, other.astype(np.float32)) else 1.0
        for one, other in zip(*both, strict=True)
    ]
    return float(max(off)), float(max(apart))


def _turns_off(seed: int, late: int) -> float:
    """The population by turns minus the fast model on the same walks in all their turns: values, scores, readings."""
    settings = Settings(K=5, N=9, p=0.7, M=60, n=12, steps=8)
    state = textbook_turns.start(settings, seed)
    while not textbook_turns.done(state):
        textbook_turns.step(state)
    turns = np.roll(np.array(state.turns), late, axis=1)
    ends = (np.arange(5)[:, None] + np.zeros(12, dtype=int)).ravel()  # every walk ends everywhere
    s = np.concatenate([(ends[:, None] - np.tile(turns, (5, 1))) % 5, ends[:, None]], axis=1)
    walks = rw.Walks(s[None], np.full((1, 60), 1 / 60))
    model = rw.MinimalTransformer(K=5, N=9, M=60)
    record = {"accuracy": lambda p: rw.accuracy(model.output(p, walks), walks)}
    run = train(GivenBatches(model, [walks]), None, model.optimiser(1.0), 8, record=record, record_at=range(9))
    values = np.array([[state.nu[(i - k) % 5] for k in range(5)] for i in range(5)])
    shown = textbook_turns.read(state)
    return float(
        max(
            relative_error(values, run.params.V[0]),
            np.abs(np.array(state.g) - run.params.g[0]).max() / np.abs(run.params.g).max(),
            np.abs(np.array(shown["accuracy"]) - run["accuracy"][0]).max(),
        )
    )


def _leaning_off(seed: int, late: int) -> float:
    """The page's projection of a random start minus the library's, of positions `late` longer."""
    settings = Settings(K=6, N=13, M=30, n=12, sigma=0.01, unit=1)
    state = textbook_parity.start(settings, seed)
    V, g = (np.array([x], dtype=float) for x in (state.inner.V, state.inner.g))
    known = theory.parity_projection(V, g, settings.M + late, settings.sigma)[0]
    return abs(textbook_parity.read(state)["leaning"][0] - float(known))


def _settled_off(seed: int, late: int) -> float:
    """The layer with all attention `late` places before the parent, relative to the recursion of settled values."""
    model, start = rw.MinimalTransformer(K=5, N=6, M=6), rw.MinimalTransformer(K=5, N=6, M=6).init()
    start.V[:] = 0.3 + np.random.default_rng(seed).random((1, 5, 5))
    start.g[:, -2 - late] = 1e6
    off = []
    for p in (0.5, 0.8):
        run = train(GivenBatches(model, [rw.Walk(5, 6, p).population()]), start, model.optimiser(0.5), 20)
        off.append(relative_error(run.params.V[0], theory.saturated(start.V[0], 5, p, 0.5, 20)))
    return max(off)


def _steps_of_walks(seed: int) -> tuple[float, float]:
    """Of drawn walks at p = 0.8: the share of clockwise steps, and steps that are neither clockwise nor back."""
    s = np.array(textbook.start(Settings(K=7, N=60, M=60, p=0.8, n=200), seed).walks)
    step = (s[:, 1:] - s[:, :-1]) % 7
    return float(np.mean(step == 1)), float(np.sum((step != 1) & (step != 6)))


@claim(
    "RW-23",
    where="our own code",
    says="What the other figures compute in the page is the library's too: sums on the knife edge in another order or "
    "in single precision, the population by its turns, the parity to which a start leans, the steps of a walk. The "
    "layer whose attention has settled makes the steps of the recursion for its values.",
    control={"late": 1},
    breaks="the library's targets come one walk late, its turns one place late, its positions are one entry longer; "
    "attention has settled one place before the parent",
)
def _check_23(late: int = 0, block: int = 0) -> Result:
    """With the library `late` walks or places late, and so many entries more in its positions."""
    (seed,) = seed_block(block, 1)
    rolled, single = _edge_off(seed, late)
    share, strange = _steps_of_walks(seed)
    return result(
        Part("V, u, g with mixed sums, relative difference", rolled, 1e-9, kind="rounding"),
        Part("single against double precision, relative difference", single, 1e-4, kind="rounding"),
        Part("population by turns against all turns, relative difference", _turns_off(seed, late), 1e-9,
             kind="rounding"),
        Part("parity to which a start leans, difference", _leaning_off(seed, late), 1e-9, kind="rounding"),
        Part("values after attention has settled, relative difference", _settled_off(seed, late), 1e-9,
             kind="rounding"),
        Part("share of clockwise steps at p = 0.8", share, 0.8, 0.02),
        Part("steps that are neither clockwise nor back", strange, 0, 0),
        seeds=(seed,),
    )  # fmt: skip
