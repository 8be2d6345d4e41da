"""Gradient flow: what gradient descent does at small rates, in continuous time, to 1e8 steps and beyond.

Used by every chapter that compares training with theory. Each field of the parameters moves down the full gradient at a
rate of its own, dx/dt = -rate * gradient, so that time is in steps of gradient descent with these rates. The
integration is that of `lib.integrate`, in the logarithm of time.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import InputError, require
from lib.integrate import integrate
from lib.optim.base import rebuild
from lib.train.loop import Record, check_gradient, check_params
from lib.train.problem import Problem, draws

Array = NDArray[np.float64]
Condition = Callable[[float, Any, float], float]


class Flow(NamedTuple):
    """One run of the gradient flow at T recorded times; the times stand on the axis of the runs."""

    times: Array  #: (T,) steps; up to the stop
    params: Any  #: like the start, each field (T, ...)
    loss: Array  #: (T,)
    gradient: Any  #: like the start, each field (T, ...)
    arrays: Mapping[str, NDArray[Any]]  #: name -> (T, ...), what was recorded
    stopped: str | None  #: the condition that stopped it, or None
    stop_time: float  #: when, or the last time
    stop_params: Any  #: like the start, (1, ...), the parameters then
    evaluations: int  #: gradients that the solver took


def flow(
    problem: Problem[Any],
    params: Any,
    times: ArrayLike,
    rates: float | Mapping[str, float] = 1.0,
    record: Record | None = None,
    *,
    until: Mapping[str, Condition] | None = None,
    method: str = "stiff",
    tolerance: float = 1e-8,
    most: int = 100_000,
) -> Flow:
    """Follow the gradient flow of one run.

    Args:
        problem: one that draws nothing (see `Problem`): its gradient is the full one.
        params: NamedTuple of arrays (1, ...), where the run starts; None for `problem.init`.
        times: increasing times in steps, at least 0, (T,).
        rates: one rate for all fields, or field -> rate; at least 0, not all of them 0.
        record: name -> function from parameters (T, ...) to an array (T, ...).
        until: name -> g(t, params, loss), params (1, ...); the first change of sign stops the flow.
        method: "stiff", "implicit" or "explicit": see `lib.integrate.integrate`.
        tolerance: relative error of a step; the absolute one is 1e-4 of it.
        most: gradients after which it gives up.

    Returns:
        The `Flow`.

    Raises:
        DivergedError: if the flow blows up, the solver fails or `most` is reached; with the time reached.

    Example:
        >>> from lib.models import scan_snap as ss
        >>> task = ss.base_task(L=None)
        >>> run = flow(ss.Transformer(task), None, [1.0, 1e8], until={"learned": lambda t, p, loss: loss - 0.1})
        >>> run.stopped, round(run.stop_time, 2)
        ('learned', 37.52)
    """
    require(not draws(problem), "problem", "one that draws nothing: its full gradient", "one that draws its batches")
    if params is None:
        params = problem.init(1, ())
    require(check_params(params) == 1, "params", "one run (1, ...)", len(params[0]))
    each = _rates(rates, params)
    data = problem.sample(0, (), 0)
    check_gradient(*problem.loss_and_gradient(params, data), params)
    ends = np.cumsum([x.size for x in params])[:-1]

    def unpack(state: Array) -> Any:
        return rebuild(params, [part.reshape(x.shape) for part, x in zip(np.split(state, ends), params, strict=True)])

    def slope(t: float, state: Array) -> Array:
        _, gradient = problem.loss_and_gradient(unpack(state), data)
        return np.concatenate([g.reshape(-1) * -rate for g, rate in zip(gradient, each, strict=True)])

    def stopping(condition: Condition) -> Callable[[float, Array], float]:
        def value(t: float, state: Array) -> float:
            now = unpack(state)
            return float(condition(t, now, float(problem.loss_and_gradient(now, data)[0][0])))

        return value

    path = integrate(
        slope,
        np.concatenate([x.reshape(-1) for x in params]),
        times,
        unit=sum(each),
        method=method,
        rtol=tolerance,
        atol=1e-4 * tolerance,
        until={name: stopping(condition) for name, condition in (until or {}).items()},
        most=most,
        what="flow",
    )
    found = [problem.loss_and_gradient(unpack(state), data) for state in path.states]
    parts = np.split(path.states, ends, axis=1)
    along = [np.ascontiguousarray(y).reshape(-1, *x.shape[1:]) for y, x in zip(parts, params, strict=True)]
    gradients = [np.reshape([g[i] for _, g in found], (-1, *x.shape[1:])) for i, x in enumerate(params)]
    moved = rebuild(params, along)
    return Flow(
        times=path.times, params=moved, loss=np.array([loss[0] for loss, _ in found]),
        gradient=rebuild(params, gradients),
        arrays={name: np.asarray(reading(moved)) for name, reading in (record or {}).items()}, stopped=path.stopped,
        stop_time=path.stop_time, stop_params=unpack(path.stop_state), evaluations=path.evaluations,
    )  # fmt: skip


def _rates(rates: Any, params: Any) -> Sequence[float]:
    """One rate a field, in the order of the fields."""
    fields = params._fields
    named = dict(rates) if isinstance(rates, Mapping) else dict.fromkeys(fields, rates)
    require(sorted(named) == sorted(fields), "rates", f"one for each of the fields {', '.join(fields)}", list(named))
    for name, rate in named.items():
        if isinstance(rate, bool) or not isinstance(rate, int | float | np.integer | np.floating):
            raise InputError(f"rates[{name!r}]: expected a number, such as 0.1, got {rate!r}")
        require(bool(np.isfinite(rate) and rate >= 0), f"rates[{name!r}]", "a finite rate >= 0", rate)
    require(any(named.values()), "rates", "at least one rate above 0", rates)
    return [float(named[name]) for name in fields]
