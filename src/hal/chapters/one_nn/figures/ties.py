"""Small figure `one_nn-ties`: many prompts while training runs, each at its gap; near ties are the last to be learned.

Chapter `one_nn`. Source: the model of arXiv 2411.10830 along the flow of its two scalars; what is drawn is our own.
"""

from typing import Any, NamedTuple

from hal.chapters.one_nn.theory.portable_flow import path
from hal.figure import Idea, Path, Say, Slider, points
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.vectors import argmax
from lib.theory.one_nn.portable import law_of

END = 512000.0
EIGHTH = 18  # times that a factor of 8 has
TIMES = 91  # from END / 8^5 on
PROMPTS = 400
HIGHEST = 1.6  # loss that is drawn: at first the nearest may be outvoted by seven
TITLE, TIME, TIME_LABEL, OPENS = "What is learned first, what last?", "prompts.t", "training time t", 0.08
PACE = (0.08, END)  # its way to the left is to be watched
HINT = "Each dot is a prompt. Which fall first?"
DEFERRED_THEORY = ("prompts",)
TALLEST = 512  # many dots
SLIDERS = {
    "N": Slider("Examples N", "examples", 8, (2, 32), log=True),
    "d": Slider("Dimension d", "no unit", 4, (3, 12), log=True),
}


class Settings(NamedTuple):
    """The settings of this figure."""

    N: int
    d: int


def settings(N: int, d: int) -> Settings:
    """Prompts of so many examples in so many dimensions; training starts from a self-penalty of 3."""
    return Settings(N, d)


def prompts(settings: Settings, seed: int) -> Readings:
    """Of 400 prompts the gap between the two nearest (400,) and their kind (400,): 1 where these two differ in their
    label; their loss at each time (91 400,). The flow's times and loss (91,), the place of 1 / xi1 (91 3,) as a line,
    and that at each stop (91 3,) from then on. At the end: prompts with a smaller gap than 1 / xi1,
    the percentage of the loss that these have, and xi1.
    """
    N, t = settings.N, zeros(TIMES)
    for i in range(TIMES):
        t[i] = END * exp(log(8.0) * float(i + 1 - TIMES) / float(EIGHTH))
    xi1, xi2, loss = path(law_of(settings.d, N), 0.0, 3.0, t, 1e-3)
    random, normal, point = generator(seed, 2), zeros(settings.d), zeros(settings.d)
    z, y, scores = zeros(N), zeros(N), zeros(N + 1)
    gaps, kinds, losses = zeros(PROMPTS), zeros(PROMPTS), zeros(PROMPTS * TIMES)
    tied, theirs, whole = 0, 0.0, 0.0
    for k in range(PROMPTS):
        for j in range(N):
            draw_point(random, normal, point)
            z[j] = point[0]  # on the sphere every query is alike: it stands at the first axis
            y[j] = 1.0 if uniform(random) < 0.5 else -1.0
        near = argmax(z)
        gap, second = z[near] + 1.0, near
        for j in range(N):
            if j != near and z[near] - z[j] < gap:
                gap = z[near] - z[j]
                second = j
        gaps[k] = gap
        kinds[k] = 1.0 if y[second] * y[near] < 0.0 else 0.0
        for i in range(TIMES):
            losses[i * PROMPTS + k] = loss_of(scores, xi1[i], xi2[i], z, y, near)
        last = losses[(TIMES - 1) * PROMPTS + k]
        whole += last
        if gap * xi1[TIMES - 1] < 1.0:
            tied += 1
            theirs += last
    return {
        "t": t, "loss": loss, "gap": gaps, "kind": kinds, "losses": losses,
        "heights": [0.0, HIGHEST, 1.2], "wall": held(xi1, -1),
        "ghost0": held(xi1, TIMES - 1 - 3 * EIGHTH), "ghost1": held(xi1, TIMES - 1 - 2 * EIGHTH),
        "ghost2": held(xi1, TIMES - 1 - EIGHTH),
        "tied": [float(tied)], "share": [100.0 * theirs / whole], "xi1": [xi1[TIMES - 1]],
    }  # fmt: skip


def held(xi1: Vector, stop: int) -> Vector:
    """The place of 1 / xi1 as an upright line of three points, time after time; from `stop` on, the place of then."""
    line = zeros(3 * TIMES)
    for i in range(TIMES):
        then = xi1[stop if stop > 0 else i]
        for a in range(3):
            line[3 * i + a] = 1.0 / then if i > stop and then > 0.0 else nan
    return line


def loss_of(scores: Vector, xi1: float, xi2: float, z: Vector, y: Vector, near: int) -> float:
    """(f - y)^2 / 2 of a prompt at the pair; `scores` (N + 1,) is room, the query's own last."""
    N, f = len(z), 0.0
    for j in range(N):
        scores[j] = xi1 * z[j]
    scores[N] = xi1 - xi2
    softmax(scores)
    for j in range(N):
        f += scores[j] * y[j]
    return 0.5 * (f - y[near]) * (f - y[near])


STOPS = ("t = 1,000", "8,000", "64,000")  # END / 8^3 and so on: the line's places then stay as ghosts


def picture() -> Any:
    """The prompts, and where near ties begin."""
    ghosts = [
        Path("prompts.ghost0", "prompts.heights", STOPS[0], idea="attention"),
        Path("prompts.ghost1", "prompts.heights", STOPS[1], idea="attention"),
        Path("prompts.ghost2", "prompts.heights", STOPS[2], idea="attention"),
    ]
    return points(
        x="prompts.gap", y="prompts.losses", kinds="prompts.kind", ideas=("data", "loss"), frames=True, pale=(0,),
        kind_names=("the two nearest have one label", "the two nearest have two labels"),
        lines=[Path("prompts.wall", "prompts.heights", "1/ξ₁", idea="attention"), *ghosts], faint=3,
        sides=("still hesitates", "decided"), xlim=(0.0002, 4.0), xlog=True, ylim=(0.0, HIGHEST),
        xticks=((0.0006, "near tie"), (0.01, "0.01"), (0.1, "0.1")),
        height=300, wide=True, xlabel="gap Δ",
        ylabel="loss of a prompt; violet: its two nearest labels differ",
        alt="Dots over gaps. Those on the right fall first; at last only violet ones left of the line 1/ξ₁ stay up.",
    )  # fmt: skip


def say() -> list[Say]:
    """How many prompts are left, and what they make of the loss."""
    return [
        Say("At t = 512,000 no prompt here has a gap below 1/ξ₁.", "prompts.tied == 0"),
        Say("At t = 512,000 only {prompts.tied:0} of 400 prompts have a gap below 1/ξ₁. They account for "
            "{prompts.share:0}% of the loss."),
    ]  # fmt: skip


IDEA = Idea(
    "At the end fewer than one prompt in ten still has a loss above 0.02.",
    lambda drawn: PROMPTS / 10,
    lambda drawn: float((drawn["prompts.losses"][-PROMPTS:] > 0.02).sum()),
    breaks={"N": 32, "d": 12},
)
