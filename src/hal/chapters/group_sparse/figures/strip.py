"""Small figure `group_sparse-strip`: late in training only the examples in a thin strip around the line still cost.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638: with all attention on the group the margin is D alpha |g|.
"""

from typing import Any, NamedTuple

from hal.explorer import Idea, Line, Path, Say, Slider, lines, points
from lib.models.group_sparse.textbook import softplus
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, sqrt, zeros
from lib.portable.random_numbers import generator, normals
from lib.theory.group_sparse.portable import MARGIN_CONSTANT, PI

SHOWN = 100  # examples
REACH = 2.8  # half of the picture
COS = 0.6  # v* is (COS, SIN)
SIN = 0.8
CURVE = 81  # places of the curves
FINE = 4000  # of the area
END = 8.0  # of it, or where the margin is
FAR = 40.0
TITLE = "Only the strip still costs"
HINT = "Raise the strength: strip and loss shrink."
SLIDERS = {
    "alpha": Slider("Strength α", "no unit", 1.0, (0.2, 20.0), log=True),
    "D": Slider("Groups D", "groups", 6, (2, 16)),
}


class Chosen(NamedTuple):
    """Strength of the value, and groups."""

    alpha: float
    D: int


def settings(alpha: float, D: int) -> Chosen:
    """What is chosen."""
    return Chosen(alpha, D)


def seen(settings: Chosen, seed: int) -> Readings:
    """100 examples of the group, x and y; kind 1 in the strip |g| < 1/(D alpha), else 0; edges of the strip."""
    half, g = 1.0 / (float(settings.D) * settings.alpha), zeros(2)
    random, x, y, kinds = generator(seed, 3), zeros(SHOWN), zeros(SHOWN), zeros(SHOWN)
    inside = 0
    for i in range(SHOWN):
        normals(random, g)
        x[i] = max(-REACH, min(REACH, g[0]))
        y[i] = max(-REACH, min(REACH, g[1]))
        if abs(COS * x[i] + SIN * y[i]) < half:
            kinds[i] = 1.0
            inside += 1
    shift = half / SIN
    tilt = REACH * COS / SIN
    return {
        "x": x, "y": y, "kinds": kinds, "across": [-REACH, REACH], "line": [tilt, -tilt],
        "upper": [tilt + shift, shift - tilt], "lower": [tilt - shift, -shift - tilt], "inside": [float(inside)],
    }  # fmt: skip


def cost(settings: Chosen) -> Readings:
    """Density of |g|, cost of an example there, and their product over |g|, (81,); its area and the late law's."""
    steep = float(settings.D) * settings.alpha
    g, density, loss, product = zeros(CURVE), zeros(CURVE), zeros(CURVE), zeros(CURVE)
    for i in range(CURVE):
        g[i] = 2.0 * float(i) / float(CURVE - 1)
        density[i] = sqrt(2.0 / PI) * exp(-0.5 * g[i] * g[i])
        loss[i] = softplus(-steep * g[i])
        product[i] = density[i] * loss[i]
    area, width = 0.0, min(END, FAR / steep) / float(FINE)
    for i in range(FINE):
        at = width * (float(i) + 0.5)
        area += sqrt(2.0 / PI) * exp(-0.5 * at * at) * softplus(-steep * at) * width
    return {"g": g, "density": density, "loss": loss, "product": product, "area": [area],
            "law": [MARGIN_CONSTANT / steep]}  # fmt: skip


def picture() -> tuple[points, Any]:
    """The group with its strip, and what an example costs at each distance."""
    edges = [Path("seen.across", "seen.line", "", theory=True), Path("seen.across", "seen.upper", "", idea="fit"),
             Path("seen.across", "seen.lower", "", idea="fit")]  # fmt: skip
    curves = [Line("cost.density", "examples", idea="data"),
              Line("cost.loss", "cost of one", idea="output"),
              Line("cost.product", "product: the loss", idea="fit")]  # fmt: skip
    return (
        points(
            x="seen.x", y="seen.y", kinds="seen.kinds", ideas=("theory", "fit"), equal=True, lines=edges, height=165,
            kind_names=("outside the strip", "in the strip"), xlim=(-REACH, REACH), ylim=(-REACH, REACH),
            xlabel="group 2", alt="Points of group 2 and a line; only those in a strip around it are coloured.",
        ),
        lines("cost.g", curves, xlabel="distance to the line |g| (no unit)", ylabel="density, cost (nats)",
              title="What an example costs", xlim=(0.0, 2.0), ylim=(0.0, 0.85), height=122),
    )  # fmt: skip


def say() -> list[Say]:
    """The loss, and the law's."""
    return [Say("{seen.inside:0}% of the examples lie in the strip. The loss is {cost.area}; the late law C/(Dα) gives "
                "{cost.law}.")]  # fmt: skip


IDEA = Idea(
    "Fewer than a quarter of the examples lie in the strip.",
    greater=lambda drawn: 0.25,
    than=lambda drawn: float(drawn["seen.kinds"].mean()),
    breaks={"alpha": 0.3},
)
