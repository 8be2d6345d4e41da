"""Small figure `one_nn-corridor`: the mask moves along with xi_1 and slows it, as r^2 more dimensions would.

Chapter `one_nn`, beyond the paper (arXiv 2411.10830): the late law of the reduced flow, solved for the number of
dimensions in it.
"""

from typing import Any, NamedTuple

from hal.explorer import Idea, Line, Say, Slider, lines
from lib.portable.primitives import Readings, nan, zeros
from lib.theory.one_nn.portable_flow import log_times, path
from lib.theory.one_nn.portable_sphere import gap_density, law_of
from lib.theory.one_nn.portable_times import GAP_INTEGRAL

END = 1e8
TIMES = 31
FROM = 1e4  # the late law is not asked before
MOST = 4.5  # dimensions drawn, from minus one half on
TITLE = "Lonely queries slow like r² dimensions"
HINT = "Add examples: both curves fall."
SLIDERS = {
    "N": Slider("Examples N", "examples", 4, (2, 64), log=True),
    "d": Slider("Dimension d", "no unit", 3, (3, 8), log=True),
}


class Settings(NamedTuple):
    """What is chosen."""

    d: int
    N: int


def settings(N: int, d: int) -> Settings:
    """The flow from the mask 3."""
    return Settings(d, N)


def shown(x: float) -> float:
    """A number of dimensions that the picture has room for, else NaN."""
    return x if x >= -0.5 and x <= MOST else nan


def flow(settings: Settings) -> Readings:
    """Over t (31,), from 1e4 on: the dimensions that the flow has beyond d, 3 K t / xi_1^3 - d; those that the mask
    predicts, r^2 with r = xi_2 / xi_1; their limit 4. Of the last time: both, and how far they are apart.
    """
    law = law_of(settings.d, settings.N)
    kappa, d = gap_density(law), float(settings.d)
    t = log_times(END, TIMES)
    xi1, xi2, _ = path(law, 0.0, 3.0, t, 1e-3)
    more, mask, limit = zeros(TIMES), zeros(TIMES), zeros(TIMES)
    for i in range(TIMES):
        late = t[i] >= FROM
        more[i] = shown(3.0 * kappa * GAP_INTEGRAL * t[i] / (xi1[i] * xi1[i] * xi1[i]) - d) if late else nan
        mask[i] = shown(xi2[i] / xi1[i] * (xi2[i] / xi1[i])) if late else nan
        limit[i] = 4.0
    last = TIMES - 1
    r = xi2[last] / xi1[last]
    found = 3.0 * kappa * GAP_INTEGRAL * t[last] / (xi1[last] * xi1[last] * xi1[last]) - d
    return {
        "t": t, "more": more, "mask": mask, "limit": limit, "squared": [r * r], "found": [found],
        "apart": [abs(found - r * r)],
    }  # fmt: skip


def picture() -> Any:
    """What the flow counts beyond d, what the mask predicts, and the limit."""
    series = [
        Line("flow.more", "slowdown, from the flow", idea="reduced"),
        Line("flow.mask", "theory: r² = (ξ₂/ξ₁)²", theory=True),
        Line("flow.limit", "limit 4", theory=True, dash=(1, 3)),
    ]  # fmt: skip
    return lines("flow.t", series, xlabel="training time t = η × steps (no unit)",
                 ylabel="extra dimensions, beyond d (no unit)", title="", xlog=True, xlim=(FROM, END),
                 ylim=(-0.5, MOST), height=220)  # fmt: skip


def say() -> list[Say]:
    """What the mask costs, and whether the law says so."""
    return [
        Say("At t = 10⁸ the self-attention mask slows ξ₁ like {flow.found:1} more dimensions; theory predicts "
            "r² = {flow.squared:1}.", "flow.apart < 0.15"),
        Say("At t = 10⁸ the flow counts {flow.found:1} more dimensions, theory r² = {flow.squared:1}: it is not late "
            "enough."),
    ]  # fmt: skip


IDEA = Idea(
    "The flow has as many dimensions more as the self-attention mask predicts.",
    lambda drawn: 0.15,
    lambda drawn: abs(drawn["flow.more"][-5:] - drawn["flow.mask"][-5:]).mean(),
    breaks={"N": 16, "d": 8},
)
