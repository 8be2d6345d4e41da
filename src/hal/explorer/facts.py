"""Single numbers of a figure that computes: what theory says, and what the finished runs have in common."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Readings = Mapping[str, Sequence[float]]


class Result(NamedTuple):
    """Theory and finished runs at some settings.

    Attributes:
        theory: name -> numbers, as in "flow.alpha".
        runs: readings of each run.
        facts: single numbers, for sentences.
    """

    theory: dict[str, list[float]]
    runs: list[dict[str, list[float]]]
    facts: dict[str, float]


def facts_of(
    outcome: Callable[..., Any],
    theory: Readings,
    runs: Sequence[Readings],
    summary: Callable[..., Any] | None = None,
) -> dict[str, float]:
    """Theory's single numbers; the middle and the sum of each outcome; how many runs did not diverge, how many did.

    Args:
        outcome: of one run; its parameters are names of readings, its results of one number each, NaN if there is none.
        theory: name -> numbers.
        runs: finished ones; those that diverged have no outcome.
        summary: of the facts; its parameters are names of facts, "_" for every ".", NaN where one is not known.

    Returns:
        name -> number; "sum.NAME" is the sum over the runs that did not diverge, "runs" their number, "lost" the
        number of those that did; what `share` returns as `low` is "share.low".
    """
    facts = {key: float(values[0]) for key, values in theory.items() if len(values) == 1}
    kept = [run for run in runs if not run["diverged_at"][0] >= 0]
    names = list(inspect.signature(outcome).parameters)
    outcomes = [outcome(*(run[name] for name in names)) for run in kept]
    for key in outcomes[0] if outcomes else ():
        known = [one[key][0] for one in outcomes if one[key][0] == one[key][0]]
        facts[key] = float(np.median(known)) if known else float("nan")
        facts[f"sum.{key}"] = sum(known)
    facts |= {"runs": float(len(kept)), "lost": float(len(runs) - len(kept))}
    if summary is not None:
        plain = {key.replace(".", "_"): value for key, value in facts.items()}
        given = [plain.get(name, float("nan")) for name in inspect.signature(summary).parameters]
        facts |= {f"{summary.__name__}.{key}": float(values[0]) for key, values in summary(*given).items()}
    return facts
