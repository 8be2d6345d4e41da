"""Budgets of the built site: the limits, what was measured, and the directive `budgets` that shows both.

The numbers come from a browser: `make budgets` opens every page of the built site and moves every slider over every
stop, or, where the page computes, all sliders to random positions. Each chapter's pages and explorers are recorded in
results/SLUG/budgets.json, all other pages in results/site/budgets.json. The tests hold those records to the limits and
to the site they are run on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lib import chapters, results
from lib.errors import require
from lib.explorer.explorer import BUDGET, MIN_POINTS
from lib.tables import table_html

#: Most bytes of a page's first load, gzip: everything, and what this book brings.
FIRST_LOAD, OURS = 800_000, 200_000
#: Longest wait after a slider's move, 95th percentile, in ms: for the frame on a static page; for the library live.
STATIC_MS, LIVE_MS = 33, 500
#: A figure that computes: most bytes of its program and its default state, gzip; longest waits, 95th percentile, in ms:
#: for the first points of a run, for a first finished run, and for that on a processor slowed down to a quarter.
PROGRAM, POINTS_MS, RUN_MS, SLOW_RUN_MS = 30_000, 60, 200, 800


#: Waits of a figure that computes, and how the page calls them.
COMPUTED = {"points": "First points", "run": "First run", "slow_run": "First run, slowed"}


class Budget(NamedTuple):
    """One limit, and where the record has the numbers it is for."""

    what: str
    unit: str
    limit: float
    measured: Callable[[Mapping[str, Any]], dict[str, float]]  #: record -> place (a page or an explorer) -> number
    at_least: bool = False
    some: bool = False  #: of some explorers only, those with a grid or those that compute; a book may have none

    def worst(self, record: Mapping[str, Any]) -> tuple[str, float]:
        """The place that is nearest to the limit or furthest over it, and its number.

        Raises:
            InputError: if nothing was measured: then nothing can be said to be within the budget.
        """
        found = self.measured(record)
        require(found, "record", f"at least one number for {self.what!r}", "none")
        return (min if self.at_least else max)(found.items(), key=lambda item: item[1])

    def kept(self, number: float) -> bool:
        """Whether a number is within the limit."""
        return number >= self.limit if self.at_least else number <= self.limit


def _of(kind: str, name: str, scale: float = 1.0) -> Callable[[Mapping[str, Any]], dict[str, float]]:
    return lambda record: {
        place: entry[name] * scale for place, entry in record[kind].items() if name in entry
    }  # an explorer has a grid, or computes


def _of_light(name: str) -> Callable[[Mapping[str, Any]], dict[str, float]]:
    """Numbers of the explorers whose runs are not declared dear; of a dear one its first points are held to a limit."""
    every = _of("explorers", name)
    return lambda record: {
        place: number for place, number in every(record).items() if not record["explorers"][place].get("dear")
    }


BUDGETS = (
    Budget("Requests to others, failed requests, console errors", "", 0, _of("pages", "problems")),
    Budget("Serious barriers (axe-core, all rules on), light", "", 0, _of("pages", "barriers_light")),
    Budget("Serious barriers (axe-core, all rules on), dark", "", 0, _of("pages", "barriers_dark")),
    Budget("First load of a page, gzip", "kB", FIRST_LOAD / 1000, _of("pages", "first_load", 1e-3)),
    Budget("Of that ours, gzip", "kB", OURS / 1000, _of("pages", "ours", 1e-3)),
    Budget("Data of one explorer, gzip", "kB", BUDGET / 1000, _of("explorers", "data", 1e-3), some=True),
    Budget("Points in an explorer's grid", "", MIN_POINTS, _of("explorers", "points"), at_least=True, some=True),
    Budget(
        "Program of one that computes, gzip",
        "kB",
        PROGRAM / 1000,
        _of("explorers", "program", 1e-3),
        some=True,
    ),
    Budget("Slider's move to the new frame, 95th percentile", "ms", STATIC_MS, _of("explorers", "frame_p95_ms")),
    Budget("Computing a point live, 95th percentile", "ms", LIVE_MS, _of("explorers", "live_p95_ms"), some=True),
    Budget("Move to the first points, 95th percentile", "ms", POINTS_MS, _of("explorers", "points_p95_ms"), some=True),
    Budget("Move to the first finished run, 95th percentile", "ms", RUN_MS, _of_light("run_p95_ms"), some=True),
    Budget(
        "The same, the processor slowed to a quarter",
        "ms",
        SLOW_RUN_MS,
        _of_light("slow_run_p95_ms"),
        some=True,
    ),
)


def _counted(record: Mapping[str, Any]) -> list[Budget]:
    return [budget for budget in BUDGETS if not budget.some or budget.measured(record)]


def part_of(page: str) -> str:
    """The part of the book that a page's record belongs to: a chapter's slug, or "site".

    Args:
        page: a page of the built site: "book/scb.html", "book/api/1-scb-model.html".
    """
    for row in chapters.written():
        if page == f"book/{row.slug}.html" or page.startswith(f"book/api/{row.number}-{row.slug}-"):
            return row.slug
    return "site"


def places() -> list[str]:
    """The records of all parts, from the root of the repository."""
    return [f"results/{part}/budgets.json" for part in ("site", *(row.slug for row in chapters.written()))]


def recorded(root: Path) -> dict[str, Any]:
    """The records of all parts as one; a new chapter is built before it is measured, so it may have none yet.

    Args:
        root: of the repository.

    Returns:
        pages (page -> numbers), explorers (name -> numbers), provenance (one entry for each part that has a record),
        and missing, the records that are not there yet.

    Raises:
        InputError: if the record of the shared pages is missing; the text has the command that makes it.
    """
    first, *others = places()
    missing = [place for place in others if not (root / place).is_file()]
    kept = [first, *(place for place in others if place not in missing)]
    found = [results.read(root / place, "recorded budgets", "make budgets") for place in kept]
    return {
        "pages": {page: numbers for part in found for page, numbers in part["pages"].items()},
        "explorers": {name: numbers for part in found for name, numbers in part["explorers"].items()},
        "provenance": [part["provenance"] for part in found],
        "missing": missing,
    }


def missed(record: Mapping[str, Any]) -> list[str]:
    """Every number of a record over its limit, in words; an empty list if all budgets are kept.

    Args:
        record: what `recorded` returns.

    Raises:
        InputError: if the record has no number for a budget.
    """
    for budget in _counted(record):
        budget.worst(record)
    return [
        f"{budget.what}: {number:.4g} {budget.unit} at {place}, budget {budget.limit:g}"
        for budget in _counted(record)
        for place, number in budget.measured(record).items()
        if not budget.kept(number)
    ]


def budgets_html(record: Mapping[str, Any]) -> str:
    """Return the tables of the performance page: each budget with the worst number, and each explorer's waits.

    Args:
        record: what `recorded` returns.
    """
    rows = []
    measured = "; ".join(
        dict.fromkeys(
            f"{escape(where['settings']['browser'])} on {escape(where['processor'])}, {escape(where['date'][:10])}, by "
            f"<code>{escape(where['command'])}</code>"
            for where in record["provenance"]
        )
    )
    for budget in _counted(record):
        place, number = budget.worst(record)
        unit = f" {budget.unit}".rstrip()
        limit = f"{'at least' if budget.at_least else 'at most'} {budget.limit:g}{unit}"
        at = escape(place) if number else "all"
        good = "pass" if budget.kept(number) else "<strong>over</strong>"
        rows.append([escape(budget.what), limit, f"{number:.3g}{unit}" if unit else f"{number:g}", at, good])
    waits = [
        [
            escape(f"{name}*" if entry.get("dear") else name),
            str(entry["moves"]),
            str(entry["frame_median_ms"]),
            str(entry["frame_p95_ms"]),
            *(f"{entry.get(f'{kind}_{of}_ms', '')}" for kind in ("live", *COMPUTED) for of in ("median", "p95")),
        ]
        for name, entry in record["explorers"].items()
    ]
    head = ["Explorer", "Moves", "Frame, median (ms)", "95th percentile"]
    for what in ("Live", *COMPUTED.values()):
        head += [f"{what}, median (ms)", "95th percentile"]
    return (
        f"<p>Measured on {len(record['pages'])} pages in {measured}.</p>{_not_yet(record['missing'])}"
        + table_html(["What", "Budget", "Worst", "Where", ""], rows, "Budgets and what was measured")
        + table_html(head, waits, "Waits after a slider's move")
        + _dear(record["explorers"])
    )


def _dear(explorers: Mapping[str, Any]) -> str:
    said = [
        f"<code>{escape(name)}</code>: {escape(entry['dear'])}"
        for name, entry in explorers.items()
        if entry.get("dear")
    ]
    return f"<p>* Whole runs of these may take longer, and their figures say so. {' '.join(said)}</p>" if said else ""


def _not_yet(missing: list[str]) -> str:
    names = ", ".join(f"<code>{escape(place)}</code>" for place in missing)
    return f"<p>Not measured yet (<code>make budgets</code>): {names}.</p>" if missing else ""


class Budgets(SphinxDirective):
    """The budgets and what `make budgets` measured."""

    def run(self) -> list[nodes.Node]:
        """Return the tables as raw HTML."""
        self.env.note_dependency(chapters.__file__)
        root = Path(self.env.srcdir)
        for place in places():
            self.env.note_dependency(str(root / place))
        return [nodes.raw("", budgets_html(recorded(root)), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("budgets", Budgets)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
