"""Figure `group_sparse-rates`: loss and attention of the population at late times, and a map of the loss over groups.

Chapter `group_sparse`. Sources: the time D^3 and the loss D^(-2) there are arXiv 2504.08638's, Theorem 3.1; the late
laws are ours. Nothing in it is random.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import TABLE
from hal.explorer import Line, Mark, Path, Say, Step, landscape, over_steps, sliders
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector
from lib.theory.group_sparse import portable_sizes
from lib.theory.group_sparse.portable_sizes import LONGEST, Settings, over_sizes, over_time

TITLE, RUN, COLUMNS, RUNS, FIRST = "How fast, and what the theorem says", portable_sizes, 2, 1, 1
TIME_LABEL = "learning rate times steps, ηt (no unit)"
SLIDERS = sliders(TABLE, D=(8, 4, 48), level=0.01)
LOSS, LEAK = "The loss", "Attention outside the group"
MAP = "Time to the chosen loss: D⁻², or D⁻³?"


def settings(D: int, level: float) -> Settings:
    """The flows of these sliders; at the rate 1 the steps are the time ηt."""
    return Settings(D, 1.0, level)


def flow(settings: Settings) -> Readings:
    """The flow to ηt = 1e7 with its late laws, slopes and times."""
    return over_time(settings)


def sizes(settings: Settings) -> Readings:
    """The sizes D and times of the map, and powers of D on it."""
    return over_sizes(settings)


def outcome(scaled: Vector, reached: Vector) -> Readings:
    """Exponents in D, between 16 and 64 groups: of L D^2 at ηt = D^3, and of the time to the chosen loss."""
    span = log(4.0)
    return {"rise": [log(scaled[4] / scaled[2]) / span], "fall": [log(reached[4] / reached[2]) / span]}


def panels() -> list[Any]:
    """Loss and attention over time with their late laws; a map of the loss, its level line, and powers of D."""
    time: dict[str, Any] = dict(xlabel=TIME_LABEL, xlog=True, xlim=(1, LONGEST), ylog=True, height=190)
    cubed = Mark("flow.cubed", "ηt = D³")
    losses = [
        Line("flow.loss", "population", idea="fit"), Line("flow.law_loss", "late law, t^(−1/3)", theory=True)
    ]  # fmt: skip
    leaks = [
        Line("flow.leak", "population", idea="attention"), Line("flow.law_leak", "late law, t^(−2/3)", theory=True)
    ]  # fmt: skip
    level = Path("sizes.D", "reached", "measured, and D⁻²", idea="fit")
    late, printed = (
        Path("sizes.D", "sizes.reach", "", theory=True),
        Path("sizes.D", "sizes.cubic", "printed, D⁻³", idea="second"),
    )
    return [
        over_steps(LOSS, "loss L (nats)", *losses, marks=[cubed, Mark("flow.reached", "the chosen loss")],
                   ylim=(0.001, 1), **time),
        over_steps(LEAK, "1 − s (no unit)", *leaks, marks=[cubed], ylim=(1e-5, 1), **time),
        landscape(
            x="sizes.D", y="sizes.times", z="heights", levels=14, xlog=True, ylog=True, title=MAP, height=250,
            wide=True, paths=[level, late, printed, Path("sizes.D", "sizes.cubed", "ηt = D³", theory=True)],
            places=[Path("sizes.here", "sizes.there", "here")], xlabel="groups D (groups)", ylabel="ηt (no unit)",
            alt="Bands of the loss. The line of the chosen loss falls like D⁻², less steeply than D⁻³.",
        ),
    ]  # fmt: skip


READING = [
    [
        Say("The loss {flow.level:3} is reached at ηt = {flow.reached:0}; the late law says {flow.law_reached:0}.",
            "flow.off <= 10"),
        Say("The loss {flow.level:3} is reached at ηt = {flow.reached:0}, too early for the late law."),
    ],
    [
        Say("In the last decade the slopes are {flow.slope_loss:2} for the loss and {flow.slope_leak:2} for the "
            "attention outside the group."),
    ],
    [
        Say("From D = 16 to 64, L·D² at ηt = D³ grows like D to the {rise:2}; the time to the loss falls like D to the "
            "{fall:2}."),
    ],
]  # fmt: skip
TOUR = [
    Step("Nothing for a while; then attention finds the group, and the loss drops.", time=100, point=LOSS),
    Step("From then on the loss falls like t^(−1/3). The dashed late law has no free parameter.", time=1e6, point=LOSS),
    Step("Attention outside the group falls like t^(−2/3): a power of the time, no exponential.", time=1e6,
         point=LEAK),
    Step("Each line of equal loss is straight here. More groups are faster.", time=1e7, point=MAP),
    Step(Say("The chosen loss falls along D⁻², measured {fall:2}. The theorem's order would be the steeper D⁻³."),
         "The chosen loss falls along D⁻². The theorem's order would be the steeper D⁻³.", point=MAP),
    Step(Say("Along ηt = D³ the theorem says that the loss falls like D⁻²; L·D² rises like D to the {rise:2}."),
         "Along ηt = D³ the theorem says that the loss falls like D⁻²; L·D² rises.", point=MAP),
]  # fmt: skip
