"""Figure `scb-stages`: the attention of two runs on the same tokens, with and without the threshold of Stage 2.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1, Section 5.1 and Figure 1 (settings ours, see the chapter).
"""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.models import textbook_pair
from hal.chapters.scb.models.textbook_measures import distance_A, skewed_law, useful
from hal.chapters.scb.models.textbook_pair import Pair
from hal.figure import Say, sliders, stems
from lib.models.scb.textbook import Settings, even_weights, signal_A
from lib.portable.primitives import Readings, Vector, copy, floor, sqrt
from lib.portable.vectors import part
from lib.theory.scb.portable import attention_signal, drift_number, escape_time

TITLE, RUN, RUNS, PRECOMPUTED_RUNS, COLUMNS = "Which attention ends cleaner?", textbook_pair, 1, 1, 2
OPENS = 0.33  # just before the threshold comes on
SLIDERS = sliders(TABLE, T=(64, 8, 512), N=4, Q=2, skew=0.0, lr=0.02, batch=4, lam=0.05, begin=1.2)
PRIMARY_SLIDERS = ("T", "batch", "lam")


def switch_step(factor: float, eta: float, d: float) -> int:
    """Where Stage 2 begins: so many times the steps until the signal is 0.2; that is 2 / eta at the least."""
    quiet = escape_time(0.2, eta, d)
    return floor(factor * (quiet if quiet > 2.0 / eta else 2.0 / eta) + 0.5)


def settings(T: int, N: int, Q: int, skew: float, lr: float, batch: int, lam: float, begin: float) -> Settings:
    """The runs of these sliders: the threshold comes on at `begin` times the step at which the signal should be 0.2.

    They end 6 / lr steps after the usual switch, wherever this one is: there Stage 3 would round.
    """
    d = drift_number(attention_signal(even_weights(Q), T), float(T))
    stage1 = switch_step(begin, lr, d)
    stage2 = max(stage1, switch_step(1.2, lr, d)) + floor(6.0 / lr + 0.5) - stage1
    mu, cut = skewed_law(N, skew), lam * lr
    return Settings(
        T=T, mu=mu, Q=Q, lr=lr, batch=batch, threshold=cut, stage1=stage1, stage2=stage2,
    )  # fmt: skip


def stages(settings: Settings) -> Readings:
    """Where Stage 2 begins, the threshold, how far uniform attention is off."""
    uniform = sqrt(attention_signal(even_weights(settings.Q), settings.T))
    return {
        "second": [float(settings.stage1)], "uniform": [uniform],
        "nearly": [0.95 * uniform], "hardly": [1.05 * uniform], "threshold": [settings.threshold],
    }  # fmt: skip


def probe(state: Pair) -> Readings:
    """Distances of both to the answer, each upright, and the attention of last token a, without and with threshold."""
    sgd, prox = state.sgd, state.prox
    other = prox if state.step > prox.settings.stage1 else sgd
    turned, mirrored = signal_A(sgd.A, sgd.task) < 0.0, signal_A(other.A, other.task) < 0.0
    return {
        "sgd_A": [distance_A(sgd.A, sgd.task, turned)], "prox_A": [distance_A(other.A, other.task, mirrored)],
        "without": copy(sgd.A[0]), "with": copy(other.A[0]),
    }  # fmt: skip


def at_end(state: Pair) -> Readings:
    """1 if SGD is mirrored; 1 where the attention of last token a should be (T,)."""
    sgd = state.sgd
    mirrored = 1.0 if signal_A(sgd.A, sgd.task) < 0.0 else 0.0
    return {"mirrored": [mirrored], "useful": part(useful(sgd.task, sgd.settings.T), 0, sgd.settings.T)}


def run_metrics(sgd_A: Vector, prox_A: Vector, mirrored: Vector) -> Readings:
    """Of one pair: its distances at the end, and 1 if SGD is mirrored."""
    last = len(sgd_A) - 1
    return {"sgd": [sgd_A[last]], "prox": [prox_A[last]], "mirrored": [mirrored[0]]}


def summary(sgd: float, prox: float) -> Readings:
    """By how much the threshold brings A nearer to Q before the rounding, in the middle of the pairs."""
    return {"gain": [sgd - prox]}


def panels() -> list[Any]:
    """The attention of last token a without and with the threshold."""
    return [
        stems(values=name, true="useful", true_is="true positions", ylabel="attention of last token a", frames=True,
              ylim=(-0.25, 0.95), height=180, title=title, alt=f"Two tall columns; the noise of the others is {grass}.")
        for name, title, grass in (("without", "Without the threshold", "high"), ("with", "With the threshold", "low"))
    ]  # fmt: skip


END = "In the end the distance from the truth is {sgd:3} without and {prox:3} with the threshold:"
READING = [
    [
        Say("Every pair so far has diverged; a smaller learning rate may help.", "runs == 0", "lost >= 1"),
        Say("The threshold comes on at step {stages.second}; no pair has finished yet.", "runs == 0"),
        Say("The threshold is 0: both are one run; in the end its distance from the truth is {sgd:3}.",
            "stages.threshold == 0"),
        Say(f"{END} the threshold wins.", "summary.gain >= 0.01"),
        Say(f"{END} SGD wins.", "summary.gain <= -0.01"),
        Say(f"{END} too close to tell."),
    ],
    [
        Say("The threshold has wiped out the signal: uniform attention is at {stages.uniform:3}.",
            "runs >= 1", "prox >= stages.nearly", "prox <= stages.hardly", "sgd < stages.nearly"),
    ],
    [
        Say("The SGD run is mirrored and flipped before it is measured.", "sum.mirrored >= 1"),
    ],
]  # fmt: skip
