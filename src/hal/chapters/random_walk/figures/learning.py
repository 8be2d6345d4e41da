"""Figure `random_walk-learning`: where the layer looks, what it answers on one walk round the circle, and V by turn.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on 0 < p < 1 and Section 5; that V turns towards the root is
ours. The run is the textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models.measures import attended_lag, by_turn, distance
from hal.chapters.random_walk.models.watch import new_walk, right_on_new, spread_out, turned_output
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.figure import Line, Say, Step, arcs, bars, over_steps, ring, sliders, waiting
from lib.models.random_walk import textbook
from lib.models.random_walk.textbook import Settings, State, attend, records, turns_of
from lib.portable.primitives import Readings, Vector, first, floor, nan, remainder, zeros
from lib.portable.vectors import filled
from lib.theory.random_walk.portable import best_accuracy, turn_law

STEPS = 60
FEWEST = 12
WORK = 5e6  # tokens that a run reads; it ends where they are spent, after FEWEST steps at the earliest
NODES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd"
LOOKS, ROUND, VOTES = "Where the layer looks", "Answer: the bluest node", "What a token votes for"
RIGHT = "Right answers"
TITLE, RUN, FAST, COLUMNS = "Will it learn the next step?", textbook, fast_runs, 3
RUNS, PRECOMPUTED_RUNS = 5, 1
SLIDERS = sliders(TABLE, places=96, p=1.0, K=6, ratio=10.0, n=300, lr_V=1.0, lr_W=1.0, epsilon=0.1)
HERO, MEDIAN = True, "fresh"
PRIMARY_SLIDERS, PACE = ("places", "p", "ratio"), (1.0, 3)  # a second a step, while something happens
BUTTONS = {"96 nodes": {"p": 1.0, "places": 96}, "97 nodes": {"p": 1.0, "places": 97}}


def settings(places: int, p: float, K: int, ratio: float, n: int, lr_V: float, lr_W: float, epsilon: float) -> Settings:
    """The run of these sliders, as many steps as a page can take; a walk is one longer than what is seen of it."""
    N = places + 1
    steps = floor(WORK / float(n * N))
    M = max(N, floor(ratio * float(N) + 0.5))
    return Settings(K, N, p, M, n, lr_V, max(FEWEST, min(STEPS, steps)), epsilon, lr_W)


def laws(settings: Settings) -> Readings:
    """Turns; by turn the law of a step, where there is chance; the best accuracy; sizes and cases."""
    K, p, edge = settings.K, settings.p, settings.p <= 0.0 or settings.p >= 1.0
    turns, law = zeros(K), turn_law(K, p)
    for k in range(K):
        turns[k] = float(k)
    return {
        "turns": turns, "step": filled(K, nan) if edge else law,
        "best": filled(len(records(settings.steps)), best_accuracy(p)), "best_per_cent": [100.0 * best_accuracy(p)],
        "steps": [float(settings.steps)], "K": [float(K)], "edge": [1.0 if edge else 0.0],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Attention on the parent, the most attended lag; the distance of V's direction from the law of a step; by_turn
    (K,), mean entry of V / |V| sqrt(K) by the turn from its token to its node; fresh, right answers on new walks;
    attention (N - 1,) by place, oldest first; outputs (K,) by node, on a new walk.
    """
    K, last = state.settings.K, state.settings.N - 1
    attend(state)
    V, walk, outputs = spread_out(state), new_walk(state), zeros(K)
    turned = turned_output(state, turns_of(walk, K))
    for k in range(K):
        outputs[remainder(walk[last] + k, K)] = turned[k]
    return {
        "parent": [state.S[last - 1]], "lag": [float(attended_lag(state.S))],
        "to_step": [distance(V, state.settings.p)], "by_turn": by_turn(V), "fresh": [right_on_new(state)],
        "attention": first(state.S, last), "outputs": outputs,
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """The new walk's nodes (N - 1,), and a mark (K,) on its target."""
    nodes, last = new_walk(state), state.settings.N - 1
    walk, target = zeros(last), zeros(state.settings.K)
    for j in range(last):
        walk[j] = float(nodes[j])
    target[nodes[last]] = 1.0
    return {"walk": walk, "target": target}


def run_metrics(fresh: Vector, parent: Vector) -> Readings:
    """Of one run, at its end: right answers on new walks in per cent; whether it reads the parent."""
    last = len(fresh) - 1
    return {"right": [100.0 * fresh[last]], "found": [1.0 if parent[last] > 0.5 else 0.0]}


def panels() -> list[Any]:
    """Attention on all places of a new walk, the answers on its circle, V by turn, right answers."""
    votes = [Line("by_turn", "votes", idea="output"), Line("laws.step", "probabilities", theory=True)]
    right = Line("fresh", "new walks", idea="test"), Line("laws.best", "best", theory=True)
    return [
        arcs(weights="attention", tokens="walk", letters=NODES, frames=True, title=LOOKS, height=170, wide=True,
             alt="A row of places, the nodes of a walk in order. Arcs of one strength lead from the asking node to all "
                 "of them: nothing is learned."),
        ring(walk="walk", nodes="laws.K", names=NODES, attention="attention", fill="outputs", marked="target",
             fill_is="output", fill_idea="output", frames=True, title=ROUND, height=230,
             alt="A circle of nodes with the walker and the walk's last steps. All nodes are inked alike, and the one "
                 "that comes next has a frame."),
        bars("laws.turns", votes, frames=True, xlabel="steps clockwise (nodes)",
             ylabel="votes, scaled to length one (no unit)", title=VOTES, ylim=(-0.15, 1.02), height=200),
        over_steps(RIGHT, "accuracy on new walks (share)", *right, ylim=(0, 1.02), height=200),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("After {laws.steps} steps all answers are right.", "laws.edge == 1", "right > 99.9"),
        Say("After {laws.steps} steps {right:1}% of the answers are right.", "laws.edge == 1"),
        Say("{sum.found} of {runs} runs read the last position. The median accuracy is {right:1}%; no predictor can "
            "beat {laws.best_per_cent:1}%.", "right <= laws.best_per_cent"),
        Say("{sum.found} of {runs} runs read the last position. The median accuracy on 500 new walks is {right:1}%."),
    ],
]  # fmt: skip
TOUR = [
    Step("At the start everything is zero: all positions get the same attention, and no answer is better than another.",
         time=0, p=0.7, point=LOOKS),
    Step("The first step changes V alone. A token votes a little for every node that it was seen with.", time=1, p=0.7,
         point=VOTES),
    Step(Say("The second step finds the parent: all attention jumps to the last position.", "sum.found == runs"),
         "The second step finds the parent in most runs: all attention jumps to the last position.", time=2, p=0.7,
         point=LOOKS),
    Step(Say("From here on it is right in {right:0}% of new walks. No predictor can beat {laws.best_per_cent:0}%.",
             "right <= laws.best_per_cent"),
         "From here on it is right about as often as any predictor can be.", time=60, p=0.7, point=RIGHT),
    Step("But the votes do not end at the probabilities: they go to their square roots.", time=60, p=0.7, point=VOTES),
    Step("A walk that only goes clockwise, the easiest of all: nothing is learned, at any time.", point=RIGHT),
    Step("One more node, 97, and the same layer is right at once.", places=97, point=RIGHT),
]  # fmt: skip
