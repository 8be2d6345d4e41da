"""The landing page's figure: attention, output matrix and signal coordinates of one noiseless run, as SVG.

The task is the ring of chapter SCB, small enough to see every token of the context.
"""

import json
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hal.palette import IDEAS
from lib.theory.scb import population_run, ring_constants

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


def hero_html(path: LearningPath, still: int) -> str:
    """The figure with its controls, drawn at the recorded step nearest to `still`, which needs no JavaScript."""
    at = int(np.abs(path.steps - still).argmin())
    T, last = path.attention.shape[1], int(path.steps[-1])
    payload = {
        "steps": path.steps.tolist(),
        "V": path.alpha_V.round(4).tolist(),
        "A": path.alpha_A.round(4).tolist(),
        "useful": path.attention[:, path.attention[1] > 0].sum(axis=1).round(4).tolist(),
        "still": at,
    }
    return f"""<div class="hal-hero" data-hero style="--A:{IDEAS["attention"]};--V:{IDEAS["output"]}">
<div class="hal-hero-stage">
<div class="hal-hero-fan">{_fan(path, float(path.alpha_A[at]))}{_fan(path, float(path.alpha_A[at]), True)}</div>
<div class="hal-hero-side">{_matrix(path, float(path.alpha_V[at]))}{_plane(path, at)}</div>
</div>
<div class="hal-hero-controls">
<button type="button" class="hal-hero-play" hidden>Play</button>
<label><span class="hal-hero-step">Step {path.steps[at]} of {last}</span>
<input type="range" min="0" max="{len(path.steps) - 1}" step="any" value="{at}" aria-label="Training step" disabled>
</label>
<p class="hal-hero-reading">The last token looks at {T} tokens; two of them matter.</p>
</div>
<script type="application/json">{json.dumps(payload, separators=(",", ":"))}</script>
</div>"""


def _blend(name: str, ends: tuple[float, float], at: float, digits: int = 3) -> str:
    """Return an attribute at coordinate `at`, and its two ends for the script."""
    low, high = (round(end, digits) for end in ends)
    return f'{name}="{low + at * (high - low):.{digits}g}" data-{name}="{low:g} {high:g}"'


def _fan(path: LearningPath, at: float, narrow: bool = False) -> str:
    """Draw the context as a row of tokens and the attention of the last one as arcs; width is attention.

    On a phone, which is narrow, every second token is drawn, the useful ones among them.
    """
    T, floor = path.attention.shape[1], 262.0
    left, right, query, wide = (10.0, 290.0, 338.0, 358) if narrow else (14.0, 548.0, 618.0, 640)
    shown = _every_second(path) if narrow else np.arange(T)
    places = np.interp(np.arange(T), [shown[0], shown[-1]], [left, right])
    arcs, dots = [], []
    for t in shown[np.argsort(path.attention[1, shown], kind="stable")]:  # the useful arcs last, on top
        low, high = path.attention[:, t]
        x, useful = places[t], high > 0
        rise = floor - 40 - (0.62 if narrow else 0.36) * (query - x)
        width = _blend("stroke-width", (0.8 + 15 * low, 0.8 + 15 * high), at)
        ink = _blend("opacity", (0.45, 0.95 if useful else 0.04), at)
        start, end = f"{query:g} {floor - 9:g}", f"{x:.1f} {floor - 7:g}"
        curve = f"M{start}C{query - 8:.1f} {rise:.1f} {x + 8:.1f} {rise:.1f} {end}"
        arcs.append(f'<path d="{curve}" {width} {ink}/>')
        glow = f'<circle cx="{x:.1f}" cy="{floor:g}" r="6" {_blend("opacity", (0.0, 1.0), at)}/>' if useful else ""
        dots.append(f'<circle class="token" cx="{x:.1f}" cy="{floor:g}" r="3.4"/>{glow}')
    two = [f"{share:.0%}".replace("%", " %") for share in path.attention[1] if share > 0]
    label = (
        f"Arcs from the last token to {T} earlier ones. At first all are equally thin; "
        f"in the end two are left, with {two[0]} and {two[1]} of the attention."
    )
    said = f"{len(shown)} of {T} tokens" if narrow else f"{T} tokens of context"
    kind = "hal-hero-narrow" if narrow else "hal-hero-wide"
    return (
        f'<svg class="{kind}" viewBox="0 0 {wide} 300" role="img" aria-label="{label}">'
        f'<g class="arcs">{"".join(arcs)}</g>'
        f'<g class="tokens">{"".join(dots)}</g><circle class="query" cx="{query:g}" cy="{floor:g}" r="8"/>'
        f'<text x="{left - 4:g}" y="292">{said}</text>'
        f'<text x="{wide - 8}" y="292" text-anchor="end">last token</text></svg>'
    )


def _every_second(path: LearningPath) -> NDArray[np.int64]:
    """Every second place of the context, and the useful ones."""
    useful = np.flatnonzero(path.attention[1] > 0)
    return np.union1d(np.arange(useful[0] % 2, path.attention.shape[1], 2), useful)


def _matrix(path: LearningPath, at: float) -> str:
    """Draw what is predicted for each attended token; ink is probability."""
    low, high = path.output
    cells = "".join(
        f'<rect x="{22 + 27 * j}" y="{20 + 27 * i}" width="25" height="25" rx="3" '
        f"{_blend('opacity', (low[i, j], high[i, j]), at)}/>"
        for i in range(TOKENS)
        for j in range(TOKENS)
    )
    label = (
        "A four by four table of predictions. At first every next token is equally likely; "
        "in the end each token has one likely successor."
    )
    return (
        f'<svg viewBox="0 0 150 150" role="img" aria-label="{label}"><text x="22" y="13">what to predict</text>'
        f'<g class="cells">{cells}</g><text x="75" y="144" text-anchor="middle">token looked at</text></svg>'
    )


def _plane(path: LearningPath, at: int) -> str:
    """Draw the two signal coordinates against each other: the path, the valley where their product is one, the dot."""

    def place(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
        return " ".join(f"{24 + 92 * a:.1f},{130 - 92 * b:.1f}" for a, b in zip(x, y, strict=True))

    valley = np.linspace(0.82, 1.22, 21)
    dot = place(path.alpha_V[at : at + 1], path.alpha_A[at : at + 1]).split(",")
    label = (
        "The path of the two signal coordinates: from zero, slowly at first, to one and one, "
        "on the curve where their product is one."
    )
    return (
        f'<svg viewBox="0 0 150 150" role="img" aria-label="{label}"><path class="axes" d="M24 18V130H138"/>'
        f'<polyline class="valley" points="{place(valley, 1 / valley)}"/>'
        f'<polyline class="track" points="{place(path.alpha_V, path.alpha_A)}"/>'
        f'<circle class="now" cx="{dot[0]}" cy="{dot[1]}" r="5"/>'
        f'<text x="30" y="13">attention learned</text>'
        f'<text x="138" y="144" text-anchor="end">prediction learned</text></svg>'
    )
