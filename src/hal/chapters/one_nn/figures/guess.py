"""Game `one_nn-guess`: the reader against the layer of chapter 3, on the same prompts; which label has the query?

Chapter `one_nn`. Source: the task of arXiv 2411.10830 by its talk, N = 8 examples on a circle. The layer is the
textbook's, one prompt a step.
"""

from hal.chapters.one_nn.models import player as textbook_player
from hal.chapters.one_nn.models.player import Learner, learner
from hal.figure import Player, Race, Say
from hal.figure.guesses import Shapes
from lib.models.one_nn.textbook import draw_point
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, whole_zeros, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.vectors import argmax, dot

D = 2  # dimension
N = 8  # examples
RATE = 0.5  # of the layer: with one prompt a step a larger one drowns in noise
SIGMA = 3.0  # its self-penalty at the start
MANY = 100000  # prompts of a task before those of the next begin
FIRST = 48  # of the prompts: a clear one, on which the layer before training is wrong


def sample(task: int, number: int) -> Shapes:
    """One prompt of a task, its kinds the ranks by nearness: 0 for the nearest example, which decides."""
    random = generator(MANY * task + FIRST + number, 1)
    normal, asked, point, shapes = zeros(D), zeros(D), zeros(D), zeros(N * D)
    z, signs, ranks, right = zeros(N), whole_zeros(N), whole_zeros(N), zeros(N)
    draw_point(random, normal, asked)
    for j in range(N):
        draw_point(random, normal, point)
        z[j] = dot(point, asked)
        signs[j] = 0 if uniform(random) < 0.5 else 1
        for a in range(D):
            shapes[j * D + a] = point[a]
    for j in range(N):
        for k in range(N):
            ranks[j] += 1 if z[k] > z[j] else 0
    near = argmax(z)
    right[near] = 1.0
    return Shapes(ranks, -1, signs[near], right, shapes, asked, signs)


def layer(task: int) -> Learner:
    """The layer before its first prompt."""
    return learner(D, N, RATE, SIGMA)


def report(task: int, state: Learner) -> Readings:
    """`attention` (8,) by rank, mean over recent prompts, even before the first; `now` (8,) on the cells of the last;
    `nearest` (1,), attention on the nearest in per cent; `frames` (8,), the nearest.
    """
    shown, frames, even = zeros(N), zeros(N), 1.0 / (float(N) + exp(-SIGMA))
    for k in range(N):
        shown[k] = state.ranked[k] / state.weight if state.weight > 0.0 else even
    frames[0] = 1.0
    return {"attention": shown, "now": state.attention, "nearest": [100.0 * shown[0]], "frames": frames}


SAY = [
    Say("The layer is told only the label. It has just begun.", "seen < 20"),
    Say("After {seen} prompts the layer gives {nearest:0}% of its attention to the nearest example."),
]


def figure() -> Race:
    """The game `one_nn-guess`, as the chapter shows it."""
    return Race(
        sample,
        name="one_nn-guess",
        title="Find the nearest",
        hint="Eight labelled examples, each with the query drawn as an outline. Which is nearest to it?",
        letters=("nearest", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"),
        answers="+−",
        mark="?",
        asks="query",
        question="Its label?",
        reveal="Example {place} is the nearest and says {label}.",
        players=[
            Player("The layer", layer, textbook_player.answer, textbook_player.learn, idea="attention", trains=True)
        ],
        report=report,
        say=SAY,
        chance=0.5,
        best=1.0,
        more=1000,
    )
