"""Figure `random_walk-questions`: two question tasks as sentences, where a layer looks and what each word votes for.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 6; that tokens have length 1 is our reading. A run trains on
all questions of a task.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models import tasks
from hal.chapters.random_walk.models.full import State, output, weigh
from hal.chapters.random_walk.models.measures import LEAST, predicted
from hal.chapters.random_walk.models.tasks import Both, Tasks, fruits, questions
from hal.figure import Say, Step, ink, sliders, waiting
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector, Wholes, nan, zeros

STEPS = 100
CLEAR = 0.1  # by which one vote must exceed the other to count, and
PART = 0.2  # by which part of the larger one
WORDS = [
    *("apple", "orange", "Based", "on", "the", "which", "type", "of", "fruit", "list", "appears", "most"),
    *("frequently", "sentence", "I", "prefer", "an", "to", "do"),
]
ASKS = 19.0  # the empty token among the words
LIST, PAIR = "A list: which fruit is named most?", "A pair: the same words, two answers"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Two tasks, word by word", tasks, 2, 8, 1
SLIDERS = sliders(TABLE, question=16, lr=(0.1, 0.001, 1.0), unit=1, sigma=(0.01, 1e-4, 0.03))
PRIMARY_SLIDERS, MEDIAN = ("lr", "unit", "sigma"), "divergence"


def settings(question: int, lr: float, unit: int, sigma: float) -> Tasks:
    """One of the 32 questions of the first task, and both of the second."""
    return Tasks(question, lr, sigma, unit, STEPS, 1000, 0.1)


def put(words: Vector, at: int, walk: Wholes) -> None:
    """The words of a question from `at` on; in place of its answer the token that asks."""
    for j in range(len(walk)):
        words[at + j] = float(walk[j]) if j < len(walk) - 1 else ASKS


def laws(settings: Tasks) -> Readings:
    """The words of the questions; what turning a fruit adds to the number of the first; its fruits."""
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
    }  # fmt: skip


def side(apple: float, orange: float) -> float:
    """1 where apple has clearly more votes, 2 where orange has, else 0."""
    clear = max(CLEAR, PART * max(abs(apple), abs(orange)))
    return 1.0 if apple - orange > clear else 2.0 if orange - apple > clear else 0.0


def answers(layer: State) -> tuple[float, float]:
    """Means over the questions of a task: right answers, and nats from them, what is negative counting as almost
    nothing.
    """
    right, apart, share = 0.0, 0.0, 1.0 / float(layer.settings.n)
    for i in range(layer.settings.n):
        walk, norm = layer.walks[i], 0.0
        found, answer = output(layer, walk), walk[len(walk) - 1]
        for k in range(len(found)):
            norm += max(found[k], LEAST)
        right += share if predicted(found) == answer else 0.0
        apart -= share * log(max(found[answer], LEAST) / norm)
    return right, apart


def look(layer: State, which: int, at: int, attention: Vector, sides: Vector) -> float:
    """Put attention and sides of a question's words into arrays from `at` on, NaN and 0 of the empty token; by how much
    the output has more apple than orange.
    """
    walk, V, S, more = layer.walks[which], layer.V, layer.S, 0.0
    output(layer, walk)
    last = len(walk) - 1
    for j in range(last):
        attention[at + j] = S[j]
        sides[at + j] = side(V[0][walk[j]], V[1][walk[j]])
        more += S[j] * V[0][walk[j]] - S[j] * V[1][walk[j]]
    attention[at + last] = nan
    return more


def probe(state: Both) -> Readings:
    """Accuracy and divergence of both tasks; attention and sides by word, of task 1 (17,) and of the two questions of
    task 2 one after the other (38,); by how much each of the three outputs has more apple than orange (3,).
    """
    lists, pairs, first, then = state.lists, state.pairs, state.lists.settings.N, state.pairs.settings.N
    listed, sides, pair, pair_sides = zeros(first), zeros(first), zeros(2 * then), zeros(2 * then)
    weigh(lists)
    weigh(pairs)
    right, apart = answers(lists)
    luck, far = answers(pairs)
    leads = [
        look(lists, state.settings.question - 1, 0, listed, sides), look(pairs, 0, 0, pair, pair_sides),
        look(pairs, 1, then, pair, pair_sides),
    ]  # fmt: skip
    return {
        "accuracy": [right], "divergence": [apart], "luck": [luck], "apart": [far], "listed": listed, "pair": pair,
        "sides": sides, "pair_sides": pair_sides, "leads": leads,
    }  # fmt: skip


def run_metrics(luck: Vector, leads: Vector) -> Readings:
    """Of one run, at its end: whether it says apple, or orange, to the list; whether both questions of the pair get one
    answer, and whether both are right.
    """
    last = len(luck) - 1
    first, one, other = leads[3 * last], leads[3 * last + 1], leads[3 * last + 2]
    return {
        "apple": [1.0 if first > 0.0 else 0.0], "orange": [1.0 if first < 0.0 else 0.0],
        "same": [1.0 if one * other > 0.0 else 0.0], "both": [1.0 if luck[last] > 0.999 else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """The words of both tasks in ink, by attention, in the colour of what they vote for."""
    asked: dict[str, Any] = dict(words=[*WORDS, "?"], ideas=("theory", "second", "attention"), asks=True, frames=True)
    return [
        ink(weights="listed", tokens="laws.words", groups="sides", pick="question", adds="laws.turns", title=LIST,
            group_names=("votes equally", "for apple", "for orange"), height=250, **asked,
            alt="A question. The five fruits of its list are the largest words, apples green and oranges orange; all "
                "other words are small and grey."),
        ink(weights="pair", tokens="laws.pair", groups="pair_sides", rows=2, row_names=("1", "2"), title=PAIR,
            height=250, **asked,
            alt="Two questions, of the same words in another order. All words are grey."),
    ]  # fmt: skip


READING = [
    [
        *waiting("a smaller start may help"),
        Say("Of five fruits {laws.apples} are apples: {sum.apple} of {runs} layers say apple.", "laws.apples >= 3"),
        Say("Of five fruits {laws.oranges} are oranges: {sum.orange} of {runs} layers say orange."),
    ],
    [
        Say("The two questions of the pair get one answer from {sum.same} of {runs} layers.", "sum.both <= 0"),
        Say("The two questions of the pair get one answer from {sum.same} of {runs} layers; {sum.both} tell "
            "them apart."),
    ],
]  # fmt: skip
TOUR = [
    Step("Before training all words get about the same attention, and none votes for a fruit.", time=0, point=LIST),
    Step("After a hundred steps the fruits of the list get about twice the attention of other words, and each votes "
         "for itself.", time=100, point=LIST),
    Step("So the average of the words holds the answer. Press a fruit: it turns into the other one.", time=100,
         point=LIST),
    Step("Five apples.", question=1, point=LIST),
    Step("In the pair both fruits stand once, and every word votes for both equally.", time=100, point=PAIR),
    Step("Only the order differs, and an average has none: both questions get the same answer.", time=100,
         point=PAIR),
    Step("If tokens are not divided by their length, a random start is loud: one or two words have all attention.",
         unit=0, time=0, point=PAIR),
]  # fmt: skip
