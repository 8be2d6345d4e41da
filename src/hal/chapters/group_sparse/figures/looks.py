"""Figure `group_sparse-looks`: for each label where a layer looks, and what it reads there, from step to step.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638. Above 16/(D (D + 1)) a step overshoots along what the value
vector reads of the positional encodings, which is the same in all outputs; attention is thrown off the group.
"""

from typing import Any

from hal.chapters.group_sparse.figures._shared import TABLE
from hal.figure import Line, Say, Slider, Step, bars, over_steps, sliders, waiting
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings, State, output, take
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import filled, numbered, part, total

D = 6
STEPS = 60  # all of them on record
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Does the layer use group 2?", textbook, 2, 1, 1
SLOW_REASON = "A layer is trained anew; the bars are means over 200 new examples of both labels."
SLIDERS = {
    "lr": Slider("Learning rate η", "no unit", 1.0, (0.05, 1.5), log=False),
    **sliders(TABLE, n=(200, 20, 300)),
}
PRIMARY_SLIDERS, COLLAPSED_PANELS, PACE = ("lr",), 0, (0.6, 20)
LOOKS, SUM, COMMON = "Where it looks", "The lower bars, added up", "page number (common to all)"
PALE = "#F09048"  # orange of attention, where a second one stands beside it


def settings(lr: float, n: int) -> Settings:
    """The run of these sliders, at D = 6, d = 2."""
    return Settings(D, 2, n, lr, STEPS, 1.0, 0.0)


def law(settings: Settings) -> Readings:
    """The groups, and even attention, (D,) each."""
    return {"groups": numbered(settings.D), "even": filled(settings.D, 1.0 / float(settings.D))}


def means(state: State, y: float) -> Vector:
    """(3 D,) means over the new examples of a label: attention by group; times the vote of its contents; times that of
    its page number.
    """
    groups, d, count = state.settings.D, state.settings.d, 0.0
    found = zeros(3 * groups)
    for i in range(len(state.fresh_y)):
        if state.fresh_y[i] == y:
            output(state, take(state, state.fresh, i))
            count += 1.0
            for k in range(groups):
                page = state.v[d + k] * state.H[k][d + k]
                for j in range(groups):
                    share = state.S[j][k] / float(groups)
                    found[k] += share
                    found[groups + k] += share * (state.u[k] - page)
                    found[2 * groups + k] += share * page
    for k in range(3 * groups):
        found[k] /= count
    return found


def probe(state: State) -> Readings:
    """`means` of both labels, (D,) each, and what the bars of each add up to: the mean output over D."""
    groups, plus, minus = state.settings.D, means(state, 1.0), means(state, -1.0)
    return {
        "plus": part(plus, 0, groups), "minus": part(minus, 0, groups),
        "plus_contents": part(plus, groups, groups), "minus_contents": part(minus, groups, groups),
        "plus_page": part(plus, 2 * groups, groups), "minus_page": part(minus, 2 * groups, groups),
        "sum_plus": [total(part(plus, groups, 2 * groups))], "sum_minus": [total(part(minus, groups, 2 * groups))],
    }  # fmt: skip


def run_metrics(sum_plus: Vector, sum_minus: Vector) -> Readings:
    """What the bars of each label add up to at the end of a run."""
    return {"sum_plus": [sum_plus[len(sum_plus) - 1]], "sum_minus": [sum_minus[len(sum_minus) - 1]]}


def panels() -> list[Any]:
    """The attention on the groups, what the votes add up to over the steps, and for each label the votes."""

    def reads(name: str, label: str) -> Any:
        votes = Line(f"{name}_contents", "contents", idea="output"), Line(f"{name}_page", COMMON, idea="bound")
        return bars("law.groups", votes, frames=True, xlabel="group (2 decides)", ylabel="attention × vote (no unit)",
                    title=f"Label {label}: what it reads there", ylim=(-2.5, 2.5), height=160)  # fmt: skip

    shares = Line("plus", "label +", idea=PALE), Line("minus", "label −", idea="attention")
    sums = Line("sum_plus", "label +", idea="plus"), Line("sum_minus", "label −", idea="minus")
    return [
        bars("law.groups", [*shares, Line("law.even", "even", theory=True)], frames=True, xlabel="group (2 decides)",
             ylabel="attention (no unit)", title=LOOKS, ylim=(0, 1), height=150),
        over_steps(SUM, "sum of the lower bars (no unit)", *sums, height=150), reads("plus", "+"), reads("minus", "−"),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("Added up, the lower bars give {sum_plus:2} for label + and {sum_minus:2} for label −."),
    ],
]
TOUR = [
    Step("All patients have the same page numbers. Their votes overshoot zero at every step.", time=5, point=SUM),
    Step("Group 2 has the most attention, so the next step moves its page number's vote most.", time=9, point=LOOKS),
    Step("That vote now pulls every answer to −. Patients with the label + are badly wrong.", time=10, point=SUM),
    Step("They lower the score of group 2, most for contents like theirs. Attention leaves it.", time=11, point=LOOKS),
    Step("Patients with − look at group 2 more and pull its vote to −. The others pull the other votes to +.",
         time=14, point=LOOKS),
    Step("Looking at group 2 now means −, looking away means +: where the layer looks is the answer.",
         time=60, point=LOOKS),
]  # fmt: skip
