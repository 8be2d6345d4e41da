"""A run on the knife edge to be watched: how far it is from the edge, and all of its attention.

Chapter `random_walk`. Source: ours. The run is that of `textbook_edge`. On the edge the scores of all places with
content are equal, and so are the entries of a row of V. A difference of one makes one of the other, in turn; the root
of their product grows evenly.
"""

from dataclasses import dataclass

from lib.models.random_walk.textbook import descend
from lib.models.random_walk.textbook_edge import Edge, Rounded, count_step, gradient, steps_of
from lib.models.random_walk.textbook_edge import done as run_done
from lib.models.random_walk.textbook_edge import start as start_run
from lib.portable.primitives import Readings, Vector, first, nan, sqrt
from lib.portable.records import Records, column, columns, ended, new_row, room_for
from lib.portable.vectors import largest, part, smallest

__all__ = ["done", "read", "start", "step", "steps_of"]


@dataclass
class Ridge:
    """A run, and what is seen of it."""

    run: Rounded
    kept: Records  # distance from the edge; attention by place, mean over the walks


def start(settings: Edge, seed: int) -> Ridge:
    """A run before its first step."""
    run = start_run(settings, seed)
    return Ridge(run, room_for(run.inner.kept.due, settings.N))


def distance(run: Rounded) -> float:
    """The root of the spread of the scores of all places with content, times the largest spread in a row of V."""
    places, widest = first(run.inner.g, len(run.inner.g) - 1), 0.0
    for i in range(len(run.inner.V)):
        widest = max(widest, largest(run.inner.V[i]) - smallest(run.inner.V[i]))
    return sqrt((largest(places) - smallest(places)) * widest)


def moved_at(steps: Vector, attention: Vector) -> float:
    """The first of the steps (count,) at which a place has twice the even attention (count places,); NaN if none is."""
    places = len(attention) // len(steps)
    for i in range(len(steps)):
        if largest(part(attention, i * places, places)) >= 2.0 / float(places):
            return steps[i]
    return nan


def sharing(attention: Vector, places: int) -> float:
    """How many of the last so many places (count places,) have at least half as much as any other."""
    many, ends = 0, part(attention, len(attention) - places, places)
    for j in range(places):
        many += 1 if ends[j] >= 0.5 * largest(ends) else 0
    return float(many)


def step(state: Ridge) -> None:
    """One step, and what is seen before it where a record is due."""
    run, inner = state.run, state.run.inner
    gradient(run)
    if state.kept.count < inner.kept.count:
        row = new_row(state.kept)
        row[0] = distance(run)
        for j in range(len(inner.total) - 1):
            row[1 + j] = inner.total[j]
    if inner.diverged_at < 0:
        descend(inner)
        count_step(run)


def done(state: Ridge) -> bool:
    """Whether the run has ended."""
    return run_done(state.run)


def read(state: Ridge) -> Readings:
    """Of each record (count,) steps, accuracy and distance; attention (count (N - 1),) by place, oldest first."""
    kept, inner = state.kept, state.run.inner
    return {
        "steps": column(inner.kept, 0), "accuracy": column(inner.kept, 2), "distance": column(kept, 0),
        "attention": columns(kept, 1, len(inner.g) - 1), "diverged_at": ended(inner.diverged_at),
    }  # fmt: skip
