"""Small figure `group_sparse-looks`: a patient of each label, where the layer looks, and what each page votes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples. A vote
is v'h, of contents and page number together; attention is the mean over the queries, so that the sum of attention times
vote, the area of the bars, is the output over D.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, columns
from hal.figure.objects import Columns
from lib.models.group_sparse.textbook import STAR, Settings, State, output, start, step, take
from lib.portable.primitives import Readings, Vector, zeros

D = 6
EXAMPLES = 200
FIRST = 7  # the step at which the film begins; it shows each one to LAST, and then the end
LAST = 12
FRAMES = 7
END = 100
TITLE, TALLEST = "Does the layer use page 2?", 487  # a film with two choices
HINT = "All areas together are the answer. Let the patients exchange their attention, at both rates."
SLOW_REASON = "The layer is trained on 200 patients before it reads the two patients."
DEFERRED_THEORY = ("trained",)
TIME, SAYS_NOW, PACE = "trained.steps", True, (2.2, END)
SLIDERS = {
    "swap": Slider("Exchange", default=0, names={0: "nothing", 1: "attention"}),
    "small": Slider("Learning rate", default=0, names={0: "1", 1: "0.3"}),
}


class Chosen(NamedTuple):
    """Whether the two patients exchange their attention; the learning rate."""

    swap: int
    lr: float


def settings(swap: int, small: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(swap, 0.3 if small == 1 else 1.0)


def first(state: State, y: float) -> int:
    """The first new example with this label."""
    i = 0
    while state.fresh_y[i] != y:
        i += 1
    return i


def read(state: State, y: float, at: int, attention: Vector, votes: Vector) -> None:
    """Attention and votes of the patient with this label, as frame `at`."""
    output(state, take(state, state.fresh, first(state, y)))
    for i in range(D):
        votes[at * D + i] = state.u[i]
        for j in range(D):
            attention[at * D + i] += state.S[j][i] / float(D)


def sums_of(attention: Vector, votes: Vector) -> Vector:
    """(7,) the sum of attention times vote in each frame."""
    sums = zeros(FRAMES)
    for i in range(FRAMES * D):
        sums[i // D] += attention[i] * votes[i]
    return sums


def trained(settings: Chosen) -> Readings:
    """Of the layer after the steps of the film attention and votes of both patients, (7 x 6,), and their sums, (7,);
    which page decides; whether they exchange their attention; the learning rate.
    """
    state = start(Settings(D, 2, EXAMPLES, settings.lr, END, 1.0, 0.0), 0)
    steps, decides, at = zeros(FRAMES), zeros(D), 0
    looks, votes, other_looks, other_votes = zeros(FRAMES * D), zeros(FRAMES * D), zeros(FRAMES * D), zeros(FRAMES * D)
    decides[STAR] = 1.0
    for k in range(1, END + 1):
        step(state)
        if (k >= FIRST and k <= LAST) or k == END:
            steps[at] = float(k)
            read(state, 1.0, at, looks, votes)
            read(state, -1.0, at, other_looks, other_votes)
            at += 1
    if settings.swap == 1:
        looks, other_looks = other_looks, looks
    return {
        "steps": steps, "plus_attention": looks, "plus_votes": votes, "plus_sum": sums_of(looks, votes),
        "minus_attention": other_looks, "minus_votes": other_votes, "minus_sum": sums_of(other_looks, other_votes),
        "decides": decides, "swap": [float(settings.swap)], "lr": [settings.lr],
    }  # fmt: skip


def picture() -> tuple[Columns, Columns]:
    """The patients side by side."""

    def patient(name: str, label: str, alt: str) -> Columns:
        return columns(
            heights=f"trained.{name}_votes", widths=f"trained.{name}_attention", kinds="trained.decides",
            level=f"trained.{name}_sum", answers=("answer −", "answer +"), told=2, ylim=(-7.0, 3.0),
            ylabel=f"patient {label}: height is vote, width attention", line_is=f"true label {label}", height=260,
            ideas=("#9aa3ad", "output"), alt=alt, frames=True,
        )  # fmt: skip

    return (
        patient("plus", "+", "Six bars: the patient whose label is +. A line is the sum of their areas."),
        patient("minus", "−", "Six bars: the patient whose label is −. A line is the sum of their areas."),
    )


def say() -> list[Say]:
    """What happens at each step of the large rate; with the small one, or attention exchanged, what the answers are."""
    told = {
        7: "both answers are +.",
        8: "the outputs have swung: both answers are −.",
        9: "they swing back, both are +. Page 2 gets the most attention.",
        10: "page 2's vote falls furthest. It makes both answers −.",
        11: "both patients hardly look at page 2 any more.",
        12: "the negative patient looks at page 2 again, the positive one does not.",
        END: "both answers are right. The negative patient looks at page 2, the positive one looks away.",
    }
    plain = [Say(f"Step {k}: {text}", f"trained.steps == {k}", "trained.swap == 0", "trained.lr == 1")
             for k, text in told.items()]  # fmt: skip
    up, down = ("trained.plus_sum > 0", "trained.minus_sum > 0"), ("trained.plus_sum < 0", "trained.minus_sum < 0")
    ways = [("both answers are right.", (up[0], down[1])), ("both answers are +.", up), ("both answers are −.", down)]
    false = [("both answers flip.", (down[0], up[1], "trained.steps == 100")), ("both are wrong.", (down[0], up[1]))]
    here = "Step {trained.steps:0}"
    return [
        *plain, *(Say(f"{here}: {text}", "trained.swap == 0", *when) for text, when in ways),
        *(Say(f"{here}, attention exchanged: {text}", *when) for text, when in false + ways),
    ]  # fmt: skip


IDEA = Idea(
    "With the same votes, the patient with the label − looks at page 2 twice as much as the other.",
    greater=lambda drawn: drawn["trained.minus_attention"][-5],
    than=lambda drawn: 2.0 * drawn["trained.plus_attention"][-5],
    breaks={"small": 1},
)
