"""Small figure `one_nn-ties`: many prompts while training runs, each at its gap; near ties are the last to be learned.

Chapter `one_nn`. Source: the model of arXiv 2411.10830 along the flow of its two scalars; what is drawn is our own.
"""

from typing import Any, NamedTuple

from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.figure import Idea, Path, Say, Slider, points
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.primitives import Readings, Vector, nan, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.vectors import argmax
from lib.theory.one_nn.portable import law_of

END = 1e6
TIMES = 49
PROMPTS = 300
MOST = 0.8  # gap that is drawn
HIGHEST = 1.6  # loss: of eight labels that all but one say the other
TITLE, TIME, TIME_LABEL, OPENS = "Which prompts are learned last?", "prompts.t", "training time t", 0.55
HINT = "Each dot is a prompt. How far left does the line Δ = 1/ξ₁ get?"
TALLEST = 440  # many dots
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
    """Of 300 prompts the gap between the two nearest (300,) and their kind (300,): 1 where these two differ in their
    label; their loss at each time (49 300,). The flow's times and loss (49,), the place of 1 / xi1 (49 2,) as a line.
    At the end: prompts with a smaller gap than 1 / xi1, the percentage of the loss that these have, and xi1.
    """
    N, t = settings.N, log_times(END, TIMES)
    xi1, xi2, loss = path(law_of(settings.d, N), 0.0, 3.0, t, 1e-3)
    random, normal, point = generator(seed, 2), zeros(settings.d), zeros(settings.d)
    z, y, scores = zeros(N), zeros(N), zeros(N + 1)
    gaps, kinds, losses, wall = zeros(PROMPTS), zeros(PROMPTS), zeros(PROMPTS * TIMES), zeros(2 * TIMES)
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
    for i in range(TIMES):
        place = 1.0 / xi1[i] if xi1[i] > 0.0 else nan
        wall[2 * i] = place
        wall[2 * i + 1] = place
    return {
        "t": t, "loss": loss, "gap": gaps, "kind": kinds, "losses": losses, "wall": wall, "ends": [0.0, HIGHEST],
        "tied": [float(tied)], "share": [100.0 * theirs / whole], "xi1": [xi1[TIMES - 1]],
    }  # fmt: skip


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


def picture() -> Any:
    """The prompts, and where near ties begin."""
    return points(
        x="prompts.gap", y="prompts.losses", kinds="prompts.kind", ideas=("data", "loss"), frames=True,
        kind_names=("the two nearest have one label", "the two nearest have two labels"),
        lines=[Path("prompts.wall", "prompts.ends", "← near ties", idea="attention")],
        xlim=(0.0, MOST), ylim=(0.0, HIGHEST),
        xticks=((0.0, "0"), (0.2, "0.2"), (0.4, "0.4"), (0.6, "0.6")), height=280,
        xlabel="gap Δ", ylabel="loss of each prompt; violet: its two nearest labels differ",
        alt="Dots over their gaps. At the end nearly all lie at the bottom; violet ones with small gaps stand above.",
    )  # fmt: skip


def say() -> list[Say]:
    """How many prompts are left, and what they make of the loss."""
    return [
        Say("At t = 1,000,000 no prompt here has a gap below 1/ξ₁.", "prompts.tied == 0"),
        Say("At t = 1,000,000 only {prompts.tied:0} of 300 prompts have a gap below 1/ξ₁. They make {prompts.share:0}% "
            "of the loss."),
    ]  # fmt: skip


IDEA = Idea(
    "At the end fewer than one prompt in ten still has a loss above 0.02.",
    lambda drawn: PROMPTS / 10,
    lambda drawn: float((drawn["prompts.losses"][-PROMPTS:] > 0.02).sum()),
    breaks={"N": 32, "d": 12},
)
