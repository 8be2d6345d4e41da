"""Small figure `group_sparse-looks`: a patient of each label, where a trained layer looks, and what each page votes.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: D = 6 groups of d = 2 variables, 200 examples. A vote
is v'h, of contents and page number together; attention is the mean over the queries, so that the sum of attention times
vote is the output over D.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, arcs
from hal.figure.objects import Arcs
from lib.models.group_sparse.textbook import Settings, State, done, output, start, step, take
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.vectors import part

D = 6
EXAMPLES = 200
SMALL = 101  # stands for 100 steps at a small learning rate
TITLE = "Does the layer use page 2?"
HINT = "Arcs: attention. Ring: the answer. Swap a page between the patients."
SLOW_REASON = "The layer is trained on 200 patients before it reads the two patients."
DEFERRED_THEORY = ("trained",)
SLIDERS = {
    "page": Slider("Swap", default=0, names={0: "no page", 2: "page 2", 5: "page 5"}),
    "steps": Slider(
        "Training steps", default=100, names={k: str(k) for k in range(7, 13)} | {100: "100", SMALL: "100 (rate 0.3)"}
    ),
}


class Chosen(NamedTuple):
    """The page that the two patients exchange, from 1, or 0; the learning rate; the steps of the training."""

    page: int
    lr: float
    steps: int


def settings(page: int, steps: int) -> Chosen:
    """The settings of this figure."""
    return Chosen(page, 0.3 if steps == SMALL else 1.0, min(steps, 100))


def first(state: State, y: float) -> int:
    """The first new example with this label."""
    i = 0
    while state.fresh_y[i] != y:
        i += 1
    return i


def read(state: State, page: int, y: float) -> Vector:
    """(20,) of the patient with this label: attention, votes, whose page each is, as a kind of `picture`; the sum of
    attention times vote; the kind of its sign.
    """
    mine, other, found = first(state, y), first(state, -y), zeros(3 * D + 2)
    H = take(state, state.fresh, mine)
    for i in range(D):
        theirs = i + 1 == page
        if theirs:
            H[i] = state.fresh[other * D + i]
        found[2 * D + i] = float(i + (0 if (y > 0.0) != theirs else D))
    f = output(state, H)
    for i in range(D):
        found[D + i] = state.u[i]
        for j in range(D):
            found[i] += state.S[j][i] / float(D)
    found[3 * D] = f / float(D)
    found[3 * D + 1] = 2.0 * float(D) + (0.0 if f > 0.0 else 1.0)
    return found


def trained(settings: Chosen) -> Readings:
    """Of the layer after all steps what `read` finds of both patients; the page that they exchange."""
    state = start(Settings(D, 2, EXAMPLES, settings.lr, settings.steps, 1.0, 0.0), 0)
    while not done(state):
        step(state)
    plus, minus = read(state, settings.page, 1.0), read(state, settings.page, -1.0)
    return {
        "plus_attention": part(plus, 0, D), "minus_attention": part(minus, 0, D),
        "plus_votes": part(plus, D, D), "minus_votes": part(minus, D, D),
        "plus_owners": part(plus, 2 * D, D), "minus_owners": part(minus, 2 * D, D),
        "plus_sum": [plus[3 * D]], "minus_sum": [minus[3 * D]], "page": [float(settings.page)],
        "plus_answer": [plus[3 * D + 1]], "minus_answer": [minus[3 * D + 1]], "steps": [float(settings.steps)],
    }  # fmt: skip


def picture() -> tuple[Arcs, Arcs]:
    """The patients side by side."""

    def patient(name: str, label: str, alt: str) -> Arcs:
        return arcs(
            weights=f"trained.{name}_attention", tokens=f"trained.{name}_owners", asks=f"trained.{name}_answer",
            votes=f"trained.{name}_votes", sum=f"trained.{name}_sum", letters="123456123456+−",
            title=f"patient with label {label}", ideas=("plus",) * D + ("minus",) * D + ("plus", "minus"), height=210,
            alt=alt,
        )  # fmt: skip

    return (
        patient("plus", "+", "Thick arcs from the answer + to other pages, a thin one to page 2, which votes −."),
        patient("minus", "−", "The thickest arc leads from the answer − to page 2, which votes −."),
    )


def say() -> list[Say]:
    """What the swap does to both answers after 100 steps; before, what they are."""
    sums = "he sums of attention × vote are {trained.plus_sum:1} and {trained.minus_sum:1}."
    end = "trained.steps == 100"
    return [
        Say("Both answers are right: t" + sums, "trained.page == 0", end),
        Say("With page 2 swapped, both answers flip: t" + sums, "trained.page == 2", end),
        Say("With page 5 swapped, both answers stay: t" + sums, end),
        Say("Both answers are +: t" + sums, "trained.plus_sum > 0", "trained.minus_sum > 0"),
        Say("Both answers are −: t" + sums, "trained.plus_sum < 0", "trained.minus_sum < 0"),
        Say("T" + sums),
    ]


IDEA = Idea(
    "With the same votes, the patient with the label − looks at page 2 twice as much as the other.",
    greater=lambda drawn: drawn["trained.minus_attention"][1],
    than=lambda drawn: 2.0 * drawn["trained.plus_attention"][1],
    breaks={"steps": SMALL},
)
