"""What a figure has at some settings: theory and runs, the single numbers that follow from them, and what is drawn."""

import base64
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Readings = Mapping[str, Sequence[float]]
FEW = 4  # runs from which on they have quartiles


class Result(NamedTuple):
    """Theory and finished runs at some settings.

    Attributes:
        theory: name -> numbers, as in "flow.alpha".
        runs: readings of each run.
        facts: single numbers, for sentences.
        shown: the run that is drawn where one run alone is.
    """

    theory: dict[str, list[float]]
    runs: list[dict[str, list[float]]]
    facts: dict[str, float]
    shown: int = 0


def middle_run(runs: Sequence[Readings], reading: str | None) -> int:
    """The run that stands for all: of those that did not diverge, the one with the median last number of a reading.

    `middleRun` of `js/facts.js` is the page's side.

    Args:
        runs: finished ones.
        reading: its name; None takes the first run.

    Returns:
        its place among the runs; of an even number the lower of the two in the middle, of equals the first, and 0
        where no run has a number.
    """
    if reading is None:
        return 0
    ends = [(run[reading][-1], i) for i, run in enumerate(runs) if len(run[reading]) and not run["diverged_at"][0] >= 0]
    known = sorted(end for end in ends if np.isfinite(end[0]))
    return known[(len(known) - 1) // 2][1] if known else 0


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
        name -> number; "sum.NAME" is the sum over the runs that did not diverge, "spread.NAME" from four of them on the
        distance of its quartiles, "runs" their number, "lost" the
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
        if len(known) >= FEW:
            facts[f"spread.{key}"] = _quantile(known, 0.75) - _quantile(known, 0.25)
    facts |= {"runs": float(len(kept)), "lost": float(len(runs) - len(kept))}
    if summary is not None:
        plain = {key.replace(".", "_"): value for key, value in facts.items()}
        given = [plain.get(name, float("nan")) for name in inspect.signature(summary).parameters]
        facts |= {f"{summary.__name__}.{key}": float(values[0]) for key, values in summary(*given).items()}
    return facts


def _quantile(values: Sequence[float], share: float) -> float:
    """Between neighbours on a straight line, rounded as `quantile` of `js/numbers.js` is."""
    ordered, place = sorted(values), share * (len(values) - 1)
    low = int(place)
    rest = place - low
    return ordered[low] + (ordered[low + 1] - ordered[low]) * rest if rest else ordered[low]


class Drawn(NamedTuple):
    """What is drawn at one point.

    Attributes:
        items: the arrays, by panel and role: "0.x", "0.y1.low".
        reading: one sentence or several.
        notice: what went wrong; empty if nothing did.
    """

    items: dict[str, NDArray[np.float64]]
    reading: str
    notice: str


def divergence(data: Mapping[str, Any]) -> str:
    """One sentence about the runs that diverged; empty if none did. `js/facts.js` says the same in the page.

    Args:
        data: `diverged_at`, the step at which each run diverged; a negative number or NaN where it did not.
    """
    at = np.atleast_1d(np.asarray(data["diverged_at"], dtype=float))
    hit = at[np.isfinite(at) & (at >= 0)]
    if not hit.size:
        return ""
    first = f"step {int(hit.min()):,}"
    if at.size == 1:
        return f"This run diverged at {first}; nothing is drawn from there on. {_remedy(hit)}"
    return f"{hit.size} of {at.size} runs diverged, the first at {first}; from there on they are left out."


def _remedy(at: NDArray[np.float64]) -> str:
    """What may help, by the step at which a run diverged: before the first update no learning rate is at fault."""
    if at.min() < 1:
        return "No update had been made: its start is too large."
    return f"A smaller {'start or ' if at.min() < 2 else ''}learning rate may help."


def packed(runs: Sequence[Mapping[str, Sequence[float]]]) -> list[dict[str, str]]:
    """Readings of runs on their way to the browser, with every bit: each array as the base64 text of its doubles."""
    return [
        {key: base64.b64encode(np.asarray(values, "<f8").tobytes()).decode() for key, values in run.items()}
        for run in runs
    ]
