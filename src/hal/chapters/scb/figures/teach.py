"""Figure `scb-teach`: what one half of the layer knows is what pulls the other.

Chapter `scb`. Source: arXiv 2410.23438, equation (8), the population flow on its two lines.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Say, Slider, columns
from lib.models.scb.textbook import even_weights
from lib.portable.primitives import Readings
from lib.theory.scb.portable import attention_signal, drift_number, velocity

T = 64  # tokens
TITLE, HINT = "Each half teaches the other", "Set what each half knows."
SLIDERS = {
    "know_V": Slider("V knows, α_V", "no unit", 0.5, (0.0, 1.0), log=False),
    "know_A": Slider("Attention A knows, α_A", "no unit", 0.0, (0.0, 1.0), log=False),
}


class Known(NamedTuple):
    """The settings of this figure."""

    know_V: float
    know_A: float


def settings(know_V: float, know_A: float) -> Known:
    """Both signals."""
    return Known(know_V, know_A)


def pull(settings: Known) -> Readings:
    """What V knows, the pull on attention, what attention knows, and the pull on V, as bars (4,) and one by one."""
    x, y = settings.know_V, settings.know_A
    on_V, on_A = velocity(x, y, drift_number(attention_signal(even_weights(2), T), float(T)))
    return {
        "bars": [x, on_A, y, on_V], "kinds": [0.0, 1.0, 1.0, 0.0], "on_V": [on_V], "on_A": [on_A], "know_V": [x],
        "know_A": [y],
    }  # fmt: skip


def picture() -> Any:
    """The four bars: each half's knowledge, then the pull that it gives the other."""
    return columns(
        heights="pull.bars", kinds="pull.kinds", ideas=("output", "attention"), ylim=(0.0, 1.05), height=190,
        names=["V knows", "→ pulls A", "A knows", "→ pulls V"],
        ylabel="signal, pull in units of η",
        alt="Four bars. V knows 0.5, so attention is pulled by 0.5; attention knows nothing, so V is hardly pulled.",
    )  # fmt: skip


def say() -> list[Say]:
    """Who is pulled, and by what."""
    return [
        Say("At the start attention is not pulled at all. V is, by {pull.on_V}: the luck of uniform attention.",
            "pull.know_V == 0", "pull.know_A == 0"),
        Say("V knows nothing, so attention is not pulled.", "pull.know_V == 0"),
        Say("Attention knows nothing, so V is hardly pulled, by {pull.on_V}.", "pull.know_A == 0"),
        Say("Both know something, so both are pulled: attention by {pull.on_A}, V by {pull.on_V}."),
    ]  # fmt: skip


IDEA = Idea(
    "Where V knows more than attention, attention is pulled more than V.",
    lambda drawn: drawn["pull.bars"][1],
    lambda drawn: drawn["pull.bars"][3],
    breaks={"know_A": 1.0, "know_V": 0.2},
)
