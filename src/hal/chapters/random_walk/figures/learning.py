"""Figure `random_walk-learning`: visits, votes and attention, step by step, after whole rounds and with one node more.

Chapter `random_walk`. Source: arXiv 2511.23239, theorems on 0 < p < 1 and on p = 0 and 1 (N = rK + 1), and Section 5;
the layer with one node more is ours. Both runs are the textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import NODES, TABLE
from hal.chapters.random_walk.models.measures import attended_lag, distance
from hal.chapters.random_walk.models.watch import extra_votes, new_walk, right_on_new, spread_out, visits_of
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.figure import Say, Step, arcs, ring, sliders, waiting
from lib.models.random_walk import textbook
from lib.models.random_walk.textbook import Settings, State, attend, done, start, step
from lib.portable.primitives import Readings, Vector, Wholes, first, floor, nan, zeros
from lib.portable.vectors import filled
from lib.theory.random_walk.portable import best_accuracy

STEPS = 12
FEW = 4  # on walks without chance, of which two show all
EVEN, ODD = "Whole rounds: visits and votes", "One node more: visits and votes"
WHOLE, MORE = "Whole rounds: where the layer looks", "One node more: where the layer looks"
TITLE, RUN, FAST, COLUMNS, RUNS = "Will it learn the next move?", textbook, fast_runs, 2, 1
SLOW_REASON = "Two layers train, each on all walks at every step."
SLIDERS = sliders(TABLE, r=3, p=1.0, K=6, ratio=10.0, n=1000, lr_V=1.0, lr_W=1.0, epsilon=0.1)
HERO = True
PRIMARY_SLIDERS, PACE = ("r", "p"), (2.0, 3, 1.4)  # two seconds a step, while something happens
MOMENTS = {1: "Step 1: votes", 2: "Step 2: attention"}
BUTTONS = {
    "Always clockwise": {"p": 1.0, "ratio": 10.0},
    "Sometimes turns back": {"p": 0.7, "ratio": 10.0},
}


def settings(r: int, p: float, K: int, ratio: float, n: int, lr_V: float, lr_W: float, epsilon: float) -> Settings:
    """The run of these sliders on walks of whole rounds and the target, as many steps as have something to show."""
    N = r * K + 1
    M = max(N, floor(ratio * float(N) + 0.5))
    return Settings(K, N, p, M, n, lr_V, STEPS if p > 0.0 and p < 1.0 else FEW, epsilon, lr_W)


def laws(settings: Settings) -> Readings:
    """The best accuracy in per cent; sizes and cases."""
    K, p = settings.K, settings.p
    return {
        "best_per_cent": [100.0 * best_accuracy(p)], "steps": [float(settings.steps)], "K": [float(K)],
        "edge": [1.0 if p <= 0.0 or p >= 1.0 else 0.0],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Attention on the parent, the most attended lag; the distance of V's direction from the law of a step; votes (K,)
    by turn above the least, beside the most; fresh, right answers on new walks; attention (N - 1,) by place.
    """
    attend(state)
    last = state.settings.N - 1
    return {
        "parent": [state.S[last - 1]], "lag": [float(attended_lag(state.S))],
        "to_step": [distance(spread_out(state), state.settings.p)], "votes": extra_votes(state),
        "fresh": [right_on_new(state)], "attention": first(state.S, last),
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """The nodes (N - 1,) of the new walk and how often it visits each (K,); the same with one node more, and of that
    layer at every step votes, attention and right answers; how many of the two layers read the parent: NaN until the
    run ends.
    """
    s, frames = state.settings, state.settings.steps + 1
    walks = s.n if done(state) else 1  # before the end only the new walk is read
    other = start(Settings(s.K, s.N + 1, s.p, max(s.M, s.N + 1), walks, s.lr, s.steps, s.epsilon, s.lr_W), state.seed)
    walk, longer, right, parents = new_walk(state), new_walk(other), filled(frames, nan), nan
    votes, attention = filled(frames * s.K, nan), filled(frames * s.N, nan)
    if done(state):
        for t in range(frames):
            attend(other)
            put(votes, t * s.K, extra_votes(other))
            put(attention, t * s.N, first(other.S, s.N))
            right[t] = right_on_new(other)
            parents = (1.0 if state.S[s.N - 2] > 0.5 else 0.0) + (1.0 if other.S[s.N - 1] > 0.5 else 0.0)
            step(other)
    return {
        "walk": places_of(walk), "walk_more": places_of(longer), "visits": visits_of(walk, s.K),
        "visits_more": visits_of(longer, s.K), "votes_more": votes, "attention_more": attention, "more": right,
        "parents": [parents],
    }  # fmt: skip


def put(values: Vector, at: int, part: Vector) -> None:
    """Write some numbers into others, from `at` on."""
    for k in range(len(part)):
        values[at + k] = part[k]


def places_of(walk: Wholes) -> Vector:
    """The nodes of a walk that are seen, as numbers."""
    seen = zeros(len(walk) - 1)
    for j in range(len(seen)):
        seen[j] = float(walk[j])
    return seen


def run_metrics(parent: Vector, fresh: Vector, more: Vector, parents: Vector) -> Readings:
    """Right answers on new walks at the end in per cent, with one node more; layers that read the parent, and from
    which step on the first one does.
    """
    since = len(parent)
    while since > 0 and parent[since - 1] > 0.5:
        since -= 1
    return {
        "right": [100.0 * fresh[len(fresh) - 1]], "more": [100.0 * more[len(more) - 1]], "found": [parents[0]],
        "since": [float(since)],
    }  # fmt: skip


def panels() -> list[Any]:
    """Of both walks the circle with visits and votes, and under it the attention."""
    circles = (EVEN, "", "fresh", "every node has 3 visits"), (ODD, "_more", "more", "one node has 4 visits")
    looks = (WHOLE, "", "whole rounds"), (MORE, "_more", "one node more")
    return [
        *(ring(walk=f"walk{end}", nodes="laws.K", fill=f"votes{end}", fill_is="extra vote",
               fill_idea="output", tally=f"visits{end}", right=right, names=list(NODES), frames=True, title=title,
               height=210, alt=f"A circle of six nodes with their visits: {words}.")
          for title, end, right, words in circles),
        *(arcs(weights=f"attention{end}", tokens=f"walk{end}", letters=NODES, frames=True, title=title, height=100,
               alt=f"The nodes of a walk of {words} in a row. Arcs of one strength lead to all of them.")
          for title, end, words in looks),
    ]  # fmt: skip


CHANCE = "laws.edge == 0"
READING = [
    [
        *waiting(),
        Say("After {laws.steps} steps: whole rounds, 1 answer in {laws.K} right; one node more, all right.",
            "laws.edge == 1"),
        Say("Both layers find the last node seen; after whole rounds it has most of the attention from step {since:0} "
            "on.", "found == 2"),
        Say("One of the two layers gives most of its attention to the last node seen.", "found == 1"),
        Say("Neither layer gives most of its attention to the last node seen."),
    ],
    [
        Say("Both layers are right {right:1}% of the time, the best possible.", CHANCE,
            "right == laws.best_per_cent", "more == laws.best_per_cent"),
        Say("{right:1}% of the answers are right after whole rounds and {more:1}% with one node more; no predictor can "
            "beat {laws.best_per_cent:1}%.", CHANCE, "right <= laws.best_per_cent", "more <= laws.best_per_cent"),
        Say("On 500 new walks {right:1}% of the answers are right after whole rounds and {more:1}% with one node more.",
            CHANCE),
    ],
]  # fmt: skip
TOUR = [
    Step("After whole rounds all nodes were visited equally often.", time=0, point=EVEN),
    Step("With one node more, the walker's node was visited once more.", time=0, point=ODD),
    Step("The first training step turns visits into votes. The extra visit gives its node an extra vote for the node "
         "one step ahead.", time=1, point=ODD),
    Step("The second step turns votes into attention, on every sixth position.", time=2, point=MORE),
    Step("Where all votes are equal no position ever gains attention.", time=4, point=WHOLE),
    Step(Say("If the walker sometimes turns back, both layers learn: after two steps all attention is on the last "
             "node seen.", "found == 2"),
         "If the walker sometimes turns back, both layers can learn to look at the last node seen.", time=2,
         p=0.7, point=WHOLE),
]  # fmt: skip
