"""Where a row of pictures of groups stands, its frames and the line across a direction; places from 0 to 1.

Chapter `group_sparse`. The pictures are beyond arXiv 2504.08638; what they show is its Section 2. A picture has two
variables of its group, the first of them along v*, turned for display; a bar at its left edge is the attention on the
group; the line, the same in all pictures, is where the value's part in the two variables is 0.
"""

from lib.models.group_sparse.textbook import State, on_group, square
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.vectors import filled

ACROSS = 8  # pictures a row
COS = 0.6  # v* is (COS, SIN) in a picture
SIN = 0.8
REACH = 2.4  # half of a picture, in units of a variable
TIP = 21  # places of the line
BAR = 9  # corners of a bar of four strokes, and a gap
GUTTER = 0.02  # of the bar, beside the picture's points; a quarter of it at the right
SHOWN = 24  # examples, at most


def box_of(D: int, j: int) -> Vector:
    """(left, bottom, width, height) of picture j of D, all of them within the unit square: a row of eight, or two."""
    rows = 1 if D <= ACROSS else 2
    columns = (D + rows - 1) // rows
    row = j // columns
    wide, high = 1.0 / float(columns), 1.0 / float(rows)
    left, low = float(j - row * columns) * wide, 1.0 - float(row + 1) * high
    return [left + 0.02 * wide, low + 0.03 * high, 0.92 * wide, 0.92 * high]


def line_heights(first: float, second: float) -> Vector:
    """(21,) heights, from 0 to 1, of the line through the middle of a picture across these two components; NaN where it
    is outside, and everywhere if both are 0.
    """
    x, y, heights = COS * first - SIN * second, SIN * first + COS * second, zeros(TIP)
    for k in range(TIP):
        at = 2.0 * float(k) / float(TIP - 1) - 1.0
        height = -x * at / y if y > 0.0 or y < 0.0 else nan
        heights[k] = 0.5 + 0.5 * height if height >= -1.0 and height <= 1.0 else nan
    return heights


def frames_of(D: int) -> Readings:
    """Frames of D pictures, x, y (6 D,); where their bars (9 D,) and lines (22 D,) stand; names."""
    x, y, bars, lines = zeros(6 * D), zeros(6 * D), zeros(BAR * D), zeros((TIP + 1) * D)
    for j in range(D):
        box = box_of(D, j)
        for k in range(6):
            x[6 * j + k] = box[0] + (box[2] if k == 1 or k == 2 else 0.0)
            y[6 * j + k] = nan if k == 5 else box[1] + (box[3] if k == 2 or k == 3 else 0.0)
        for k in range(BAR):
            bars[BAR * j + k] = box[0] + 0.003 * float(k // 2)
        for k in range(TIP + 1):
            lines[(TIP + 1) * j + k] = across(box, float(k) / float(TIP - 1))
    first = box_of(D, 0)
    return {
        "x": x, "y": y, "bars": bars, "lines": lines, "top": filled(2, first[1] + first[3]),
        "n1": named(D, 0), "n2": named(D, 1), "n3": named(D, 2), "n4": named(D, 3),
        "n5": named(D, 4), "n6": named(D, 5), "n7": named(D, 6), "n8": named(D, 7),
    }  # fmt: skip


def named(D: int, j: int) -> Vector:
    """(2,) Where the name of picture j ends, NaN where there is no such picture."""
    box = box_of(D, j)
    return filled(2, box[0] + 0.8 * box[2] if j < D else nan)


def across(box: Vector, share: float) -> float:
    """Where a share of a picture's width stands, from its left edge beside the bar."""
    return box[0] + GUTTER + (box[2] - 1.25 * GUTTER) * share


def within(value: float) -> float:
    """The place of a coordinate in its picture, from 0 to 1; what is beyond stands at the edge."""
    return 0.5 + 0.5 * max(-0.9, min(0.9, value / REACH))


def positive(values: Vector) -> Vector:
    """Each number, or 0 where it is below 0."""
    found = zeros(len(values))
    for i in range(len(values)):
        found[i] = max(0.0, values[i])
    return found


def bars_of(state: State) -> Vector:
    """(9 D,) heights of the corners of the bars and a gap, NaN, group after group."""
    D = state.settings.D
    bars = zeros(BAR * D)
    for j in range(D):
        box = box_of(D, j)
        top = box[1] + box[3] * on_group(state, j)
        for k in range(BAR):
            high = k == 1 or k == 2 or k == 5 or k == 6
            bars[BAR * j + k] = nan if k == BAR - 1 else top if high else box[1]
    return bars


def lines_of(state: State) -> Vector:
    """(22 D,) heights of the line where the value is 0, and a gap, group after group."""
    D, v = state.settings.D, state.v
    lines, heights = zeros((TIP + 1) * D), line_heights(v[0], v[1] if state.settings.d > 1 else 0.0)
    for j in range(D):
        box = box_of(D, j)
        for k in range(TIP):
            lines[(TIP + 1) * j + k] = box[1] + box[3] * heights[k]
        lines[(TIP + 1) * j + TIP] = nan
    return lines


def points_of(state: State) -> Readings:
    """Of 24 examples at most the points in all pictures, group after group, and their kinds, 1 for the label +.

    Where the other groups are larger, all pictures shrink until theirs fit.
    """
    D, n = state.settings.D, min(SHOWN, state.settings.n)
    unit = state.settings.sigma * max(1.0, state.settings.others)
    x, y, kinds = zeros(n * D), zeros(n * D), zeros(n * D)
    for j in range(D):
        box = box_of(D, j)
        for i in range(n):
            h = state.tokens[i * D + j]
            first = h[0] / unit
            second = h[1] / unit if state.settings.d > 1 else 0.19 * float(i) - 2.0
            x[j * n + i] = across(box, within(COS * first - SIN * second))
            y[j * n + i] = box[1] + box[3] * within(SIN * first + COS * second)
            kinds[j * n + i] = 1.0 if state.y[i] > 0.0 else 0.0
    return {"points_x": x, "points_y": y, "kinds": kinds}


def right_or_even(share: float, state: State) -> float:
    """A share of right answers; while a layer's value is zero, and its output with it, that of a coin."""
    return share if share >= 0.0 and square(state.v, len(state.v)) > 0.0 else 0.5
