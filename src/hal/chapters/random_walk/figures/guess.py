"""Game `random_walk-guess`: the reader against the layer of chapter 5, on the same walks; where does it go next?

Chapter `random_walk`. Source: the walk of arXiv 2511.23239, Section 2, on K = 6 nodes with p = 0.8 or 0.2. A task has
one of the two directions, so that the best possible accuracy is the same in all. The layer is the chapter's, trained
anew from zero on the walks so far, 8 steps at learning rate 1, with positional encodings ten times as long as a walk.
"""

from hal.chapters.random_walk.models.player import Learner, answer, learn, looks, player
from hal.chapters.random_walk.theory.watcher import Watcher, counted, guessed, watcher
from hal.figure import Player, Race, Say
from hal.figure.guesses import Sample
from lib.portable.primitives import Readings, remainder, whole_zeros, zeros
from lib.portable.random_numbers import below, generator, uniform

K = 6
T = 13  # positions before the target
P = 0.8  # probability of a move in the direction of the task
MANY = 100000  # walks of a task before those of the next begin


def direction(task: int) -> int:
    """Nodes clockwise of a move in the direction of a task: 1, or K - 1."""
    return 1 if below(generator(task, 0), 2) == 0 else K - 1


def sample(task: int, number: int) -> Sample:
    """One walk of a task; the last node before the target decides."""
    random, move = generator(MANY * task + number + 1, 1), direction(task)
    cells, right = whole_zeros(T), zeros(T)
    node = below(random, K)
    for t in range(T):
        cells[t] = node
        node = remainder(node + (move if uniform(random) < P else K - move), K)
    right[T - 1] = 1.0
    return Sample(cells, -1, node, right)


def layer(task: int) -> Learner:
    """The layer before its first walk, of whatever task."""
    return player(K, T + 1, 10 * (T + 1), 8)


def bayes(task: int) -> Watcher:
    """The watcher before its first walk, of whatever task."""
    return watcher(K)


def report(task: int, state: Learner) -> Readings:
    """`last` (1,), the attention on the last position in per cent; `most` (1,), the most attended position, from 1;
    `alike` (1,), how many have as much as that; `frames` (T,), the last position.
    """
    frames, most, alike = zeros(T), 0, 0.0
    frames[T - 1] = 1.0
    for t in range(T):
        if state.layer.S[t] > state.layer.S[most]:
            most = t
    for t in range(T):
        alike += 1.0 if state.layer.S[t] > state.layer.S[most] - 1e-9 else 0.0
    return {"last": [100.0 * state.layer.S[T - 1]], "most": [float(most + 1)], "alike": [alike], "frames": frames}


SAY = [
    Say("After each guess the layer is told the right letter, nothing more. So far its attention is uniform.",
        "seen == 0"),
    Say("After {seen:0} walks the layer gives {last:0}% of its attention to the last position: it has found the "
        "walker.", "last > 90"),
    Say("After 1 walk the layer looks equally at {alike:0} positions, those of the most frequent letters. The last "
        "position has {last:0}% of its attention.", "seen == 1"),
    Say("After {seen:0} walks the layer looks most at position {most:0}. The last position has {last:0}% of its "
        "attention."),
]  # fmt: skip


def figure() -> Race:
    """The game `random_walk-guess`, as the chapter shows it."""
    return Race(
        sample,
        name="random_walk-guess",
        title="Where does the walker go next?",
        hint="Six letters stand in a circle, A next to F. Each move goes to a neighbour, mostly in one direction.",
        letters="ABCDEF",
        mark="?",
        asks="next letter",
        question="What comes next?",
        reveal="Only the last position says where the walker is: {found}.",
        players=[
            Player("The layer", layer, answer, learn, idea="attention", trains=True),
            Player("A perfect watcher", bayes, guessed, counted, idea="bayes", blind=True),
        ],
        looks=looks,
        report=report,
        say=SAY,
        chance=1 / K,
        best=P,
    )
