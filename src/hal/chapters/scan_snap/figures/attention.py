"""Figure `scan_snap-attention`: training runs on sampled sequences, with two of them in ink that follows attention.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Figure 4 (Syn-Small), settings as released.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import INFINITE, TABLE, WORDS
from hal.chapters.scan_snap.runs.learning import fast_runs
from hal.chapters.scan_snap.runs.sentence import two_sequences
from hal.figure import Line, Say, Slider, Step, bars, ink, over_steps, sliders, waiting
from lib.models.scan_snap import textbook
from lib.models.scan_snap.textbook import (
    Settings,
    State,
    all_attention,
    attention,
    base_classes,
    done,
    start,
    step,
    steps_of,
)  # fmt: skip
from lib.portable.primitives import Readings, Vector, copy, first, inf, nan, zeros
from lib.portable.vectors import add, numbered, part, scale, total

DISTINCT = 10  # tokens of each class
LENGTH = 39  # words of each sequence that are printed
RIGHT = 0.1  # of the loss, in nats: then the decoder is right nine times in ten
TITLE = "Attention turns away from common words"
RUN, FAST, COLUMNS, RUNS, PRECOMPUTED_RUNS = textbook, fast_runs, 2, 1, 1
SLOW_REASON = "Large runs take a while; curves appear as they are computed."
INK, WINS = "More ink: more attention to each copy of a word", "Which distinct words win"
SCAN, LEARNS = "Attention on all common words", "The decoder learns first"
LINKED = {"lr_Z": Slider("Attention rate η_Z", "no unit", 3.0, (0.01, 100.0), linked="lr_Y")}
SLIDERS = sliders(TABLE | LINKED, T=(128, 8, 5000), M=34, common=10, mu=[j / 55 for j in range(1, 11)],
                  lr_Y=(1.0, 0.01, 100.0), lr_Z=3.0, optimiser=0)  # fmt: skip
HERO, COLLAPSED_PANELS, PRIMARY_SLIDERS = True, 1, ("T", "M", "lr_Y", "lr_Z")
DISTINCT_WEIGHT = 5.5  # of all distinct tokens of a class together, where a common one has 1


def settings(T: int, M: int, common: int, mu: Vector, lr_Y: float, lr_Z: float, optimiser: int) -> Settings:
    """The run of these sliders: two classes with a query each, from zero, 100 steps of batch 128."""
    weights = zeros(len(mu))
    add(weights, DISTINCT_WEIGHT / total(mu), mu)
    return Settings(T=T, common=common, M=M, lr_Y=lr_Y, lr_Z=lr_Z, optimiser=optimiser, weights=weights)


def task(settings: Settings) -> Readings:
    """Two sequences as `two_sequences` has them; of a class's distinct tokens the numbers and their law."""
    classes = base_classes(settings.K, settings.queries, settings.common, DISTINCT, settings.M, settings.weights)
    drawn, mu = two_sequences(classes, LENGTH), copy(settings.weights)
    scale(mu, 1.0 / total(mu))
    return {
        "words": drawn[0], "groups": drawn[1], "places": drawn[2], "chances": drawn[3], "size": drawn[4],
        "common": [float(settings.common)], "rank": numbered(DISTINCT), "mu": mu,
    }  # fmt: skip


def common_mass(state: State) -> float:
    """Attention on common tokens, mean over the classes."""
    every, task, mass = all_attention(state), state.task, 0.0
    for n in range(len(task.query)):
        for token in range(task.common):
            mass += every[n * task.C + token] / float(len(task.query))
    return mass


def endless(settings: Settings) -> Readings:
    """The same training on infinitely long sequences, where nothing is random: loss."""
    s = settings
    limit = Settings(
        T=0, K=s.K, queries=s.queries, common=s.common, distinct=s.distinct, M=s.M, lr_Y=s.lr_Y, lr_Z=s.lr_Z,
        optimiser=s.optimiser, batch=1, steps=s.steps, weights=s.weights,
    )  # fmt: skip
    state, due, count = start(limit, 0), steps_of(limit), 0
    loss = zeros(len(due))
    while count < len(due) and state.diverged_at < 0:
        loss[count] = state.loss
        count += 1
        while count < len(due) and float(state.step) < due[count] and not done(state):
            step(state)
    loss[0] = state.first_loss
    return {"loss": first(loss, count)}


def probe(state: State) -> Readings:
    """Loss of the last batch, common_mass; `all_attention`; that of class A's distinct tokens, sum 1."""
    task = state.task
    return {
        "loss": [state.loss], "common_mass": [common_mass(state)], "attention": all_attention(state),
        "distinct": part(attention(state.Z, 0, task, task.common), task.common, DISTINCT),
    }  # fmt: skip


def at_end(state: State, loss: Vector) -> Readings:
    """With the first step the loss that the start had."""
    loss[0] = state.first_loss
    return {"loss": loss}


def run_metrics(steps: Vector, loss: Vector, common_mass: Vector) -> Readings:
    """Of one run: attention on common tokens, first and last, in percent; whether the loss never falls below 0.1; how
    much of the common tokens' fall comes before it does, in percent, if they fall by a fiftieth of all attention."""
    last, right, share = len(steps) - 1, nan, nan
    fall = common_mass[0] - common_mass[last]
    for i in range(last, 0, -1):
        if loss[i] < RIGHT:  # that of the step before
            right = steps[i] - 1.0
            back = (common_mass[i - 1] - common_mass[i]) / (steps[i] - steps[i - 1])
            share = 100.0 * (common_mass[0] - common_mass[i] - back) / fall if fall >= 0.02 else nan
    return {
        "common_first": [100.0 * common_mass[0]], "common_last": [100.0 * common_mass[last]], "share": [share],
        "told": [1.0 if share <= inf else 0.0], "never": [0.0 if right >= 0.0 else 1.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """Both sequences in ink, attention on common tokens and the loss over time, and one class's distinct tokens."""
    own = [Line("task.mu", "before training (drag)", idea="data"), Line("distinct", "attention now", idea="distinct")]
    loss = [Line("loss", "loss", idea="loss"),
            Line("endless.loss", "loss for T = ∞", idea="loss", theory=True, dash=INFINITE)]  # fmt: skip
    return [
        ink(weights="attention", tokens="task.words", places="task.places", chances="task.chances", size="task.size",
            groups="task.groups", words=WORDS, ideas=("common", "distinct"), rows=2, row_names=("A", "B"), title=INK,
            group_names=("common", "distinct"), frames=True, height=205, wide=True,
            alt="Two sequences of 39 words: the common ones have faded, the distinct ones are large and dark."),
        over_steps(SCAN, "attention (fraction)", Line("common_mass", "attention on common words", idea="common"),
                   xswitch=True, height=150),
        over_steps(LEARNS, "loss (nats)", *loss, ylim=(0, 4), xswitch=True, yswitch=True,
                   height=150),
        bars("task.rank", own, drag="mu", frames=True, title=WINS, height=150,
             xlabel="distinct word of class A (number)", ylabel="share of all distinct words (fraction)"),
    ]  # fmt: skip


READING = [
    [*waiting("smaller learning rates may help"),
     Say("Without common words there is nothing to leave: only sampling noise moves attention.", "task.common == 0"),
     Say("Common words keep {common_last:0}% of the attention, of {common_first:0}% before training.")],
    [Say("{share:0}% of their fall comes while the loss is above 0.1.", "told >= 1"),
     Say("The loss stays above 0.1.", "never >= 1")],
]  # fmt: skip
TOUR = [
    Step("Before training all words have the same ink: attention follows frequency alone.", time=0, point=INK),
    Step("First the decoder learns. Attention can learn only from a decoder that knows something and still "
         "makes errors.", time=4, point=LEARNS),
    Step("While it errs, its error pushes attention away from the common words.", time=17, point=SCAN),
    Step("Once the loss is down, hardly any error is left to push attention, and it stalls.", time=100, point=SCAN),
    Step(Say("The paper's run, with momentum: only {share:0}% of the fall comes before the loss is below 0.1. After "
             "that, momentum carries attention on."),
         "The paper's run, with momentum: most of the fall comes once the decoder is right.", optimiser=1, lr_Z=1.0,
         point="optimiser"),
    Step(Say("A decoder ten times as fast is done sooner, and common words keep {common_last:0}%."),
         "A decoder ten times as fast is done sooner.", point="lr_Y", lr_Y=10.0),
]  # fmt: skip
