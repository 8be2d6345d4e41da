"""A textbook run as a row of pictures, one for each group: its points, its attention, and the line that the value sees.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2. The run is that of `textbook`. A picture has two variables
of its group, the first of them along v*, turned for display; a bar at its left edge is the attention on the group; the
line, the same in all pictures, is where the value's part in the two variables is 0.
"""

from dataclasses import dataclass

from hal.chapters.group_sparse.models.frames import BAR, COS, SIN, TIP, bar_heights, box_of, line_heights, within
from lib.models.group_sparse.textbook import Settings, State, steps_of
from lib.models.group_sparse.textbook import count_step as count_run
from lib.models.group_sparse.textbook import done as run_done
from lib.models.group_sparse.textbook import gradient as gradient_of
from lib.models.group_sparse.textbook import parameters as parameters_of
from lib.models.group_sparse.textbook import start as start_run
from lib.models.group_sparse.textbook import step as step_run
from lib.portable.primitives import Matrix, Readings, nan, zeros
from lib.portable.records import Records, column, columns, ended, new_row, room_for

__all__ = ["count_step", "done", "gradient", "parameters", "read", "start", "step", "steps_of"]

SHOWN = 24  # examples, at most


@dataclass
class Pictures:
    """A run, and what is seen of it."""

    run: State
    kept: Records  # a record: attention on each group, then the heights of the line in a picture


def start(settings: Settings, seed: int) -> Pictures:
    """The run's start: attention is uniform, and the value sees no line."""
    state = Pictures(start_run(settings, seed), room_for(steps_of(settings), settings.D + TIP))
    keep(state)
    return state


def keep(state: Pictures) -> None:
    """Attention on each group, in the mean over queries and examples, and the line."""
    run, row = state.run, new_row(state.kept)
    D, d = run.settings.D, run.settings.d
    for i in range(D):
        for j in range(D):
            row[i] += run.map[i * D + j] / float(D)
    heights = line_heights(run.v[0], run.v[1] if d > 1 else 0.0)
    for k in range(TIP):
        row[D + k] = heights[k]


def catch_up(state: Pictures) -> None:
    """A picture for each record that the run has made."""
    while state.kept.count < state.run.kept.count:
        keep(state)


def step(state: Pictures) -> None:
    """One step of the run."""
    step_run(state.run)
    catch_up(state)


def count_step(state: Pictures) -> None:
    """Count a step of the run as made."""
    count_run(state.run)
    catch_up(state)


def done(state: Pictures) -> bool:
    """Whether the run has ended."""
    return run_done(state.run)


def parameters(state: Pictures) -> Matrix:
    """The run's."""
    return parameters_of(state.run)


def gradient(state: Pictures) -> Matrix:
    """The run's."""
    return gradient_of(state.run)


def read(state: Pictures) -> Readings:
    """What the run has on record, see `textbook.read`. In the pictures, places from 0 to 1: of 24 examples at most
    points_x, points_y and kinds (1 for the label +), group after group; of each record bars (count 9 D,), the heights
    of the corners of the bars and a gap, and lines (count 22 D,), those of the line and a gap.
    """
    run, kept, D = state.run, state.kept, state.run.settings.D
    count = kept.count
    shown = min(SHOWN, run.settings.n)
    x, y, kinds = zeros(shown * D), zeros(shown * D), zeros(shown * D)
    bars, lines = zeros(count * BAR * D), zeros(count * (TIP + 1) * D)
    for j in range(D):
        box = box_of(D, j)
        for i in range(shown):
            first = run.tokens[i * D + j][0] / run.settings.sigma
            second = run.tokens[i * D + j][1] / run.settings.sigma if run.settings.d > 1 else 0.19 * float(i) - 2.0
            place = j * shown + i
            x[place] = box[0] + box[2] * within(COS * first - SIN * second)
            y[place] = box[1] + box[3] * within(SIN * first + COS * second)
            kinds[place] = 1.0 if run.y[i] > 0.0 else 0.0
        for t in range(count):
            row, bar, line = kept.rows[t], (t * D + j) * BAR, (t * D + j) * (TIP + 1)
            top = box[1] + box[3] * row[j]
            for k in range(BAR):
                bars[bar + k] = bar_heights(box[1], top, k)
            for k in range(TIP):
                lines[line + k] = box[1] + box[3] * row[D + k]
            lines[line + TIP] = nan
    return {
        "steps": column(run.kept, 0), "loss": column(run.kept, 1), "cosine": column(run.kept, 2),
        "ratio": column(run.kept, 3), "attention": column(run.kept, 4), "accuracy": column(run.kept, 5),
        "test": column(run.kept, 6), "map": columns(run.kept, 7, D * D), "points_x": x, "points_y": y, "kinds": kinds,
        "bars": bars, "lines": lines, "diverged_at": ended(run.diverged_at),
    }  # fmt: skip
