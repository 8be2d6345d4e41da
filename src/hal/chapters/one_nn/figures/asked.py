"""Small figure `one_nn-asked`: a flow outside the hypotheses of the convergence theorem, beside one inside.

Chapter `one_nn`. Source: arXiv 2411.10830, the hypotheses on sigma and N; the law is derived in the chapter.
"""

from typing import Any, NamedTuple

from hal.chapters.one_nn.theory.portable_flow import log_times, path
from hal.figure import Idea, Line, Say, Slider, lines
from lib.portable.primitives import Readings, Vector, divide, nan, zeros
from lib.theory.one_nn.portable import gap_density, hazard, late_loss, late_xi1, law_of

D = 16  # dimension: sqrt(16) ln 16 = 11 examples
MANY = 16  # examples of the flow that meets both hypotheses
STRONG = 20.0  # its self-penalty
END = 1e8
COUNT = 49
LATE = 1000.0  # time from which the late law is drawn
TITLE = "The loss falls without the hypotheses"
HINT = "Change the start or the examples: does the loss still fall?"
SLIDERS = {
    "sigma": Slider("Self-penalty at the start, ξ_2(0)", "no unit", -4.0, (-7.0, 20.0), log=False),
    "N": Slider("Examples N", "examples", 2, (2, 32), log=True),
}


class Settings(NamedTuple):
    """The settings of this figure."""

    sigma: float
    N: int


def settings(sigma: float, N: int) -> Settings:
    """A flow in sixteen dimensions."""
    return Settings(sigma, N)


def flow(settings: Settings) -> Readings:
    """Times (49,), the loss of this flow and of the one that meets the hypotheses, and the late law of both, with the
    last ratio xi2 / xi1 of each; NaN early. The last of each loss, and of each pair of scalars.
    """
    t = log_times(END, COUNT)
    mine, mine_law, book, book_law = zeros(COUNT), zeros(COUNT), zeros(COUNT), zeros(COUNT)
    pair = follow(settings.N, settings.sigma, t, mine, mine_law)
    inside_pair = follow(MANY, STRONG, t, book, book_law)
    return {
        "t": t, "loss": mine, "law": mine_law, "inside": book, "inside_law": book_law, "last": [mine[COUNT - 1]],
        "last_inside": [book[COUNT - 1]], "pair": pair, "inside_pair": inside_pair,
    }  # fmt: skip


def follow(N: int, sigma: float, t: Vector, loss: Vector, late: Vector) -> Vector:
    """The loss along the flow from (0, sigma), and its late law, in place; both scalars at its end."""
    law = law_of(D, N)
    xi1, xi2, found = path(law, 0.0, sigma, t, 1e-3)
    r = min(2.0, divide(xi2[COUNT - 1], xi1[COUNT - 1]))
    kappa = gap_density(law)
    for i in range(COUNT):
        loss[i] = found[i]
        late[i] = late_loss(late_xi1(t[i], kappa, D, r), kappa, D, r, hazard(law, 1.0 - r)) if t[i] >= LATE else nan
    return [xi1[COUNT - 1], xi2[COUNT - 1]]


def picture() -> Any:
    """Both losses, with the late law of each."""
    series = [
        Line("flow.loss", "from your start", idea="loss"), Line("flow.inside", "both hypotheses hold", idea="rival"),
        Line("flow.law", "late law", theory=True), Line("flow.inside_law", "late law", theory=True),
    ]  # fmt: skip
    return lines("flow.t", series, xlabel="training time t (no unit)", ylabel="loss L (no unit)", title="", xlog=True,
                 ylog=True, xlim=(1, END), ylim=(0.0005, 1), height=240)  # fmt: skip


def say() -> list[Say]:
    """The two losses at the end."""
    return [Say("At t = 10⁸ the loss is {flow.last:4}; where both hypotheses hold it is {flow.last_inside:4}.")]


IDEA = Idea(
    "With two examples and a negative self-penalty the loss ends lower than where both hypotheses hold.",
    lambda drawn: float(drawn["flow.inside"][-1]),
    lambda drawn: float(drawn["flow.loss"][-1]),
    breaks={"N": 32},
)
