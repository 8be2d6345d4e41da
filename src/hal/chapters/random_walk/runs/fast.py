"""The hero's run with the library's fast model: the same tasks and steps, trained by `lib.train`.

Chapter `random_walk`. Random numbers are others, so runs agree in law, not one by one; tests hold the two together.
"""

from collections.abc import Sequence

from hal.chapters.random_walk.runs.learning import Array, learn_turns
from lib.models.random_walk import Walk
from lib.models.random_walk.textbook import Settings, steps_of

__all__ = ["fast_runs"]


def fast_runs(settings: Settings, seeds: Sequence[int]) -> dict[str, Array]:
    """fresh (accuracy on new walks), parent and to_step, each (R, K), at the textbook's records."""
    s, at = settings, [int(step) for step in steps_of(settings)]
    _, run = learn_turns(Walk(s.K, s.N, s.p), seeds, s.lr, s.steps, s.n, at, s.lr_W, M=s.M, epsilon=s.epsilon)
    return {name: run[name] for name in ("fresh", "parent", "to_step")}
