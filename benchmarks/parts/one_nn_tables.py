"""What the performance page says about the benchmark of chapter `one_nn`: tables as plain text."""

from __future__ import annotations

from typing import Any

from parts import rivals

#: Names in the report, in words.
STEP = {
    "ours": "this library: two numbers on inner products",
    "full": "this library: the whole matrix on labelled prompts",
    "dense": "token matrices and the whole matrix",
}
GRADIENT = {"ours": "this library", "autograd": "the whole attention in torch, automatic differentiation"}


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Who took how long for a step of SGD and for a large gradient.

    Args:
        report: of `benchmarks/one_nn.py`: rivals, where they were measured, step, gradient, flow.
    """
    step, gradient = report["step"]["milliseconds"], report["gradient"]["milliseconds"]
    whole = {**step, "dense": step["dense"] + step["drawing"]}
    side = [rivals.table(report["rivals"], report["rivals"]["size"])] if "rivals" in report else []
    return [
        *side,
        {
            "says": "One step of SGD, d = 8, N = 16, batch 256:",
            "head": ["Implementation", "One step", "without drawing", "Times ours"],
            "rows": [
                [
                    words,
                    f"{whole[name]:.3g} ms",
                    f"{step[name]:.3g} ms" if name == "dense" else "",
                    f"{whole[name] / whole['ours']:.3g}",
                ]
                for name, words in STEP.items()
            ],
            "label": "Milliseconds of a step",
            "note": f"A gradient flow to t = 10⁸ takes {report['flow']['seconds']:.2g} s.",
        },
        {
            "says": "One gradient on 20,000 prompts of the same size:",
            "head": ["Implementation", "One gradient", "Times ours"],
            "rows": [
                [words, f"{gradient[name]:.3g} ms", f"{gradient[name] / gradient['ours']:.3g}"]
                for name, words in GRADIENT.items()
            ],
            "label": "Milliseconds of a gradient",
            "note": "",
        },
    ]
