"""Figure `scb-prox`: proximal descent against plain SGD on the same tokens, with the closure's prediction for SGD.

Chapter `scb`. Source: arXiv 2410.23438, Section 5.1 and Figure 1; the closure is beyond the paper.
"""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE
from hal.explorer import Line, Mark, Say, Step, over_steps, sliders
from lib.models.scb import textbook_pair
from lib.models.scb.textbook import RECORDS, Settings
from lib.models.scb.textbook_ring import even_weights, ring_transition, skewed_law
from lib.portable.primitives import Readings, Vector, floor, nan, sqrt, zeros
from lib.portable.vectors import fill
from lib.theory.scb.portable import attention_signal, drift_number, switch_step
from lib.theory.scb.portable_closure import closure_holds, closure_run
from lib.theory.scb.portable_constants import Constants, constants

TITLE, RUN, COLUMNS, FIRST, SIGHT = "A threshold against the noise", textbook_pair, 2, 2, ("T", "lam", "begin")
SLIDERS = sliders(TABLE, T=256, N=4, Q=2, skew=0.0, lr=0.02, batch=32, lam=0.05, begin=1.2)


def settings(T: int, N: int, Q: int, skew: float, lr: float, batch: int, lam: float, begin: float) -> Settings:
    """The runs of these sliders: the threshold comes on at `begin` times the step at which the signal should be 0.2.

    They end 6 / lr steps after the usual switch, wherever this one is.
    """
    d = drift_number(attention_signal(even_weights(Q), T), float(T))
    stage1 = switch_step(begin, lr, d)
    end = max(stage1, switch_step(1.2, lr, d)) + floor(6.0 / lr + 0.5)
    return Settings(T, N, Q, 0.75, skew, lr, batch, lam * lr, stage1, end - stage1, 0, 0.0, 0.0)


def task_of(settings: Settings) -> Constants:
    """The constants of the task."""
    mu, w = skewed_law(settings.N, settings.skew), even_weights(settings.Q)
    return constants(mu, ring_transition(mu, settings.c), w, settings.T)


def closure(settings: Settings) -> Readings:
    """Predicted distances of SGD, without a sample, (49,) each; NaN outside of the closure's range."""
    task, blank = task_of(settings), zeros(RECORDS + 1)
    if closure_holds(task, settings.lr, settings.batch):
        return closure_run(task, settings.lr, settings.batch, settings.stage1 + settings.stage2, RECORDS)
    fill(blank, nan)
    return {"steps": blank, "alpha_V": blank, "alpha_A": blank, "distance_V": blank, "distance_A": blank}


def turn(settings: Settings) -> Readings:
    """When the threshold comes on, its size, how far uniform attention is from the answer, whether SGD is predicted."""
    uniform = sqrt(attention_signal(even_weights(settings.Q), settings.T))
    return {
        "step": [float(settings.stage1)], "threshold": [settings.threshold], "uniform": [uniform],
        "known": [1.0 if closure_holds(task_of(settings), settings.lr, settings.batch) else 0.0],
        "nearly": [0.95 * uniform], "hardly": [1.05 * uniform],
    }  # fmt: skip


def outcome(sgd_V: Vector, sgd_A: Vector, prox_V: Vector, prox_A: Vector, mirrored: Vector) -> Readings:
    """Of one pair: the distances at its end, and 1 if SGD is mirrored."""
    last = len(sgd_V) - 1
    return {
        "sgd_V": [sgd_V[last]], "sgd_A": [sgd_A[last]], "prox_V": [prox_V[last]], "prox_A": [prox_A[last]],
        "mirrored": [mirrored[0]],
    }  # fmt: skip


def summary(sgd_A: float, prox_A: float) -> Readings:
    """By how much the threshold brings A nearer to Q, in the middle of the pairs."""
    return {"gain": [sgd_A - prox_A]}


def panels() -> list[Any]:
    """Distances of V and A under both methods, with the closure."""

    def one(letter: str, target: str) -> Any:
        series = [
            Line(f"sgd_{letter}", "SGD", idea="fit"), Line(f"prox_{letter}", "proximal", idea="rival"),
            Line(f"closure.distance_{letter}", "SGD predicted (closure)", theory=True),
        ]  # fmt: skip
        title, ylabel = f"Distance of {letter} to {target}", f"‖{letter} − {target}‖ (no unit)"
        marks = [Mark("turn.step", "threshold on")]
        return over_steps(title, ylabel, *series, marks=marks, ylim=(0, None), yswitch=True, height=330)

    return [one("V", "P"), one("A", "Q")]


ENDS = "‖A − Q‖ ends at {sgd_A:3} with SGD and at {prox_A:3} with the threshold:"
READING = [
    [
        Say("Every pair so far has diverged; a smaller learning rate may help.", "runs == 0", "lost >= 1"),
        Say("The threshold comes on at step {turn.step}; no pair has finished yet.", "runs == 0"),
        Say("The threshold is 0: both are plain SGD, and ‖A − Q‖ ends at {sgd_A:3}.", "turn.threshold == 0"),
        Say(f"{ENDS} the threshold wins.", "summary.gain >= 0.01"),
        Say(f"{ENDS} SGD wins.", "summary.gain <= -0.01"),
        Say(f"{ENDS} too close to tell."),
    ],
    [
        Say("The threshold has wiped out the signal: uniform attention is at {turn.uniform:3}.",
            "runs >= 1", "prox_A >= turn.nearly", "prox_A <= turn.hardly", "sgd_A < turn.nearly"),
    ],
    [Say("No dashed curve: the batch is too small, or the context too short, for the closure.", "turn.known == 0")],
    [
        Say("The SGD run is mirrored and measured upright.", "runs == 1", "sum.mirrored == 1"),
        Say("One of {runs} SGD runs is mirrored and measured upright.", "sum.mirrored == 1"),
        Say("{sum.mirrored} of {runs} SGD runs are mirrored and measured upright.", "sum.mirrored >= 2"),
    ],
]  # fmt: skip
TOUR = [
    Step(Say("Until step {turn.step} both methods are one run: they see the same tokens and there is no threshold."),
         "Until the threshold comes on both methods are one run.", time=230, point="Distance of A to Q"),
    Step(Say("With the threshold ‖A − Q‖ ends at {prox_A:2}, without it at {sgd_A:2}."),
         "With the threshold the attention ends nearer to the answer.", point="Distance of A to Q"),
    Step("SGD turns back: its noise makes the attention larger, and that makes the signal of V smaller.",
         point="Distance of V to P"),
    Step("The dashed curve predicts SGD from the task alone; no sample is drawn.", point="Distance of V to P"),
    Step("Double the context: SGD ends much farther away, the threshold a little.", T=512, point="T"),
    Step("A small threshold may come on early: it costs nothing.", begin=0.4, point="begin"),
    Step("Ten times the threshold, and before there is a signal, wipes it out.", lam=0.5, begin=0.4, point="begin"),
]  # fmt: skip
