"""Figure `scb-writes`: a layer writes text of its own, token by token; where it looks, and how often each token occurs.

Chapter `scb`, beyond the paper (arXiv 2410.23438 names the extension in Sections 2.1 and 6).
"""

from typing import NamedTuple

from hal.explorer import Idea, Say, Slider, arcs, columns
from lib.models.scb.textbook_writer import start_text, write
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator
from lib.portable.vectors import argmax

LETTERS = "abc"
LENGTH = 12
FIRST_TASK = 3  # one whose text moves far
TITLE = "The layer writes its text"
HINT = "Let it write more, or untrain it: do the bars leave the line?"
AGAIN = "Another task"
SLIDERS = {
    "written": Slider("Tokens written", "tokens", 8000, (1, 20_000), log=True),
    "steps": Slider("Steps of training", "steps", 300, (0, 400), log=False),
}


class Text(NamedTuple):
    """What is chosen."""

    written: int
    steps: int


def settings(written: int, steps: int) -> Text:
    """How much the layer writes, and how long it was trained before."""
    return Text(written, steps)


def text(settings: Text, seed: int) -> Readings:
    """The last context that it wrote, tokens (12,) and last (1,), the attention to it, weights (12,), and the targets
    there, answer (12,); heights (3,), how often each token was written, and the even share; held, the attention on
    the true positions; common, the commonest token, and most, its frequency in per cent; and how many were written.
    """
    state = start_text(LENGTH, 3, settings.steps, seed + FIRST_TASK)
    window, seen = write(state, settings.written, generator(seed, 3))
    k, task = window[LENGTH], state.task
    tokens, weights, answer, held = zeros(LENGTH), zeros(LENGTH), zeros(LENGTH), 0.0
    for t in range(LENGTH):
        tokens[t] = float(window[t])
        weights[t] = state.A[k][t]
    for q in range(len(task.w)):
        answer[task.s[k][q]] = task.w[q]
        held += weights[task.s[k][q]]
    common = argmax(seen)
    return {
        "tokens": tokens, "last": [float(k)], "weights": weights, "answer": answer, "heights": seen,
        "even": [1.0 / 3.0], "held": [held], "most": [100.0 * seen[common]], "common": [float(common)],
        "written": [float(settings.written)],
    }  # fmt: skip


def picture() -> tuple[arcs, columns]:
    """The last context with the arcs of its last token, and the frequencies of all that was written."""
    return (
        arcs(
            weights="text.weights", tokens="text.tokens", letters=LETTERS, asks="text.last", answer="text.answer",
            height=160, alt="Twelve letters that the layer wrote; from the last one two thick arcs lead to the two "
            "positions that decide what it writes next.",
        ),
        columns(
            heights="text.heights", names=list(LETTERS), ylim=(0.0, 1.0), level="text.even",
            ylabel="how often it was written, fraction", height=118,
            alt="Three bars, the frequencies of the letters, and a line at a third.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Which letter it writes most, and where it looks."""
    looks = "the weights at the true positions add up to {text.held:2}."
    one = [Say(f"The one token that it wrote is {a}; {looks}", "text.written == 1", f"text.common == {i}")
           for i, a in enumerate(LETTERS)]  # fmt: skip
    more = [Say(f"Of {{text.written}} tokens that it wrote {{text.most:0}}% are {a}, the commonest; {looks}",
                f"text.common == {i}") for i, a in enumerate(LETTERS)]  # fmt: skip
    return [*one, *more]


IDEA = Idea(
    "A trained layer looks at the two true positions more than at all others.",
    lambda drawn: drawn["text.weights"][drawn["text.answer"] > 0].sum(),
    lambda drawn: 0.5,
    breaks={"steps": 0},
)
