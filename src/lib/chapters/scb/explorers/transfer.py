"""Explorer `scb-transfer`: one large-batch attention step from a transferred start instead of Stage 1.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law is beyond the paper. Time is the batch
of the one step, sample by sample. The page computes all of it: the functions from `settings` to `outcome` are portable.
"""

from __future__ import annotations

from typing import Any

from lib.chapters.scb.explorers._shared import sliders
from lib.explorer import Computed, Line, Mark, Say, Step, Weights, bars, heatmap, lines
from lib.models.scb import textbook_transfer
from lib.models.scb.textbook_ring import even_weights, ring_transition
from lib.models.scb.textbook_transfer import RECORDS, OneStep, batch_at
from lib.portable.primitives import Readings, Vector, copy, inf, nan, zeros
from lib.portable.vectors import scale, total
from lib.theory.scb.portable_constants import constants
from lib.theory.scb.portable_samples import one_step_batch, stage1_samples

LARGEST = 16384  # samples


def settings(T: int, N: int, Q: int, c: float, rho: float, mu: Vector) -> OneStep:
    """The step of these sliders, with a batch that grows to 16,384 samples."""
    law = copy(mu)
    scale(law, 1.0 / total(law))  # the bars have six digits
    return OneStep(T, law, Q, c, rho, LARGEST)


def batches(settings: OneStep) -> Readings:
    """The batches that are looked at, (49,), sizes, and what the laws ask for, in samples; marks on the axis alone."""
    steps = zeros(RECORDS + 1)
    for i in range(RECORDS + 1):
        steps[i] = float(batch_at(i, settings.samples))
    mu, w = settings.mu, even_weights(settings.Q)
    task = constants(mu, ring_transition(mu, settings.c), w, settings.T)
    law, scratch = one_step_batch(task, settings.rho), stage1_samples(task)
    return {
        "steps": steps,
        "N": [float(len(mu))],
        "T": [float(settings.T)],
        "rho": [settings.rho],
        "law": [law],
        "scratch": [scratch],
        "law_mark": [law if law >= steps[0] and law <= steps[RECORDS] else nan],
        "scratch_mark": [scratch if scratch >= steps[0] and scratch <= steps[RECORDS] else nan],
    }


def level(settings: OneStep) -> Readings:
    """The line above which the support is found, (49,); the tokens, (N,), and their law."""
    one = zeros(RECORDS + 1)
    for i in range(RECORDS + 1):
        one[i] = 1.0
    token = zeros(len(settings.mu))
    for k in range(len(token)):
        token[k] = float(k)
    return {"one": one, "token": token, "mu": settings.mu}


def outcome(steps: Vector, found: Vector) -> Readings:
    """Of one run: 1 if the largest batch finds the support, and the batch from which on it is found; NaN if not."""
    enough = inf
    for i in range(len(steps) - 1, -1, -1):
        if found[i] == 0.0:
            break
        enough = steps[i]
    return {"found": [1.0 if enough < inf else 0.0], "enough": [enough if enough < inf else nan]}


def panels() -> list[Any]:
    """Scores of the positions as the batch grows, and how far those of the support stand out."""
    return [
        heatmap(
            "scores",
            rows="batches.N",
            columns="batches.T",
            xlabel="position in the context (token)",
            ylabel="last token k (token)",
            clabel="size of the score (fraction of the row's largest)",
            title="Scores after one step",
            outline="useful",
            outline_label="true positions",
            vmin=0,
            vmax=1,
            wide=True,
            height=170,
        ),
        lines(
            x="batches.steps",
            y=[
                Line("margin", "weakest true position / strongest other", idea="transfer"),
                Line("level.one", "the support is found above this line", theory=True),
            ],
            marks=[
                Mark("batches.law_mark", "law: half of the runs"),
                Mark("batches.scratch_mark", "Stage 1 from scratch"),
            ],
            xlabel="batch of the one step (samples)",
            ylabel="ratio of scores (no unit)",
            title="How large a batch it takes",
            xlog=True,
            xlim=(10, 20_000),
            ylog=True,
            ylim=(0.01, 30),
            height=240,
        ),
        bars(
            "level.token",
            [Line("level.mu", "μ: drag the bars", idea="useful")],
            drag="mu",
            xlabel="token (index)",
            ylabel="chance (fraction)",
            title="Law of the tokens",
            ylim=(0, 1),
            height=240,
        ),
    ]


READING = [
    [
        Say("No run has finished yet; the law asks for {batches.law} samples.", runs=0),
        Say("No run has finished yet; the law has no answer without correlation.", runs=0),
        Say("None of {runs} runs finds the support with 16,384 samples.", runs=">= 2", **{"sum.found": 0}),
        Say("The first run does not find the support with 16,384 samples.", **{"sum.found": 0}),
        Say("The first run finds the support from {enough} samples on.", runs=1),
        Say("One of {runs} runs finds the support, from {enough} samples on.", **{"sum.found": 1}),
        Say("Both runs find the support, on average from {enough} samples on.", runs=2, **{"sum.found": 2}),
        Say("All {runs} runs find the support, the middle one from {enough} samples on.", **{"sum.found": ">= runs"}),
        Say("{sum.found} of {runs} runs find the support, the middle one of them from {enough} samples on."),
    ],
    [
        Say("Without correlation the old task says nothing about this one.", **{"batches.rho": 0}),
        Say(
            "The law asks for {batches.law}, less than Stage 1 from scratch ({batches.scratch}).",
            **{"batches.law": "< batches.scratch"},
        ),
        Say("The law asks for {batches.law}, Stage 1 from scratch for only {batches.scratch}."),
        Say("The law asks for {batches.law}; this context is so short that there is no quiet phase to skip."),
    ],
    [Say("The correlation is negative: true positions score lowest, and sizes are ranked.", **{"batches.rho": "< 0"})],
]


TOUR = [
    Step(
        "A model from a related task, uniform attention, one step. After a few samples every position scores alike.",
        time=40,
        point="Scores after one step",
    ),
    Step("With more samples the true positions rise out of the noise.", time=800, point="Scores after one step"),
    Step(
        Say("Above the dashed line the support is found: half of the runs are there at {enough} samples."),
        "Above the dashed line the support is found.",
        point="How large a batch it takes",
    ),
    Step("Half the correlation needs four times the samples.", rho=0.35, point="rho"),
    Step(
        "One token is rare: its row is seldom seen, and the law asks for more samples than Stage 1. Drag the bars.",
        mu=[0.3, 0.3, 0.3, 0.1],
        point="Law of the tokens",
    ),
    Step("An eighth of the context needs hardly less; what it saves is Stage 1 from scratch.", T=64, point="T"),
    Step(
        "With little correlation even 16,384 samples are not enough, and training from scratch is cheaper.",
        rho=0.1,
        point="rho",
    ),
]


def explorer() -> Computed:
    """The explorer `scb-transfer`, as the chapter shows it."""
    return Computed(
        textbook_transfer,
        name="scb-transfer",
        title="One step instead of Stage 1",
        settings=settings,
        theory=[batches, level],
        outcome=outcome,
        sliders={**sliders("T", "N", "Q", "c", "rho", T=(8, 1024), N=(3, 8)), "mu": Weights("Token law μ", n="N")},
        default=dict(T=512, N=4, Q=2, mu=[0.25, 0.25, 0.25, 0.25], c=0.75, rho=0.7),
        time="batches.steps",
        time_label="batch of the one step (samples)",
        reading=READING,
        tour=TOUR,
        panels=panels(),
        columns=2,
        first=1,
        dear="A run here is up to 16,384 samples of T tokens: it is drawn as it grows, long contexts take a while.",
    )
