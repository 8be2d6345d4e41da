"""Figure `scan_snap-attention`: the rectangle of what the decoder knows and how it errs, and how fast attention moves.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Figure 4 (Syn-Small); optimiser and rates are ours.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import TABLE, WORDS
from hal.chapters.scan_snap.runs.learning import fast_runs
from hal.chapters.scan_snap.runs.sentence import two_sequences
from hal.figure import Line, Mark, Say, Slider, Step, bars, ink, lines, over_steps, sliders, waiting
from lib.models.scan_snap import textbook
from lib.models.scan_snap.textbook import Settings, State, all_attention, attend, attention, base_classes, predict
from lib.portable.primitives import Readings, Vector, copy, nan, zero_matrix, zeros
from lib.portable.vectors import add, argmax, numbered, part, scale, total

DISTINCT = 10  # tokens of each class
FIRST = 14  # words of each sequence that are skipped
LENGTH = 15  # that are printed, at most
STEPS = 100
BATCH = 128
TITLE = "When does attention move?"
RUN, FAST, COLUMNS, RUNS, PRECOMPUTED_RUNS, OPENS = textbook, fast_runs, 2, 1, 1, 0.2
SLOW_REASON = "With longer sequences a run takes longer; its curve grows while it trains."
INK, WINS = "The larger a word, the more attention it gets", "drag the frequencies and see which words win"
PUSHES, SPEED = "The decoder: knowledge × error", "Area of the decoder’s rectangle, and speed of attention"
LINKED = {"lr_Z": Slider("Attention learning rate", "no unit", 3.0, (0.01, 100.0), linked="lr_Y")}
SLIDERS = sliders(TABLE | LINKED, T=(128, 8, 5000), M=34, common=10, mu=[j / 55 for j in range(1, 11)],
                  lr_Y=(1.0, 0.01, 100.0), lr_Z=3.0, optimiser=0)  # fmt: skip
HERO, COLLAPSED_PANELS, PRIMARY_SLIDERS, PACE = True, 1, ("T", "M", "lr_Y", "lr_Z"), (0.15, 100)
DISTINCT_WEIGHT = 5.5  # of all distinct tokens of a class together, where a common one has 1


def settings(T: int, M: int, common: int, mu: Vector, lr_Y: float, lr_Z: float, optimiser: int) -> Settings:
    """The run of these sliders: two classes with a query each, from zero."""
    weights = zeros(len(mu))
    add(weights, DISTINCT_WEIGHT / total(mu), mu)
    return Settings(
        T=T, common=common, M=M, lr_Y=lr_Y, lr_Z=lr_Z, optimiser=optimiser, batch=BATCH, steps=STEPS, weights=weights,
    )  # fmt: skip


def task(settings: Settings) -> Readings:
    """Two sequences as `two_sequences` has them; of a class's distinct tokens the numbers and their law."""
    classes = base_classes(settings.K, settings.queries, settings.common, DISTINCT, settings.M, settings.weights)
    n = min(LENGTH, settings.T - 1)
    every, drawn, mu = two_sequences(classes, FIRST + n), zero_matrix(4, 2 * n), copy(settings.weights)
    scale(mu, 1.0 / total(mu))
    for k in range(4):
        for i in range(n):
            drawn[k][i] = every[k][FIRST + i]
            drawn[k][n + i] = every[k][2 * FIRST + n + i]
    return {
        "words": drawn[0], "groups": drawn[1], "places": drawn[2], "chances": drawn[3], "size": every[4],
        "common": [float(settings.common)], "rank": numbered(DISTINCT), "mu": mu,
    }  # fmt: skip


def common_mass(state: State) -> float:
    """Attention on common tokens, mean over the classes."""
    every, task, mass = all_attention(state), state.task, 0.0
    for n in range(len(task.query)):
        for token in range(task.common):
            mass += every[n * task.C + token] / float(len(task.query))
    return mass


def sides(state: State) -> Vector:
    """How often the decoder is wrong, and how many nats the right word's logit leads those of the words that it takes
    for it, on infinitely long sequences; the product is f.g of Lemma 1."""
    task, wrong, push = state.task, 0.0, 0.0
    for n in range(len(task.query)):
        attend(state, n, task.law)
        predict(state, n)
        wrong += state.delta[n]
        for i in range(len(state.f)):
            for k in range(state.columns):
                y = state.Y[task.tokens[n][i] * state.columns + k]
                push += state.f[i] * y * state.delta[k] * state.stands_for[k]
    return [wrong / float(len(task.query)), push / wrong if wrong > 0.0 else 0.0]


def probe(state: State) -> Readings:
    """Loss of the last batch, common_mass; `all_attention`; that of class A's distinct tokens, sum 1; what the decoder
    knows, how often it is wrong, and the product."""
    task, corner = state.task, sides(state)
    return {
        "loss": [state.loss], "common_mass": [common_mass(state)], "attention": all_attention(state),
        "distinct": part(attention(state.Z, 0, task, task.common), task.common, DISTINCT),
        "knows": [corner[1]], "wrong": [corner[0]], "area": [corner[0] * corner[1]],
    }  # fmt: skip


def scanning(knows: Vector, wrong: Vector) -> int:
    """The record with the largest area if the decoder then knows something and is often wrong, else -1."""
    most = 0
    for k in range(len(knows)):
        most = k if knows[k] * wrong[k] > knows[most] * wrong[most] else most
    return most if knows[most] > 0.5 and wrong[most] > 0.25 else -1


def at_end(state: State, loss: Vector, steps: Vector, common_mass: Vector) -> Readings:
    """With the first step the loss that the start had; how much attention common words lose a step, in percent of all,
    from the record before to the one after."""
    loss[0] = state.first_loss
    last = len(loss) - 1
    speed = zeros(last + 1)
    for k in range(last + 1):
        before, after = max(0, k - 1), min(last, k + 1)
        lost = common_mass[before] - common_mass[after]
        speed[k] = 100.0 * lost / (steps[after] - steps[before]) if after > before else 0.0
    return {"loss": loss, "speed": speed}


def run_metrics(common_mass: Vector, speed: Vector, knows: Vector, wrong: Vector, steps: Vector) -> Readings:
    """Of one run: attention on common tokens, first and last, in percent; if it falls by a fiftieth of all attention,
    the last of its speeds in percent of the highest; if the decoder knows and errs where the area is largest, the first
    step at which the area is half as large (`scan`), and the first after it at which it is less (`snap`), else NaN."""
    most, scan, snap = scanning(knows, wrong), nan, nan
    last, told = len(speed) - 1, common_mass[0] - common_mass[len(speed) - 1] >= 0.02
    if most >= 0:
        half = 0.5 * knows[most] * wrong[most]
        for k in range(last, -1, -1):
            if k > most and knows[k] * wrong[k] < half:
                snap = steps[k]
            if k <= most and knows[k] * wrong[k] >= half:
                scan = steps[k]
    return {
        "common_first": [100.0 * common_mass[0]], "common_last": [100.0 * common_mass[last]],
        "slowed": [100.0 * speed[last] / speed[argmax(speed)] if told and speed[last] >= 0.0 else nan],
        "told": [1.0 if told and speed[last] >= 0.0 else 0.0], "scan_at": [scan], "snap_at": [snap],
    }  # fmt: skip


def panels() -> list[Any]:
    """The rectangle, both sequences in ink, its area and the speed of attention over time, and one class's distinct
    tokens."""
    own = [Line("task.mu", "before training (drag)", idea="data"), Line("distinct", "attention now", idea="distinct")]
    return [
        lines("knows", [Line("wrong", "decoder", idea="output", fill=True, corner=True)],
              title=PUSHES, xlabel="knowledge: lead of the right word (nats)",
              ylabel="error: probability of wrong words (fraction)", xlim=(0, None), ylim=(0, 1), height=190),
        ink(weights="attention", tokens="task.words", places="task.places", chances="task.chances", size="task.size",
            groups="task.groups", words=WORDS, ideas=("common", "distinct"), rows=2, row_names=("A", "B"), title=INK,
            group_names=("common", "distinct"), frames=True, height=190,
            alt="Two sequences of words: the common ones have faded, the distinct ones are large."),
        over_steps(SPEED, "area (nats); attention that common words lose (percent a step)",
                   Line("area", "area", idea="output"), Line("speed", "speed of attention", idea="attention"),
                   height=190, wide=True, xlog=True, xlim=(1, 100), ylim=(0, None),
                   marks=[Mark("scan_at", "scan", until="snap_at"), Mark("snap_at", "snap")]),
        bars("task.rank", own, drag="mu", frames=True, title=WINS, height=150, wide=True,
             xlabel="distinct word of class A (number)", ylabel="share of all distinct words (fraction)"),
    ]  # fmt: skip


READING = [
    [*waiting("smaller learning rates may help"),
     Say("Without common words there is nothing to turn away from: attention only drifts at random.",
         "task.common == 0"),
     Say("Common words end with {common_last:0}% of the attention; before training it was {common_first:0}%.")],
    [Say("By the end they are losing it at {slowed:0}% of the peak rate.", "told >= 1")],
]  # fmt: skip
TOUR = [
    Step("Before training each copy of a word gets the same attention. The decoder knows nothing: "
         "the rectangle has no width, so nothing pushes attention.", time=0, point=PUSHES),
    Step("First the decoder learns. The rectangle grows wider, and attention begins to move.", time=4, point=PUSHES),
    Step("Now it knows something and still errs: the rectangle is large, and common words lose fast.",
         time=10, point=SPEED),
    Step("The decoder is nearly always right. The rectangle is flat, and attention nearly stands still.", time=100,
         point=SPEED),
    Step(Say("A decoder a hundred times faster is right at once: no scan, and common words keep {common_last:0}%."),
         "A decoder a hundred times faster is right at once.", point="lr_Y", lr_Y=100.0),
]  # fmt: skip
