"""Figure `scb-sample`: one sample of the task; of its 24 letters two decide what comes next.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.1: the distribution of the label is P X q of the last token.
"""

from typing import NamedTuple

from hal.figure import Idea, Say, Slider, arcs, columns
from lib.models.scb.textbook import ring_task
from lib.portable.primitives import Readings, remainder, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw_tokens, token_table
from lib.portable.vectors import add, filled

LETTERS = "abcd"
LENGTH = 24
TITLE = "Which letters matter?"
HINT = "Click a letter to change it: do the bars move?"
AGAIN = "Another sample"
SLIDERS = {
    "last": Slider("Last token", default=3, names={0: "a", 1: "b", 2: "c", 3: "d"}),
    "place": Slider("Changed letter", "position", 0, (0, LENGTH), log=False, hidden=True),
}


class Sample(NamedTuple):
    """The settings of this figure."""

    last: int
    place: int


def settings(last: int, place: int) -> Sample:
    """The last token, and the position, from 1, whose letter is changed to the next one; 0 changes none."""
    return Sample(last, place)


def mix(settings: Sample, seed: int) -> Readings:
    """Tokens (24,) after the change, the weights of the last token's arcs, the distribution of the label (4,) before
    and after; thick and thin, the letters at the two arcs; kinds, 0 for bars, 1 for those to which the
    letter of an arc leads, 2 for such a one that the change has moved; of the changed position its weight and its old
    letter, and in per cent the label whose chance grows, before and after.
    """
    mu = filled(4, 0.25)
    task = ring_task(LENGTH, mu, 2, 0.75, generator(5, 0))  # always the same task
    X, tokens, weights = whole_zeros(LENGTH), zeros(LENGTH), zeros(LENGTH)
    draw_tokens(token_table(mu), generator(seed, 2), X)
    before, after, kinds = zeros(4), zeros(4), zeros(4)
    here = settings.place - 1
    old = X[max(here, 0)]
    turned = remainder(old + 1, 4)
    for q in range(2):
        found = task.s[settings.last][q]
        weights[found] = task.w[q]
        add(before, task.w[q], task.P[X[found]])
        add(after, task.w[q], task.P[turned if found == here else X[found]])
    for t in range(LENGTH):
        tokens[t] = float(turned if t == here else X[t])
    for i in range(4):
        led = remainder(i + 3, 4)
        kinds[i] = 1.0 if tokens[task.s[settings.last][0]] == led or tokens[task.s[settings.last][1]] == led else 0.0
        kinds[i] = 2.0 if kinds[i] == 1.0 and after[i] != before[i] else kinds[i]
    return {
        "tokens": tokens, "weights": weights, "before": before, "after": after, "kinds": kinds,
        "last": [float(settings.last)],
        "thick": [float(X[task.s[settings.last][0]])], "thin": [float(X[task.s[settings.last][1]])],
        "weight": [weights[max(here, 0)]], "old": [float(old)], "place": [float(settings.place)],
        "gains": [100.0 * before[remainder(turned + 1, 4)]],
        "gained": [100.0 * after[remainder(turned + 1, 4)]],
    }  # fmt: skip


def picture() -> tuple[arcs, columns]:
    """The letters with the arcs of the last token, and the distribution of what comes next."""
    return (
        arcs(
            weights="mix.weights", tokens="mix.tokens", letters=LETTERS, asks="mix.last", pick="place", height=190,
            follows="bcda", alt="24 letters in a row; from the last token two arcs, 0.6 and 0.4, lead to two of them.",
        ),
        columns(
            heights="mix.after", kinds="mix.kinds", ideas=("data", "output", "output"), names=list(LETTERS),
            ylim=(0.0, 1.0), ylabel="what comes next, probability", height=190,
            alt="Four bars, the distribution of the label.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """What a change does, by the arc that ends there and the letter that now stands there."""
    follows = dict(zip(LETTERS, LETTERS[1:] + LETTERS[0], strict=True))
    found = [
        Say(f"The thick arc finds {a}, so {follows[a]} is likeliest. " + (
            f"The thin arc finds {b}, so {follows[b]} comes second." if a != b else f"The thin arc finds {a}, too."),
            "mix.place == 0", f"mix.thick == {i}", f"mix.thin == {j}")
        for i, a in enumerate(LETTERS) for j, b in enumerate(LETTERS)
    ]  # fmt: skip
    still = [
        Say(f"At position {{mix.place}} {a} has become {b}: no arc ends there, and nothing moves.", "mix.weight == 0",
            f"mix.old == {i}")
        for i, (a, b) in enumerate(follows.items())
    ]  # fmt: skip
    moved = [
        Say(f"At position {{mix.place}} {LETTERS[i]} has become {LETTERS[i - 3]}: an arc ends there, and "
            f"{LETTERS[i - 2]} goes from {{mix.gains:0}}% to {{mix.gained:0}}%.", f"mix.old == {i}")
        for i in range(4)
    ]  # fmt: skip
    return [*found, *still, *moved]


IDEA = Idea(
    "A changed letter without an arc moves no bar.",
    lambda drawn: 1.5,
    lambda drawn: max(drawn["mix.kinds"]),
    breaks={"place": 1},
)
