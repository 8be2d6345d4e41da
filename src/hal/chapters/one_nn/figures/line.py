"""Small figure `one_nn-line`: all that the loss needs of a prompt is a row of inner products, which crowd at 0.

Chapter `one_nn`. Source: arXiv 2411.10830, the setting: points uniform on the sphere; here the self-attention mask is
strong, and the query does not see itself.
"""

from typing import NamedTuple

from hal.explorer import Idea, Path, Say, Slider, points
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.primitives import Readings, zeros
from lib.portable.random_numbers import generator
from lib.portable.vectors import argmax, largest, scale
from lib.theory.one_nn.portable_sphere import law_of
from lib.theory.one_nn.portable_ties import density_of, mean_nearest

N = 8  # examples
PLACES = 161  # of the curve
TITLE = "A prompt becomes numbers"
HINT = "Sharpen the attention, then add dimensions."
AGAIN = "Another prompt"
SLIDERS = {
    "xi1": Slider("Inverse temperature ξ₁", "no unit", 5.0, (0.0, 60.0), log=False),
    "d": Slider("Dimension d", "no unit", 8, (3, 40), log=True),
}


class Settings(NamedTuple):
    """What is chosen."""

    xi1: float
    d: int


def settings(xi1: float, d: int) -> Settings:
    """Eight examples in dimension d."""
    return Settings(xi1, d)


def row(settings: Settings, seed: int) -> Readings:
    """Inner products (8,) of a prompt with its query, the attention to each example, and that to the nearest in per
    cent. On the sphere every query is alike: it stands at the first axis.
    """
    random = generator(seed, 1)
    z, attention, normal, point = zeros(N), zeros(N), zeros(settings.d), zeros(settings.d)
    for j in range(N):
        draw_point(random, normal, point)
        z[j] = point[0]
        attention[j] = settings.xi1 * point[0]
    near = argmax(z)
    softmax(attention)
    return {"z": z, "attention": attention, "percent": [100.0 * attention[near]]}


def law(settings: Settings) -> Readings:
    """How often an inner product is at each place, as a fraction of the highest; the mean of the nearest; d."""
    of = law_of(settings.d, N)
    place, often = zeros(PLACES), zeros(PLACES)
    for i in range(PLACES):
        place[i] = 0.999 * (2.0 * float(i) / float(PLACES - 1) - 1.0)
        often[i] = density_of(of, place[i])
    scale(often, 1.0 / largest(often))
    return {"place": place, "often": often, "nearest": [mean_nearest(of)], "d": [float(settings.d)]}


def picture() -> points:
    """Examples at their inner products, as high as their attention, over the law of all inner products."""
    return points(
        x="row.z", y="row.attention", xlim=(-1.0, 1.0), ylim=(0.0, 1.1), ideas=("attention",), height=230,
        lines=[Path("law.place", "law.often", "how often (no scale)", theory=True)],
        xlabel="inner product with the query", ylabel="attention",
        alt="Eight examples on a line, most of them near 0 under a bell; the one farthest to the right has the most "
            "attention.",
    )  # fmt: skip


def say() -> list[Say]:
    """The nearest on average, and here."""
    return [
        Say("In {law.d} dimensions the nearest of eight has inner product {law.nearest} on average; here it gets "
            "{row.percent:0}% of the attention."),
    ]  # fmt: skip


IDEA = Idea(
    "Inner products crowd at 0: three of four are below one half in size.",
    lambda drawn: drawn["law.often"][abs(drawn["law.place"]) < 0.5].sum(),
    lambda drawn: 3 * drawn["law.often"][abs(drawn["law.place"]) >= 0.5].sum(),
    breaks={"d": 3},
)
