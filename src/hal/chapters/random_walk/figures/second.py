"""Small figure `random_walk-second`: which lag the second step raises most, and why: its votes for the target.

Chapter `random_walk`. Source: ours, the lag signal of `lib.theory.random_walk`; walks go round five times.
"""

from typing import NamedTuple

from hal.chapters.random_walk.figures._shared import NODES
from hal.figure import Idea, Say, Slider, columns, ring
from lib.portable.primitives import Readings, remainder, zeros
from lib.portable.vectors import add, argmax, largest, smallest
from lib.theory.random_walk.portable import arrivals, lag_signal

LAGS = 6
ROUNDS = 5
TALLEST = 485  # a ring of six nodes beside its bars, under a hint of two lines
TITLE = "Who votes most for the target?"
HINT = "Blue: more votes than average; purple: fewer. Black: the chance that the target is there. Click another bar."
SLIDERS = {
    "lag": Slider("Lag of the token", "steps before the target", 1, (1, LAGS), hidden=True),
    "K": Slider("Nodes K", "nodes", 6, (4, 30), log=False),
    "p": Slider("Clockwise chance p", "no unit", 0.8, (0.5, 0.95), log=False),
}


class Choice(NamedTuple):
    """Whose votes, on which circle, on which walks."""

    lag: int
    K: int
    p: float


def settings(lag: int, K: int, p: float) -> Choice:
    """The lag of the token, nodes of the circle, probability of a clockwise move."""
    return Choice(lag, K, p)


def fit(settings: Choice) -> Readings:
    """From the token's node on, clockwise: its votes after the first step above the mean (K,), and where the target is
    (K,); by lag, the votes for the target above the mean (6,), in visits; sizes and cases.
    """
    K, p = settings.K, settings.p
    here, votes, signal = arrivals(K, p, 1), zeros(K), lag_signal(K, p, ROUNDS * K + 1, LAGS)
    for _ in range(ROUNDS * K):
        add(votes, 1.0, here)
        there = zeros(K)
        for k in range(K):
            there[k] = p * here[remainder(k + K - 1, K)] + (1.0 - p) * here[remainder(k + 1, K)]
        here = there
    best = argmax(signal)
    for k in range(K):
        votes[k] -= float(ROUNDS)
    for i in range(LAGS):
        signal[i] -= float(ROUNDS)
    return {
        "token": [0.0], "nodes": [float(K)], "votes": votes, "target": arrivals(K, p, settings.lag), "signal": signal,
        "lag": [float(settings.lag)], "best": [0.0 if largest(signal) - smallest(signal) < 1e-9 else float(best + 1)],
    }  # fmt: skip


def picture() -> tuple[ring, columns]:
    """The circle seen from the token, with its votes and the target; the votes for the target, lag by lag."""
    return (
        ring(
            walk="fit.token", nodes="fit.nodes", fill="fit.votes", fill_is="vote", fill_idea="output",
            dots="fit.target", dots_are="chance", names=list(NODES), height=320,
            alt="A circle with the parent at the top. Most of the black dots, where the target can be, lie beside the "
                "next node clockwise, which has most of its votes. In the middle chance times vote.",
        ),
        columns(
            heights="fit.signal", pick="lag", height=320, ylabel="chance × vote, by lag (1: the parent)",
            names=[str(k) for k in range(1, LAGS + 1)],
            alt="A column for each lag from 1 to 6. The first, the parent's, is by far the highest.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Which lag wins."""
    return [
        Say("The parent votes most for the target: attention goes to lag 1.", "fit.best == 1"),
        Say("All lags vote equally for the target: attention has nowhere to go.", "fit.best == 0"),
        Say("The token at lag {fit.best} votes most for the target: attention goes there, not to the parent."),
    ]  # fmt: skip


IDEA = Idea(
    "The parent's column is the highest.",
    lambda drawn: drawn["fit.signal"][0],
    lambda drawn: drawn["fit.signal"][1:].max(),
    breaks={"K": 30, "p": 0.75},
)
