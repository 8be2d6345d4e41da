"""A picture for each chapter's card: its object, small, with real numbers and without words.

Chapters 1 and 2 are the ends of runs of their textbooks. Colours are those of the scenes (`hal.figure.objects`), and
attention is vermilion.
"""

import html
from collections.abc import Callable, Sequence

import numpy as np

from hal.figure.objects.base import TINTS
from hal.palette import IDEAS

WIDTH, HEIGHT = 520, 130
RED = IDEAS["attention"]
SYLLABLES = [consonant + vowel for vowel in "aeiou" for consonant in "brnts"]  # 25, of which 20 are words here


def thumbnail(slug: str) -> str:
    """The picture of a chapter as SVG, or nothing where there is none."""
    return PICTURES[slug]() if slug in PICTURES else ""


def framed(alt: str, parts: Sequence[str]) -> str:
    """The picture, said in a sentence."""
    head = f'class="hal-thumb" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(alt)}"'
    return f"<svg {head}>{''.join(parts)}</svg>"


def rows_of_attention() -> str:
    """Chapter 1: each last token's attention over 32 positions, after 300 steps."""
    from lib.models.scb import textbook
    from lib.models.scb.textbook import Settings

    state = textbook.start(Settings(T=32, stage1=300), 3)
    for _ in range(300):
        textbook.step(state)
    ink = np.sqrt(np.clip(np.abs(state.A), 0, 0.6) / 0.6)
    cell, parts = 15.6, []
    for k, t in np.ndindex(4, 32):
        box = f'x="{11 + t * cell:.1f}" y="{9 + 29 * k}" width="{cell - 1.6:.1f}" height="26" rx="2"'
        hue = RED if state.A[k][t] >= 0 else IDEAS["mirror"]
        parts.append(f'<rect {box} fill="{hue}" fill-opacity="{ink[k, t]:.2f}"/>')
    return framed("Four rows of 32 positions: attention is on two positions of each row.", parts)


def sentence_of_ink() -> str:
    """Chapter 2: 24 words of one class, each as large and dark as its attention, after 100 steps of plain descent."""
    from lib.models.scan_snap import textbook
    from lib.models.scan_snap.textbook import Settings, vocabulary
    from lib.portable import finish

    common = distinct = 10
    settings = Settings(64, 2, 2, common, distinct, vocabulary(2, 2, common, distinct), 1.0, 3.0, 0, 64, 0.0, 100)
    found = finish(textbook, settings)
    attention = np.array(found["attention"]).reshape(len(found["steps"]), 2, -1)[:, 0, : common + distinct]
    words = np.random.default_rng(4).choice(common + distinct, 24, p=attention[0] / attention[0].sum())
    q = attention[-1][words] / attention[-1][words].mean()
    parts = []
    for j, kind in enumerate(words):
        x, y = 34 + 41 * (j % 12), 52 + 52 * (j // 12)
        size, dark = np.clip(20 * (0.45 + 0.55 * q[j]), 20, 33), min(0.14 + 0.5 * q[j] ** 2, 1)
        look = f'fill="{IDEAS["common" if kind < common else "distinct"]}" fill-opacity="{dark:.2f}"'
        parts.append(
            f'<text x="{x}" y="{y}" text-anchor="middle" font-size="{size:.1f}" {look}>{SYLLABLES[kind]}</text>'
        )
    return framed("Two lines of words: common ones are pale, informative ones large.", parts)


def nearest() -> str:
    """Chapter 3: twelve labelled points on a circle, a query, and its attention with weight 6."""
    from hal.chapters.one_nn.figures.neighbours import prompt

    drawn = prompt(0, 12, 2)
    x = np.array(drawn["points"]).reshape(12, -1)[:, :2]
    query = np.array([np.cos(0.9), np.sin(0.9)])
    weights = np.exp(6 * (x @ query - 1))
    weights /= weights.sum()

    def place(p: np.ndarray, r: float = 52.0) -> tuple[float, float]:  # an ellipse fills the card
        return (260 + 3.4 * r * p[0], 65 - r * p[1])

    parts = ['<ellipse cx="260" cy="65" rx="177" ry="52" fill="none" stroke="#808080" stroke-opacity="0.5"/>']
    at = place(query)
    for one, weight in zip(x, weights, strict=True):
        to = place(one)
        width = f'stroke-width="{0.6 + 11 * weight:.2f}" stroke-opacity="{0.25 + 0.65 * weight:.2f}"'
        parts.append(f'<path d="M{at[0]:.1f},{at[1]:.1f}L{to[0]:.1f},{to[1]:.1f}" stroke="{RED}" {width}/>')
    for one, label in zip(x, drawn["labels"], strict=True):
        to, hue = place(one), IDEAS["first" if label > 0 else "second"]
        parts.append(f'<circle cx="{to[0]:.1f}" cy="{to[1]:.1f}" r="8" fill="{hue}"/>')
    parts.append(f'<circle class="hal-thumb-ink" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="7"/>')
    return framed("Points on a circle; a query looks mostly at the nearest.", parts)


def groups() -> str:
    """Chapter 4: what a layer gives each of six groups after 32 examples; the relevant group has a frame."""
    from hal.chapters.group_sparse.figures.guess import examples

    drawn, parts = examples(0, 32), []
    for j, (share, right) in enumerate(zip(drawn["attention"], drawn["right"], strict=True)):
        box = f'x="{20 + 82 * j}" y="20" width="70" height="90" rx="10"'
        parts.append(f'<rect {box} fill="{RED}" fill-opacity="{share**0.5:.2f}"/>')
        frame = 'class="hal-thumb-frame"' if right else 'fill="none" stroke="#808080" stroke-opacity="0.5"'
        parts.append(f"<rect {box} {frame}/>")
    return framed("Six groups; nearly all attention is on the relevant one.", parts)


def walk() -> str:
    """Chapter 5: a walk of 13 positions around six nodes, drawn in time; the last one decides the next."""
    from hal.chapters.random_walk.figures.guess import K, sample

    cells = sample(1, 3).cells
    parts, at = [], []
    for t, node in enumerate(cells):
        at.append((28 + 36 * t, 115 - 100 * node / (K - 1)))
        x, y = at[-1]
        last = t == len(cells) - 1
        parts.append(f'<circle cx="{x}" cy="{y:.1f}" r="{11 if last else 7}" fill="{RED if last else TINTS[node]}"/>')
    line = "L".join(f"{x},{y:.1f}" for x, y in at)
    return framed(
        "A walk, position after position; the last one is marked.",
        [f'<path d="M{line}" fill="none" stroke="#808080"/>', *parts],
    )


def regression() -> str:
    """Chapter 6: the examples of a prompt, and the lines of one step from the learned start and of Bayes."""
    from hal.chapters.linear_block.figures.guess import RULES, answers, prompt

    drawn = prompt(0, 2.0, 1.0)
    x, y = np.array(drawn["x"]), np.array(drawn["y"])
    slopes = answers(drawn["x"], drawn["y"], 2.0, 1.0)["slopes"]
    wide, high = 1.1 * np.abs(x).max(), 1.1 * np.abs(y).max()

    def place(a: float, b: float) -> str:
        return f"{260 + 250 * a / wide:.1f},{65 - 62 * b / high:.1f}"

    parts = ['<path d="M10,65H510" stroke="#808080" stroke-opacity="0.6"/>']
    for (name, hue), slope in zip(RULES.items(), slopes, strict=True):
        if name in ("Bayes", "one step from β*"):
            end = min(wide, high / abs(slope))
            ends = f"M{place(-end, -end * slope)}L{place(end, end * slope)}"
            parts.append(f'<path d="{ends}" stroke="{hue}" stroke-width="3" fill="none"/>')
    for a, b in zip(x, y, strict=True):
        cx, cy = place(a, b).split(",")
        parts.append(f'<circle class="hal-thumb-ink" cx="{cx}" cy="{cy}" r="5"/>')
    return framed("Points, and two lines through zero that nearly agree.", parts)


def one_clock() -> str:
    """Chapter 7: attention under four learning rates of the read-out, over the steps and over the clock."""
    from hal.chapters.atlas.models import textbook
    from lib.portable import finish

    runs = [finish(textbook, textbook.Settings(T=32, batch=16, lr_V=rate, steps=450)) for rate in (0.01, 0.02)]
    shades = {"slow": ("#f2a477", "#e67f45"), "fast": ("#d55e00", "#a94a00")}
    parts = []
    for axis, left in (("steps", 14.0), ("clock", 272.0)):
        parts.append(f'<path d="M{left},10V118H{left + 234}" fill="none" stroke="#808080" stroke-opacity="0.6"/>')
        for name, hues in shades.items():
            for found, hue in zip(runs, hues, strict=True):
                seen = np.asarray(found[f"{name}_signal"])
                last = int(np.flatnonzero(seen >= textbook.LEVEL)[0]) + 1
                at = np.asarray(found["steps" if axis == "steps" else f"{name}_clock"])[:last]
                x, y = left + 230 * at / (300 if axis == "steps" else 18), 116 - 300 * seen[:last]
                points = "L".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
                parts.append(f'<path d="M{points}" fill="none" stroke="{hue}" stroke-width="3"/>')
    return framed("Four curves of attention: a fan over the steps, nearly one curve over the clock.", parts)


PICTURES: dict[str, Callable[[], str]] = {
    "scb": rows_of_attention, "scan_snap": sentence_of_ink, "one_nn": nearest, "group_sparse": groups,
    "random_walk": walk, "linear_block": regression, "atlas": one_clock,
}  # fmt: skip
