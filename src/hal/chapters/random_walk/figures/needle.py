"""Small figure `random_walk-needle`: the direction of V, first along the probabilities, then along their square roots.

Chapter `random_walk`. Source: our own, the recursion of the entries of V once attention is on the parent, on K = 6
nodes at learning rate 1; attention is uniform for one step and on the parent after it.
"""

from typing import Any, NamedTuple

from hal.figure import Idea, Line, Say, Slider, lines
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, sqrt, zeros

K = 6
RECORDS = 81  # over five decades of steps
LAST = 100000
TITLE = "Probabilities or square roots?"
HINT = "Shrink the offset ε: the dip disappears."
SLIDERS = {
    "p": Slider("Probability of a clockwise move p", "no unit", 0.7, (0.55, 0.95), log=False),
    "epsilon": Slider("Offset ε of the loss", "no unit", 3.0, (0.01, 4.0), log=True),
}


class Loss(NamedTuple):
    """Of which walk, with which loss."""

    p: float
    epsilon: float


def settings(p: float, epsilon: float) -> Loss:
    """The probability of a clockwise move, the offset of the loss."""
    return Loss(p, epsilon)


def votes(settings: Loss, seed: int) -> Readings:
    """After how many steps (81,), the ratio of the vote back to the vote forward then (81,), that of the probabilities
    and of their square roots (81,); the first and the last of these steps at which the probabilities are nearer, 0 if
    none is.
    """
    p, epsilon = settings.p, settings.epsilon
    steps, ratio, given, root = zeros(RECORDS), zeros(RECORDS), zeros(RECORDS), zeros(RECORDS)
    forward, t, enters, leaves = 1.0 / (float(K * K) * epsilon), 1, 0.0, 0.0  # one step of uniform attention
    back = forward
    for i in range(RECORDS):
        wanted = exp(log(float(LAST)) * float(i) / float(RECORDS - 1))
        while float(t) < wanted - 0.5:
            forward += p / (float(K) * (forward + epsilon))
            back += (1.0 - p) / (float(K) * (back + epsilon))
            t += 1
        steps[i] = float(t)
        ratio[i] = back / forward
        given[i] = (1.0 - p) / p
        root[i] = sqrt(given[i])
        if ratio[i] < 0.5 * (given[i] + root[i]):
            enters = steps[i] if enters == 0.0 else enters
            leaves = steps[i]
    return {
        "after": steps, "ratio": ratio, "given": given, "root": root, "enters": [enters], "leaves": [leaves],
    }  # fmt: skip


def picture() -> Any:
    """The ratio over the steps, between two dashed lines."""
    series = [
        Line("votes.ratio", "the votes", idea="output", named_at=1.5),
        Line("votes.given", "probabilities", theory=True),
        Line("votes.root", "square roots", theory=True, dash=(2, 2)),
    ]  # fmt: skip
    return lines("votes.after", series, xlabel="training time (steps)", title="",
                 ylabel="vote for the unlikely move ÷ vote for the likely one (no unit)",
                 xlog=True, ylim=(0.0, 1.0), height=230)  # fmt: skip


def say() -> list[Say]:
    """Which of the two is nearer, and when."""
    return [
        Say("From step {votes.enters:0} to step {votes.leaves:0} the votes are nearer to the probabilities, later to "
            "their square roots.", "votes.enters >= 1", "votes.leaves > votes.enters"),
        Say("The votes are nearer to the square roots of the probabilities at all times."),
    ]  # fmt: skip


IDEA = Idea(
    "The ratio falls below that of the square roots, and comes back.",
    lambda drawn: drawn["votes.ratio"][-1] - drawn["votes.ratio"].min(),
    lambda drawn: 0.1,
    breaks={"epsilon": 0.05},
)
