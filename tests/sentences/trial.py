"""One figure tried: at each position its runs are made as the page makes them, and every sentence is asked.

Three judges, none of which knows the conditions of the sentences: the laws of `tests.sentences.laws`; the page, which
must say what Python says; and `check` of the figure's row in `tests/SLUG/rows.py`, which computes another way what the
sentence tells.
"""

import traceback
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from hal.explorer import Computed, figure_of
from hal.explorer.facts import Result
from hal.explorer.sentences import Say, say
from lib.portable.engine import ScriptError
from tests.in_page import InPage
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
    page = InPage(figure)
    rng = np.random.default_rng(seed)
    for i in range(count):
        first = 1000 * seed + 10 * i
        while True:
            (point,) = positions(figure, rng, 1, CORNERS)
            try:
                shown = page.result(point, first, min(figure.runs, RUNS[i % len(RUNS)]))
                break
            except ScriptError as error:  # a position that the run refuses, with its reason: the figure says that
                if not str(error).startswith("InputError: "):
                    raise
        text = say(figure.reading, shown.facts)
        wrong = [*judged(figure, row, shown, point, text), *same(page, figure.reading, text)]
        yield Tried(point, first, shown, text, wrong)


def toured(module: ModuleType, row: Figure | Small) -> Iterator[Tried]:
    """A figure where the steps of its tour set it, with all its runs: there the step speaks, and the reading beside it.

    What the words of a step mean its chapter's tests ask; here its numbers are, and what no sentence may say.
    """
    figure = figure_of(module)
    page = InPage(figure)
    for step in figure.tour:
        point = figure.check(step.settings)
        shown = page.result(point, step.seed, figure.runs)
        text, told = say(figure.reading, shown.facts), say([step.say], shown.facts)
        wrong = [*judged(figure, row, shown, point, text), *same(page, figure.reading, text)]
        wrong += [f"the tour: {why}" for why in [*broken(told), *same(page, [step.say], told)]]
        yield Tried(point, step.seed, shown, text, wrong)


def same(page: InPage, sentences: Sequence[Sequence[Say]], text: str) -> Iterator[str]:
    """Whether the page says it too, of what it computed last."""
    there = page.said(sentences)
    if there != text:
        yield f"the page says: {there}"


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
