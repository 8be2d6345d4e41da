"""The one training loop: any problem, any optimiser, many runs at once, every run as if it were alone.

Used by every chapter. Leading axes are runs (settings x seeds, R); run r of a batch equals, bit for bit, the single
run with the r-th generator. What a run recorded is in `lib.train.trajectory.Trajectory`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, require, whole
from lib.optim import Transform, apply_updates
from lib.train.problem import Problem, draws
from lib.train.trajectory import Trajectory

__all__ = ["Record", "record_points", "train"]

Record = Mapping[str, Callable[[Any], NDArray[Any]]]


def record_points(steps: int, count: int = 120, log: bool = False) -> NDArray[np.int64]:
    """Steps (K,) at which to record: increasing, from 0 to `steps`, about `count` of them, and at most one more.

    Args:
        steps: the last step.
        count: how many records after the one at step 0, at most.
        log: space them evenly in the logarithm, for phases of very different length.
    """
    steps, count = whole("steps", steps), whole("count", count, 1)
    if log and steps > 0:
        points = np.concatenate([[0], np.geomspace(1, steps, count)])
    else:
        points = np.linspace(0, steps, count + 1)
    return np.unique(np.round(points).astype(np.int64))


def train(
    problem: Problem[Any],
    params: Any,
    optimiser: Transform,
    steps: int,
    batch: int | None = None,
    rng: np.random.Generator | Sequence[np.random.Generator] | None = None,
    record: Record | None = None,
    record_at: Sequence[int] | NDArray[np.int64] | None = None,
    settings: Mapping[str, Any] | None = None,
    *,
    state: Any = None,
    first_step: int = 0,
    limit: float = 1e9,
) -> Trajectory:
    """Train R runs for `steps` steps, each on a batch of its own, and record.

    A run diverges at the first step at which its loss is not finite or exceeds `limit` in size, or, at a recorded
    step, one of its parameters is not finite. It is then frozen at its last finite parameters and its later records
    are NaN; the other runs go on as if nothing had happened.

    Args:
        problem: see `Problem`.
        params: NamedTuple of arrays (R, ...), where the runs start; None for `problem.init`, as many runs as there are
            generators (one, if there is none).
        optimiser: a `lib.optim.Transform`.
        steps: number of updates, >= 0.
        batch: examples per step and run; left out for a problem that draws nothing.
        rng: one Generator a run; or a single one, used as it is for R = 1 and spawned into R for more. The generators
            advance: hand the same ones on to continue a run. Left out for a problem that draws nothing, unless its
            start is drawn.
        record: name -> function from params to an array (R, ...). "loss" is recorded besides: the loss of the last
            batch drawn, at the parameters it was drawn for (at step 0, of the first batch; NaN if steps is 0).
        record_at: increasing steps that begin with 0 and end with `steps`; default `record_points(steps)`.
        settings: kept in the trajectory as they are.
        state: the optimiser's state, to continue a run; default a fresh one.
        first_step: what the problem's `sample` is told at the first step, to continue a run; then one more each step.
        limit: largest |loss| (nats or squared units) that counts as a run still alive.
    """
    drawing = draws(problem)
    if params is None:
        params, rng = _start(problem, rng, drawing)
    runs = check_params(params)
    require(isinstance(optimiser, Transform), "optimiser", "a lib.optim.Transform", type(optimiser).__name__)
    steps, first_step = whole("steps", steps), whole("first_step", first_step)
    if drawing:
        size = whole("batch", batch, 1)
        rngs: Sequence[np.random.Generator] = _generators(rng, runs)
    else:
        require(batch is None, "batch", "none: the problem draws nothing", batch)
        require(rng is None, "rng", "none: the problem draws nothing", type(rng).__name__)
        size, rngs = 0, ()
    require(limit > 0, "limit", "a number above 0", limit)
    limit = min(limit, np.finfo(float).max)  # an infinite loss is never within the limit
    record = {} if record is None else record
    require("loss" not in record, "record", "names other than 'loss', which is recorded anyway", sorted(record))
    at = record_points(steps) if record_at is None else _check_points(record_at, steps)
    if state is None:
        state = optimiser.init(params)

    _keep_freed_memory()
    sample, loss_and_gradient, update = problem.sample, problem.loss_and_gradient, optimiser.update
    diverged, diverged_with = np.full(runs, -1, dtype=np.int64), np.full(runs, np.nan)
    previous = safe = params  # one step ago; at the last record, known to be finite
    arrays: dict[str, NDArray[Any]] = {"loss": np.full((runs, len(at)), np.nan)}
    loss = np.full(runs, np.nan)
    any_diverged, k, due = False, 0, 0
    # overflow and NaN are what a diverging run is made of: they are found and reported below, not warned about
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        for step in range(steps + 1):
            if step == due:
                lost = ~_finite(params) & (diverged < 0)
                if lost.any():
                    params = _back(params, lost, previous, safe)
                    diverged[lost] = step
                    any_diverged = True
                safe = params
                arrays["loss"][:, k] = loss
                for name, reading in record.items():
                    _write(arrays, name, reading(params), k, runs, len(at))
                if any_diverged:
                    for values in arrays.values():
                        values[diverged >= 0, k] = np.nan
                k += 1
                due = at[k] if k < len(at) else -1
            if step == steps:
                break
            loss, gradient = loss_and_gradient(params, sample(size, rngs, first_step + step))
            if step == 0:
                check_gradient(loss, gradient, params)
                arrays["loss"][:, 0] = loss
            if not all([-limit <= value <= limit for value in loss.tolist()]):  # also true for NaN
                lost = ~(np.abs(loss) <= limit) & (diverged < 0)
                if lost.any():
                    params = _back(params, lost, previous, safe)
                    diverged[lost], diverged_with[lost] = step, loss[lost]
                    any_diverged = True
            previous = params
            updates, state = update(gradient, state, params)
            params = apply_updates(params, updates)
            del gradient, updates  # the next step finds their memory still in the cache
            if any_diverged:
                params = _select(diverged >= 0, previous, params)
    return Trajectory(at, arrays, params, state, diverged, diverged_with, dict(settings or {}))


def check_params(params: Any) -> int:
    """The number of runs of parameters that `train` can start from."""
    require(hasattr(params, "_fields"), "params", "a NamedTuple of arrays (R, ...)", type(params).__name__)
    for name, x in zip(params._fields, params, strict=True):
        require(isinstance(x, np.ndarray) and x.ndim >= 1, name, "an array (R, ...)", type(x).__name__)
        require(x.dtype == np.float64, name, "float64 entries", x.dtype)
        require(len(x) == len(params[0]) > 0, name, f"{len(params[0])} runs on the first axis, above 0", len(x))
        require(np.isfinite(x).all(), name, "finite entries at the start", "an infinite one or NaN")
    return len(params[0])


def _check_points(record_at: Any, steps: int) -> NDArray[np.int64]:
    points = np.array(record_at)
    good = bool(points.ndim == 1 and len(points) > 0 and np.issubdtype(points.dtype, np.integer))
    good = good and points[0] == 0 and points[-1] == steps and bool((np.diff(points) > 0).all())
    require(good, "record_at", f"increasing whole steps that begin with 0 and end with {steps}", record_at)
    return points.astype(np.int64)


def check_gradient(loss: Any, gradient: Any, params: Any) -> None:
    """Refuse a loss or a gradient of another shape than the parameters ask for."""
    require(np.shape(loss) == params[0].shape[:1], "problem", f"a loss of shape {params[0].shape[:1]}", np.shape(loss))
    shapes, expected = [np.shape(g) for g in gradient], [x.shape for x in params]
    require(shapes == expected, "problem", f"a gradient of shapes {expected}", shapes)
    require(hasattr(gradient, "_fields"), "problem", "a gradient NamedTuple", type(gradient).__name__)


def _start(problem: Any, rng: Any, drawing: bool) -> tuple[Any, Any]:
    """Where the problem starts, and the generators that are left for the samples."""
    require(callable(getattr(problem, "init", None)), "params", "a start, or a problem with `init`", "neither")
    if rng is None:
        return problem.init(1, ()), None
    rngs = _generators(rng, 1 if isinstance(rng, np.random.Generator) else len(rng))
    return problem.init(len(rngs), rngs), rngs if drawing else None


def _generators(rng: Any, runs: int) -> list[np.random.Generator]:
    if isinstance(rng, np.random.Generator):
        return [rng] if runs == 1 else rng.spawn(runs)
    expected = f"a Generator, or a sequence of {runs}"
    require(isinstance(rng, Sequence), "rng", expected, type(rng).__name__)
    require(len(rng) == runs, "rng", expected, len(rng))
    require(all(isinstance(g, np.random.Generator) for g in rng), "rng", expected, [type(g).__name__ for g in rng])
    if len({id(g.bit_generator) for g in rng}) < runs:
        raise InputError("rng: expected a different Generator for each run, got one of them twice")
    return list(rng)


def _finite(params: Any) -> NDArray[np.bool_]:
    """Which runs have only finite parameters, (R,)."""
    good = np.ones(len(params[0]), dtype=bool)
    for x in params:
        good &= np.isfinite(x).reshape(len(x), -1).all(axis=1)
    return good


def _select(mask: NDArray[np.bool_], yes: Any, no: Any) -> Any:
    """Run by run, `yes` where the mask holds and `no` elsewhere."""
    return type(no)._make(
        np.where(mask.reshape((-1,) + (1,) * (b.ndim - 1)), a, b) for a, b in zip(yes, no, strict=True)
    )


def _back(params: Any, lost: NDArray[np.bool_], previous: Any, safe: Any) -> Any:
    """Put the lost runs back to their latest finite parameters: now, one step ago, or at the last record."""
    for earlier in (previous, safe):
        params = _select(lost & ~_finite(params), earlier, params)
    return params


def _write(arrays: dict[str, NDArray[Any]], name: str, value: Any, k: int, runs: int, records: int) -> None:
    value = np.asarray(value)
    if k == 0:
        require(value.ndim >= 1 and len(value) == runs, f"record[{name!r}]", f"shape ({runs}, ...)", value.shape)
        # at least float64, so that NaN can stand for "diverged" whatever was recorded
        dtype = np.result_type(value.dtype, np.float64)
        arrays[name] = np.full((runs, records, *value.shape[1:]), np.nan, dtype=dtype)
    arrays[name][:, k] = value


def _keep_freed_memory() -> None:
    """Make glibc keep what a step frees for the next one, where arrays of the model are large.

    It hands freed blocks back to the system from a size that starts at 128 KiB and grows to the largest block freed
    yet, at most 32 MiB. Without this a step over such arrays spends up to half its time in page faults.
    """
    np.empty(31 << 20, dtype=np.uint8)
