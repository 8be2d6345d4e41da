"""Claims NN-9 and NN-10: prompts with labels separated around the query.

Chapter `one_nn`. Source: arXiv 2411.10830, the theorem on distribution shift and its figure (delta = 0.1).
"""

import numpy as np

from hal.chapters.one_nn.runs import shift_scores
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory

_D, _N = 8, 16


@claim(
    "NN-9",
    where="the figure on distribution shift, separation 0.1",
    says="At xi_1 = 32 the sign of the answer is right on all but a few in ten thousand prompts with separated labels; "
    "on uniform prompts it errs on a few in a thousand.",
    control={"delta": 0.0},
    breaks="labels that are not separated",
)
def _check_9(delta: float = 0.1, block: int = 0) -> Result:
    """Measure accuracies, uniform and with the separation `delta`."""
    (seed,) = seeds = seed_block(block, 1)
    xi1 = np.array([1.0, 5.0, 16.0, 32.0, 64.0])
    apart, uniform = (shift_scores(xi1, xi1 + 5, _D, _N, gap, 40_000, seed).accuracy for gap in (delta, 0.0))
    return result(
        Part("accuracy at xi_1 = 5, separated", apart[1], 0.94, 0.01),
        Part("accuracy at xi_1 = 32, separated", apart[3], 0.999, 0, "at least"),
        Part("accuracy at xi_1 = 32, uniform", uniform[3], 0.99, 0, "at least"),
        *(
            Part(f"accuracy at xi_1 = {xi1[i]:g}, uniform", uniform[i], expected, 0.01)
            for i, expected in ((1, 0.883), (2, 0.977))
        ),
        seeds=seeds,
    )


@claim(
    "NN-10",
    where="the theorem on distribution shift, O(R^2 N^2 T^(-poly(N, d) delta))",
    says="On separated prompts the loss falls as an exponential of xi_1: the slope of its logarithm is "
    "-delta - 1/xi_1. Prompt by prompt |f - y_*| <= 2 N e^(-xi_1 delta / 2) + e^(xi_1 (1 - z_*) - xi_2).",
    control={"separated": False},
    breaks="labels that are not separated, so that only -1/xi_1 is left",
)
def _check_10(separated: bool = True, block: int = 0) -> Result:
    """Fit the slope and try the bound on prompts; `separated`: whether they are."""
    (seed,) = seeds = seed_block(block, 1)
    xi1, parts = np.linspace(40.0, 100.0, 7), []
    for delta in (0.1, 0.15, 0.2):
        loss = shift_scores(xi1, np.full(7, np.inf), _D, _N, delta * separated, 60_000, seed).loss
        slope = float(np.polyfit(xi1, np.log(loss), 1)[0])
        expected = float(theory.separated_slope(xi1, delta).mean())
        parts.append(Part(f"slope of log L over xi_1, delta = {delta}", slope, expected, 0.12, "relative"))
    prompts = model.sample_prompts(model.Task(_D, _N), 5000, generators([seed]))
    z = model.products(prompts)[0].max(axis=-1)
    worst = -np.inf
    for first, second in ((5.0, 5.0), (16.0, 14.0), (34.8, 30.8), (73.7, 67.7)):
        point = model.as_matrix(model.Pair(np.array([first]), np.array([second])), _D)
        for delta in (0.1, 0.5):
            given = model.separate(prompts, delta * separated)
            error = np.abs(model.predict(point.W, given) - model.targets(given))[0]
            worst = max(worst, float((error - theory.prediction_bound(first, second, z, _N, delta)).max()))
    parts.append(Part("largest |f - y_*| less its bound, 40,000 answers", worst, 0, 0, "at most"))
    return result(*parts, seeds=seeds)
