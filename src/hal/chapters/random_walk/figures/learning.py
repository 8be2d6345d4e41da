"""Figure `random_walk-learning`: visits, votes and attention, step by step, after whole rounds and with one node more.

Chapter `random_walk`. Source: arXiv 2511.23239, theorems on 0 < p < 1 and on p = 0 and 1 (N = rK + 1), and Section 5;
the layer with one node more is ours. Both runs are the textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models.measures import attended_lag, distance
from hal.chapters.random_walk.models.watch import extra_visits, extra_votes, new_walk, right_on_new, spread_out
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.figure import Line, Say, Step, arcs, bars, sliders, waiting
from lib.models.random_walk import textbook
from lib.models.random_walk.textbook import Settings, State, attend, done, start, step
from lib.portable.primitives import Readings, Vector, Wholes, first, floor, nan, zeros
from lib.portable.vectors import filled
from lib.theory.random_walk.portable import best_accuracy

STEPS = 30
FEWEST = 10
WORK = 3e6  # tokens that a run reads; it ends where they are spent, after FEWEST steps at the earliest
NODES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"
VISITS, VOTES = "Extra visits of each node", "Extra votes of a token"
WHOLE, MORE = "Whole rounds: where the layer looks", "One node more: where the layer looks"
TITLE, RUN, FAST, COLUMNS = "Will it learn the next step?", textbook, fast_runs, 2
RUNS, PRECOMPUTED_RUNS = 5, 1
SLIDERS = sliders(TABLE, r=16, p=1.0, K=6, ratio=10.0, n=300, lr_V=1.0, lr_W=1.0, epsilon=0.1)
HERO, MEDIAN = True, "parents"
PRIMARY_SLIDERS, PACE = ("r", "p"), (1.0, 3)  # a second a step, while something happens
BUTTONS = {
    "Always clockwise": {"p": 1.0, "ratio": 10.0},
    "Turns back at times": {"p": 0.7, "ratio": 10.0},
}


def settings(r: int, p: float, K: int, ratio: float, n: int, lr_V: float, lr_W: float, epsilon: float) -> Settings:
    """The run of these sliders on walks of whole rounds and the target, as many steps as a page can take."""
    N = r * K + 1
    steps = floor(WORK / float(n * N))
    M = max(N, floor(ratio * float(N) + 0.5))
    return Settings(K, N, p, M, n, lr_V, max(FEWEST, min(STEPS, steps)), epsilon, lr_W)


def laws(settings: Settings) -> Readings:
    """Turns; the best accuracy in per cent; sizes and cases."""
    K, p = settings.K, settings.p
    turns = zeros(K)
    for k in range(K):
        turns[k] = float(k)
    return {
        "turns": turns, "best_per_cent": [100.0 * best_accuracy(p)],
        "steps": [float(settings.steps)], "K": [float(K)], "edge": [1.0 if p <= 0.0 or p >= 1.0 else 0.0],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Attention on the parent, the most attended lag; the distance of V's direction from the law of a step; votes (K,)
    by turn above the least, beside the most; fresh, right answers on new walks; attention (N - 1,) by place; visits of
    each node (K,) on one new walk above the least.
    """
    attend(state)
    last = state.settings.N - 1
    return {
        "parent": [state.S[last - 1]], "lag": [float(attended_lag(state.S))],
        "to_step": [distance(spread_out(state), state.settings.p)], "votes": extra_votes(state),
        "fresh": [right_on_new(state)], "attention": first(state.S, last),
        "visits": extra_visits(new_walk(state), state.settings.K),
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """The nodes (N - 1,) of the new walk; the same with one node more, and of that layer at every step visits, votes,
    attention, and right answers at the end; how many of the two layers read the parent: NaN until the run ends.
    """
    s, frames = state.settings, state.settings.steps + 1
    walks = s.n if done(state) else 1  # before the end only the new walk is read
    other = start(Settings(s.K, s.N + 1, s.p, max(s.M, s.N + 1), walks, s.lr, s.steps, s.epsilon, s.lr_W), state.seed)
    longer, right, parents = new_walk(other), nan, nan
    visits, votes, attention = zeros(frames * s.K), filled(frames * s.K, nan), filled(frames * s.N, nan)
    for t in range(frames):
        put(visits, t * s.K, extra_visits(longer, s.K))
        if done(state):
            attend(other)
            put(votes, t * s.K, extra_votes(other))
            put(attention, t * s.N, first(other.S, s.N))
            if t == s.steps:
                right = right_on_new(other)
                parents = (1.0 if state.S[s.N - 2] > 0.5 else 0.0) + (1.0 if other.S[s.N - 1] > 0.5 else 0.0)
            step(other)
    return {
        "walk": places_of(new_walk(state)), "walk_more": places_of(longer), "visits_more": visits, "votes_more": votes,
        "attention_more": attention, "more": [right], "parents": [parents],
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


def run_metrics(fresh: Vector, more: Vector, parents: Vector) -> Readings:
    """Of one run: right answers on new walks in per cent, with one node more; layers, those that read the parent."""
    return {
        "right": [100.0 * fresh[len(fresh) - 1]], "more": [100.0 * more[0]], "layers": [2.0], "found": [parents[0]],
    }  # fmt: skip


def panels() -> list[Any]:
    """Visits and votes of both walks; attention of either, side by side."""
    visits = [Line("visits", "whole rounds", idea="data"), Line("visits_more", "one node more", idea="rival")]
    votes = [Line("votes", "whole rounds", idea="output"), Line("votes_more", "one node more", idea="rival")]
    looks = (WHOLE, "", "whole rounds"), (MORE, "_more", "one node more")
    return [
        bars("laws.turns", visits, frames=True, title=VISITS,
             xlabel="node (number)", ylabel="visits above the least (times)", height=115),
        bars("laws.turns", votes, frames=True, title=VOTES, xlabel="steps ahead of the token (nodes)", height=115,
             ylabel="votes above the least (share)", ylim=(0, 1.02)),
        *(arcs(weights=f"attention{end}", tokens=f"walk{end}", letters=NODES, frames=True, title=title, height=110,
               alt=f"The nodes of a walk of {words} in a row. Arcs of one strength lead to all of them.")
          for title, end, words in looks),
    ]  # fmt: skip


CHANCE = "laws.edge == 0"
READING = [
    [
        *waiting(),
        Say("After {laws.steps} steps {right:1}% of the answers are right after whole rounds, and {more:0}% with one "
            "node more.", "laws.edge == 1"),
        Say("In {runs} runs {sum.found} of {sum.layers} layers look at the parent."),
    ],
    [
        Say("The median accuracy is {right:1}% after whole rounds and {more:1}% with one node more; no predictor can "
            "beat {laws.best_per_cent:1}%.", CHANCE, "right <= laws.best_per_cent", "more <= laws.best_per_cent"),
        Say("The median accuracy on 500 new walks is {right:1}% after whole rounds and {more:1}% with one node more.",
            CHANCE),
    ],
]  # fmt: skip
TOUR = [
    Step("After whole rounds all nodes were visited equally often. With one node more, one was visited once more.",
         time=0, point=VISITS),
    Step("The first step turns visits into votes. Equal visits give equal votes; one visit more gives one vote more.",
         time=1, point=VOTES),
    Step("The second step turns votes into attention, on every sixth position.", time=2, point=MORE),
    Step("Where all votes are equal no position gains, at any time.", time=30, point=WHOLE),
    Step(Say("If the walker turns back at times, both layers learn: after two steps all attention is on the last "
             "node seen.", "sum.found == sum.layers"),
         "If the walker turns back at times, both layers learn, and most look at the last node seen.", time=2,
         p=0.7, point=WHOLE),
]  # fmt: skip
