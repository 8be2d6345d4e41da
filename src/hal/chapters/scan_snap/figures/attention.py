"""Figure `scan_snap-attention`: training runs on sampled sequences, with the attention of both classes over time.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Figure 4 (Syn-Small), settings as released.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import INFINITE, TABLE
from hal.chapters.scan_snap.runs.endless import endless_run
from hal.chapters.scan_snap.runs.learning import fast_runs
from hal.explorer import Line, Say, Step, bars, heatmap, over_steps, sliders, waiting
from lib.models.scan_snap import textbook
from lib.models.scan_snap.textbook import Settings
from lib.models.scan_snap.textbook_classes import base_classes, vocabulary
from lib.portable.primitives import Readings, Vector
from lib.portable.records import settled
from lib.portable.vectors import argmax, numbered, part

STEPS = 100
BATCH = 128
DISTINCT = 10  # tokens of each class
LEARNED = 0.01  # of the loss, in nats
TITLE, RUN, FAST, COLUMNS, RUNS, FIRST, HERO = "Attention leaves what is common", textbook, fast_runs, 3, 6, 1, True
DEAR = "A run here reads 12,800 sequences of T tokens: it is drawn as it grows, long sequences take a while."
MAP, WINS, SCAN, LEARNS = "Attention of each class", "Who wins", "Scan, then snap", "The decoder learns first"
SLIDERS = sliders(TABLE, T=128, common=10, lr_Y=(1.0, 0.01, 100.0), lr_Z=(1.0, 0.01, 100.0), optimiser=1)


def settings(T: int, common: int, lr_Y: float, lr_Z: float, optimiser: int) -> Settings:
    """The run of these sliders: two classes with a query each, from zero, 100 steps of batch 128."""
    M = vocabulary(2, 2, common, DISTINCT)
    return Settings(T, 2, 2, common, DISTINCT, M, lr_Y, lr_Z, optimiser, BATCH, 0.0, STEPS)


def task(settings: Settings) -> Readings:
    """What stands on the axes, which tokens belong together, and the attention on class A's tokens at the start."""
    of_A = base_classes(settings.K, settings.queries, settings.common, DISTINCT, settings.M)
    return {
        "C": [float(of_A.C)], "token": numbered(of_A.C), "common": [float(settings.common)],
        "groups": [float(settings.common), float(DISTINCT), float(DISTINCT)], "rank": numbered(DISTINCT),
        "before": part(of_A.law, settings.common, DISTINCT),
    }  # fmt: skip


def endless(settings: Settings) -> Readings:
    """The same training on infinitely long sequences, where nothing is random: loss, entropy, common_mass."""
    return endless_run(settings)


def outcome(steps: Vector, loss: Vector, entropy: Vector, common_mass: Vector, distinct: Vector) -> Readings:
    """Of one run: attention on common tokens and on the winner, at first and at the end, in percent; which distinct
    token wins, from the rarest, and whether it is the most frequent; entropies; from when on the loss is below 0.01."""
    last = len(steps) - 1
    winner = argmax(part(distinct, last * DISTINCT, DISTINCT))
    return {
        "common_first": [100.0 * common_mass[0]], "common_last": [100.0 * common_mass[last]],
        "winner_first": [100.0 * distinct[winner]], "winner_last": [100.0 * distinct[last * DISTINCT + winner]],
        "winner": [float(winner + 1)], "frequent": [1.0 if winner == DISTINCT - 1 else 0.0],
        "entropy_first": [entropy[0]], "entropy_last": [entropy[last]], "learned": [settled(steps, loss, LEARNED)],
        "slow": [1.0 if loss[last] > LEARNED else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """Attention of both classes, attention on one class's distinct tokens now and over time, loss and entropy."""
    own = [Line("task.before", "before training", theory=True), Line("distinct", "now", idea="distinct")]

    def pair(name: str, label: str, short: str, idea: str) -> list[Line]:
        dashed = Line(f"endless.{name}", f"{short}, infinitely long", idea=idea, theory=True, dash=INFINITE)
        return [Line(name, label, idea=idea), dashed]

    return [
        heatmap("attention", rows=2, columns="task.C", xlabel="token, a class's own from the rarest (number)",
                ylabel="class (no unit)", clabel="attention (fraction)", title=MAP, idea="attention",
                xticks="task.token", yticks=("A", "B"), groups="task.groups",
                group_labels=("common to both", "of A alone", "of B alone"), vmin=0, height=130, wide=True),
        bars("task.rank", own, frames=True, xlabel="distinct token of class A, rarest first (rank)",
             ylabel="attention (fraction)", title=WINS),
        over_steps(SCAN, "attention (fraction)", *pair("common_mass", "common tokens", "common", "common"),
                   Line("distinct", "each distinct token of A", idea="distinct", rows=DISTINCT), ylim=(0, 1),
                   xswitch=True),
        over_steps(LEARNS, "loss and entropy (nats)", *pair("loss", "loss", "loss", "loss"),
                   *pair("entropy", "entropy", "entropy", "attention"), ylim=(0, 4), xswitch=True, yswitch=True),
    ]  # fmt: skip


OWN, TOP, MEDIAN = "Of class A's distinct tokens", "at {winner_last:1} % after {winner_first:1} %.", "loss"
READING = [
    [*waiting("smaller rates may help"),
     Say("Without common tokens there is nothing to leave: only sampling noise moves attention.", "task.common == 0"),
     Say("In 100 steps common tokens go from {common_first:0} % to {common_last:0} % of attention.")],
    [Say("Each distinct token of class A has less than 0.1 % left.", "runs >= 1", "sum.winner_last < 0.1"),
     Say(f"{OWN} the most frequent leads, {TOP}", "sum.frequent >= runs"),
     Say(f"{OWN} number {{winner}} of ten, from the rarest, leads, {TOP}", "runs == 1"),
     Say(f"{OWN} the most frequent leads in {{sum.frequent}} of {{runs}} runs; the leader is number {{winner}} of ten.",
         "runs >= 2")],
    [Say("The loss is below 0.01 from step {learned:0} on.", "sum.slow == 0"),
     Say("The loss ends above 0.01 in {sum.slow} of {runs} runs.", "runs >= 1")],
    [Say("Entropy on distinct tokens goes from {entropy_first:2} to {entropy_last:2} nats.")],
    [Say("Numbers are medians of {runs} runs.", "runs >= 2")],
]  # fmt: skip
TOUR = [
    Step(Say("At first attention follows frequency: ten common tokens share {common_first:0} % of it."),
         "At first attention follows frequency.", time=0, point=MAP),
    Step("While the decoder is wrong, its error pushes attention away from the common tokens, on the left.", time=8,
         point=SCAN),
    Step("Among the distinct tokens the frequent ones gain first and most, and leave the rare ones behind: the scan.",
         time=20, point=WINS),
    Step(Say("From step {learned:0} on the loss is below 0.01, and hardly any error is left to push. Momentum carries "
             "attention on, further than it has come by then. Then it stands: the snap."),
         "Once the loss is down, hardly any error is left to push. Momentum carries attention on, then it stands: the "
         "snap.",
         time=100, point=LEARNS),
    Step(Say("A decoder ten times as fast is done sooner, and common tokens keep {common_last:0} %."),
         "A decoder ten times as fast is done sooner.", point="lr_Y", lr_Y=10.0),
    Step(Say("With attention three times as fast common tokens keep {common_last:0} %."),
         "Attention three times as fast gets further before the snap.", point="lr_Z", lr_Z=3.0),
    Step("Without common tokens there is nothing to leave: what still moves is sampling noise.", point="common",
         common=0),
]  # fmt: skip
