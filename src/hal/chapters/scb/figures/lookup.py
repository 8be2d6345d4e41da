"""Figure `scb-lookup`: the gradient of one row of attention, position by position: every token looks up its number.

Chapter `scb`. Source: arXiv 2410.23438, Lemma B.8; the mean over a batch is our own drawing.
"""

from hal.explorer import Idea, Say, Slider, stems
from lib.models.scb.textbook import Settings, add_sample, start
from lib.portable.optimisers import keep_sum
from lib.portable.primitives import Readings, nan, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw, draw_tokens
from lib.portable.vectors import scaled

LETTERS = "abcd"
TITLE = "What one row's gradient says"
HINT = "Take more samples, or fewer: which positions stand out?"
AGAIN = "Another batch"
SLIDERS = {
    "batch": Slider("Samples B", "samples", 128, (1, 1024), log=True),
    "start_V": Slider("What V knows, α_V", "no unit", 0.1, (0.0, 1.0)),
}


def settings(batch: int, start_V: float) -> Settings:
    """A context of 64, uniform attention, V on the line from the law of the tokens (0) to the transition (1)."""
    return Settings(64, 4, 2, 0.75, 0.0, 0.02, batch, 0.0, 0, 0, 0, start_V, 0.0)


def gradient(settings: Settings, seed: int) -> Readings:
    """Of the row of last token a, after projection: minus the mean gradient over the batch at every position, and what
    is expected there; which positions are true. For one sample also its tokens and its label.
    """
    state = start(settings, 0)  # always the same task
    state.random = generator(seed, 2)
    task, X = state.task, state.X
    label = 0
    for _ in range(settings.batch):
        draw_tokens(state.tokens, state.random, X)
        label = draw(state.random, task.P[X[task.s[0][draw(state.random, task.w)]]])
        add_sample(state, X, 0, label)
    keep_sum(state.grad_A[0])
    useful, expected, kinds = zeros(settings.T), zeros(settings.T), zeros(settings.T)
    for q in range(settings.Q):
        useful[task.s[0][q]] = 1.0
        expected[task.s[0][q]] = task.K_P * settings.start_V * (task.w[q] - 1.0 / float(settings.T))
    arrows = scaled(state.grad_A[0], -1.0)
    weakest, tallest = nan, nan
    for t in range(settings.T):
        kinds[t] = float(X[t]) if settings.batch == 1 else -1.0
        if useful[t] == 0.0:
            expected[t] = nan
            tallest = arrows[t] if not tallest >= arrows[t] else tallest
        else:
            weakest = arrows[t] if not weakest <= arrows[t] else weakest
    return {
        "arrows": arrows, "expected": expected, "true": useful, "kinds": kinds, "weakest": [weakest],
        "tallest": [tallest], "label": [float(label)], "one": [1.0 if settings.batch == 1 else 0.0],
        "knows": [settings.start_V],
    }  # fmt: skip


def picture() -> stems:
    """64 positions, up where the gradient asks for more attention."""
    return stems(
        values="gradient.arrows", true="gradient.true", expected="gradient.expected", kinds="gradient.kinds",
        letters=LETTERS, true_is="true positions", expected_is="expected", ylabel="minus the gradient", height=230,
        alt="64 columns, one a position: the two true positions stand well above all others, at the expected heights.",
    )  # fmt: skip


def say() -> list[Say]:
    """What is seen; of one sample, which token it praises."""
    praised = [
        Say(f"The label was {after}, and V expects {after} after {token}: every {token} is praised equally, wherever "
            "it stands.", "gradient.one == 1", f"gradient.label == {LETTERS.index(after)}")
        for token, after in zip(LETTERS, LETTERS[1:] + LETTERS[0], strict=True)
    ]  # fmt: skip
    return [
        Say("V knows nothing yet: the gradient is zero at every position, for every sample.", "gradient.knows == 0"),
        *praised,
        Say("The weaker true position gets {gradient.weakest}, the tallest of the others {gradient.tallest}."),
    ]


IDEA = Idea(
    "The weaker true position stands above every other position.",
    lambda drawn: min(drawn["gradient.arrows"][drawn["gradient.true"] != 0]),
    lambda drawn: max(drawn["gradient.arrows"][drawn["gradient.true"] == 0]),
    breaks={"batch": 4},
)
