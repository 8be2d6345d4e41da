"""Tables of what the chapters' benchmarks recorded in results/benchmarks.json, for the page on performance.

Used by `lib.site.pages`. Each chapter has a table of its own shape; all say where and how it was measured.
"""

from __future__ import annotations

from html import escape
from typing import Any

from lib.errors import require
from lib.tables import table_html

#: Names in the record of the benchmarks, in words.
IMPLEMENTATIONS = {
    "ours": "this library",
    "floor": "floor: draw the random bytes, read them twice",
    "einsum": "one-hot arrays and einsum, a batch at a time",
    "autograd": "one-hot arrays in torch, automatic differentiation",
    "loop": "the formulas as they stand, a sample at a time",
}
STRAIGHT = "one-hot sequences in torch, automatic differentiation, samples drawn one by one"


def scb_html(record: dict[str, Any]) -> str:
    """Return the record of `benchmarks/scb.py`: who took how long, how cost grows, and where it was measured.

    Args:
        record: the entry "scb" of results/benchmarks.json.
    """
    found = record["compare"]
    alone = {name: value for name, value in found["seconds"].items() if name in IMPLEMENTATIONS}
    whole = {**alone, **found["with_drawing"]}
    rows = [
        [
            IMPLEMENTATIONS[name],
            f"{value:.3g} s",
            f"{alone[name]:.3g} s" if name in found["with_drawing"] else "",
            f"{value / whole['ours']:.3g}",
        ]
        for name, value in sorted(whole.items(), key=lambda item: item[1])
    ]
    sweep, growth = record["sweep"], record["slopes"]
    points = zip(growth["sizes"], growth["seconds_a_step"], strict=True)
    steps = [[f"{T:,} tokens", str(batch), f"{1e6 * took:.0f} µs"] for (T, batch), took in points]
    return (
        f"<p>One training run {_measured(record['provenance'])}</p>"
        + table_html(
            ["Implementation", "Median", "without drawing samples", "Times ours"],
            rows,
            "Seconds of each implementation",
        )
        + f"<p>A sweep of {sweep['settings']} settings with {sweep['seeds']} seeds each takes {sweep['seconds']:.0f} s "
        f"on two cores. The time of a step grows as the number of tokens to the power {growth['slope']:.2f}.</p>"
        + table_html(["Context", "Batch", "One step"], steps, "Time of a step")
    )


def scan_snap_html(record: dict[str, Any]) -> str:
    """Return the record of `benchmarks/scan_snap.py`: milliseconds a training step, and the seconds of Figure 6.

    Args:
        record: the entry "scan_snap" of results/benchmarks.json.
    """
    names = {"ours": "this library", "ours 16": "this library, 16 runs together, for each", "one-hot": STRAIGHT}
    drawing = {"ours": "our draw", "one-hot": "its draw"}
    rows = []
    for found in record["compare"].values():
        took = found["milliseconds"]
        whole = {name: took[name] + (took["its draw"] if name == "one-hot" else 0) for name in names}
        for name, text in names.items():
            alone = f"{whole[name] - took[drawing[name]]:.2g} ms" if name in drawing else ""
            rows.append([str(found["M"]), text, f"{whole[name]:.2g} ms", alone, f"{whole[name] / whole['ours']:.2g}"])
    figure = record["figure6"]
    return (
        f"<p>One training step of <em>Scan and Snap</em> {_measured(record['provenance'])}</p>"
        + table_html(
            ["Vocabulary", "Implementation", "Median", "without drawing samples", "Times ours"],
            rows,
            "Milliseconds of each implementation",
        )
        + f"<p>The {figure['runs']} runs of Figure 6, with the random numbers of the released runs, take "
        f"{figure['seconds']:.0f} s on one core.</p>"
    )


def timings_html(book: dict[str, Any]) -> str:
    """Return the tables of all chapters.

    Args:
        book: the content of results/benchmarks.json, slug -> record.

    Raises:
        InputError: for a record of a chapter that has no table here.
    """
    tables = {"scb": scb_html, "scan_snap": scan_snap_html}
    for slug in book:
        require(slug in tables, "results/benchmarks.json", f"records of {', '.join(tables)}", slug)
    return "".join(table(book[slug]) for slug, table in tables.items() if slug in book)


def _measured(where: dict[str, Any]) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in where["settings"].items())
    return (
        f"({escape(settings)}), timed in turns in one process on {escape(where['processor'])}, "
        f"{where['threads']} thread, {escape(where['date'][:10])}, by <code>{escape(where['command'])}</code>."
    )
