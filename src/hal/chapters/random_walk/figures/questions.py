"""Figure `random_walk-questions`: the two question tasks word by word, where a layer reads and what the words say.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6; that tokens have length 1 is our reading. A run trains on
all questions of a task.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.runs.fast import fast_answers
from hal.explorer import Line, Say, Step, heatmap, over_steps, sliders, waiting
from lib.models.random_walk import WORDS, textbook_questions
from lib.models.random_walk.textbook_questions import Asked, fruits, questions, steps_of
from lib.portable.primitives import Readings, Vector, remainder, zeros
from lib.portable.vectors import filled

STEPS = 100
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST = "Two tasks, word by word", textbook_questions, fast_answers, 2, 8, 1
SLIDERS = sliders(TABLE, task=1, question=12, lr=(0.1, 0.001, 1.0), sigma=(0.01, 1e-4, 0.03), unit=1)
SIGHT = ("task", "question", "unit")


def settings(task: int, question: int, lr: float, sigma: float, unit: int) -> Asked:
    """One of the 32 or 2 questions of a task; odd and even numbers are the two of task 2."""
    chosen = question if task == 1 else 1 + remainder(question - 1, 2)
    return Asked(task, chosen, lr, sigma, unit, STEPS, 1000, 0.1)


def laws(settings: Asked) -> Readings:
    """The words of the question, the empty token as word 19; its answer, its fruits; half, a coin's odds; sizes."""
    asked, named = questions(settings.task), fruits(settings.task, settings.question - 1)
    count = len(asked[0])
    words, oranges = zeros(count), 0
    for j in range(count):
        words[j] = float(asked[settings.question - 1][j])
    answer = words[count - 1]
    words[count - 1] = 19.0
    for m in range(len(named)):
        oranges += named[m]
    return {
        "words": words, "tokens": [float(count)], "half": filled(len(steps_of(settings)), 0.5),
        "answer": [answer], "task": [float(settings.task)],
        "oranges": [float(oranges)], "apples": [float(len(named) - oranges)], "questions": [float(len(asked))],
        "steps": [float(settings.steps)], "even": [1.0 / float(count)], "unit": [float(settings.unit)],
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
    coin = Line("laws.half", "a coin", theory=True)
    fruit = Line("apple", "apple", idea="first"), Line("orange", "orange", idea="second"), coin
    right = Line("accuracy", "each run", idea="fit", each=True), coin
    names, ylabel = [*WORDS, "(asks)"], "word, from the first one down (no unit)"
    return [
        heatmap("attention", rows="laws.tokens", columns=1, xlabel="the question (no unit)", ylabel=ylabel,
                clabel="attention (share)", title="Where it reads", idea="attention", xticks=["attention"],
                yticks="laws.words", ynames=names, vmin=0.0, height=320),
        heatmap("votes", rows="laws.tokens", columns=2, xlabel="what is voted for (no unit)", ylabel=ylabel,
                clabel="attention times value (no unit)", title="What each word says", idea="output",
                xticks=list(WORDS[:2]), yticks="laws.words", ynames=names, height=320),
        over_steps("The answer's odds", "odds (share of the output)", *fruit, ylim=(0, 1.02), height=150),
        over_steps("Right answers", "accuracy on all questions (share)", *right, ylim=(0, 1.05), height=150),
    ]  # fmt: skip


MEDIAN = "divergence"
READING = [
    [
        Say("Apple is named {laws.apples} times of five: that is the answer.", "laws.task == 1", "laws.answer == 0"),
        Say("Orange is named {laws.oranges} times of five: that is the answer.", "laws.task == 1"),
        Say("An apple is preferred to an orange: the answer is apple.", "laws.answer == 0"),
        Say("An orange is preferred to an apple: the answer is orange."),
    ],
    [
        *waiting("a smaller start may help"),
        Say("After {laws.steps} steps {sum.all} of {runs} runs answer all {laws.questions} questions correctly.",
            "sum.all >= 1"),
        Say("After {laws.steps} steps no run answers all {laws.questions} questions correctly; the middle one is right "
            "in {right:0} % of them."),
    ],
    [Say("For this question the output has {apple:0} % on apple and {orange:0} % on orange, middles of the runs.")],
]  # fmt: skip
TOUR = [
    Step("The words of a question, from the first one down. At the start all of them are read almost alike.", time=0,
         point="Where it reads"),
    Step("After a hundred steps the fruits of the list are read about twice as much as the other words.", time=100,
         point="Where it reads"),
    Step("Each of them votes for itself more than for the other fruit.", time=100, point="What each word says"),
    Step("That is enough: all 32 questions are answered correctly.", time=100, point="Right answers"),
    Step("The second task has both fruits once in every question. Every word says apple and orange alike.", task=2,
         point="What each word says"),
    Step("Only the order tells the answer, and the average of the words does not know it: a coin is as good.", task=2,
         point="Right answers"),
    Step("If tokens are not divided by their length, a random start is loud: it reads a word or two from the "
         "beginning.", task=2, unit=0, time=0, point="Where it reads"),
]  # fmt: skip
