"""A textbook run with pictures: besides its signals the attention, the outputs and the distances to the answer.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1 and Figure 1. The steps are those of `textbook`.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.models.scb.textbook import Settings, State, goes_on, is_mirrored, step, untrained
from lib.models.scb.textbook_distances import distance_A, distance_V, rounded_distance_A
from lib.models.scb.textbook_record import RECORDS, is_due, write
from lib.models.scb.textbook_ring import likeliest, useful
from lib.portable.primitives import Matrix, Readings, Vector, first, nan, zeros
from lib.portable.python import python_only, settings_from


@dataclass
class Pictures:
    """A run and what it looked like, record after record."""

    run: State
    distance_V: Vector  # (49,)
    distance_A: Vector
    rounded_A: Vector
    attention: Vector  # (49 N T,) A, row by row
    outputs: Vector  # (49 N N,) V, token by token
    mirrored: bool  # whether it was when Stage 3 began
    learned: float  # |A - Q| then, measured upright; not a number before


def start(settings: Settings, seed: int) -> Pictures:
    """A run before its first step."""
    room = RECORDS + 1
    run = untrained(settings, seed)
    N = settings.N
    state = Pictures(
        run, zeros(room), zeros(room), zeros(room), zeros(room * N * settings.T), zeros(room * N * N), False, nan
    )
    _keep(state, nan)
    return state


def _keep(state: Pictures, loss: float) -> None:
    """Measure and copy everything."""
    run = state.run
    i = run.record.count
    state.distance_V[i] = distance_V(run.V, run.task, False)
    state.distance_A[i] = distance_A(run.A, run.task, False)
    state.rounded_A[i] = rounded_distance_A(run.A, run.task)
    _copy_rows(run.A, state.attention, i)
    _copy_rows(run.V, state.outputs, i)
    write(run.record, run.step, run.V, run.A, run.task, loss)


def _copy_rows(rows: Matrix, frames: Vector, frame: int) -> None:
    count = len(rows[0])
    for r in range(len(rows)):
        at = (frame * len(rows) + r) * count
        for i in range(count):
            frames[at + i] = rows[r][i]


def steps_of(settings: Settings) -> int:
    """Steps of the whole run."""
    return settings.stage1 + settings.stage2 + settings.stage3


def advance(state: Pictures, steps: int) -> None:
    """Train for so many steps, fewer where the run ends before."""
    run = state.run
    for _ in range(steps):
        if not goes_on(run):
            return
        if run.step == run.settings.stage1 + run.settings.stage2:
            state.mirrored = is_mirrored(run.A)
            state.learned = distance_A(run.A, run.task, state.mirrored)
        loss = step(run)
        while run.diverged_at < 0 and is_due(run.record.count, run.step, steps_of(run.settings)):
            _keep(state, loss)


def read(state: Pictures) -> Readings:
    """What `textbook.read` gives, and of each record distance_V, distance_A and rounded_A, each (count,), attention
    (count N T,) and outputs (count N N,). When Stage 3 began: mirrored, 1 if it turned the run round; learned, |A - Q|
    then. Of the task: useful (N T,), 1 where the attention should be, and likeliest (N N,), 1 where P is largest.
    """
    run, record = state.run, state.run.record
    n = record.count
    N, T = run.settings.N, run.settings.T
    return {
        "steps": first(record.steps, n),
        "alpha_V": first(record.alpha_V, n),
        "alpha_A": first(record.alpha_A, n),
        "off_flow": first(record.off_flow, n),
        "loss": first(record.loss, n),
        "distance_V": first(state.distance_V, n),
        "distance_A": first(state.distance_A, n),
        "rounded_A": first(state.rounded_A, n),
        "attention": first(state.attention, n * N * T),
        "outputs": first(state.outputs, n * N * N),
        "useful": useful(run.task, T),
        "likeliest": likeliest(run.task),
        "learned": [state.learned],
        "mirrored": [1.0 if state.mirrored else 0.0],
        "diverged_at": [float(run.diverged_at) if run.diverged_at >= 0 else nan],
    }


@python_only
def run(seed: int = 0, **settings: float) -> Readings:
    """A whole run: `run(T=64, lr=0.05, stage1=200, stage2=100, seed=3)["attention"]`."""
    state = start(settings_from(Settings, settings), seed)
    advance(state, steps_of(state.run.settings))
    return read(state)
