"""Small figure `scan_snap-growth`: how far a common word falls in training and in theory, by the vocabulary.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4, Assumption 2 and Figure 3, whose setting is a link.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import TABLE
from hal.chapters.scan_snap.models.kinds import COMMON, column_of, single_common_weight
from hal.chapters.scan_snap.models.textbook_flow import Settings, done, start, step, steps_of
from hal.chapters.scan_snap.theory.portable_reference import TOLERANCE, reference_of, reference_path
from hal.figure import Idea, Line, Say, Slider, lines, sliders
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import scale, total

TOKENS = 5  # distinct ones of each class
LOWEST = 0.2  # weight of the rarest
TITLE = "Large vocabularies freeze attention; theory disagrees"
HINT = "Drag the vocabulary down to 2: the curves meet."
SLIDERS = sliders(TABLE, M=(1000, 2, 1000)) | {
    "K": Slider("Classes K", "classes", 2, (2, 20), hidden=True),
    "rho": Slider("Overlap ρ", "no unit", 0.3, (0.02, 0.8), hidden=True),
    "lr_Y": Slider("Decoder learning rate", "no unit", 0.1, (0.05, 20.0), hidden=True),
    "lr_Z": Slider("Attention learning rate", "no unit", 0.1, (0.05, 20.0), hidden=True),
}


def settings(M: int, K: int, rho: float, lr_Y: float, lr_Z: float) -> Settings:
    """One common token that makes any two classes overlap by rho, one query for all, infinitely long sequences, and at
    least the K outputs that come next."""
    weight = single_common_weight(rho, TOKENS, LOWEST)
    return Settings(
        K=K, sharing=K, M=max(M, K), common=1, weight=weight, distinct=TOKENS, lowest=LOWEST, lr_Y=lr_Y, lr_Z=lr_Z,
    )  # fmt: skip


def falls(settings: Settings) -> Readings:
    """Of training and of the reference dynamics, each at all times (67,): the common token's logit; how much of the
    theory's fall training has in the end, in percent, and how many of the decoder's errors, summed over all steps, give
    another next token or one that never comes."""
    state, times = start(settings, 0), steps_of(settings)
    trained, errors, before = zeros(len(times)), zeros(2), 0.0
    while True:
        now, motion = state.made - 1, state.motion
        trained[now] = state.flow.y[3 * len(motion.kinds.law) + COMMON]
        errors[0] += (state.step - before) * motion.confused
        errors[1] += (state.step - before) * motion.never
        before = state.step
        if done(state):
            break
        step(state)
    scale(errors, 100.0 / total(errors))
    theory = column_of(reference_path(reference_of(settings), settings.lr_Y, settings.lr_Z, times, TOLERANCE), COMMON)
    last = len(times) - 1
    return {
        "t": times, "training": trained, "theory": theory, "errors": errors,
        "share": [100.0 * trained[last] / theory[last]], "confused": [errors[0]],
    }  # fmt: skip


def picture() -> Any:
    """The fall in training and in theory."""
    curves = [
        Line("falls.training", "in training", idea="common"),
        Line("falls.theory", "in theory", theory=True),
    ]
    return lines("falls.t", curves, xlabel="training time (steps)", ylabel="score of the common word (nats)", xlog=True,
                 title="", ylim=(None, 0.0), height=240)  # fmt: skip


def say() -> list[Say]:
    """How far training gets, and how many of the errors are another next word."""
    return [
        Say("In training the word falls {falls.share}% as far as in theory. Of the decoder's mistakes "
            "{falls.confused}% go to rivals."),
    ]  # fmt: skip


IDEA = Idea(
    "With a large vocabulary training covers less than a tenth of the theory's fall.",
    greater=lambda drawn: 0.1 * -drawn["falls.theory"][-1],
    than=lambda drawn: -drawn["falls.training"][-1],
    breaks={"M": 2},
)
