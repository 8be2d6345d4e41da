"""Figure `random_walk-questions`: two question tasks as sentences, where a layer looks and what each word votes for.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6; that tokens have length 1 is our reading. A run trains on
all questions of a task.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.runs.fast import fast_tasks
from hal.explorer import Line, Say, Step, columns, ink, over_steps, sliders, waiting
from lib.models.random_walk import WORDS, textbook_tasks
from lib.models.random_walk.textbook_questions import fruits, questions
from lib.models.random_walk.textbook_tasks import Tasks, steps_of
from lib.portable.primitives import Readings, Vector, Wholes, zeros
from lib.portable.vectors import filled

STEPS = 100
ASKS = 19.0  # the empty token among the words
LIST, PAIR, ANSWERS = (
    "A list: which fruit is named most?",
    "A pair: which fruit do I prefer?",
    "What the layer says",
)
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST, FOLDED = "Two tasks, word by word", textbook_tasks, fast_tasks, 2, 8, 1, 1
SLIDERS = sliders(TABLE, question=12, lr=(0.1, 0.001, 1.0), unit=1, sigma=(0.01, 1e-4, 0.03))
SIGHT, MEDIAN = ("lr", "unit", "sigma"), "divergence"


def settings(question: int, lr: float, unit: int, sigma: float) -> Tasks:
    """One of the 32 questions of the first task, and both of the second."""
    return Tasks(question, lr, sigma, unit, STEPS, 1000, 0.1)


def put(words: Vector, at: int, walk: Wholes) -> None:
    """The words of a question from `at` on; in place of its answer the token that asks."""
    for j in range(len(walk)):
        words[at + j] = float(walk[j]) if j < len(walk) - 1 else ASKS


def laws(settings: Tasks) -> Readings:
    """The words of the questions; what turning a fruit adds to the number of the first; its fruits; half; steps."""
    lists, pairs, named = questions(1), questions(2), fruits(1, settings.question - 1)
    first, then, apples, bit = len(lists[0]), len(pairs[0]), 0, 16
    words, pair, turns = zeros(first), zeros(2 * then), zeros(first)
    put(words, 0, lists[settings.question - 1])
    put(pair, 0, pairs[0])
    put(pair, then, pairs[1])
    for m in range(5):
        turns[4 + m] = float(bit if named[m] == 0 else -bit)
        apples += 1 - named[m]
        bit = bit // 2
    return {
        "words": words, "pair": pair, "turns": turns, "apples": [float(apples)], "oranges": [float(5 - apples)],
        "steps": [float(settings.steps)], "half": filled(len(steps_of(settings)), 0.5),
    }  # fmt: skip


def outcome(accuracy: Vector, luck: Vector, leads: Vector) -> Readings:
    """Of one run, at its end: whether it says apple, or orange, to the list; whether all lists are right, and in per
    cent how many; whether both pairs get one answer.
    """
    last = len(accuracy) - 1
    first, one, other = leads[3 * last], leads[3 * last + 1], leads[3 * last + 2]
    return {
        "apple": [1.0 if first > 0.0 else 0.0], "orange": [1.0 if first < 0.0 else 0.0],
        "all": [1.0 if accuracy[last] > 0.999 else 0.0], "right": [100.0 * accuracy[last]],
        "same": [1.0 if one * other > 0.0 else 0.0], "both": [1.0 if luck[last] > 0.999 else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """The words of both tasks in ink, by attention, in the colour of what they vote for; the answers; accuracy."""
    asked: dict[str, Any] = dict(words=[*WORDS, "?"], ideas=("theory", "first", "second"), asks=True, frames=True)
    look = Line("accuracy", "the lists", idea="fit"), Line("luck", "the pairs", idea="rival")
    return [
        ink(weights="listed", tokens="laws.words", groups="sides", pick="question", adds="laws.turns", title=LIST,
            group_names=("votes equally", "for apple", "for orange"), height=270, **asked,
            alt="A question. The five fruits of its list are the largest words, apples green and oranges purple; all "
                "other words are small and grey."),
        ink(weights="pair", tokens="laws.pair", groups="pair_sides", rows=2, row_names=("1", "2"), title=PAIR,
            height=270, **asked,
            alt="Two questions, of the same words in another order. All words are grey."),
        columns(heights="leads", names=("the list", "pair 1", "pair 2"), ylabel="apple − orange (output)",
                title=ANSWERS, height=150, wide=True, frames=True,
                alt="Three bars: that of the list goes down to orange; those of the pair are zero."),
        over_steps("Right answers", "accuracy (fraction)", *look, Line("laws.half", "a coin", theory=True),
                   ylim=(0, 1.05), height=150),
    ]  # fmt: skip


LAYERS = "of {runs} layers say so; {sum.all} of {runs} answer all 32 lists correctly."
READING = [
    [
        *waiting("a smaller start may help"),
        Say(f"Apple {{laws.apples}} times, orange {{laws.oranges}} times: apple, and {{sum.apple}} {LAYERS}",
            "laws.apples >= 3"),
        Say(f"Apple {{laws.apples}} times, orange {{laws.oranges}} times: orange, and {{sum.orange}} {LAYERS}"),
    ],
    [
        Say("The pair has the same words twice, and {sum.same} of {runs} layers give both the same answer.",
            "sum.both <= 0"),
        Say("The pair has the same words twice. {sum.same} of {runs} layers give both the same answer, {sum.both} tell "
            "them apart."),
    ],
]  # fmt: skip
TOUR = [
    Step("Before training all words get about the same attention, and none votes for a fruit.", time=0, point=LIST),
    Step("After a hundred steps the fruits of the list get about twice the attention of other words, and each votes "
         "for itself.", time=100, point=LIST),
    Step("So the average of the words holds the answer. Press a fruit: it turns into the other one.", time=100,
         point=ANSWERS),
    Step("Five apples.", question=1, point=LIST),
    Step("In the pair both fruits stand once, and every word votes for both equally.", time=100, point=PAIR),
    Step("Only the order differs, and an average has none: both questions get the same answer.", time=100,
         point=ANSWERS),
    Step("If tokens are not divided by their length, a random start is loud: one or two words have all attention.",
         unit=0, time=0, point=PAIR),
]  # fmt: skip
