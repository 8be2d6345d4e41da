"""Figure `scb-valley`: the loss over the two signals has two valleys; where a run starts decides which one it takes.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1 and Appendix C; watershed and landscape are our own.
"""

from typing import Any

from hal.chapters.scb.theory.portable_landscape import excess_fraction, rolled, valleys, watershed
from hal.figure import Idea, Path, Say, Slider, landscape, stems
from lib.models.scb.textbook import Settings, even_weights
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import filled
from lib.theory.scb.portable import attention_signal, basin, drift_number

SIDE = 71  # points of the landscape a side
TALLEST = 450  # the map is the centrepiece of the chapter
POINTS = 400  # of the trail, at most
STEPS = 3000
RATE = 0.02
TITLE, HINT = "Two valleys, not one answer", "Drag the marble across the dashed line."
SLIDERS = {
    "T": Slider("Context T", "tokens", 64, (4, 5000), log=True),
    "start_V": Slider("Start α_V", "no unit", 0.0, (-1.4, 1.4), hidden=True),
    "start_A": Slider("Start α_A", "no unit", 0.0, (-1.8, 1.8), hidden=True),
}


def settings(T: int, start_V: float, start_A: float) -> Settings:
    """A task with Q = 2, and a start on the two lines."""
    return Settings(T=T, mu=filled(4, 0.25), lr=RATE, start_V=start_V, start_A=start_A)


def drift(settings: Settings) -> float:
    """The drift number d of the task."""
    return drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))


def scene(settings: Settings) -> Readings:
    """Levels of the excess loss, and the watershed."""
    d = drift(settings)
    x, y, z = valleys(d, SIDE)
    cut_x, cut_y = watershed(d, 161)
    return {"x": x, "y": y, "z": z, "cut_x": cut_x, "cut_y": cut_y, "one": [1.0], "minus": [-1.0]}


def roll(settings: Settings) -> Readings:
    """The marble's way; the loss left at its end and at the exact mirror, in per cent of that at zero; the row of
    attention at its end; the two true positions.
    """
    d = drift(settings)
    x, y = rolled(settings.start_V, settings.start_A, d, RATE, STEPS, POINTS)
    end_V, end_A = x[POINTS - 1], y[POINTS - 1]
    w, row, useful = even_weights(settings.Q), zeros(settings.T), zeros(settings.T)
    for q in range(settings.Q):
        useful[(1 + 2 * q) * settings.T // 4] = w[q]
    for t in range(settings.T):
        row[t] = (1.0 - end_A) / float(settings.T) + end_A * useful[t]
    return {
        "x": x, "y": y, "left": [100.0 * excess_fraction(end_V, end_A, d)], "row": row, "true": useful,
        "mirror": [100.0 * excess_fraction(-1.0, -1.0, d)], "side": [basin(end_V, end_A, d)],
        "product": [end_V * end_A],
    }  # fmt: skip


def picture() -> tuple[Any, ...]:
    """The landscape with the marble; the row of attention where it ends."""
    return (
        landscape(
            x="scene.x", y="scene.y", z="scene.z", levels=13, height=292, start=("start_V", "start_A"),
            paths=[Path("roll.x", "roll.y", "", idea="attention")],
            watershed=Path("scene.cut_x", "scene.cut_y", "watershed", idea="theory"),
            places=[Path("scene.one", "scene.one", "true answer"), Path("scene.minus", "scene.minus", "its mirror")],
            xlabel="signal α_V of V (no unit)", ylabel="signal α_A of attention (no unit)",
            alt="Two curved valleys, one through (1, 1), one through (−1, −1), with a watershed between them. The "
                "marble rolls from zero into the true one.",
        ),
        stems(
            values="roll.row", true="roll.true", true_is="true positions", ylabel="attention where it ends",
            ylim=(-1.0, 1.0), height=220, alt="The row of attention at the marble's end: two tall columns, up.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Where it ends, and what is left there."""
    left = "with {roll.left}% of the loss at zero left"
    return [
        Say("After 3,000 steps the marble is still on its way, " + left + ".", "roll.product < 0.9"),
        Say("It ends in the true valley, with less than 1% of the loss at zero.", "roll.side == 1", "roll.left < 1"),
        Say(f"It ends in the true valley, {left}.", "roll.side == 1"),
        Say(f"It ends in the mirrored valley, {left}; the exact mirror leaves {{roll.mirror}}%."),
    ]


IDEA = Idea(
    "The mirrored side has a valley of its own, three times lower than the pass at zero.",
    lambda drawn: drawn["scene.z"][SIDE * SIDE // 2] - 0.5,
    lambda drawn: drawn["scene.z"].reshape(SIDE, SIDE)[: SIDE // 2, : SIDE // 2].min(),
    breaks={"T": 4},
)
