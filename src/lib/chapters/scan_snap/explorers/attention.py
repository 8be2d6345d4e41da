"""Explorer `scan_snap-attention`: training runs on sampled sequences, with the attention of both classes over time.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Figure 4 (Syn-Small), settings as released. The page
computes all of it: the functions from `settings` to `outcome` are portable, and the run is the textbook model.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scan_snap.explorers._shared import INFINITE, TIME_LABEL, sliders
from lib.chapters.scan_snap.runs.textbook_twin import fast_runs
from lib.explorer import Computed, Line, Say, Step, bars, heatmap, lines
from lib.models.scan_snap import textbook
from lib.models.scan_snap.textbook import Settings, advance, start
from lib.models.scan_snap.textbook_classes import vocabulary
from lib.models.scan_snap.textbook_record import record_steps
from lib.portable.primitives import Readings, Vector, nan, zeros

STEPS = 100
DISTINCT = 10  # tokens of each class
LEARNED = 0.01  # of the loss, in nats


def settings(T: int, common: int, lr_Y: float, lr_Z: float, optimiser: int) -> Settings:
    """The run of these sliders: two classes with a query each, from zero, 100 steps of batch 128."""
    M = vocabulary(2, 2, common, DISTINCT)
    return Settings(T, 2, 2, common, DISTINCT, M, lr_Y, lr_Z, optimiser, 128, 0.0, STEPS)


def task(settings: Settings) -> Readings:
    """What stands on the axes, which tokens belong together, and the attention on class A's tokens at the start."""
    C = settings.common + 2 * DISTINCT
    token, rank = zeros(C), zeros(DISTINCT)
    for i in range(C):
        token[i] = float(i + 1)
    for i in range(DISTINCT):
        rank[i] = float(i + 1)
    law = start(settings, 0).task.law
    before = zeros(DISTINCT)
    for i in range(DISTINCT):
        before[i] = law[settings.common + i]
    return {
        "steps": record_steps(STEPS),
        "C": [float(C)],
        "token": token,
        "groups": [float(settings.common), float(DISTINCT), float(DISTINCT)],
        "rank": rank,
        "before": before,
        "common": [float(settings.common)],
    }


def endless(settings: Settings) -> Readings:
    """The same training on infinitely long sequences, where nothing is random: (45,) of each, over task.steps."""
    limit = Settings(
        0, 2, 2, settings.common, DISTINCT, settings.M, settings.lr_Y, settings.lr_Z, settings.optimiser, 1, 0.0, STEPS
    )
    state = start(limit, 0)
    advance(state, STEPS)
    record = state.record
    return {"loss": record.loss, "entropy": record.entropy, "common_mass": record.common_mass}


def outcome(steps: Vector, loss: Vector, entropy: Vector, common_mass: Vector, distinct: Vector) -> Readings:
    """Of one run: attention on common tokens and on the winner, at first and at the end, in percent; entropies; which
    distinct token wins, from the rarest, and whether it is the most frequent; from which step on the loss is below
    0.01, or that it is not."""
    last = len(steps) - 1
    winner = 0
    for i in range(DISTINCT):
        if distinct[last * DISTINCT + i] > distinct[last * DISTINCT + winner]:
            winner = i
    learned = nan
    for k in range(last, -1, -1):
        if loss[k] > LEARNED:
            break
        learned = steps[k]
    return {
        "common_first": [100.0 * common_mass[0]],
        "common_last": [100.0 * common_mass[last]],
        "winner_first": [100.0 * distinct[winner]],
        "winner_last": [100.0 * distinct[last * DISTINCT + winner]],
        "winner": [float(winner + 1)],
        "frequent": [1.0 if winner == DISTINCT - 1 else 0.0],
        "entropy_first": [entropy[0]],
        "entropy_last": [entropy[last]],
        "learned": [learned],
        "slow": [1.0 if loss[last] > LEARNED else 0.0],
    }


def panels() -> list[Any]:
    """Attention of both classes, attention on one class's distinct tokens now and over time, loss and entropy."""
    return [
        heatmap(
            "attention",
            rows=2,
            columns="task.C",
            frames="task.steps",
            xlabel="token, a class's own from the rarest (number)",
            ylabel="class (no unit)",
            clabel="attention (fraction)",
            title="Attention of each class",
            idea="A",
            xticks="task.token",
            yticks=("A", "B"),
            groups="task.groups",
            group_labels=("common to both", "of A alone", "of B alone"),
            vmin=0,
            height=130,
            wide=True,
        ),
        bars(
            x="task.rank",
            y=[Line("task.before", "before training", theory=True), Line("distinct", "now", idea="distinct")],
            frames="task.steps",
            xlabel="distinct token of class A, rarest first (rank)",
            ylabel="attention (fraction)",
            title="Who wins",
        ),
        lines(
            x="task.steps",
            y=[
                Line("common_mass", "common tokens", idea="common"),
                Line("endless.common_mass", "common, infinitely long", idea="common", theory=True, dash=INFINITE),
                Line("distinct", "each distinct token of A", idea="distinct", rows=DISTINCT),
            ],
            xlabel=TIME_LABEL,
            ylabel="attention (fraction)",
            title="Scan, then snap",
            ylim=(0, 1),
            xswitch=True,
        ),
        lines(
            x="task.steps",
            y=[
                Line("loss", "loss", idea="V"),
                Line("endless.loss", "loss, infinitely long", idea="V", theory=True, dash=INFINITE),
                Line("entropy", "entropy", idea="A"),
                Line("endless.entropy", "entropy, infinitely long", idea="A", theory=True, dash=INFINITE),
            ],
            xlabel=TIME_LABEL,
            ylabel="loss and entropy (nats)",
            title="The decoder learns first",
            ylim=(0, 4),
            xswitch=True,
            yswitch=True,
        ),
    ]  # fmt: skip


READING = [
    [
        Say("Every run so far has diverged; smaller rates may help.", runs=0, lost=">= 1"),
        Say("No run has finished yet.", runs=0),
        Say(
            "Without common tokens there is nothing to leave: only sampling noise moves attention.",
            **{"task.common": 0},
        ),
        Say("In 100 steps common tokens go from {common_first} % to {common_last} % of attention."),
    ],
    [
        Say(
            "The most frequent distinct token leads, at {winner_last:1} % after {winner_first:1} %.",
            **{"sum.frequent": ">= runs"},
        ),
        Say(
            "Distinct token {winner} of ten, from the rarest, leads, at {winner_last:1} % after {winner_first:1} %.",
            **{"sum.frequent": 0},
        ),
        Say("The most frequent distinct token leads in {sum.frequent} of {runs} runs.", runs=">= 1"),
    ],
    [
        Say("The loss is below 0.01 from step {learned} on.", **{"sum.slow": 0}),
        Say("The loss ends above 0.01 in {sum.slow} of {runs} runs.", runs=">= 1"),
    ],
    [
        Say(
            "Entropy on distinct tokens goes from {entropy_first:2} to {entropy_last:2} nats (medians of {runs} runs).",
            runs=">= 2",
        ),
        Say("Entropy on distinct tokens goes from {entropy_first:2} to {entropy_last:2} nats."),
    ],
]


TOUR = [
    Step(
        Say("At first attention follows frequency: ten common tokens share {common_first} % of it."),
        "At first attention follows frequency.",
        time=0,
        point="Attention of each class",
    ),
    Step(
        "While the decoder is wrong, its error pushes attention away from the common tokens, on the left.",
        time=8,
        point="Scan, then snap",
    ),
    Step(
        "Among the distinct tokens the frequent ones gain first and most, and leave the rare ones behind: the scan.",
        time=20,
        point="Who wins",
    ),
    Step(
        Say("From step {learned} on the loss is below 0.01. No error is left to push, and attention stands: the snap."),
        "Once the loss is down, no error is left to push, and attention stands: the snap.",
        time=100,
        point="The decoder learns first",
    ),
    Step(
        Say("A decoder ten times as fast is done sooner, and common tokens keep {common_last} %."),
        "A decoder ten times as fast is done sooner.",
        point="lr_Y",
        lr_Y=10.0,
    ),
    Step(
        Say("With attention three times as fast common tokens keep {common_last} %."),
        "Attention three times as fast gets further before the snap.",
        point="lr_Z",
        lr_Z=3.0,
    ),
    Step(
        "Without common tokens there is nothing to leave: what still moves is sampling noise.",
        point="common",
        common=0,
    ),
]


def explorer() -> Computed:
    """The explorer `scan_snap-attention`, as the chapter shows it."""
    return Computed(
        textbook,
        name="scan_snap-attention",
        title="Attention leaves what is common",
        settings=settings,
        theory=[task, endless],
        outcome=outcome,
        sliders=sliders("T", "common", "lr_Y", "lr_Z", "optimiser"),
        default=dict(T=128, common=10, lr_Y=1.0, lr_Z=1.0, optimiser=1),
        time="task.steps",
        reading=READING,
        panels=panels(),
        tour=TOUR,
        columns=3,
        runs=6,
        first=1,
        fast=fast_runs,
        dear="A run here reads 12,800 sequences of T tokens: it is drawn as it grows, long sequences take a while.",
    )
