"""A training run at each of several ratios of the learning rates, one after the other, all on the same sequences.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figure 6 (Syn-Medium): two classes a query, a random start, momentum.
Each is a run of `textbook`.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.errors import require
from lib.models.scan_snap.textbook import Settings, State
from lib.models.scan_snap.textbook import done as run_done
from lib.models.scan_snap.textbook import start as start_run
from lib.models.scan_snap.textbook import step as step_run
from lib.models.scan_snap.textbook import steps_of as steps_of_run
from lib.models.scan_snap.textbook_classes import vocabulary
from lib.models.scan_snap.textbook_measures import attention
from lib.portable.primitives import Matrix, Readings, Vector, copy, inf, nan, zero_matrix, zeros
from lib.portable.records import ended
from lib.portable.vectors import argmax, argmin, fill, fill_rows

RATIOS = [0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0]  # lr_Y / lr_Z
COMMON = 10  # tokens that all classes have
DISTINCT = 10  # tokens of each class alone


class Sweep(NamedTuple):
    """What a reader can choose."""

    T: int = 128  # tokens of a sequence, its query included
    queries: int = 3  # query tokens, of two classes each
    lr_Z: float = 1.0  # learning rate of attention
    steps: int = 100  # of each run
    batch: int = 128  # sequences a step


@dataclass
class Sweeping:
    """A run at every ratio: the present one, and what those before it came to."""

    sweep: Sweep
    seed: int
    run: State
    place: int  # of the present run among the ratios
    entropy: Vector  # (ratios,) at the end of each run, nats
    course: Matrix  # (ratios, records) entropy over time
    strips: Vector  # (ratios DISTINCT,) attention among distinct tokens at the end of each run, rarest first
    diverged_at: int  # -1 while no run has


def run_settings(sweep: Sweep, ratio: float) -> Settings:
    """The textbook run at one ratio."""
    K = 2 * sweep.queries
    M = vocabulary(K, sweep.queries, COMMON, DISTINCT)
    lr_Y = ratio * sweep.lr_Z
    return Settings(
        sweep.T, K, sweep.queries, COMMON, DISTINCT, M, lr_Y, sweep.lr_Z, 1, sweep.batch, 1.0, sweep.steps
    )  # fmt: skip


def start(settings: Sweep, seed: int) -> Sweeping:
    """Before the first step at the first ratio."""
    require(settings.T >= 2, "T", "at least 2 tokens, the query among them", settings.T)
    require(settings.queries >= 1, "queries", "at least 1 query", settings.queries)
    require(settings.lr_Z >= 0.0 and settings.lr_Z < inf, "lr_Z", "a finite rate of at least 0", settings.lr_Z)
    require(settings.steps >= 1, "steps", "at least 1 step", settings.steps)
    require(settings.batch >= 1, "batch", "at least 1 sequence", settings.batch)
    count = len(steps_of(settings))
    run = start_run(run_settings(settings, RATIOS[0]), seed)
    course, strips = zero_matrix(len(RATIOS), count), zeros(len(RATIOS) * DISTINCT)
    sweeping = Sweeping(settings, seed, run, 0, zeros(len(RATIOS)), course, strips, -1)
    fill(sweeping.entropy, nan)
    fill_rows(course, nan)
    fill(strips, nan)
    return sweeping


def steps_of(settings: Sweep) -> Vector:
    """The steps of the records of one run, each of them the same."""
    return steps_of_run(run_settings(settings, RATIOS[0]))


def step(state: Sweeping) -> None:
    """One step of the present run; where it has come to its end, the next ratio's begins."""
    run, course = state.run, state.course[state.place]
    step_run(run)
    state.diverged_at = run.diverged_at
    for j in range(run.kept.count):
        course[j] = run.kept.rows[j][2]
    if run_done(run) and run.diverged_at < 0:
        state.entropy[state.place] = course[run.kept.count - 1]
        share_out(run, state.strips, state.place * DISTINCT)
        state.place += 1
        if state.place < len(RATIOS):
            state.run = start_run(run_settings(state.sweep, RATIOS[state.place]), state.seed)


def share_out(run: State, out: Vector, at: int) -> None:
    """Attention among the distinct tokens of a class, rarest first, with the sum 1: the mean over the classes.

    Args:
        run: a finished run.
        out: gets DISTINCT numbers from place `at` on.
        at: see there.
    """
    task, c = run.task, zeros(run.task.C)
    for i in range(DISTINCT):
        out[at + i] = 0.0
    for n in range(len(task.query)):
        attention(run.Z, n, task, task.common, c)
        for i in range(DISTINCT):
            out[at + i] += c[task.tokens[n][task.common + i]] / float(len(task.query))


def done(state: Sweeping) -> bool:
    """Whether the runs at all ratios have ended, or one has diverged."""
    return state.diverged_at >= 0 or state.place >= len(RATIOS)


def valley(entropy: Vector) -> Readings:
    """Where entropies (ratios,) in nats are least: best and second, these ratios, NaN where there are no entropies yet;
    least, the smallest entropy; ahead, how much more the second has, and range, how much more the largest."""
    best = argmin(entropy)
    least, others = entropy[best], copy(entropy)
    others[best] = inf
    second = argmin(others)
    return {
        "best": [RATIOS[best] if least == least else nan], "second": [RATIOS[second] if least == least else nan],
        "least": [least], "ahead": [others[second] - least], "range": [entropy[argmax(entropy)] - least],
    }  # fmt: skip


def read(state: Sweeping) -> Readings:
    """What was found so far.

    Returns:
        steps (records,), those of one run; entropy (ratios,), nats, at the end of the run at each ratio; course_1,
        course_2, course_5, course_10 (records,), entropy over time at these ratios; strips (ratios DISTINCT,), what
        `share_out` finds at the end of each run; all NaN where no run has come yet; best, the ratio of the least
        entropy, and least, that entropy, NaN until all runs have ended; diverged_at, the first step at which a run
        diverged, or NaN.
    """
    best, whole = argmin(state.entropy), state.place == len(RATIOS)
    return {
        "steps": steps_of(state.sweep), "entropy": copy(state.entropy), "course_1": copy(state.course[1]),
        "course_2": copy(state.course[2]), "course_5": copy(state.course[4]), "course_10": copy(state.course[5]),
        "strips": copy(state.strips),
        "best": [RATIOS[best] if whole else nan], "least": [state.entropy[best] if whole else nan],
        "diverged_at": ended(state.diverged_at),
    }  # fmt: skip
