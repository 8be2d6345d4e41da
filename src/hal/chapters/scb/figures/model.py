"""Figure `scb-model`: the model has the task's shape, and on the flow its arcs and bars become those of the task.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.2 (the model) and Section 3.1, equation (8) (the flow).
"""

from typing import NamedTuple

from hal.explorer import Idea, Say, Slider, arcs, columns
from lib.models.scb.textbook_ring import ring_task, skewed_law
from lib.portable.primitives import Readings, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw_tokens, token_table
from lib.portable.vectors import add, fill
from lib.theory.scb.portable import attention_signal, drift_number, velocity

LETTERS = "abcd"
NAMES = ("a", "task", "b", "task", "c", "task", "d", "task")
LENGTH = 24
RATE = 0.02
TITLE = "The same shape, learned"
HINT = "Go back to step 0, and forward again."
AGAIN = "Another context"
SLIDERS = {
    "step": Slider("Time", "steps", 250, (0, 300), log=False),
    "last": Slider("Last token", default=3, names={0: "a", 1: "b", 2: "c", 3: "d"}),
}


class Learned(NamedTuple):
    """What is chosen."""

    step: int
    last: int


def settings(step: int, last: int) -> Learned:
    """How long the expected gradients have trained the model, and the last token."""
    return Learned(step, last)


def guess(settings: Learned, seed: int) -> Readings:
    """Tokens (24,) of a context; attention of the last token (24,) after so many steps of the flow, and the true one;
    the model's guess and the distribution of the label, each (4,), and in pairs (8,) of kinds 0 and 1; the likeliest
    label, from 0, and what the model and the task give it, in per cent.
    """
    mu = skewed_law(4, 0.0)
    task = ring_task(LENGTH, mu, 2, 0.8, generator(5, 0))  # that of `scb-sample`
    X, tokens, useful, attention = whole_zeros(LENGTH), zeros(LENGTH), zeros(LENGTH), zeros(LENGTH)
    draw_tokens(token_table(mu), generator(seed, 2), X)
    d = drift_number(attention_signal(task.w, LENGTH), float(LENGTH))
    alpha_V, alpha_A = 0.0, 0.0
    for _ in range(settings.step):
        move_V, move_A = velocity(alpha_V, alpha_A, d)
        alpha_V += RATE * move_V
        alpha_A += RATE * move_A
    for q in range(2):
        useful[task.s[settings.last][q]] = task.w[q]
    fill(attention, (1.0 - alpha_A) / float(LENGTH))
    add(attention, alpha_A, useful)
    model, label = zeros(4), zeros(4)
    for t in range(LENGTH):
        tokens[t] = float(X[t])
        add(label, useful[t], task.P[X[t]])
        add(model, attention[t] * alpha_V, task.P[X[t]])
        add(model, attention[t] * (1.0 - alpha_V), mu)
    pairs, kinds, best = zeros(8), zeros(8), 0
    for i in range(4):
        pairs[2 * i] = model[i]
        pairs[2 * i + 1] = label[i]
        kinds[2 * i + 1] = 1.0
        best = i if label[i] > label[best] else best
    return {
        "tokens": tokens, "attention": attention, "true": useful, "last": [float(settings.last)],
        "step": [float(settings.step)], "pairs": pairs, "kinds": kinds, "model": model, "label": label,
        "best": [float(best)], "says": [100.0 * model[best]], "should": [100.0 * label[best]],
    }  # fmt: skip


def picture() -> tuple[arcs, columns]:
    """The model's arcs over the true ones; for each label the model's guess next to its probability."""
    return (
        arcs(
            weights="guess.attention", tokens="guess.tokens", letters=LETTERS, asks="guess.last", answer="guess.true",
            height=165, alt="24 letters in a row; the model's two thick arcs lie on the two true ones.",
        ),
        columns(
            heights="guess.pairs", kinds="guess.kinds", ideas=("output", "data"), names=NAMES, ylim=(0.0, 1.0),
            ylabel="left the model, right the task", height=140,
            alt="Four pairs of bars: what the model gives each label, and nearly as high what the task gives it.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """What the model and the task give the likeliest label."""
    return [
        Say(f"At step {{guess.step}} the model gives {letter} {{guess.says:0}}%, and the task {{guess.should:0}}%.",
            f"guess.best == {i}")
        for i, letter in enumerate(LETTERS)
    ]  # fmt: skip


IDEA = Idea(
    "The model gives the likeliest label nearly as much as the task does.",
    lambda drawn: drawn["guess.pairs"][::2][drawn["guess.pairs"][1::2].argmax()],
    lambda drawn: 0.85 * drawn["guess.pairs"][1::2].max(),
    breaks={"step": 0},
)
