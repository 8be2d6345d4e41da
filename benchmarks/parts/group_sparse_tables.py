"""What the performance page says about the benchmark of chapter `group_sparse`: tables as plain text."""

from __future__ import annotations

from typing import Any

from parts import rivals

#: Names in the report, in words.
STEP = {
    "pair": "this library: the population in two numbers, by quadrature",
    "six": "this library: six numbers on 2,000 examples",
    "dense": "this library: value and whole matrix on 2,000 examples",
    "autograd": "the same in torch, automatic differentiation",
}


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Who took how long for a step of gradient descent.

    Args:
        report: of `benchmarks/group_sparse.py`: rivals, where they were measured, step.
    """
    step = report["step"]["milliseconds"]
    side = [rivals.table(report["rivals"], report["rivals"]["size"])] if "rivals" in report else []
    return [
        *side,
        {
            "says": "One step of gradient descent, d = 4, D = 6, n = 2,000:",
            "head": ["Implementation", "One step", "Times the fastest"],
            "rows": [
                [words, f"{step[name]:.3g} ms", f"{step[name] / step['pair']:.3g}"] for name, words in STEP.items()
            ],
            "label": "Milliseconds of a step",
            "note": "The first has no sampling noise; it holds the contents of the attention at zero.",
        },
    ]
