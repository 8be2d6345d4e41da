"""One figure tried: at each position its runs are made as the page makes them, and every sentence is asked.

Two judges, neither of which knows the conditions of the sentences: the laws of `tests.sentences.laws`, and `check` of
the figure's row in `tests/SLUG/rows.py`, which computes another way what the sentence tells.
"""

import traceback
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hal.figure import Computed, figure_of
from hal.figure.facts import Result
from lib.errors import InputError
from tests.rows import Figure, Small, whole_runs
from tests.sentences.laws import broken
from tests.sentences.positions import positions

CORNERS = 0.2  # the chance that a slider stands at an end
RUNS = (3, 3, 2, 3, 5)  # of one position after the other; a figure that makes fewer has as many as it makes


class Tried(NamedTuple):
    """A position, what the figure had there, what it said, and what was wrong with it."""

    point: dict[str, Any]
    seed: int
    result: Result
    text: str
    wrong: list[str]


def tried(module: ModuleType, row: Figure | Small, seed: int, count: int) -> Iterator[Tried]:
    """A figure at random positions of all its sliders.

    Args:
        module, row: of the figure.
        seed: of the positions.
        count: how many.
    """
    figure = figure_of(module)
    rng = np.random.default_rng(seed)
    for i in range(count):
        first = 1000 * seed + 10 * i
        while True:
            (point,) = positions(figure, rng, 1, CORNERS)
            try:
                shown = figure.built.compute(point, first, min(figure.runs, RUNS[i % len(RUNS)]))
                break
            except InputError:  # a position that the run refuses, with its reason: the figure says that
                continue
        text = figure.built.said(figure.reading)
        yield Tried(point, first, shown, text, list(judged(figure, row, shown, point, text)))


def toured(module: ModuleType, row: Figure | Small) -> Iterator[Tried]:
    """A figure where the steps of its tour set it, with all its runs: there the step speaks, and the reading beside it.

    What the words of a step mean its chapter's tests ask; here its numbers are, and what no sentence may say.
    """
    figure = figure_of(module)
    for step in figure.tour:
        point = figure.check(step.settings)
        shown = figure.built.compute(point, step.seed, figure.runs)
        text, told = figure.built.said(figure.reading), figure.built.said([step.say])
        wrong = [*judged(figure, row, shown, point, text), *(f"the tour: {why}" for why in broken(told))]
        yield Tried(point, step.seed, shown, text, wrong)


def judged(figure: Computed, row: Figure | Small, shown: Result, point: Mapping[str, Any], text: str) -> Iterator[str]:
    """What the laws and the figure's own row find wrong."""
    yield from broken(text)
    if figure.run is not None and not whole_runs(shown):
        if row.gone not in text:
            yield f"every run diverged, and it does not say {row.gone!r}"
    elif row.check is not None:
        try:
            row.check(text, shown, point)
        except (AssertionError, IndexError, TypeError, ValueError) as error:
            yield said_by(error)


def said_by(error: BaseException) -> str:
    """Where a check failed and what it saw, in a line."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    here = [one for one in traceback.extract_tb(error.__traceback__) if "rows.py" in one.filename] or [last]
    return f"{here[-1].line}"[:200]
