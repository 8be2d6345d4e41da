"""Small figure `group_sparse-looks`: a patient of each label, where the layer looks, and what each page votes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples. A vote
is v'h, of contents and page number together; attention is the mean over the queries, so that the sum of attention times
vote, the area of the bars, is the output over D.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, columns
from hal.figure.objects import Columns
from lib.models.group_sparse.textbook import Settings, State, output, start, step, take
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import filled

D = 6
EXAMPLES = 200
FIRST = 7  # the step at which the film begins; it shows each one to LAST, and then the end
LAST = 12
FRAMES = 7
END = 100
TITLE, TALLEST = "Does the layer use page 2?", 440  # a film with two choices
HINT = "All areas together are the answer. Swap a page between the patients."
SLOW_REASON = "The layer is trained on 200 patients before it reads the two patients."
DEFERRED_THEORY = ("trained",)
TIME, SAYS_NOW, PACE = "trained.steps", True, (2.2, END)
SLIDERS = {
    "page": Slider("Swap", default=0, names={0: "no page", 2: "page 2", 5: "page 5"}),
    "small": Slider("Learning rate", default=0, names={0: "1", 1: "0.3"}),
}


class Chosen(NamedTuple):
    """The page that the two patients exchange, from 1, or 0; the learning rate."""

    page: int
    lr: float


def settings(page: int, small: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(page, 0.3 if small == 1 else 1.0)


def first(state: State, y: float) -> int:
    """The first new example with this label."""
    i = 0
    while state.fresh_y[i] != y:
        i += 1
    return i


def read(state: State, page: int, y: float, at: int, attention: Vector, votes: Vector) -> float:
    """Attention and votes of the patient with this label, as frame `at`; the sum of attention times vote."""
    mine, other = first(state, y), first(state, -y)
    H = take(state, state.fresh, mine)
    if page > 0:
        H[page - 1] = state.fresh[other * D + page - 1]
    f = output(state, H)
    for i in range(D):
        votes[at * D + i] = state.u[i]
        for j in range(D):
            attention[at * D + i] += state.S[j][i] / float(D)
    return f / float(D)


def trained(settings: Chosen) -> Readings:
    """Of the layer after the steps of the film what `read` finds of both patients, (7 x 6,) and (7,); whose page each
    is, 1 for the label +; the page that they exchange; the learning rate.
    """
    state = start(Settings(D, 2, EXAMPLES, settings.lr, END, 1.0, 0.0), 0)
    steps, sums, other_sums, at = zeros(FRAMES), zeros(FRAMES), zeros(FRAMES), 0
    looks, votes, other_looks, other_votes = zeros(FRAMES * D), zeros(FRAMES * D), zeros(FRAMES * D), zeros(FRAMES * D)
    owners, other_owners = filled(D, 1.0), zeros(D)
    if settings.page > 0:
        owners[settings.page - 1] = 0.0
        other_owners[settings.page - 1] = 1.0
    for k in range(1, END + 1):
        step(state)
        if (k >= FIRST and k <= LAST) or k == END:
            steps[at] = float(k)
            sums[at] = read(state, settings.page, 1.0, at, looks, votes)
            other_sums[at] = read(state, settings.page, -1.0, at, other_looks, other_votes)
            at += 1
    return {
        "steps": steps, "plus_attention": looks, "plus_votes": votes, "plus_sum": sums, "plus_owners": owners,
        "minus_attention": other_looks, "minus_votes": other_votes, "minus_sum": other_sums,
        "minus_owners": other_owners, "page": [float(settings.page)], "lr": [settings.lr],
    }  # fmt: skip


def picture() -> tuple[Columns, Columns]:
    """The patients side by side."""

    def patient(name: str, label: str, alt: str) -> Columns:
        return columns(
            heights=f"trained.{name}_votes", widths=f"trained.{name}_attention", kinds=f"trained.{name}_owners",
            level=f"trained.{name}_sum", answers=("answer −", "answer +"), outlined=2, ylim=(-6.0, 3.0),
            ideas=("minus", "plus"), ylabel=f"patient {label}: height is vote, width attention", height=260, alt=alt,
            frames=True,
        )  # fmt: skip

    return (
        patient("plus", "+", "Six bars. That of page 2 is deep and narrow; the others are above 0, and so is the sum."),
        patient("minus", "−", "Six bars. That of page 2 is deep and wide: it pulls the sum below 0."),
    )


def say() -> list[Say]:
    """What happens at each step of the large rate; with a page swapped, or the small rate, what the answers are."""
    told = {
        7: "both answers are +.",
        8: "the outputs have swung: both answers are −.",
        9: "they swing back, both are +. Page 2 gets most attention.",
        10: "page 2's vote falls furthest. It makes both answers −.",
        11: "both patients hardly look at page 2 any more.",
        12: "the negative patient looks at page 2 again, the positive one does not.",
        END: "both answers are right. The negative patient looks at page 2, the positive one looks away.",
    }
    plain = [Say(f"Step {k}: {text}", f"trained.steps == {k}", "trained.page == 0", "trained.lr == 1")
             for k, text in told.items()]  # fmt: skip
    up, down = ("trained.plus_sum > 0", "trained.minus_sum > 0"), ("trained.plus_sum < 0", "trained.minus_sum < 0")
    ways = [("both answers are right.", (up[0], down[1])), ("both answers are +.", up), ("both answers are −.", down)]
    false = [("both answers flip.", (down[0], up[1], "trained.steps == 100")), ("both are wrong.", (down[0], up[1]))]
    here = "Step {trained.steps:0}"
    return [
        *plain, *(Say(f"{here}: {text}", "trained.page == 0", *when) for text, when in ways),
        *(Say(here + ", page {trained.page:0} swapped: " + text, *when) for text, when in false + ways),
    ]  # fmt: skip


IDEA = Idea(
    "With the same votes, the patient with the label − looks at page 2 twice as much as the other.",
    greater=lambda drawn: drawn["trained.minus_attention"][-5],
    than=lambda drawn: 2.0 * drawn["trained.plus_attention"][-5],
    breaks={"small": 1},
)
