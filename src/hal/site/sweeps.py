"""Sphinx extension: the directive `sweeps`, what benchmarks/sweeps.py recorded and what follows for a large sweep.

Its argument is "vectorised", "forecasts" or "million".
"""

from collections.abc import Callable, Mapping
from html import escape
from typing import Any, NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from hal import chapters, results
from hal.tables import table_html
from lib.errors import require
from lib.sweep import Own, duration

RECORD = results.path_of("site", "sweeps")
FEW, MANY = 10_000, 100_000  # points of the sweeps that were measured
CLUSTER = "a Dask cluster of two processes"
POINTS, A_POINT, MACHINES, CORES, MEMORY = 10**6, 1.0, 100, 16, 16.0  # of the estimate: seconds, GB of one machine


class Limit(NamedTuple):
    """Something that the sweep needs and of which there is so much, in one unit."""

    what: str
    needs: float
    has: float
    unit: str
    breaks: str  # when, in words


def own(record: Mapping[str, Any]) -> Own:
    """What the process that sweeps takes for a point and for a task of a cluster, as recorded."""
    return Own(record["overhead"][f"{CLUSTER}, {MANY}"]["computed"] / MANY, record["task"][CLUSTER])


def limits(record: Mapping[str, Any]) -> list[Limit]:
    """What could break a sweep of a million points on a hundred machines, the nearest to its limit first."""
    workers, costs = MACHINES * CORES, own(record)
    runs, busy = duration(POINTS, A_POINT, workers), costs.seconds(POINTS, A_POINT, workers)
    shortest = _first(lambda a: costs.seconds(POINTS, a, workers) <= duration(POINTS, a, workers), A_POINT, 1 / 1.01)
    most = _first(lambda m: costs.seconds(POINTS, A_POINT, round(m) * CORES) <= runs * MACHINES / m, MACHINES, 1.01)
    few, each = record["overhead"][f"{CLUSTER}, {FEW}"]["megabytes"] / 1e3, _a_point(record, "megabytes") / 1e3
    points = (MEMORY - few) / each / 1e6
    return sorted(
        [
            Limit(
                "time of the process that sweeps", busy / 60, runs / 60, "minutes",
                f"runs shorter than {shortest:.2g} s, or more than {float(f'{most:.2g}'):,.0f} machines",
            ),
            Limit("memory of that process", few + each * POINTS, MEMORY, "GB", f"{points:.0f} million points"),
        ],
        key=lambda limit: -limit.needs / limit.has,
    )  # fmt: skip


def _first(holds: Callable[[float], bool], value: float, factor: float) -> float:
    """The last value, multiplied again and again, for which something holds."""
    while holds(value * factor) and 1e-6 < value < 1e6:
        value *= factor
    return value


def _a_point(record: Mapping[str, Any], name: str) -> float:
    few, many = (record["overhead"][f"{CLUSTER}, {count}"][name] for count in (FEW, MANY))
    return float((many - few) / (MANY - FEW))


def million_html(record: Mapping[str, Any]) -> str:
    """The estimate, what is nearest to its limit, and what the cache holds."""
    found, workers = limits(record), MACHINES * CORES
    took = duration(POINTS, A_POINT, workers, own(record)) / 60
    costs, again = own(record), _a_point(record, "found again") * POINTS
    rows = [
        [one.what, f"{one.needs:.2g}", f"{one.has:.2g}", one.unit, f"{100 * one.needs / one.has:.0f} %", one.breaks]
        for one in found
    ]
    size = record["overhead"][f"{CLUSTER}, {MANY}"]["bytes"] / MANY * POINTS / 1e6
    return (
        f"<p>A million points of {A_POINT:.0f} second each, on {MACHINES} machines of {CORES} cores, take "
        f"{took:.0f} minutes, if calls are shared evenly. The process that sweeps takes "
        f"{1e6 * costs.point:.0f} µs for a point and {1e3 * costs.task:.1f} ms for a task, measured with Dask's "
        "scheduler in it. Tasks grow with the number of workers, so that handing them out keeps pace.</p>"
        + table_html(["What", "Needs", "Has", "Unit", "Used", "Breaks at"], rows, "What a large sweep needs")
        + f"<p>What breaks first is the {found[0].what}; where it is used up, more workers do not "
        f"help. The cache has one file for each five seconds "
        f"or 1024 points; with two numbers a point it takes {size:.0f} MB, and a finished sweep is found again in "
        f"{again:.0f} s.</p>" + _where(record, "costs")
    )


def forecasts_html(record: Mapping[str, Any]) -> str:
    """Of each kind of sweep what was forecast and what it took."""
    rows = []
    for kind, found in record["forecasts"].items():
        off = max(abs(run["forecast"] / run["took"] - 1) for run in found["runs"])
        pairs = ", ".join(f"{run['forecast']:.1f} for {run['took']:.1f}" for run in found["runs"])
        tried = max(run["tried"] for run in found["runs"])
        rows.append([escape(kind), pairs, f"{100 * off:.0f} %", f"{tried:.0f}", str(found["set_aside"])])
    head = ["Sweep", "Forecast for measured (s)", "Worst, off by", "Points tried", "Set aside"]
    return table_html(head, rows, "Forecasts of sweeps and what they took") + _where(record, "forecasts")


def vectorised_html(record: Mapping[str, Any]) -> str:
    """Of each measured chapter's experiment what one call for many seeds is worth, small runs and the defaults."""
    rows = []
    for row in (one for one in chapters.written() if one.slug in record["vectorised"]):
        cells = [escape(row.title)]
        for size in ("small", "defaults"):
            took = record["vectorised"][row.slug][size]
            cells += [f"{1e3 * took['together']:.1f}", f"{1e3 * took['alone']:.1f}"]
            cells.append(f"{took['alone'] / took['together']:.1f}")
        rows.append(cells)
    head = ["Chapter", "Small runs: 32 a call (ms)", "One a call", "Ratio", "Defaults: 32 a call (ms)", "One a call"]
    note = (
        "Small runs have short contexts and small batches. Processor time of a run, both ways in turns in one process."
    )
    table = table_html([*head, "Ratio"], rows, "Runs trained together and alone")
    return f"{table}<p>{note}</p>" + _where(record, "vectorised")


def _where(record: Mapping[str, Any], part: str) -> str:
    where = record["measured"][part]
    return (
        f"<p>Measured on {escape(where['processor'])}, {where['cores']} cores, {escape(where['date'][:10])}, load "
        f"of the machine {where['load']}, by <code>{escape(where['command'])}</code>.</p>"
    )


SHOWN = {"vectorised": vectorised_html, "forecasts": forecasts_html, "million": million_html}


class Sweeps(SphinxDirective):
    """A part of the record of sweeps; the argument says which."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the table as raw HTML.

        Raises:
            InputError: if the argument is no part, or the record is missing.
        """
        name = self.arguments[0]
        require(name in SHOWN, "sweeps", f"one of {', '.join(SHOWN)}", name)
        self.env.note_dependency(str(RECORD))
        record = results.read(RECORD, "the recorded costs of sweeps", "python benchmarks/sweeps.py --record")
        return [nodes.raw("", SHOWN[name](record), format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive; called by Sphinx."""
    app.add_directive("sweeps", Sweeps)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
