"""Figure `scb-count`: the samples hold the answer early; counting finds it where gradient descent still waits.

Chapter `scb`, beyond the paper; its lower bound is for one way of learning, not for all (arXiv 2410.23438).
"""

from hal.chapters.scb.models.portable_screening import screened
from hal.chapters.scb.models.textbook_measures import useful
from hal.figure import Idea, Say, Slider, stems
from lib.models.scb.textbook import Settings, even_weights, ring_task
from lib.portable.primitives import Readings
from lib.portable.random_numbers import generator
from lib.portable.vectors import filled, part
from lib.theory.scb.portable import attention_signal, drift_number, quiet_steps

LEVEL = 0.1  # of the signal, at the end of the plateau
LR = 0.02
BATCH = 32  # samples a step
TITLE, HINT = "Which positions matter? Just count", "Take fewer samples, or more: which columns stand out?"
AGAIN = "Other samples"
SLIDERS = {
    "samples": Slider("Samples", "samples", 1000, (50, 4000), log=True),
    "T": Slider("Length T", "tokens", 64, (16, 1024), log=True),
}


def settings(samples: int, T: int) -> Settings:
    """The standard task; `batch` is the number of samples, which are all taken at once."""
    return Settings(T=T, mu=filled(4, 0.25), lr=LR, batch=samples)


def counts(settings: Settings, seed: int) -> Readings:
    """Statistics (T,) of last token a and its true positions; of how many of all last tokens' true positions the
    statistic is among the Q highest of its row; statistics and true positions of all, (N T,).
    """
    T = settings.T
    task = ring_task(T, settings.mu, settings.Q, settings.c, generator(seed, 0))
    every = screened(task, T, settings.batch, generator(seed, 2))
    marks, named = part(every, 0, T), 0.0
    for t in range(T):
        marks[t] = 0.0
    for q in range(settings.Q):
        marks[task.s[0][q]] = task.w[q]
    for k in range(len(settings.mu)):
        for q in range(settings.Q):
            own, above = every[k * T + task.s[k][q]], 0
            for t in range(T):
                above += 1 if every[k * T + t] > own else 0
            named += 1.0 if above < settings.Q else 0.0
    return {
        "row": part(every, 0, T),
        "true": marks,
        "named": [named],
        "samples": [float(settings.batch)],
        "every": every,
        "support": useful(task, T),
    }


def plateau(settings: Settings) -> Readings:
    """Samples that gradient descent takes, by the flow, until its signal is 0.1; NaN where there is no plateau."""
    d = drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))
    return {"samples": [float(BATCH) * quiet_steps(LEVEL, settings.lr, d)]}


def picture() -> stems:
    """The statistics of one last token."""
    return stems(
        values="counts.row", true="counts.true", true_is="true positions of a",
        ylabel="how much the label depends on the token there", height=220, ylim=(0.0, None),
        alt="64 columns, one a position: the two true positions of last token a are the tallest.",
    )  # fmt: skip


def say() -> list[Say]:
    """How many true positions counting names, and what gradient descent takes for its plateau alone."""
    all_of, some = (
        "counting finds all eight true positions (two for each last token)",
        "counting finds {counts.named} of the eight true positions (two for each last token)",
    )
    trained = "for its plateau alone training needs {plateau.samples:0}"
    return [
        Say(f"With {{counts.samples}} samples {all_of}; {trained}.", "counts.named == 8", "plateau.samples >= 0"),
        Say(f"With {{counts.samples}} samples {all_of}.", "counts.named == 8"),
        Say(f"With {{counts.samples}} samples {some}; {trained}.", "plateau.samples >= 0"),
        Say(f"With {{counts.samples}} samples {some}."),
    ]  # fmt: skip


IDEA = Idea(
    "The true positions of last token a are the tallest.",
    lambda drawn: min(drawn["counts.row"][drawn["counts.true"] > 0]),
    lambda drawn: max(drawn["counts.row"][drawn["counts.true"] == 0]),
    breaks={"samples": 100},
)
