"""Figure `scb-transfer`: one large-batch attention step from a transferred start instead of Stage 1.

Chapter `scb`. Source: arXiv 2410.23438, Section 4 and Theorem 4.1; the batch law is beyond the paper. Time is the batch
of the one step, sample by sample.
"""

from typing import Any

from hal.chapters.scb.figures._shared import LETTERS, TABLE
from hal.chapters.scb.models import textbook_transfer
from hal.chapters.scb.models.textbook_measures import useful
from hal.chapters.scb.models.textbook_transfer import OneStep, Scores, scores
from hal.chapters.scb.theory.portable_transfer import support_batch
from hal.figure import Say, heatmap, sliders
from lib.models.scb.textbook import even_weights, ring_transition
from lib.portable.primitives import Readings, Vector, inf, nan, zeros
from lib.portable.vectors import filled, largest, smallest
from lib.theory.scb.portable import constants

LARGEST = 16384  # samples
TITLE, RUN = "One step instead of Stage 1", textbook_transfer
ONE = "Attention after one step"
PRECOMPUTED_RUNS, PRIMARY_SLIDERS, MEDIAN = 1, ("rho", "T"), "found"
TIME_LABEL = "batch of the one step (samples)"
SLOW_REASON = "A run here is up to 16,384 samples of T tokens: it is drawn as it grows, long contexts take a while."
SLIDERS = sliders(TABLE, rho=0.7, T=(1024, 8, 1024), N=(4, 3, 8), Q=2, c=0.75)


def settings(rho: float, T: int, N: int, Q: int, c: float) -> OneStep:
    """The step of these sliders, with a batch that grows to 16,384 samples."""
    return OneStep(T, filled(N, 1.0 / float(N)), Q, c, rho, LARGEST)


def batches(settings: OneStep) -> Readings:
    """Sizes, the tokens (N,), and the batch that the law asks for, in samples."""
    mu, w, token = settings.mu, even_weights(settings.Q), zeros(len(settings.mu))
    for k in range(len(token)):
        token[k] = float(k)
    law = support_batch(constants(mu, ring_transition(mu, settings.c), w, settings.T), w, settings.rho)
    return {
        "N": [float(len(mu))], "T": [float(settings.T)], "rho": [settings.rho], "law": [law], "token": token,
    }  # fmt: skip


def probe(state: Scores) -> Readings:
    """Sizes of the scores (N T,), as a share of their row's largest; found, 1 if in every row the lowest of the support
    is above the highest other one.
    """
    N, T = len(state.settings.mu), state.settings.T
    now, marks, sizes, found = scores(state), useful(state.run.task, T), zeros(N * T), 1.0
    for k in range(N):
        lowest_useful, highest_other = inf, 0.0
        for t in range(T):
            size = abs(now[k][t])
            if marks[k * T + t] > 0.0:
                lowest_useful = min(lowest_useful, size)
            else:
                highest_other = max(highest_other, size)
        found = found if lowest_useful > highest_other else 0.0
        highest = max(largest(now[k]), -smallest(now[k]))
        for t in range(T):
            sizes[k * T + t] = abs(now[k][t]) / highest if highest > 0.0 else 0.0
    return {"found": [found], "scores": sizes}


def at_end(state: Scores) -> Readings:
    """The useful positions, (N T,)."""
    return {"useful": useful(state.run.task, state.settings.T)}


def run_metrics(steps: Vector, found: Vector) -> Readings:
    """Of one run: 1 if the largest batch finds the support, and the batch from which on it is found; NaN if not."""
    enough = inf
    for i in range(len(steps) - 1, -1, -1):
        if found[i] == 0.0:
            break
        enough = steps[i]
    return {"found": [1.0 if enough < inf else 0.0], "enough": [enough if enough < inf else nan]}


def panels() -> list[Any]:
    """Where the layer looks after the step."""
    return [
        heatmap("scores", rows="batches.N", columns="batches.T", xlabel="position in the context (token)",
                ylabel="last token (token)", yticks="batches.token", ynames=LETTERS,
                clabel="size of the weight (fraction of the row's largest)", title=ONE, outline="useful",
                outline_label="true positions", vmin=0, vmax=1, idea="attention", wide=True, height=200),
    ]  # fmt: skip


FROM = "from {enough:0} samples onwards."
READING = [
    [
        Say("No run has finished yet; theory asks for {batches.law} samples.", "runs == 0"),
        Say("No run has finished yet; by theory no batch is large enough.", "runs == 0"),
        Say("None of {runs} runs finds all true positions with 16,384 samples.", "runs >= 2", "sum.found == 0"),
        Say("The first run does not find all true positions with 16,384 samples.", "sum.found == 0"),
        Say(f"The first run finds all true positions {FROM}", "runs == 1"),
        Say(f"One of {{runs}} runs finds all true positions, {FROM}", "sum.found == 1"),
        Say(f"Both runs find every true position, on average {FROM}", "runs == 2", "sum.found == 2"),
        Say("All {runs} runs find every true position; the median run needs {enough:0} samples.", "sum.found >= runs"),
        Say(f"{{sum.found}} of {{runs}} runs find all true positions, the median of them {FROM}"),
    ],
    [
        Say("Without correlation the old task says nothing about this one.", "batches.rho == 0"),
        Say("Theory asks for {batches.law}."),
        Say("By theory no batch of less than 10⁹ samples is enough."),
    ],
    [Say("The correlation is negative: true positions get the lowest weights; sizes are ranked.", "batches.rho < 0")],
]
