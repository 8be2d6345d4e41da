"""What the performance page says about the benchmark of chapter `linear_block`: two tables as plain text."""

from __future__ import annotations

from typing import Any

from parts import rivals


def tables(report: dict[str, Any]) -> list[dict[str, Any]]:
    """Who took how long, for a step of training and for a risk.

    Args:
        report: of `benchmarks/linear_block.py`: rivals, where they were measured, milliseconds.
    """
    times, risks = report["milliseconds"], report["risk_milliseconds"]
    step = [
        [words, f"{times[name]:.3g} ms", f"{times[name] / times['ours']:.3g}"]
        for name, words in (
            ("ours", "this library: effective parameters, closed gradients"),
            ("literal", "a matrix of tokens a prompt, torch differentiates"),
        )
    ]
    risk = [
        [words, f"{risks[name]:.3g} ms", f"{risks[name] / risks['closed']:.3g}"]
        for name, words in (("closed", "closed form, exact"), ("drawn", "prompts drawn, to one per cent"))
    ]
    side = [rivals.table(report["rivals"], report["rivals"]["size"])] if "rivals" in report else []
    return [
        *side,
        {
            "says": "One step of SGD on 256 fresh prompts, d = 5, M = 20:",
            "head": ["Implementation", "One step", "Times ours"],
            "rows": step,
            "label": "Milliseconds of a step",
            "note": "",
        },
        {
            "says": "The risk of one block, d = 8, M = 32:",
            "head": ["Way", "One risk", "Times the closed form"],
            "rows": risk,
            "label": "Milliseconds of a risk",
            "note": "",
        },
    ]
