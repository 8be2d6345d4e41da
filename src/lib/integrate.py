"""Ordinary differential equations in the logarithm of time: from t = 0 to 1e8 and beyond in some hundred steps.

Used by theory (`lib.theory`) and by training (`lib.train.flow`). Attention learns fast, then ever more slowly: after a
transition everything moves on the scale of ln t. So dy/dt = f(t, y) is integrated as dy/ds against s = ln(1 + unit t),
dy/ds = f e^s / unit. SciPy does the steps.

On a stiff linear system (rates from 1e-3 to 1e4, to t = 1e8) an explicit method gives up where LSODA takes 2200
evaluations, BDF 1600 and Radau 4600; on gradient flow of attention LSODA takes the fewest, from equal rates to rates
400 times apart. So it is the default. An argument out of range raises `InputError`.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import DivergedError, InputError, require, whole

Array = NDArray[np.float64]
Slope = Callable[[float, Array], Array]

# name -> SciPy's method: "stiff" switches between Adams and BDF; "implicit" is of order 5, "explicit" of order 8
METHODS = {"stiff": "LSODA", "implicit": "Radau", "explicit": "DOP853"}
_STUCK, _STEP = 1000, 1e-13  # evaluations in a row without a step of this relative size on the scale of s


class Path(NamedTuple):
    """A solution at the recorded times."""

    times: Array  #: (T,) those asked for, up to the stop
    states: Array  #: (T, n)
    stopped: str | None  #: name of the condition that stopped it; None if the last time was reached
    stop_time: float  #: when it stopped, or the last time
    stop_state: Array  #: (n,) the state then
    evaluations: int  #: of the slope


def integrate(
    slope: Slope,
    start: ArrayLike,
    times: ArrayLike,
    *,
    unit: float = 1.0,
    method: str = "stiff",
    rtol: float = 1e-8,
    atol: float = 1e-12,
    until: Mapping[str, Callable[[float, Array], float]] | None = None,
    most: int = 100_000,
    what: str = "integrate",
) -> Path:
    """Integrate dy/dt = f(t, y) from t = 0 and record.

    Args:
        slope: f(t, y) -> (n,).
        start: y(0), (n,), finite.
        times: increasing finite times of at least 0, (T,), T >= 1.
        unit: rate that sets where the logarithm begins, in 1/time: before 1/unit time runs evenly. Positive.
        method: "stiff" (SciPy's LSODA), "implicit" (Radau) or "explicit" (DOP853, for smooth solutions).
        rtol: relative error of a step.
        atol: absolute error of a step.
        until: name -> g(t, y); the first change of sign of one of them stops the integration. A condition that is
            already past at the start stops nothing; one that is 0 there stops at once.
        most: evaluations of f after which it gives up.
        what: the caller's name, with which the errors begin.

    Returns:
        The `Path`.

    Raises:
        DivergedError: if the solution blows up, the solver fails, or `most` is reached; with the time reached.

    Example:
        >>> path = integrate(lambda t, y: -(y**4), [1.0], [1e4, 1e8])  # (1 + 3 t)^(-1/3)
        >>> np.round(path.states[:, 0] * (1 + 3 * path.times) ** (1 / 3), 6)
        array([1., 1.])
        >>> half = integrate(lambda t, y: -y, [1.0], [5.0], until={"half": lambda t, y: y[0] - 0.5})
        >>> half.stopped, round(half.stop_time, 6)
        ('half', 0.693147)
    """
    from scipy.integrate import solve_ivp  # here, because training without a flow should not wait for SciPy

    first, t = _vector("start", start), _times(times)
    for name, value in (("unit", unit), ("rtol", rtol), ("atol", atol)):
        require(_number(value) and 0 < value < np.inf, name, "a finite number above 0", value)
    require(method in METHODS, "method", f"one of {', '.join(METHODS)}", method)
    most = whole("most", most, 1)
    conditions = dict(until or {})
    for name, condition in conditions.items():
        require(callable(condition), f"until[{name!r}]", "a function of (t, y)", type(condition).__name__)
        if condition(0.0, first) == 0:
            at = t[t == 0]
            return Path(at, np.repeat(first[None], len(at), axis=0), name, 0.0, first, 0)
    if t[-1] == 0.0:
        return Path(t, first[None], None, 0.0, first, 0)

    count = lost = stuck = 0
    reached = 0.0  # on the scale of s, with finite numbers
    patience = _STUCK + 20 * first.size  # a Jacobian takes n evaluations without moving

    def diverged(why: str) -> DivergedError:
        return DivergedError(f"{what}: not at time {t[-1]:g}, but at {np.expm1(reached) / unit:.6g}: {why}")

    def motion(s: float, y: Array) -> Array:
        nonlocal count, lost, stuck, reached
        if count == most:
            raise diverged(f"{most} evaluations were made")
        count += 1
        out = np.asarray(slope(float(np.expm1(s)) / unit, y), dtype=np.float64) * (np.exp(s) / unit)
        if out.shape != first.shape:
            raise InputError(f"slope: expected shape {first.shape}, got {out.shape}")
        good = bool(np.isfinite(out).all())
        lost = 0 if good else lost + 1
        if lost and (count == 1 or lost == patience):
            raise diverged("the slope is not finite")
        stuck = 0 if good and s > reached * (1 + _STEP) else stuck + 1
        if stuck == patience:
            raise diverged("the solution blows up, no step is small enough")
        reached = max(reached, s) if good else reached
        return out

    # late times may share a place on the scale of s in floating point
    s, where = np.unique(np.log1p(unit * t), return_inverse=True)
    options: dict[str, Any] = {"t_eval": s, "rtol": rtol, "atol": atol}
    if conditions:
        options["events"] = [_event(condition, unit) for condition in conditions.values()]
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # found and reported, not warned about
        try:
            found = solve_ivp(motion, (0.0, s[-1]), first, METHODS[method], **options)
        except ValueError as error:  # of an implicit method, whose linear algebra refuses what is not finite
            if isinstance(error, InputError) or not lost:
                raise
            raise diverged("the slope is not finite") from None
    if not found.success:
        raise diverged(found.message)
    states = np.reshape(found.y, (first.size, -1)).T  # a list if nothing was recorded
    if not np.isfinite(states).all():
        raise diverged("the state is not finite")
    if found.status == 1:  # a condition stopped it
        name, i = next((name, i) for i, name in enumerate(conditions) if len(found.t_events[i]))
        kept = where < len(states)
        stop = float(np.expm1(found.t_events[i][0]) / unit)
        return Path(t[kept], states[where[kept]], name, stop, found.y_events[i][0], count)
    return Path(t, states[where], None, float(t[-1]), states[-1], count)


def _event(condition: Callable[[float, Array], float], unit: float) -> Callable[[float, Array], float]:
    """The condition as a function of (s, y), which stops."""

    def event(s: float, y: Array) -> float:
        return condition(float(np.expm1(s)) / unit, y)

    event.terminal = True  # type: ignore[attr-defined]  # how SciPy is told
    return event


def _number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _vector(argument: str, value: ArrayLike) -> Array:
    try:
        array = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{argument}: expected numbers, got {value!r}") from None
    require(array.ndim == 1 and array.size > 0, argument, "shape (n,), n >= 1", array.shape)
    require(bool(np.isfinite(array).all()), argument, "finite numbers", value)
    return array


def _times(value: ArrayLike) -> Array:
    t = _vector("times", value)
    require(t[0] >= 0 and bool((np.diff(t) > 0).all()), "times", "increasing finite times of at least 0", value)
    return t
