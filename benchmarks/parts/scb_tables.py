"""What the performance page says about the benchmark of chapter `scb`: tables as plain text."""

from __future__ import annotations

from typing import Any

from parts import page_run, rivals

#: Names in the report, in words.
IMPLEMENTATIONS = {
    "ours": "this library",
    "floor": "floor: draw the random bytes, read them twice",
    "einsum": "one-hot arrays and einsum, a batch at a time",
    "autograd": "one-hot arrays in torch, automatic differentiation",
    "loop": "the formulas as they stand, a sample at a time",
}


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Who took how long for a training run, and how the time of a step grows.

    Args:
        report: of `benchmarks/scb.py`: compare, slopes, sweep, and page and rivals, where they were measured.
    """
    found = report["compare"]
    alone = {name: value for name, value in found["seconds"].items() if name in IMPLEMENTATIONS}
    whole = {**alone, **found["with_drawing"]}
    implementations = [
        [
            IMPLEMENTATIONS[name],
            f"{value:.3g} s",
            f"{alone[name]:.3g} s" if name in found["with_drawing"] else "",
            f"{value / whole['ours']:.3g}",
        ]
        for name, value in sorted(whole.items(), key=lambda item: item[1])
    ]
    sweep, growth = report["sweep"], report["slopes"]
    points = zip(growth["sizes"], growth["seconds_a_step"], strict=True)
    size = "the first figure's default (T = 256, N = 4, batch 32, 600 steps)"
    page = [page_run.table(report["page"], size)] if "page" in report else []
    side = [rivals.table(report["rivals"], report["rivals"]["size"])] if "rivals" in report else []
    return [
        *side,
        *page,
        {
            "says": "One training run:",
            "head": ["Implementation", "Median", "without drawing samples", "Times ours"],
            "rows": implementations,
            "label": "Seconds of each implementation",
            "note": f"A sweep of {sweep['settings']} settings with {sweep['seeds']} seeds each takes "
            f"{sweep['seconds']:.0f} s on two cores.",
        },
        {
            "says": f"The time of a step grows as the number of tokens to the power {growth['slope']:.2f}:",
            "head": ["Context", "Batch", "One step"],
            "rows": [[f"{T:,} tokens", str(batch), f"{1e6 * took:.0f} µs"] for (T, batch), took in points],
            "label": "Time of a step",
            "note": "",
        },
    ]
