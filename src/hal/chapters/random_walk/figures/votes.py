"""Small figure `random_walk-votes`: how well the votes of the first step fit the targets of a token at each lag.

Chapter `random_walk`. Source: our own, the lag signal of the second step on the walk of arXiv 2511.23239, Section 2.
"""

from typing import NamedTuple

from hal.explorer import Idea, Path, Say, Slider, points, stems
from lib.portable.primitives import Readings, remainder, zeros
from lib.portable.vectors import argmax, dot
from lib.theory.random_walk.portable import arrivals

N = 151
LAGS = 12
NEAR = 1e-9  # heights that differ by rounding are one
TITLE = "Large circles favour an older lag"
HINT = "Compare lag 1 and lag 5: attention goes where the dots lie highest."
SLIDERS = {
    "lag": Slider("Lag of the token", "moves back", 5, (1, LAGS), log=False),
    "p": Slider("Probability of a clockwise move p", "no unit", 0.75, (0.5, 0.95), log=False, hidden=True),
    "K": Slider("Nodes K", names={12: "12", 18: "18", 20: "20", 30: "30"}, default=30),
}


class Fit(NamedTuple):
    """Which token, of which walk."""

    lag: int
    p: float
    K: int


def settings(lag: int, p: float, K: int) -> Fit:
    """The lag in moves, the probability of a clockwise move, the nodes of the circle."""
    return Fit(lag, p, K)


def votes(settings: Fit, seed: int) -> Readings:
    """Votes V(1) over their mean by shift, -K/2 to K/2 (K,), a one on the shift before and after the token's own node;
    probabilities (K,) of the target of this lag; mean height of its cloud (1,) and its ends; of all lags (12,) what
    they lead lag 1 by, in per cent of the mean vote, which is chosen (12,), the highest (1,).
    """
    K, half = settings.K, settings.K // 2
    sums, shift, height, cloud = zeros(K), zeros(K), zeros(K), zeros(K)
    for m in range(1, N):
        here = arrivals(K, settings.p, m)
        for k in range(K):
            sums[k] += here[k] * float(K) / float(N - 1)
    chosen = arrivals(K, settings.p, settings.lag)
    for i in range(K):
        node = remainder(i - half + K, K)
        shift[i] = float(i - half)
        height[i] = sums[node]
        cloud[i] = chosen[node]
    means, above, mark = zeros(LAGS), zeros(LAGS), zeros(LAGS)
    for lag in range(LAGS):
        means[lag] = dot(sums, arrivals(K, settings.p, lag + 1))
        above[lag] = 100.0 * (means[lag] - means[0])
    mark[settings.lag - 1] = 1.0
    level, best = means[settings.lag - 1], argmax(means)
    return {
        "shift": shift, "height": height, "cloud": cloud, "ends": [-15.5, 15.5], "level": [level, level],
        "above": above, "mark": mark, "lag": [float(settings.lag)], "best": [float(best + 1)],
        "here": [level], "parent": [means[0]], "wins": [1.0 if means[best] - level < NEAR else 0.0],
    }  # fmt: skip


def picture() -> tuple[points, stems]:
    """The votes by shift, dots where a target of the chosen lag can be, their mean height; the mean heights of all."""
    return (
        points(
            x="votes.shift", y="votes.height", weights="votes.cloud", xlim=(-15.5, 15.5), ylim=(0.7, 1.5), height=190,
            ideas=("attention",), lines=[
                Path("votes.shift", "votes.height", "votes", idea="output"),
                Path("votes.ends", "votes.level", "mean of the dots", idea="attention"),
            ], xlabel="shift from the token (nodes clockwise)", ylabel="vote over the mean vote",
            alt="Votes by shift fall slowly from left to right, but for a steep rise around the token's node, at 0; "
            "dots on them show where the target of the chosen lag can be.",
        ),
        stems(
            values="votes.above", true="votes.mark", true_is="chosen", xlabel="lag", height=110,
            ylabel="mean of the dots, % above lag 1",
            alt="Columns, one a lag: how far its dots lie above those of lag 1; the chosen one, lag 5, is highest.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How high this cloud lies, and whose is the highest."""
    return [
        Say("The cloud of lag {votes.lag} lies highest, at {votes.here} of the mean vote: the second step favours it.",
            "votes.wins == 1"),
        Say("The cloud of lag {votes.lag} lies at {votes.here} of the mean vote; highest is that of lag {votes.best}, "
            "and the second step favours it."),
    ]  # fmt: skip


IDEA = Idea(
    "On a large circle with a strong bias the cloud of another lag lies higher than the parent's.",
    lambda drawn: drawn["votes.above"][1:].max(),
    lambda drawn: drawn["votes.above"][0],
    breaks={"K": 12},
)
