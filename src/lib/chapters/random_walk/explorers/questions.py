"""Explorer `random_walk-questions`: the two question tasks word by word, where a layer reads and what the words say.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6; that tokens have length 1 is our reading. The page computes
all of it, on all questions of a task.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.random_walk.explorers._shared import TIME_LABEL, over_steps, sliders
from lib.chapters.random_walk.runs.textbook_twin import fast_answers
from lib.explorer import Computed, Line, Say, Slider, Step, heatmap
from lib.models.random_walk import WORDS, textbook_questions
from lib.models.random_walk.textbook_questions import Asked, fruits, look_steps, questions
from lib.portable.primitives import Readings, Vector, remainder, zeros
from lib.portable.vectors import fill

STEPS = 100
WORD = "word, from the first one down (no unit)"


def settings(task: int, question: int, lr: float, sigma: float, unit: int) -> Asked:
    """One of the 32 or 2 questions of a task; odd and even numbers are the two of task 2."""
    chosen = question if task == 1 else 1 + remainder(question - 1, 2)
    return Asked(task, chosen, lr, sigma, unit, STEPS, 1000, 0.1)


def laws(settings: Asked) -> Readings:
    """Steps of the records; the words of the question, the empty token as word 19; its answer; half, a coin's odds."""
    t, asked, named = (
        look_steps(settings.steps),
        questions(settings.task),
        fruits(settings.task, settings.question - 1),
    )
    count = len(asked[0])
    words, half, oranges = zeros(count), zeros(len(t)), 0
    for j in range(count):
        words[j] = float(asked[settings.question - 1][j])
    answer = words[count - 1]
    words[count - 1] = 19.0
    for m in range(len(named)):
        oranges += named[m]
    fill(half, 0.5)
    return {
        "t": t, "words": words, "tokens": [float(count)], "half": half, "answer": [answer],
        "task": [float(settings.task)], "oranges": [float(oranges)], "apples": [float(len(named) - oranges)],
        "questions": [float(len(asked))], "steps": [float(settings.steps)], "even": [1.0 / float(count)],
        "unit": [float(settings.unit)],
    }  # fmt: skip


def outcome(accuracy: Vector, divergence: Vector, apple: Vector, orange: Vector) -> Readings:
    """Of one run, at its end: right answers in per cent, whether all are, divergence in nats, odds of the fruits."""
    last = len(accuracy) - 1
    return {
        "right": [100.0 * accuracy[last]], "all": [1.0 if accuracy[last] > 0.999 else 0.0],
        "divergence": [divergence[last]], "apple": [100.0 * apple[last]], "orange": [100.0 * orange[last]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Attention on the words, their votes, odds of the two fruits, right answers to all questions."""
    names = [*WORDS, "(asks)"]
    return [
        heatmap(
            "attention",
            rows="laws.tokens",
            columns=1,
            xlabel="the question (no unit)",
            ylabel=WORD,
            clabel="attention (share)",
            title="Where it reads",
            idea="A",
            xticks=["attention"],
            yticks="laws.words",
            ynames=names,
            vmin=0.0,
            height=320,
        ),
        heatmap(
            "votes",
            rows="laws.tokens",
            columns=2,
            xlabel="what is voted for (no unit)",
            ylabel=WORD,
            clabel="attention times value (no unit)",
            title="What each word says",
            idea="V",
            xticks=list(WORDS[:2]),
            yticks="laws.words",
            ynames=names,
            height=320,
        ),
        over_steps(
            "The answer's odds",
            "odds (share of the output)",
            Line("apple", "apple", idea="signal"),
            Line("orange", "orange", idea="mirror"),
            Line("laws.half", "a coin", theory=True),
            ylim=(0, 1.02),
            height=150,
        ),
        over_steps(
            "Right answers",
            "accuracy on all questions (share)",
            Line("accuracy", "each run", idea="sgd", each=True),
            Line("laws.half", "a coin", theory=True),
            ylim=(0, 1.05),
            height=150,
        ),
    ]


READING = [
    [
        Say(
            "Apple is named {laws.apples} times of five: that is the answer.",
            **{"laws.task": 1, "laws.answer": 0},
        ),
        Say("Orange is named {laws.oranges} times of five: that is the answer.", **{"laws.task": 1}),
        Say("An apple is preferred to an orange: the answer is apple.", **{"laws.answer": 0}),
        Say("An orange is preferred to an apple: the answer is orange."),
    ],
    [
        Say("Every run so far has diverged; a smaller start may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say(
            "After {laws.steps} steps {sum.all} of {runs} runs answer all {laws.questions} questions correctly.",
            **{"sum.all": ">= 1"},
        ),
        Say("After {laws.steps} steps no run answers all {laws.questions} questions, but {right:0} % of them right."),
    ],
    [Say("For this question the output has {apple:0} % on apple and {orange:0} % on orange.")],
]


TOUR = [
    Step(
        "The words of a question, from the first one down. At the start all of them are read almost alike.",
        time=0,
        point="Where it reads",
    ),
    Step(
        "After a hundred steps the fruits of the list are read about twice as much as the other words.",
        time=100,
        point="Where it reads",
    ),
    Step("Each of them votes for itself more than for the other fruit.", time=100, point="What each word says"),
    Step("That is enough: all 32 questions are answered correctly.", time=100, point="Right answers"),
    Step(
        "The second task has both fruits once in every question. Every word says apple and orange alike.",
        task=2,
        point="What each word says",
    ),
    Step(
        "Only the order tells the answer, and the average of the words does not know it: a coin is as good.",
        task=2,
        point="Right answers",
    ),
    Step(
        "If tokens are not divided by their length, a random start is loud: it reads a word or two from the beginning.",
        task=2,
        unit=0,
        time=0,
        point="Where it reads",
    ),
]


def explorer() -> Computed:
    """The explorer `random_walk-questions`, as the chapter shows it."""
    own = sliders("lr", "sigma", lr=(0.001, 1.0), sigma=(1e-4, 0.03))
    return Computed(
        textbook_questions,
        name="random_walk-questions",
        title="Two tasks, word by word",
        settings=settings,
        theory=[laws],
        outcome=outcome,
        sliders={
            "task": Slider("Task", names={1: "named most often", 2: "preferred"}),
            "question": Slider("Question", unit="no unit", integer=True, live=(1, 32)),
            **own,
            "unit": Slider("Length of a token", names={0: "as it is", 1: "1"}),
        },
        default=dict(task=1, question=12, lr=0.1, sigma=0.01, unit=1),
        time="laws.t",
        time_label=TIME_LABEL,
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        runs=8,
        first=1,
        fast=fast_answers,
    )
