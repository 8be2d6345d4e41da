"""Figure `scb-net`: noise comes in many small pieces, so that a low threshold catches nearly all of it.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.1. The noise is drawn: Gaussian, of the size of our closure.
"""

import numpy as np

from hal.chapters.scb.theory.portable_closure import closure_at, switch_step
from hal.figure import Idea, Say, Slider, stems
from lib.models.scb.textbook import Settings, even_weights, ring_task, ring_transition
from lib.portable.optimisers import keep_sum, soft_threshold
from lib.portable.primitives import Readings, nan, sqrt, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import filled
from lib.theory.scb.portable import attention_signal, constants, drift_number

TITLE, HINT, AGAIN = "A net for noise", "Drag the edge of the band: what is inside is cut away.", "Other noise"
SLIDERS = {
    "T": Slider("Context T", "tokens", 1024, (64, 2048), log=True),
    "band": Slider("Threshold", "no unit", 0.03, (0.0, 0.1), log=False, hidden=True),
}


def settings(T: int, band: float) -> Settings:
    """Stage 1 of the standard task, to its switch; the cut as the threshold."""
    d = drift_number(attention_signal(even_weights(2), T), float(T))
    return Settings(T=T, mu=filled(4, 0.25), threshold=band, stage1=switch_step(1.2, 0.02, d))


def row(settings: Settings, seed: int) -> Readings:
    """One row of attention (T,) at the end of Stage 1 and its true positions; what the cut leaves, NaN where nothing.

    Of the squared norms of noise and of signal, both without the uniform part, what the cut removes, in per cent; the
    weaker true one, the tallest other, and how many times as large as the true ones the others are together; how many
    of the others the cut leaves.
    """
    mu, w, T = settings.mu, even_weights(settings.Q), settings.T
    task = ring_task(T, mu, settings.Q, settings.c, generator(seed, 0))
    known = constants(mu, ring_transition(mu, settings.c), w, T)
    alpha_A, square = closure_at(known, settings.lr, settings.batch, settings.stage1)
    noise, attention, useful, left = zeros(T), zeros(T), zeros(T), zeros(T)
    normals(generator(seed, 1), noise)
    keep_sum(noise)
    for q in range(settings.Q):
        useful[task.s[0][q]] = w[q]
    for t in range(T):
        attention[t] = (1.0 - alpha_A) / float(T) + alpha_A * useful[t] + sqrt(square / float(T)) * noise[t]
        left[t] = attention[t]
    soft_threshold(left, settings.threshold)
    before, after, others, others_left, weakest, tallest, stay = 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0
    for t in range(T):
        if useful[t] > 0.0:
            before += attention[t] * attention[t]
            after += left[t] * left[t]
            weakest = min(weakest, attention[t])
        else:
            others += attention[t] * attention[t]
            others_left += left[t] * left[t]
            stay += 1.0 if left[t] != 0.0 else 0.0
            tallest = max(tallest, abs(attention[t]))
        if left[t] == 0.0:
            left[t] = nan
    return {
        "attention": attention, "true": useful, "left": left, "weakest": [weakest], "tallest": [tallest],
        "caught": [100.0 * (1.0 - others_left / others)], "lost": [100.0 * (1.0 - after / before)],
        "times": [others / before], "stay": [stay], "band": [settings.threshold],
    }  # fmt: skip


def picture() -> stems:
    """The row, the band, and ticks at the heights that are left."""
    return stems(
        values="row.attention", true="row.true", expected="row.left", expected_is="left after the cut",
        true_is="true positions", band="band", band_is="the net: what lies inside is cut",
        ylim=(-0.06, 0.34), ylabel="attention", height=230,
        alt="A thousand columns: two tower above the others, which nearly all lie within a low band around zero.",
    )  # fmt: skip


def say() -> list[Say]:
    """What the cut catches and what it costs."""
    return [
        Say("The tallest of the others is {row.tallest}, the weaker true one {row.weakest}; yet together the others "
            "weigh {row.times} times the true ones.", "row.band == 0", "row.times >= 1"),
        Say("The tallest of the others is {row.tallest}, the weaker true one {row.weakest}; together the others weigh "
            "{row.times} of the true ones.", "row.band == 0"),
        Say("The cut removes all of the noise and {row.lost}% of the signal (squared norms).", "row.caught == 100"),
        Say("The cut removes more than 99.9% of the noise and {row.lost}% of the signal (squared norms).",
            "row.caught > 99.9"),
        Say("The cut removes {row.caught}% of the noise and {row.lost}% of the signal (squared norms); others "
            "left: {row.stay:0}."),
    ]  # fmt: skip


IDEA = Idea(
    "What is left of the two true positions weighs far more than what is left of all others together.",
    lambda drawn: np.nansum(drawn["row.left"][drawn["row.true"] > 0] ** 2),
    lambda drawn: 5 * np.nansum(drawn["row.left"][drawn["row.true"] == 0] ** 2),
    breaks={"band": 0.002},
)
