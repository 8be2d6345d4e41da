"""Figure `group_sparse-rates`: loss and attention of the population at late times, over time and over the groups.

Chapter `group_sparse`. Sources: the time D^3 and the loss D^(-2) there are arXiv 2504.08638's, Theorem 3.1; the late
laws are ours. Nothing in it is random.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import TABLE
from hal.explorer import Line, Mark, Say, Step, lines, over_steps, sliders
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector
from lib.theory.group_sparse import portable_sizes
from lib.theory.group_sparse.portable_sizes import LONGEST, Settings, over_sizes, over_time

TITLE, RUN, COLUMNS, RUNS, FIRST = "How fast, and what the theorem says", portable_sizes, 2, 1, 1
TIME_LABEL = "learning rate times steps, ηt (no unit)"
SLIDERS = sliders(TABLE, D=(8, 2, 48), level=0.01)
LOSS, LEAK = "The loss", "Attention outside the group"
CUBED, REACHED = "The loss at the theorem's time", "Time to the chosen loss"


def settings(D: int, level: float) -> Settings:
    """The flows of these sliders; at the rate 1 the steps are the time ηt."""
    return Settings(D, 1.0, level)


def flow(settings: Settings) -> Readings:
    """The flow to ηt = 1e7 with its late laws, slopes and times."""
    return over_time(settings)


def sizes(settings: Settings) -> Readings:
    """The sizes D of the lower panels, and the laws there."""
    return over_sizes(settings)


def outcome(scaled: Vector, reached: Vector) -> Readings:
    """Exponents in D, between 16 and 48 groups: of L D^2 at ηt = D^3, and of the time to the chosen loss."""
    span = log(3.0)
    return {"rise": [log(scaled[7] / scaled[4]) / span], "fall": [log(reached[7] / reached[4]) / span]}


def panels() -> list[Any]:
    """Loss and attention over time with their late laws; over the groups the loss at ηt = D^3, the time to a loss."""
    time: dict[str, Any] = dict(xlabel=TIME_LABEL, xlog=True, xlim=(1, LONGEST), ylog=True, height=230)
    over: dict[str, Any] = dict(xlabel="groups D (groups)", xlog=True, xlim=(3.5, 55), ylog=True, height=170)
    cubed, here = Mark("flow.cubed", "ηt = D³"), [Mark("flow.now", "D here")]
    losses = [
        Line("flow.loss", "population", idea="fit"), Line("flow.law_loss", "late law, t^(−1/3)", theory=True)
    ]  # fmt: skip
    leaks = [
        Line("flow.leak", "population", idea="attention"), Line("flow.law_leak", "late law, t^(−2/3)", theory=True)
    ]  # fmt: skip
    scaled = [
        Line("scaled", "population", idea="fit"), Line("sizes.flat", "order D⁻²: flat", idea="second"),
        Line("sizes.scaled", "late law: D^(1/3)", theory=True),
    ]  # fmt: skip
    reached = [
        Line("reached", "population", idea="fit"), Line("sizes.cubic", "order D⁻³", idea="second"),
        Line("sizes.reach", "late law: D⁻²", theory=True),
    ]  # fmt: skip
    return [
        over_steps(LOSS, "loss L (nats)", *losses, marks=[cubed, Mark("flow.reached", "the chosen loss")],
                   ylim=(0.001, 1), **time),
        over_steps(LEAK, "1 − s (share)", *leaks, marks=[cubed], ylim=(1e-5, 1), **time),
        lines("sizes.D", scaled, marks=here, ylabel="L D² at ηt = D³ (nats)", title=CUBED, ylim=(0.5, 12), **over),
        lines("sizes.D", reached, marks=here, ylabel="ηt (no unit)", title=REACHED, ylim=(1, 1e6), **over),
    ]  # fmt: skip


RISES = "From D = 16 to 48, L·D² at ηt = D³ grows like D to the {rise:2}"
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
    [Say(f"{RISES}; the time to the loss falls like D to the {{fall:2}}.", "fall < 0"), Say(f"{RISES}.")],
]  # fmt: skip
TOUR = [
    Step("Nothing for a while; then attention finds the group, and the loss drops.", time=100, point=LOSS),
    Step("From then on the loss falls like t^(−1/3). The dashed law has no free number.", time=1e6, point=LOSS),
    Step("Attention outside the group falls like t^(−2/3): a power of the time, no exponential.", time=1e6,
         point=LEAK),
    Step(Say("At ηt = D³ the theorem says L of order D⁻²: flat here. Measured, it rises like D to the {rise:2}."),
         "At ηt = D³ the theorem says L of order D⁻²: flat here. Measured, it rises.", point=CUBED),
    Step(Say("More groups are faster, by D to the {fall:2}; the theorem's order would be −3."),
         "More groups are faster, by about the power −2 of D.", point=REACHED),
]  # fmt: skip
