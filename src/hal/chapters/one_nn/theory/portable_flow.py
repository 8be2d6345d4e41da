"""The reduced flow, for the page: a path of the two numbers, its loss, and numbers read off it.

Chapter `one_nn`. Source: the flow is that of Li et al. (2024), arXiv 2411.10830, in its two-number form.
`lib.theory.one_nn.reduced.flow` follows it in NumPy, with another quadrature and another integrator.
"""

from hal.chapters.one_nn.theory.portable_reduced import loss_and_slopes
from hal.chapters.one_nn.theory.stiff import stiff_flow_to
from lib.errors import require
from lib.portable.explicit import Flow, flow_from, flow_to, slope_in_s
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Vector, floor, nan, sqrt, zero_matrix, zeros
from lib.theory.one_nn.portable import Law

SHARP = 0.2  # bend of a cubic between two times of a path, as a share of its value, that is too much
FIRST_STEP = 0.3  # in log(1 + t); the flow starts slowly, so the integrator need not feel its way
STIFF = 1000.0  # time from which the two scalars have rates of very different size


def descent(t: float, y: Vector, out: Vector, law: Law) -> None:
    """The flow at y = (xi1, xi2): minus the slopes, that of xi1 over d. Source: arXiv 2411.10830, descent on W."""
    loss_and_slopes(law, y[0], y[1])
    out[0] = -law.slopes[1] / float(law.d)
    out[1] = -law.slopes[2]


def follow(end: float, flow: Flow, law: Law, tolerance: float) -> None:
    """The flow to time `end`: explicit while it leaves its start, later stiff."""
    flow.steady = True
    if end <= STIFF:
        flow_to(end, flow, descent, law, tolerance)
    else:
        stiff_flow_to(end, flow, descent, law, 4.0 * tolerance)


def look(flow: Flow, law: Law) -> None:
    """Loss and derivatives here into `law.slopes`, dy/ds into `flow.slopes[0]`."""
    slope_in_s(flow.s, flow.y, flow.slopes[0], descent, law)
    flow.known = True


def path(law: Law, xi1: float, xi2: float, times: Vector, tolerance: float) -> tuple[Vector, Vector, Vector]:
    """The reduced flow from (xi1, xi2) at time 0.

    The flow is followed to every third time; between two of these stands the cubic in log(1 + t) that has the right
    values and slopes at both, and where that bends much, the flow from the first.

    Args:
        law: of d and N.
        xi1, xi2: the start; the paper's is (0, sigma).
        times: (K,) growing times t = learning rate times steps, the first of them 0; K = 1, 4, 7 and so on.
        tolerance: of the explicit integrator; the stiff one gets four times as much, and stays as near (tests).

    Returns:
        xi1, xi2, loss, each (K,); NaN from where the flow fails.

    Source: arXiv 2411.10830, gradient descent from W_33 = -sigma, in the limit of small rates.
    """
    count = len(times)
    require((count - 1) // 3 * 3 == count - 1, "times", "1, 4, 7 ... of them", count)
    found, rise = zero_matrix(3, count), zero_matrix(3, count)
    y = zeros(2)
    y[0] = xi1
    y[1] = xi2
    flow = flow_from(0.0, y)
    flow.h = FIRST_STEP
    for i in range(0, count, 3):
        follow(times[i], flow, law, tolerance)
        look(flow, law)
        for k in range(2):
            found[k][i] = nan if flow.failed else flow.y[k]
            rise[k][i] = flow.slopes[0][k]
        found[2][i] = nan if flow.failed else law.slopes[0]
        rise[2][i] = law.slopes[1] * rise[0][i] + law.slopes[2] * rise[1][i]
    for before in range(0, count - 1, 3):
        between(times, found, rise, before, law, tolerance)
    return found[0], found[1], found[2]


def between(times: Vector, found: Matrix, rise: Matrix, before: int, law: Law, tolerance: float) -> None:
    """Fill in a path between `before` and three times later, where it is known."""
    after = before + 3
    start = log(1.0 + times[before])
    wide = log(1.0 + times[after]) - start
    sharp = False
    for i in range(before + 1, after):
        u = (log(1.0 + times[i]) - start) / wide
        for k in range(3):
            row = found[k]
            across = row[after] - row[before]
            a = wide * rise[k][before] - across
            b = across - wide * rise[k][after]
            row[i] = row[before] + u * (across + (1.0 - u) * (a * (1.0 - u) + b * u))
            if abs(a - b) > SHARP * abs(row[i]):
                sharp = True
    if sharp:
        y = zeros(2)
        y[0] = found[0][before]
        y[1] = found[1][before]
        part = flow_from(times[before], y)
        part.h = wide / 3.0
        for i in range(before + 1, after):
            follow(times[i], part, law, tolerance)
            look(part, law)
            found[0][i] = part.y[0]
            found[1][i] = part.y[1]
            found[2][i] = law.slopes[0]


def log_times(end: float, count: int) -> Vector:
    """(count,) times from 0 to `end`: 0, then growing by a constant factor from 1."""
    times = zeros(count)
    for i in range(1, count):
        times[i] = exp(log(end) * float(i - 1) / float(count - 2))
    times[count - 1] = end
    return times


def value_at(t: float, times: Vector, values: Vector) -> float:
    """A path's value at time t, by the cubic in log(1 + t) through the four times around it, or NaN.

    Source: Lagrange's formula.
    """
    end = len(times)
    if not (t >= times[0] and t <= times[end - 1]):
        return nan
    begin = 0
    while begin + 4 < end and times[begin + 2] < t:
        begin += 1
    end = min(end, begin + 4)
    result = 0.0
    for i in range(begin, end):
        part = values[i]
        for k in range(begin, end):
            if k != i:
                part *= log((1.0 + t) / (1.0 + times[k])) / log((1.0 + times[i]) / (1.0 + times[k]))
        result += part
    return result


def three_digits(x: float) -> float:
    """A time, above 0, rounded to the digits that it is known to; NaN stays."""
    unit = 1.0
    while x >= 1000.0 * unit:
        unit *= 10.0
    return unit * float(floor(x / unit + 0.5)) if x >= 100.0 else x


def passed(level: float, losses: Vector) -> int:
    """The first record of a falling loss at or below a level, 0 where no fall to it is recorded."""
    for i in range(1, len(losses)):
        if losses[i - 1] > level and losses[i] <= level:
            return i
    return 0


def time_of(level: float, times: Vector, losses: Vector) -> float:
    """When a falling loss first reaches a level, by halves on the cubics of `value_at`."""
    i = passed(level, losses)
    if i == 0:
        return nan
    low, high = times[i - 1], times[i]
    for _ in range(30):
        middle = sqrt((1.0 + low) * (1.0 + high)) - 1.0
        if value_at(middle, times, losses) > level:
            low = middle
        else:
            high = middle
    return high
