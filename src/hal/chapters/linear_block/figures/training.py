"""Figure `linear_block-training`: what is learned first, by six matrices; and the trap.

Chapter `linear_block`. Source: left open in arXiv 2402.14951 but for the figure of its public version, block against
attention; trap and criterion are ours. Seeds differ in the start.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.runs.training import fast_population
from hal.chapters.linear_block.theory.plane import best_gain, shares
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Line, Mark, Path, Say, Slider, over_steps, points, sliders, waiting
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import Settings, State, direction, tilted_law
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, sqrt, zeros
from lib.portable.records import reached
from lib.portable.vectors import dot, filled
from lib.theory.linear_block.portable import best_risk, trap_criterion

STEPS = 600  # of Adam
LONG = 2000  # of gradient descent
WIDTH = 0.33  # of a matrix in the drawing of the block, a half
BEAM = 0.62  # half the width of a beam that enters
TOP = 3.7  # height at which the examples pass the block
LOW = 1.1  # the mean
FULL = 1.3  # a matrix of this size has a whole frame: about where training ends
END = 10.6  # of both paths
TITLE = "What is learned first?"
RUN, FAST, COLUMNS, RUNS, PRECOMPUTED_RUNS = textbook, fast_population, 1, 1, 1
SLIDERS = {
    "kind": Slider("Matrices", names={0: "block", 1: "near identity", 2: "no MLP"}),
    "scale": Slider("Initial size s", "no unit", 0.05, (0.02, 0.6)),
    **sliders(TABLE, adam=0, M=20, d=(3, 2, 5), norm=(1.5, 0.5, 2.5), tilt=0.0, sigma=0.5, decay=0.0,
              lr=(0.02, 0.005, 0.1)),
}  # fmt: skip
HERO, PRIMARY_SLIDERS, OPENS = True, ("scale", "norm", "M"), 0.07  # the mean is learned, the examples are not
PACE = 0.8, 150.0  # the first steps slowly: the mean is learned


def settings(kind: int, scale: float, adam: int, M: int, d: int, norm: float, tilt: float, sigma: float, decay: float,
             lr: float) -> Settings:  # fmt: skip
    """Training of the block from random (0) or near identity (1), or of attention alone (2)."""
    return Settings(
        mlp=0 if kind == 2 else 1, d=d, M=M, sigma=sigma, norm=norm, decay=decay, lr=lr, adam=adam,
        near=1 if kind == 1 else 0, scale=scale, steps=STEPS if adam == 1 else LONG, tilt=tilt,
    )  # fmt: skip


def laws(settings: Settings) -> Readings:
    """The risk of the best block, the goal of what is trained, the trap's criterion, with the MLP or not, the steps."""
    law, sigma, M = tilted_law(settings), settings.sigma, float(settings.M)
    best = best_risk(law.h, sigma, M)
    return {
        "goal": [best_attention_risk(law.h, 1.0, law.mean, sigma, M) if settings.mlp == 0 else best], "best": [best],
        "criterion": [trap_criterion(law.h, sigma, M)], "kind": [float(settings.mlp)], "steps": [float(settings.steps)],
    }  # fmt: skip


def place(k: int) -> float:
    """Where beams pass matrix k in the drawing, of K, Q, V, P, W1, W2; a gap parts attention from the MLP."""
    return float(k) + (1.8 if k > 3 else 1.4)


def frame_x(k: int) -> Vector:
    """(7,) the sides of the frame of matrix k, from its upper right corner round to it, a gap, and its name. Of W1 and
    W2 (16,) two frames, one on each beam, and a line between them.
    """
    right, left, middle = place(k) + WIDTH, place(k) - WIDTH, place(k)
    if k < 4:
        return [right, right, left, left, right, nan, right]
    return [right, right, left, left, right, nan, middle, middle, nan, right, right, left, left, right, nan, right]


def frame(size: float, both: bool) -> Vector:
    """(7,) heights of the frame of a matrix of this size, and of its name; (16,) if it stands on both beams."""
    half = 0.12 + 0.8 * min(size / FULL, 1.15)
    up, down, name = TOP + half, TOP - half, TOP + max(half, BEAM + 0.5) + 0.1
    if not both:
        return [up, down, down, up, up, nan, name]
    high, low = LOW + half, LOW - half
    return [up, down, down, up, up, nan, down, high, nan, high, low, low, high, high, nan, name]


def beam(factors: Vector, middle: float) -> Vector:
    """(75,) heights of the five rays of a beam whose width each matrix multiplies by its factor (6,)."""
    y = filled(75, nan)
    for ray in range(5):
        width, at = BEAM * (0.5 * float(ray) - 1.0), 15 * ray
        y[at] = middle + width
        for k in range(6):
            y[at + 1 + 2 * k] = middle + width
            width *= factors[k]
            y[at + 2 + 2 * k] = middle + width
        y[at + 13] = middle + width
    return y


def drawing(settings: Settings) -> Readings:
    """What stands still in the drawing of the block: x of beams (75,) and of frames, where both beams enter."""
    x = filled(75, nan)
    for ray in range(5):
        x[15 * ray] = 0.0
        x[15 * ray + 13] = END
        for k in range(6):
            x[15 * ray + 1 + 2 * k] = place(k) - WIDTH
            x[15 * ray + 2 + 2 * k] = place(k) + WIDTH
    return {
        "x": x, "in_x": [0.0, 0.0], "in_y": [TOP, LOW], "kinds": [0.0, 1.0],
        "name_x": [0.1, 0.1], "name_top": [TOP + BEAM, TOP + BEAM], "name_low": [LOW + BEAM, LOW + BEAM],
        "K": frame_x(0), "Q": frame_x(1), "V": frame_x(2), "P": frame_x(3), "W1": frame_x(4), "W2": frame_x(5),
    }  # fmt: skip


def sizes_of(state: State) -> Vector:
    """(6,) roots of the sums of squares of K, Q, V, P, W1, W2; NaN for those that a run does not have."""
    sizes, n = zeros(6), len(state.W[0])
    for r in range(6 * n):
        k = r // n
        k = 5 - k if k == 2 or k == 3 else k  # a textbook has P before V
        sizes[k] += dot(state.W[r], state.W[r])
    for k in range(6):
        sizes[k] = nan if state.mlp == 0 and k > 3 else sqrt(sizes[k])
    return sizes


def factors_of(sizes: Vector, first: int, share: float) -> Vector:
    """(6,) the factors of a beam: sizes of matrices from the first on, on a scale on which their product is the share
    that is learned.
    """
    factors, logs, count = filled(6, 1.0), log(min(max(abs(share), 1e-9), 1.3)), 0.0
    for k in range(first, 6):
        if sizes[k] > 0.0:
            logs -= log(sizes[k])
            count += 1.0
    for k in range(first, 6):
        if sizes[k] > 0.0:
            factors[k] = sizes[k] * exp(logs / count)
    return factors


def probe(state: State) -> Readings:
    """The exact risk; in percent of the best step along the prior mean, the start and the gain; the length of q. Of the
    drawing heights of both beams and of six matrices, of which W1 and W2 stand on both.
    """
    law, way = state.law, direction(state.settings.d, state.settings.tilt)
    share = shares(state, way, best_gain(law, way))
    size = sizes_of(state)
    by_mean, by_gain = factors_of(size, 4, share[0]), factors_of(size, 0, share[1])
    if state.mlp == 0:
        by_mean[4] = 0.0
    return {
        "risk": [state.risk], "mean": [100.0 * share[0]], "examples": [100.0 * share[1]],
        "labels": [sqrt(dot(state.block.q, state.block.q))],
        "mean_beam": beam(by_mean, LOW), "examples_beam": beam(by_gain, TOP),
        "K": frame(size[0], False), "Q": frame(size[1], False), "V": frame(size[2], False), "P": frame(size[3], False),
        "W1": frame(size[4], True), "W2": frame(size[5], True),
    }  # fmt: skip


def run_metrics(steps: Vector, risk: Vector, mean: Vector, examples: Vector, labels: Vector) -> Readings:
    """The risk at the end of a run, and the length of q; the first steps at which mean and examples are half learned,
    NaN where they never are.
    """
    last = len(labels) - 1
    return {
        "end": [risk[last]], "keyed": [labels[last]],
        "mean_at": [reached(steps, mean, 50.0)], "examples_at": [reached(steps, examples, 50.0)],
    }  # fmt: skip


def paths() -> points:
    """Two beams through the matrices of the block."""
    six = [("K", "W_K"), ("Q", "W_Q"), ("V", "W_V"), ("P", "W_P"), ("W1", "W_1"), ("W2", "W_2")]
    return points(
        x="drawing.in_x", y="drawing.in_y", kinds="drawing.kinds", kind_names=("examples", "mean"),
        ideas=("attention", "output"), xlim=(-0.1, END), ylim=(0.0, 5.5), ends=False, frames=True, wide=True,
        height=230, large=True, xticks=[(0.25, "prompt"), (2.9, "attention"), (6.3, "MLP")], xlabel="answer",
        title="Two paths through the block",
        alt="The examples pass six matrices, the mean the last two of them. Where a matrix is small a beam gets thin.",
        lines=[
            Path("drawing.x", "mean_beam", "2 matrices", "output"),
            Path("drawing.x", "examples_beam", "6 matrices", "attention"),
            Path("drawing.name_x", "drawing.name_low", "mean", "output"),
            Path("drawing.name_x", "drawing.name_top", "examples", "attention"),
            *[Path(f"drawing.{at}", at, name, "data" if at[0] == "W" else "attention") for at, name in six],
        ],
    )  # fmt: skip


def panels() -> list[Any]:
    """The block; shares of mean and examples."""
    return [
        paths(),
        over_steps("How much is learned", "share of its best value (%)", Line("mean", "the mean", idea="output"),
                   Line("examples", "the examples", idea="attention"), ylim=(-8, 150), height=260, wide=True,
                   marks=[Mark("mean_at", "mean: 2 matrices", idea="output"),
                          Mark("mean_at", "the examples wait", until="examples_at"),
                          Mark("examples_at", "examples: 6 matrices", idea="attention")]),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("The run ends in the trap, which steps along one direction only, at a risk of {end:3}; the best is "
            "{laws.goal:3}.", "laws.kind == 1", "keyed > 0.1", "laws.criterion > 1"),
        Say("Without the MLP the mean is never stored: the run ends at a risk of {end:3}.", "laws.kind == 0"),
        Say("The examples are half learned at step {examples_at:0}, the mean at step {mean_at:0}: the order has "
            "flipped.", "examples_at < mean_at"),
        Say("The mean is half learned at step {mean_at:0}, the examples at step {examples_at:0}."),
        Say("After {laws.steps:0} steps the run does not use the examples yet.", "mean_at >= 0"),
        Say("The run ends at a risk of {end:3}; the best is {laws.goal:3}."),
    ],
]  # fmt: skip
