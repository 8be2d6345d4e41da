"""Small figure `group_sparse-looks`: a patient of each label, where a trained layer looks, and what each page votes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples, 100 steps. A
vote is v'h, of contents and page number together; attention is the mean over the queries, so that the sum of attention
times vote is the output over D.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, arcs
from hal.figure.objects import Arcs
from lib.models.group_sparse.textbook import Settings, State, done, output, start, step, take
from lib.portable.primitives import Readings, zeros

D = 6
EXAMPLES = 200
STEPS = 100
TITLE = "Does the layer use page 2?"
HINT = "Arcs: attention. Ring: the answer. Exchange a page between the patients."
SLOW_REASON = "The layer is trained on 200 examples before it reads the two patients."
DEFERRED_THEORY = ("plus", "minus")
SLIDERS = {
    "page": Slider("Exchange", default=0, names={0: "no page", 2: "page 2", 5: "page 5"}),
    "lr": Slider("Learning rate", default=0, names={0: "large (1)", 1: "small (0.3)"}),
}


class Chosen(NamedTuple):
    """The page that the two patients exchange, from 1, or 0; the learning rate."""

    page: int
    lr: float


def settings(page: int, lr: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(page, 1.0 if lr == 0 else 0.3)


def first(state: State, y: float) -> int:
    """The first new example with this label."""
    i = 0
    while state.fresh_y[i] != y:
        i += 1
    return i


def read(settings: Chosen, y: float) -> Readings:
    """Of the patient with this label attention, votes, and whose page each is, as a kind of `picture`, (D,) each; the
    sum of attention times vote; the kind of its sign.
    """
    state = start(Settings(D, 2, EXAMPLES, settings.lr, STEPS, 1.0, 0.0), 0)
    while not done(state):
        step(state)
    mine, other = first(state, y), first(state, -y)
    H = take(state, state.fresh, mine)
    owners, attention, votes, added = zeros(D), zeros(D), zeros(D), 0.0
    for i in range(D):
        theirs = i + 1 == settings.page
        if theirs:
            H[i] = state.fresh[other * D + i]
        owners[i] = float(i + (0 if (y > 0.0) != theirs else D))
    f = output(state, H)
    for i in range(D):
        votes[i] = state.u[i]
        for j in range(D):
            attention[i] += state.S[j][i] / float(D)
        added += attention[i] * votes[i]
    return {
        "attention": attention, "votes": votes, "owners": owners, "added": [added],
        "answer": [2.0 * float(D) + (0.0 if f > 0.0 else 1.0)], "page": [float(settings.page)],
    }  # fmt: skip


def plus(settings: Chosen) -> Readings:
    """See `read`, label +."""
    return read(settings, 1.0)


def minus(settings: Chosen) -> Readings:
    """See `read`, label −."""
    return read(settings, -1.0)


def picture() -> tuple[Arcs, Arcs]:
    """The patients side by side."""

    def patient(name: str, label: str, alt: str) -> Arcs:
        return arcs(
            weights=f"{name}.attention", tokens=f"{name}.owners", asks=f"{name}.answer", votes=f"{name}.votes",
            sum=f"{name}.added", letters="123456123456+−", title=f"patient with label {label}",
            ideas=("plus",) * D + ("minus",) * D + ("plus", "minus"), height=210, alt=alt,
        )  # fmt: skip

    return (
        patient("plus", "+", "Thick arcs from the answer + to other pages, a thin one to page 2, which votes −."),
        patient("minus", "−", "The thickest arc leads from the answer − to page 2, which votes −."),
    )


def say() -> list[Say]:
    """What the exchange does to both sums."""
    sums = "the sums of attention × vote are {plus.added:1} and {minus.added:1}."
    return [
        Say("Both answers are right: " + sums, "plus.page == 0"),
        Say("With page 2 exchanged, both answers flip: " + sums, "plus.page == 2"),
        Say("With page 5 exchanged, both answers stay: " + sums),
    ]


IDEA = Idea(
    "With the same votes, the patient with the label − looks at page 2 twice as much as the other.",
    greater=lambda drawn: drawn["minus.attention"][1],
    than=lambda drawn: 2.0 * drawn["plus.attention"][1],
    breaks={"lr": 1},
)
