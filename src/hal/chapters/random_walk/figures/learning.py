"""Figure `random_walk-learning`: a layer learns the step of a walk; V beside the law and its root, attention by lag.

Chapter `random_walk`. Source: arXiv 2511.23239, theorem on 0 < p < 1 and Section 5; that V turns towards the root is
ours. The run is the textbook's population by turns.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE, attention_by_lag
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.explorer import Line, Say, Step, bars, over_steps, sliders, waiting
from lib.models.random_walk import textbook_turns
from lib.models.random_walk.textbook_measures import LAGS, sixtieths
from lib.models.random_walk.textbook_task import LOG, Settings
from lib.portable.primitives import Readings, Vector, floor, nan, zeros
from lib.portable.vectors import filled, numbered
from lib.theory.random_walk.portable import best_accuracy, law_distance, turn_laws

STEPS = 60
FEWEST = 12
WORK = 5e6  # tokens that a run reads; it ends where they are spent, after FEWEST steps at the earliest
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST, FOLDED = "Learning to take the next step", textbook_turns, fast_runs, 3, 5, 1, 3
SLIDERS, HERO, MEDIAN = sliders(TABLE, K=6, N=97, p=0.7, ratio=10.0, n=300, lr=1.0, epsilon=0.1), True, "loss"


def settings(K: int, N: int, p: float, ratio: float, n: int, lr: float, epsilon: float) -> Settings:
    """The run of these sliders, as many steps as a page can take."""
    steps = floor(WORK / float(n * N))
    M = max(N, floor(ratio * float(N) + 0.5))
    return Settings(K, N, p, M, n, lr, max(FEWEST, min(STEPS, steps)), epsilon, LOG, 0.0, 0)


def laws(settings: Settings) -> Readings:
    """Lags, turns; the law of a step and its root by turn; what accuracy and distance can reach; sizes and cases."""
    p, count = settings.p, len(sixtieths(settings.steps))
    turns = zeros(settings.K)
    for k in range(settings.K):
        turns[k] = float(k)
    law, root = turn_laws(settings.K, p)
    return {
        "lags": numbered(LAGS), "turns": turns, "step": law, "root": root, "best": filled(count, best_accuracy(p)),
        "stays": filled(count, law_distance(p)), "best_per_cent": [100.0 * best_accuracy(p)],
        "apart": [law_distance(p)], "steps": [float(settings.steps)],
        "edge": [1.0 if p <= 0.0 or p >= 1.0 else 0.0],
    }  # fmt: skip


def outcome(accuracy: Vector, parent: Vector, lag: Vector, to_step: Vector, to_root: Vector) -> Readings:
    """Of one run, at its end: right answers on its walks in per cent, whether it reads the parent, or a lag not drawn;
    distances of V where it reads the parent.
    """
    last = len(accuracy) - 1
    found = parent[last] > 0.5
    return {
        "right": [100.0 * accuracy[last]], "found": [1.0 if found else 0.0],
        "beyond": [1.0 if lag[last] > float(LAGS) else 0.0],
        "to_step": [to_step[last] if found else nan], "to_root": [to_root[last] if found else nan],
    }  # fmt: skip


def panels() -> list[Any]:
    """Attention by lag, V by turn, right answers, attention on the parent, direction of V, divergence."""
    votes = [
        Line("by_turn", "V, mean over its entries", idea="output"), Line("laws.step", "law of a step", theory=True),
        Line("laws.root", "root of the law", idea="rival", theory=True),
    ]  # fmt: skip
    directions = [
        Line("to_step", "from the law", idea="output"), Line("to_root", "from its root", idea="rival"),
        Line("laws.stays", "where the first ends on many walks", theory=True),
    ]  # fmt: skip
    right = Line("accuracy", "training", idea="fit"), Line("laws.best", "best on new walks", theory=True)
    apart = Line("divergence", "output against the next node's law", idea="bound")
    return [
        attention_by_lag(200),
        bars("laws.turns", votes, frames=True, xlabel="token to answer (nodes clockwise)",
             ylabel="entry of V, one length (no unit)", title="What a token votes for", ylim=(-0.15, 1.02), height=200),
        over_steps("Right answers", "accuracy on its walks (share)", *right, ylim=(0, 1.02), height=200),
        over_steps("Attention on the parent", "attention (share)", Line("parent", "lag 1", idea="attention"),
                   ylim=(0, 1.05), height=150),
        over_steps("Direction of V", "distance (no unit)", *directions, ylim=(0, 1.1), height=150),
        over_steps("Divergence from the truth", "KL divergence (nats)", apart, ylog=True, yswitch=True,
                   ylim=(0.01, 5), height=150),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("A deterministic walk: after {laws.steps} steps all answers are right.", "laws.edge == 1", "right > 99.9"),
        Say("A deterministic walk: after {laws.steps} steps it is right in {right:1} % of cases.", "laws.edge == 1"),
        Say("After {laws.steps} steps it is right in {right:0} % of its walks; on new ones no guess is right more "
            "often than {laws.best_per_cent:1} %. The parent has won in {sum.found} of {runs} runs."),
    ],
    [
        Say("There V lies {to_root:2} from the root of the law and {to_step:2} from the law itself; with many walks "
            "and many steps these become 0 and {laws.apart:2}.", "laws.apart >= 0.01", "laws.edge <= 0"),
        Say("There V lies {to_root:2} from the root of the law.", "laws.edge <= 0"),
    ],
    [
        Say(f"In {{sum.beyond}} of {{runs}} runs the most attended place lies beyond the {LAGS} lags of the picture.",
            "sum.beyond >= 1", "laws.edge <= 0"),
    ],
]  # fmt: skip
TOUR = [
    Step("At the start everything is zero: all places are read alike, and no answer is better than another.", time=0,
         point="Which ancestor is read"),
    Step("One step moves V alone. A token votes a little for every node that it was seen with.", time=1,
         point="What a token votes for"),
    Step(Say("The second step finds the parent: all attention jumps to lag 1, at once.", "sum.found == runs"),
         "The second step finds the parent, in most runs: all attention jumps to lag 1, at once.", time=2,
         point="Which ancestor is read"),
    Step(Say("From here on it is right in {right:0} % of its walks. On new ones nothing is right more often than in "
             "{laws.best_per_cent:0} %."),
         "From here on it is right about as often as anything can be.", time=60, point="Right answers"),
    Step("But V does not turn towards the law of a step: it stops on the way, and goes to the law's root.", time=60,
         point="Direction of V"),
    Step("A walk that only goes clockwise, the easiest of all: nothing is learned, at any time.", p=1.0,
         point="Right answers"),
    Step("One node more in the walk, and the same layer is right at once.", p=1.0, N=98, point="Right answers"),
]  # fmt: skip
