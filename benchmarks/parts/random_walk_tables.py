"""What the performance page says about the benchmark of chapter `random_walk`: a table as plain text."""

from __future__ import annotations

from typing import Any

from parts import rivals

#: Names in the report, in words.
WHO = {
    "minimal": "this library: V, u and g",
    "dense": "this library's dense model: one query for all sequences",
    "ordinary": "whole matrices, closed gradients",
}


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Who took how long for a step, and what it held.

    Args:
        report: of `benchmarks/random_walk.py`: rivals, where they were measured, milliseconds and megabytes.
    """
    times, held = report["milliseconds"], report["megabytes"]
    rows = [
        [
            words,
            f"{times[name]:.3g} ms",
            f"{held['minimal' if name == 'minimal' else 'dense']:.3g} MB",
            f"{times[name] / times['minimal']:.3g}",
        ]
        for name, words in WHO.items()
    ]
    side = [rivals.table(report["rivals"], report["rivals"]["size"])] if "rivals" in report else []
    return [
        *side,
        {
            "says": "One step of gradient descent on 300 walks, K = 6, N = 97, M = 1000:",
            "head": ["Implementation", "One step", "Data and parameters", "Times ours"],
            "rows": rows,
            "label": "Milliseconds of a step",
            "note": "",
        },
    ]
