"""The textbook's runs with the fast models: the same tasks and steps, trained by `lib.train`.

Chapter `random_walk`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together. A
function takes the settings of its textbook and R seeds, gives readings (R, K) at the textbook's K records, and raises
InputError where the settings are refused.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hal.chapters.random_walk.runs.learning import answer, learn_turns, record_of, trained
from lib.errors import require
from lib.models import random_walk as rw
from lib.models.random_walk import textbook_tasks
from lib.models.random_walk.textbook import State
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_measures import sixtieths
from lib.models.random_walk.textbook_task import Settings
from lib.models.random_walk.textbook_tasks import Tasks
from lib.sampling import generators

__all__ = ["fast_edge", "fast_parity", "fast_runs", "fast_tasks", "layer_of", "twin"]

Array = NDArray[np.float64]


def layer_of(settings: Settings | Edge, **more: Any) -> rw.MinimalTransformer:
    """The fast layer of a textbook's settings."""
    s = settings
    return rw.MinimalTransformer(
        K=s.K, N=s.N, M=s.M, loss=rw.LOSSES[s.loss], epsilon=s.epsilon, sigma=s.sigma, unit_length=bool(s.unit), **more
    )


def twin(state: State, **more: Any) -> tuple[rw.MinimalTransformer, rw.Walks, rw.Minimal]:
    """The fast layer of a textbook's run, the walks that it is on, and its parameters there."""
    walks = rw.Walks(np.array(state.walks)[None], np.full((1, len(state.walks)), 1 / len(state.walks)))
    params = rw.Minimal(*(np.array([x], dtype=float) for x in (state.V, state.u, state.g)))
    return layer_of(state.settings, **more), walks, params


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """The population by turns, for `textbook_watch`: fresh (accuracy on new walks), parent, to_step and to_root; for
    `textbook_turns` accuracy too.
    """
    s, at = settings, _whole(sixtieths(settings.steps))
    layer: dict[str, Any] = {"M": s.M, "epsilon": s.epsilon, "loss": rw.LOSSES[s.loss]}
    _, run = learn_turns(rw.Walk(s.K, s.N, s.p), seeds, s.lr, s.steps, s.n, at, **layer)
    return {name: run[name] for name in ("accuracy", "fresh", "parent", "to_step", "to_root")}


def fast_parity(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """Drawn walks and random starts, for `textbook_parity`: accuracy, divergence, odd."""
    walk = rw.Walk(settings.K, settings.N, settings.p)
    walks, model = walk.sample(settings.n, generators(seeds)), layer_of(settings)
    record = {
        name: one for name, one in record_of(model, walk, walks).items() if name in ("accuracy", "divergence", "odd")
    }
    run = trained(model, walks, seeds, record, settings.lr, settings.steps, _whole(sixtieths(settings.steps)))
    return {name: run[name] for name in record}


def fast_edge(settings: Edge, seeds: Sequence[int]) -> dict[str, Array]:
    """The deterministic walk, for `textbook_ridge`: accuracy and distance. Single precision is refused."""
    require(settings.bits == 64, "bits", "64: the library computes in double precision", settings.bits)
    walk = rw.Walk(settings.K, settings.N, 1.0)
    walks = walk.sample(settings.n, generators(seeds)) if settings.n else walk.population()
    model = layer_of(settings, sums=rw.SUMS[settings.mixed])
    start = model.init(len(seeds), generators(seeds, 2))
    start.g[:, :-1] += settings.push * np.stack([rng.standard_normal(settings.N - 1) for rng in generators(seeds, 4)])
    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "distance": lambda p: np.sqrt(np.ptp(p.g[:, :-1], axis=1) * np.ptp(p.V, axis=2).max(axis=1)),
    }
    run = trained(model, walks, seeds, record, settings.lr, settings.steps, _whole(sixtieths(settings.steps)), start)
    return {name: run[name] for name in record}


def fast_tasks(settings: Tasks, seeds: Sequence[int]) -> dict[str, Array]:
    """The question tasks, for `textbook_tasks`: accuracy and divergence of the lists, luck and apart of the pairs.
    Other M and epsilon are refused.
    """
    s = settings
    plain = (Tasks().M, Tasks().epsilon)
    require((s.M, s.epsilon) == plain, "M, epsilon", f"{plain}, those of the library's run", (s.M, s.epsilon))
    at, found = _whole(textbook_tasks.steps_of(s)), dict[str, Array]()
    for asked, names in ((rw.most_frequent(), ("accuracy", "divergence")), (rw.preferred(), ("luck", "apart"))):
        run = answer(asked, seeds, s.lr, s.steps, s.sigma, bool(s.unit), at)
        found |= dict(zip(names, (run["accuracy"], run["divergence"]), strict=True))
    return found


def _whole(steps: Sequence[float]) -> list[int]:
    """Steps of records as whole numbers."""
    return [int(t) for t in steps]
