"""Small figure `scan_snap-growth`: how far a common word falls in training, by the vocabulary, and in theory.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4, Assumption 2 and Figure 3, whose setting is a link.
"""

from hal.chapters.scan_snap.models.kinds import COMMON, column_of, single_common_weight
from hal.chapters.scan_snap.models.textbook_flow import Settings, done, start, step, steps_of
from hal.chapters.scan_snap.theory.portable_reference import TOLERANCE, reference_of, reference_path
from hal.figure import Idea, Say, Slider, columns
from lib.portable.primitives import Readings, Vector, zero_matrix, zeros
from lib.portable.vectors import scale, total

TOKENS = 5  # distinct ones of each class
LOWEST = 0.2  # weight of the rarest
TITLE = "Unused words freeze attention"
HINT = "Drag the number of classes."
DEFERRED_THEORY = ("falls",)
VOCABULARIES = [0, 20, 1000]  # words; 0 for the classes' own next words alone
SLIDERS = {
    "K": Slider("Classes K", "classes", 2, (2, 20)),
    "rho": Slider("Overlap ρ", "no unit", 0.3, (0.02, 0.8), hidden=True),
    "lr_Y": Slider("Decoder learning rate", "no unit", 0.1, (0.05, 20.0), hidden=True),
    "lr_Z": Slider("Attention learning rate", "no unit", 0.1, (0.05, 20.0), hidden=True),
}


def settings(K: int, rho: float, lr_Y: float, lr_Z: float) -> Settings:
    """One common token that makes any two classes overlap by rho, one query for all, infinitely long sequences, and a
    thousand outputs."""
    weight = single_common_weight(rho, TOKENS, LOWEST)
    return with_vocabulary(Settings(K=K, weight=weight, lr_Y=lr_Y, lr_Z=lr_Z), 1000)


def with_vocabulary(s: Settings, M: int) -> Settings:
    """The same with M outputs."""
    return Settings(
        K=s.K, sharing=s.K, M=M, common=1, weight=s.weight, distinct=TOKENS, lowest=LOWEST, lr_Y=s.lr_Y, lr_Z=s.lr_Z,
    )  # fmt: skip


def trained(settings: Settings, t: Vector, errors: Vector) -> Vector:
    """The common token's logit at all times t; into `errors` how many of the decoder's, summed over all steps, give
    another next token or one that never comes, in percent."""
    state, fall, before = start(settings, 0), zeros(len(t)), 0.0
    while True:
        motion = state.motion
        fall[state.made - 1] = state.flow.y[3 * len(motion.kinds.law) + COMMON]
        errors[0] += (state.step - before) * motion.confused
        errors[1] += (state.step - before) * motion.never
        before = state.step
        if done(state):
            break
        step(state)
    scale(errors, 100.0 / total(errors))
    return fall


def falls(settings: Settings) -> Readings:
    """Of training with each vocabulary and of the reference dynamics with the largest, each at all times (67,): the
    common token's logit; for each vocabulary how much of its theory's fall training has in the end, in percent, and how
    much of the decoder's errors is of each kind."""
    t, fell, share, errors, theory = steps_of(settings), zero_matrix(3, 1), zeros(3), zero_matrix(3, 2), zeros(1)
    for i in range(3):
        one = with_vocabulary(settings, max(VOCABULARIES[i], settings.K))
        fell[i] = trained(one, t, errors[i])
        theory = column_of(reference_path(reference_of(one), one.lr_Y, one.lr_Z, t, TOLERANCE), COMMON)
        share[i] = 100.0 * fell[i][len(t) - 1] / theory[len(t) - 1]
    return {
        "t": t, "none": fell[0], "some": fell[1], "training": fell[2], "theory": theory, "shares": share,
        "share": [share[2]], "confused": [errors[2][0]], "errors": errors[2], "K": [float(settings.K)],
        "kinds": zeros(3), "whole": [100.0],
    }  # fmt: skip


def picture() -> columns:
    """How much of the theory's fall training has with each vocabulary, beside all of it."""
    return columns(
        heights="falls.shares", kinds="falls.kinds", ideas=("common",), ylim=(0.0, 120.0), level="falls.whole",
        line_is="theory", names=("no unused word", "20 words in all", "1000 words in all"), height=260,
        ylabel="how far the common word’s score falls in training (percent of theory)",
        alt="Three columns: the first as high as the line of theory, the second lower, the last lowest.",
    )  # fmt: skip


def say() -> list[Say]:
    """How far training gets."""
    return [
        Say("With {falls.K} classes and 1000 words, the score falls {falls.share:0}% as far as theory says."),
    ]  # fmt: skip


IDEA = Idea(
    "With a large vocabulary training covers less than a tenth of the theory's fall.",
    greater=lambda drawn: 0.1 * drawn["falls.whole"][0],
    than=lambda drawn: drawn["falls.shares"][2],
    breaks={"K": 10},
)
