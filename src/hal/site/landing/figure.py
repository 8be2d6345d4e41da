"""The landing page's figure: the attention of one noiseless run, as SVG.

The task is the ring of chapter SCB, small enough to see every token of the context.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hal.figure.assets import joined
from hal.palette import IDEAS
from lib.portable.engine import Engine
from lib.theory.scb import population_run, ring_constants

HERE = Path(__file__).parent
TAKEN = 'import { fan } from "./scene.js";\n'
WEIGHTS = {0.23: 0.4, 0.69: 0.6}  # where in the context the useful tokens stand (share of T) -> their true attention
SHIFT = 0.75  # share of the ring's shift in its transition matrix
TOKENS = 4  # vocabulary


@dataclass(frozen=True)
class LearningPath:
    """What the figure shows; K recorded steps of one run."""

    T: int
    steps: NDArray[np.int64]  # (K,)
    alpha_A: NDArray[np.float64]  # (K,)


def learning_path(T: int = 48, steps: int = 400, eta: float = 0.02) -> LearningPath:
    """The expected gradient descent of the ring task from uniform attention: T tokens, base step size eta.

    Source: population process of Ren, Wang, Lee (2024), as in chapter SCB.
    """
    task = ring_constants(N=TOKENS, T=T, c=SHIFT, weights=tuple(WEIGHTS.values()))
    record_at = np.unique(np.linspace(0, steps, 101).astype(int))
    run = population_run(task.K_P, task.K_Q, T, eta, steps, record_at=record_at)
    return LearningPath(T, run.steps, run.alpha_A.reshape(-1))


def script() -> str:
    """The page's script: the picture, its marks and what plays it, as a classic script, which works from `file://`."""
    return f'(() => {{\n"use strict";\n{joined(HERE, (HERE / "hero.js").read_text(encoding="utf-8"))}}})();\n'


def hero_html(path: LearningPath, still: int) -> str:
    """The figure with its controls, drawn at the recorded step nearest to `still`, which needs no JavaScript."""
    at, last = int(np.abs(path.steps - still).argmin()), int(path.steps[-1])
    data = {
        "steps": path.steps.tolist(),
        "A": path.alpha_A.round(4).tolist(),
        "T": path.T,
        "places": [int(share * path.T) for share in WEIGHTS],
        "weights": list(WEIGHTS.values()),
        "colours": {idea: IDEAS[idea] for idea in ("attention", "theory")},
        "still": at,
    }
    payload = json.dumps(data, separators=(",", ":"))
    scene = Engine(f"{joined(HERE, TAKEN)}const data = {payload};\n")
    two = [f"{share:.0%}".replace("%", " %") for share in WEIGHTS.values()]
    arcs = (
        f"Arcs from the last token to {path.T} earlier ones. At first all are equally thin; "
        f"in the end two are left, with {two[0]} and {two[1]} of the attention."
    )

    def picture(name: str, size: str, narrow: str) -> str:
        box = f'class="hal-hero-{name}" viewBox="0 0 {size}" role="img" aria-label="{arcs}"'
        drawn = scene.eval(f"fan(data, data.A[{at}], {narrow}, true)")
        return f"<svg {box}><g>{drawn}</g></svg>"

    return f"""<div class="hal-hero le-marks" data-hero style="--A:{IDEAS["attention"]}">
{picture("wide", "640 232", "false")}
{picture("narrow", "358 232", "true")}
<div class="hal-hero-controls">
<button type="button" class="hal-hero-play" hidden>Start the race</button>
<p class="hal-hero-reading" role="status">The last token looks at {path.T} tokens; two of them matter.</p>
<span class="hal-hero-step">Step {path.steps[at]} of {last}</span>
<label>
<input type="range" min="0" max="{len(path.steps) - 1}" step="any" value="{at}" aria-label="Training step" disabled>
</label>
</div>
<script type="application/json">{payload}</script>
</div>"""
