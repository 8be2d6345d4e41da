"""A textbook run with pictures: besides its signals the attention, the outputs and the distances to the answer.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Figure 1. The run is that of `textbook`.
"""

from dataclasses import dataclass

from lib.models.scb.textbook import Settings, State, steps_of
from lib.models.scb.textbook import done as run_done
from lib.models.scb.textbook import start as start_run
from lib.models.scb.textbook import step as step_run
from lib.models.scb.textbook_measures import distance_A, distance_V, is_mirrored, rounded_distance_A
from lib.models.scb.textbook_ring import likeliest, useful
from lib.portable.primitives import Readings, Vector, nan
from lib.portable.records import Records, column, columns, ended, new_row, room_for

__all__ = ["done", "read", "start", "step", "steps_of"]


@dataclass
class Pictures:
    """A run and what it looked like, record after record."""

    run: State
    kept: Records  # distance_V, distance_A, rounded_A; A, row by row; V, token by token
    mirrored: bool  # whether it was when Stage 3 began
    learned: float  # |A - Q| then, measured upright; not a number before


def start(settings: Settings, seed: int) -> Pictures:
    """A run before its first step."""
    width = 3 + settings.N * settings.T + settings.N * settings.N
    state = Pictures(start_run(settings, seed), room_for(steps_of(settings), width), False, nan)
    keep(state)
    return state


def keep(state: Pictures) -> None:
    """Measure and copy everything, for the record that the run has just made."""
    run, row = state.run, new_row(state.kept)
    row[0] = distance_V(run.V, run.task, False)
    row[1] = distance_A(run.A, run.task, False)
    row[2] = rounded_distance_A(run.A, run.task)
    at = 3
    for k in range(len(run.A)):
        copy_into(row, at, run.A[k])
        at += len(run.A[k])
    for j in range(len(run.V)):
        copy_into(row, at, run.V[j])
        at += len(run.V[j])


def copy_into(row: Vector, at: int, values: Vector) -> None:
    """Write values into a row, from place `at` on."""
    for i in range(len(values)):
        row[at + i] = values[i]


def step(state: Pictures) -> None:
    """One step, and a picture for each of its records."""
    run = state.run
    if run.step == run.settings.stage1 + run.settings.stage2:
        state.mirrored = is_mirrored(run.A)
        state.learned = distance_A(run.A, run.task, state.mirrored)
    step_run(run)
    while state.kept.count < run.kept.count:
        keep(state)


def done(state: Pictures) -> bool:
    """Whether the run has ended."""
    return run_done(state.run)


def read(state: Pictures) -> Readings:
    """What `textbook.read` gives, and of each record distance_V, distance_A and rounded_A, each (count,), attention
    (count N T,) and outputs (count N N,). When Stage 3 began: mirrored, 1 if it turned the run round; learned, |A - Q|
    then. Of the task: useful (N T,), 1 where the attention should be, and likeliest (N N,), 1 where P is largest.
    """
    run, kept, of_run = state.run, state.kept, state.run.kept
    N, T = run.settings.N, run.settings.T
    return {
        "steps": column(of_run, 0), "alpha_V": column(of_run, 1), "alpha_A": column(of_run, 2),
        "off_flow": column(of_run, 3), "loss": column(of_run, 4),
        "distance_V": column(kept, 0), "distance_A": column(kept, 1), "rounded_A": column(kept, 2),
        "attention": columns(kept, 3, N * T), "outputs": columns(kept, 3 + N * T, N * N),
        "useful": useful(run.task, T), "likeliest": likeliest(run.task),
        "learned": [state.learned], "mirrored": [1.0 if state.mirrored else 0.0],
        "diverged_at": ended(run.diverged_at),
    }  # fmt: skip
