"""Figure `scb-pulls`: how fast each half of the layer moves is what the other half already knows.

Chapter `scb`. Source: arXiv 2410.23438, Lemma B.8 on the two lines, equation (8).
"""

from hal.explorer import Idea, Say, Slider, columns
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_ring import even_weights
from lib.portable.primitives import Readings
from lib.theory.scb.portable import attention_signal, drift_number, velocity

TITLE = "Each half waits for the other"
HINT = "Let one half know more: which bar rises?"
SLIDERS = {
    "start_V": Slider("What V knows, α_V", "no unit", 0.1, (0.0, 1.0)),
    "start_A": Slider("Where A looks, α_A", "no unit", 0.5, (0.0, 1.0)),
}


def settings(start_V: float, start_A: float) -> Settings:
    """A context of 64 tokens, Q = 2, a point on the two lines."""
    return Settings(64, 4, 2, 0.75, 0.0, 0.02, 32, 0.0, 0, 0, 0, start_V, start_A)


def drives(settings: Settings) -> Readings:
    """Of each half what it knows and how fast it moves, in units of the learning rate: A, then V, then V, then A."""
    d = drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))
    move_V, move_A = velocity(settings.start_V, settings.start_A, d)
    return {
        "bars": [settings.start_A, move_V, settings.start_V, move_A], "kinds": [0.0, 1.0, 1.0, 0.0], "V": [move_V],
        "A": [move_A], "known": [abs(settings.start_V) + abs(settings.start_A)],
    }  # fmt: skip


def picture() -> columns:
    """Two pairs of bars: what one half knows, and how fast the other one moves."""
    return columns(
        heights="drives.bars", kinds="drives.kinds", ideas=("attention", "output"), ylim=(0.0, 1.1), height=210,
        names=["A knows", "V moves", "V knows", "A moves"],
        ylabel="signal, or speed in units of η",
        alt="Two pairs of bars of nearly equal height: what A knows and how fast V moves, high; what V knows and how "
            "fast A moves, low.",
    )  # fmt: skip


def say() -> list[Say]:
    """Both speeds."""
    return [
        Say("Neither knows anything: A does not move at all, and only the drift 1/T moves V, by {drives.V}.",
            "drives.known == 0"),
        Say("Both know everything: nothing moves any more.", "drives.known == 2"),
        Say("V moves by {drives.V} and A by {drives.A}, in units of the learning rate."),
    ]  # fmt: skip


IDEA = Idea(
    "Each half moves about as fast as the other one knows.",
    lambda drawn: 0.1,
    lambda drawn: max(abs(drawn["drives.bars"][[0, 2]] - drawn["drives.bars"][[1, 3]])),
    breaks={"start_V": 1.0, "start_A": 1.0},
)
