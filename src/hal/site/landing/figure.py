"""The landing page's figure: attention, output matrix and signal coordinates of one noiseless run, as SVG.

The task is the ring of chapter SCB, small enough to see every token of the context.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hal.explorer.assets import joined
from hal.palette import IDEAS
from lib.portable.engine import Engine
from lib.theory.scb import population_run, ring_constants

HERE = Path(__file__).parent
TAKEN = 'import { fan, plane, squares } from "./scene.js";\n'
SQUARES = (
    "A four by four table of predictions. At first every next token is equally likely; "
    "in the end each token has one likely successor."
)
PLANE = (
    "The path of the two signal coordinates: from zero, slowly at first, to one and one, "
    "on the curve where their product is one."
)
WEIGHTS = {0.23: 0.4, 0.69: 0.6}  # where in the context the useful tokens stand (share of T) -> their true attention
SHIFT = 0.75  # share of the ring's shift in its transition matrix
TOKENS = 4  # vocabulary


@dataclass(frozen=True)
class LearningPath:
    """What the figure shows; K recorded steps of one run."""

    steps: NDArray[np.int64]  # (K,)
    alpha_V: NDArray[np.float64]  # (K,)
    alpha_A: NDArray[np.float64]  # (K,)
    attention: NDArray[np.float64]  # (2, T) at coordinate 0 and 1
    output: NDArray[np.float64]  # (2, N, N) at coordinate 0 and 1, columns are distributions


def learning_path(T: int = 48, steps: int = 400, eta: float = 0.02) -> LearningPath:
    """The expected gradient descent of the ring task from uniform attention: T tokens, base step size eta.

    Source: population process of Ren, Wang, Lee (2024), as in chapter SCB.
    """
    target = np.zeros(T)
    for place, weight in WEIGHTS.items():
        target[int(place * T)] = weight
    task = ring_constants(N=TOKENS, T=T, c=SHIFT, weights=tuple(WEIGHTS.values()))
    record_at = np.unique(np.linspace(0, steps, 101).astype(int))
    run = population_run(task.K_P, task.K_Q, T, eta, steps, record_at=record_at)
    flat = np.full((TOKENS, TOKENS), 1.0 / TOKENS)
    ring = (1 - SHIFT) * flat + SHIFT * np.roll(np.eye(TOKENS), 1, axis=0)
    return LearningPath(
        steps=run.steps,
        alpha_V=run.alpha_V.reshape(-1),
        alpha_A=run.alpha_A.reshape(-1),
        attention=np.stack([np.full(T, 1.0 / T), target]),
        output=np.stack([flat, ring]),
    )


def script() -> str:
    """The page's script: the picture, its marks and what plays it, as a classic script, which works from `file://`."""
    return f'(() => {{\n"use strict";\n{joined(HERE, (HERE / "hero.js").read_text(encoding="utf-8"))}}})();\n'


def hero_html(path: LearningPath, still: int) -> str:
    """The figure with its controls, drawn at the recorded step nearest to `still`, which needs no JavaScript."""
    at = int(np.abs(path.steps - still).argmin())
    T, last = path.attention.shape[1], int(path.steps[-1])
    data = {
        "steps": path.steps.tolist(),
        "V": path.alpha_V.round(4).tolist(),
        "A": path.alpha_A.round(4).tolist(),
        "attention": path.attention.round(4).tolist(),
        "output": path.output.round(4).tolist(),
        "colours": {idea: IDEAS[idea] for idea in ("attention", "output", "theory")},
        "still": at,
    }
    payload = json.dumps(data, separators=(",", ":"))
    scene = Engine(f"{joined(HERE, TAKEN)}const data = {payload};\n")
    V, A = data["V"][at], data["A"][at]
    two = [f"{share:.0%}".replace("%", " %") for share in path.attention[1] if share > 0]
    arcs = (
        f"Arcs from the last token to {T} earlier ones. At first all are equally thin; "
        f"in the end two are left, with {two[0]} and {two[1]} of the attention."
    )

    def picture(name: str, size: str, label: str, drawn: str) -> str:
        box = f'class="hal-hero-{name}" viewBox="0 0 {size}" role="img" aria-label="{label}"'
        return f"<svg {box}><g>{scene.eval(drawn)}</g></svg>"

    return f"""<div class="hal-hero le-marks" data-hero style="--A:{IDEAS["attention"]}">
<div class="hal-hero-stage">
<div class="hal-hero-fan">{picture("wide", "640 300", arcs, f"fan(data, {A}, false)")}
{picture("narrow", "358 300", arcs, f"fan(data, {A}, true)")}</div>
<div class="hal-hero-side">{picture("squares", "150 150", SQUARES, f"squares(data, {V})")}
{picture("plane", "150 150", PLANE, f"plane(data, {V}, {A})")}</div>
</div>
<div class="hal-hero-controls">
<button type="button" class="hal-hero-play" hidden>Play</button>
<label><span class="hal-hero-step">Step {path.steps[at]} of {last}</span>
<input type="range" min="0" max="{len(path.steps) - 1}" step="any" value="{at}" aria-label="Training step" disabled>
</label>
<p class="hal-hero-reading">The last token looks at {T} tokens; two of them matter.</p>
</div>
<script type="application/json">{payload}</script>
</div>"""
