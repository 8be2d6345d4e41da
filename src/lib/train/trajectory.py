"""What a training run leaves: recorded steps and arrays, final parameters, and which runs diverged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import DivergedError, InputError, is_whole, require


@dataclass(frozen=True)
class Trajectory:
    """The record of R runs at K steps.

    `traj["loss"]` is `traj.arrays["loss"]`, (R, K); `traj.at(step)` is one record; `traj.run(r)` is one run.
    """

    steps: NDArray[np.int64]  # (K,) recorded steps, from 0 to the last
    arrays: Mapping[str, NDArray[Any]]  # name -> (R, K, ...); NaN once a run has diverged
    params: Any  # NamedTuple of arrays (R, ...): the last finite parameters
    state: Any  # the optimiser's state, to go on from here
    diverged_at: NDArray[np.int64]  # (R,) the step, or -1 for a run that is alive
    diverged_with: NDArray[np.float64]  # (R,) the loss that it had then; NaN for a run that is alive, or had no number
    settings: Mapping[str, Any]

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The recorded array `name`, (R, K, ...)."""
        if name not in self.arrays:
            raise InputError(f"name: expected one of {', '.join(sorted(self.arrays))}, got {name}")
        return self.arrays[name]

    @property
    def n_runs(self) -> int:
        """R, the number of runs."""
        return len(self.diverged_at)

    def at(self, step: int) -> dict[str, NDArray[Any]]:
        """The record of one step: name -> (R, ...)."""
        k = int(np.searchsorted(self.steps, step))
        if k == len(self.steps) or self.steps[k] != step:
            near = self.steps[np.abs(self.steps - step).argmin()]
            raise InputError(f"step: expected a recorded step (the nearest is {near}), got {step}")
        return {name: values[:, k] for name, values in self.arrays.items()}

    def run(self, r: int) -> Trajectory:
        """Run r alone, with a leading axis of 1: what training it alone would have left."""
        require(is_whole(r) and 0 <= r < self.n_runs, "r", f"0 to {self.n_runs - 1}", r)
        return replace(
            self,
            arrays={name: values[r : r + 1] for name, values in self.arrays.items()},
            params=_take(self.params, r),
            state=_take(self.state, r),
            diverged_at=self.diverged_at[r : r + 1],
            diverged_with=self.diverged_with[r : r + 1],
        )

    def check(self) -> Trajectory:
        """Return the trajectory itself if every run is alive.

        Raises:
            DivergedError: naming the runs that diverged, the steps at which they did and the losses that they had;
                where no update had been made yet it blames the start.
        """
        dead = np.flatnonzero(self.diverged_at >= 0)
        if len(dead):
            named = [(r, self.diverged_at[r], self.diverged_with[r]) for r in dead[:8]]
            which = ", ".join(f"run {r} at step {step} with {_loss(loss)}" for r, step, loss in named)
            more = f" and {len(dead) - 8} more" if len(dead) > 8 else ""
            start = not self.diverged_at[dead].any()
            why = "; before any update, so the start or the data are at fault, not the learning rate" if start else ""
            raise DivergedError(f"{len(dead)} of {self.n_runs} runs diverged: {which}{more}{why}")
        return self

    def concat(self, following: Trajectory) -> Trajectory:
        """Join the next stage, which began where this one ended; its steps count on from here.

        A run that diverged in this stage stays diverged: later records are NaN, its parameters those of this stage.
        The settings are those of this stage, then what the next one adds or changes. Source: the resume law, tested:
        a stopped and continued run equals the uninterrupted one bit for bit.
        """
        require(following.n_runs == self.n_runs, "following", f"{self.n_runs} runs", following.n_runs)
        names, theirs = sorted(self.arrays), sorted(following.arrays)
        require(names == theirs, "following", f"the records {names}", theirs)
        dead = self.diverged_at >= 0
        arrays = {}
        for name in self.arrays:
            # their record at 0 is our last one
            rest = np.array(following.arrays[name][:, 1:])
            rest[dead] = np.nan
            arrays[name] = np.concatenate([self.arrays[name], rest], axis=1)
        offset = self.steps[-1]
        later = np.where(following.diverged_at >= 0, following.diverged_at + offset, -1)
        params = following.params._make(
            np.where(dead.reshape((-1,) + (1,) * (x.ndim - 1)), mine, x)
            for mine, x in zip(self.params, following.params, strict=True)
        )
        return Trajectory(
            np.concatenate([self.steps, following.steps[1:] + offset]),
            arrays,
            params,
            following.state,
            np.where(dead, self.diverged_at, later),
            np.where(dead, self.diverged_with, following.diverged_with),
            {**self.settings, **following.settings},
        )


def _loss(value: float) -> str:
    return "no finite number" if np.isnan(value) else f"the loss {value:+.3g}"


def _take(tree: Any, r: int) -> Any:
    """Run r of every array in nested tuples and dicts; counters stay."""
    if isinstance(tree, np.ndarray):
        return tree[r : r + 1]
    if hasattr(tree, "_fields"):
        return type(tree)._make(_take(x, r) for x in tree)
    if isinstance(tree, tuple):
        return tuple(_take(x, r) for x in tree)
    if isinstance(tree, dict):
        return {name: _take(x, r) for name, x in tree.items()}
    return tree
