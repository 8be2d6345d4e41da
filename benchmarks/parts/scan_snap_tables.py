"""What the performance page says about the benchmark of chapter `scan_snap`: tables as plain text."""

from __future__ import annotations

from typing import Any

from parts import page_run, rivals

#: Names in the report, in words.
IMPLEMENTATIONS = {
    "ours": "this library",
    "ours 16": "this library, 16 runs together, for each",
    "one-hot": "one-hot sequences in torch, automatic differentiation, samples drawn one by one",
}
DRAWING = {"ours": "our draw", "one-hot": "its draw"}


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Milliseconds a training step, and the seconds of Figure 6.

    Args:
        report: of `benchmarks/scan_snap.py`: compare, figure6, and page and rivals, where they were measured.
    """
    rows = []
    for found in report["compare"].values():
        took = found["milliseconds"]
        whole = {name: took[name] + (took["its draw"] if name == "one-hot" else 0) for name in IMPLEMENTATIONS}
        for name, text in IMPLEMENTATIONS.items():
            alone = f"{whole[name] - took[DRAWING[name]]:.2g} ms" if name in DRAWING else ""
            rows.append([text, str(found["M"]), f"{whole[name]:.2g} ms", alone, f"{whole[name] / whole['ours']:.2g}"])
    figure = report["figure6"]
    size = "the first figure's default (T = 128, two classes, batch 128, 100 steps)"
    page = [page_run.table(report["page"], size)] if "page" in report else []
    side = [rivals.table(report["rivals"], report["rivals"]["size"])] if "rivals" in report else []
    return [
        *side,
        *page,
        {
            "says": "One training step:",
            "head": ["Implementation", "Vocabulary", "Median", "without drawing samples", "Times ours"],
            "rows": rows,
            "label": "Milliseconds of each implementation",
            "note": f"The {figure['runs']} runs of Figure 6, with the random numbers of the released runs, take "
            f"{figure['seconds']:.0f} s on one core.",
        },
    ]
