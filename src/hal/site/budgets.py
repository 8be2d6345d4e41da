"""Budgets of the built site: the limits, and what was measured.

The numbers come from a browser: `make budgets` opens every page of the built site and moves all sliders of every figure
to random positions. Each chapter's pages and explorers are recorded in hal/results/SLUG/budgets.json, all other pages
in hal/results/site/budgets.json. The tests hold those records to the limits and to the site they are run on.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hal import chapters, results
from lib.errors import require

#: Most bytes of a page's first load, gzip: everything, and what this book brings.
FIRST_LOAD, OURS = 800_000, 120_000
#: Most bytes of a figure's program and its default state, gzip, for each model that it trains.
PROGRAM = 32_000
#: Models, each with files of its own, that a figure trains side by side; any other trains one.
SIDE_BY_SIDE = {"atlas-six": 4}
#: Longest waits after a slider's move, 95th percentile, in ms: for the frame, for the first points of a run, for a
#: first finished run, and for that on a processor slowed down to a quarter.
FRAME_MS, POINTS_MS, RUN_MS, SLOW_RUN_MS = 33, 60, 200, 800


class Budget(NamedTuple):
    """One limit, and where the record has the numbers it is for."""

    what: str
    unit: str
    limit: float
    measured: Callable[[Mapping[str, Any]], dict[str, float]]  #: record -> place (a page or an explorer) -> number


def _of(kind: str, name: str, scale: float = 1.0) -> Callable[[Mapping[str, Any]], dict[str, float]]:
    return lambda record: {place: entry[name] * scale for place, entry in record[kind].items()}


def _of_one_model(record: Mapping[str, Any]) -> dict[str, float]:
    """Program of the explorers in kB, for each model."""
    return {place: one / SIDE_BY_SIDE.get(place, 1) for place, one in _of("explorers", "program", 1e-3)(record).items()}


def _of_light(name: str) -> Callable[[Mapping[str, Any]], dict[str, float]]:
    """Numbers of the explorers whose runs are not declared slow; a slow one has a limit for its first points."""
    every = _of("explorers", name)
    return lambda record: {
        place: number for place, number in every(record).items() if not record["explorers"][place].get("slow_reason")
    }


BUDGETS = (
    Budget("Requests to others, failed requests, console errors", "", 0, _of("pages", "problems")),
    Budget("Serious barriers (axe-core, all rules on), light", "", 0, _of("pages", "barriers_light")),
    Budget("Serious barriers (axe-core, all rules on), dark", "", 0, _of("pages", "barriers_dark")),
    Budget("First load of a page, gzip", "kB", FIRST_LOAD / 1000, _of("pages", "first_load", 1e-3)),
    Budget("Of that ours, gzip", "kB", OURS / 1000, _of("pages", "ours", 1e-3)),
    Budget("Program of a figure, gzip, for each model that it trains", "kB", PROGRAM / 1000, _of_one_model),
    Budget("Slider's move to the new frame, 95th percentile", "ms", FRAME_MS, _of("explorers", "frame_p95_ms")),
    Budget("Move to the first points, 95th percentile", "ms", POINTS_MS, _of("explorers", "points_p95_ms")),
    Budget("Move to the first finished run, 95th percentile", "ms", RUN_MS, _of_light("run_p95_ms")),
    Budget("The same, the processor slowed to a quarter", "ms", SLOW_RUN_MS, _of_light("slow_run_p95_ms")),
)


def part_of(page: str) -> str:
    """The part of the book that a page's record belongs to: a chapter's slug, or "site".

    Args:
        page: a page of the built site: "book/scb.html", "book/api/1-scb-model.html".
    """
    for row in chapters.written():
        if page == f"book/{row.slug}.html" or page.startswith(f"book/api/{row.number}-{row.slug}-"):
            return row.slug
    return "site"


def parts() -> list[str]:
    """The parts of the book that have a record each."""
    return ["site", *(row.slug for row in chapters.written())]


def recorded(folder: Path = results.FOLDER) -> dict[str, Any]:
    """The records of all parts as one; a new chapter is built before it is measured, so it may have none yet.

    Args:
        folder: of all records.

    Returns:
        pages (page -> numbers), explorers (name -> numbers), and missing, the records that are not there yet.
    """
    first, *others = parts()
    missing = [part for part in others if not results.path_of(part, "budgets", folder).is_file()]
    kept = [first, *(part for part in others if part not in missing)]
    found = [
        results.read(results.path_of(part, "budgets", folder), "recorded budgets", "make budgets") for part in kept
    ]
    return {
        "pages": {page: numbers for part in found for page, numbers in part["pages"].items()},
        "explorers": {name: numbers for part in found for name, numbers in part["explorers"].items()},
        "missing": missing,
    }


def missed(record: Mapping[str, Any]) -> list[str]:
    """Every number of a record (see `recorded`) over its limit, in words; an empty list if all budgets are kept."""
    for budget in BUDGETS:
        require(budget.measured(record), "record", f"at least one number for {budget.what!r}", "none")
    return [
        f"{budget.what}: {number:.4g} {budget.unit} at {place}, budget {budget.limit:g}"
        for budget in BUDGETS
        for place, number in budget.measured(record).items()
        if number > budget.limit
    ]
