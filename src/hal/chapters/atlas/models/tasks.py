"""Five tasks by number, so that one loop trains them all: a run of each, its level, its end.

Chapter `atlas`. Source: our own.
"""

from dataclasses import dataclass

from hal.chapters.atlas.models.groups import Examples, Groups
from hal.chapters.atlas.models.groups import advance as advance_groups
from hal.chapters.atlas.models.groups import begin as begin_groups
from hal.chapters.atlas.models.layers import Now, Rates
from hal.chapters.atlas.models.places import Places
from hal.chapters.atlas.models.places import advance as advance_places
from hal.chapters.atlas.models.places import begin as begin_places
from hal.chapters.atlas.models.prompts import Prompts
from hal.chapters.atlas.models.prompts import advance as advance_prompts
from hal.chapters.atlas.models.prompts import begin as begin_prompts
from hal.chapters.atlas.models.sentences import Sentences
from hal.chapters.atlas.models.sentences import advance as advance_sentences
from hal.chapters.atlas.models.sentences import begin as begin_sentences
from hal.chapters.atlas.models.walks import Walks
from hal.chapters.atlas.models.walks import advance as advance_walks
from hal.chapters.atlas.models.walks import begin as begin_walks
from lib.portable.primitives import Table, Vector

PLACES = 0
GROUPS = 1
WALKS = 2
SENTENCES = 3
PROMPTS = 4
TASKS = 5


@dataclass
class Runs:
    """One run of each task."""

    places: Places
    groups: Groups
    walks: Walks
    sentences: Sentences
    prompts: Prompts


def levels() -> Vector:
    """(TASKS,) attention on the right place where it moves; in Sentences it begins at 0.355."""
    return [0.3, 0.5, 0.5, 0.45, 0.3]


def tops() -> Vector:
    """(TASKS,) attention at which a run ends: some records after it has moved."""
    return [0.36, 0.6, 0.75, 0.47, 0.36]


def most_steps() -> Vector:
    """(TASKS,) steps after which a run ends in any case."""
    return [500.0, 300.0, 240.0, 400.0, 320.0]


def begin(rates: Rates, seed: int, examples: Examples, drawn: Table) -> Runs:
    """A run of each task before its first step; given are the examples of Groups and the walks of Walks."""
    return Runs(
        begin_places(32, 3, 64, rates, seed), begin_groups(rates, examples), begin_walks(rates, drawn),
        begin_sentences(rates, seed), begin_prompts(rates, seed),
    )  # fmt: skip


def advance(runs: Runs, task: int) -> Now:
    """One step of one task, and what its run tells of itself."""
    if task == PLACES:
        advance_places(runs.places)
        return runs.places.now
    if task == GROUPS:
        advance_groups(runs.groups)
        return runs.groups.now
    if task == WALKS:
        advance_walks(runs.walks)
        return runs.walks.now
    if task == SENTENCES:
        advance_sentences(runs.sentences)
        return runs.sentences.now
    advance_prompts(runs.prompts)
    return runs.prompts.now
