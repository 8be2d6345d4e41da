"""Claims NN-9, NN-10 and NN-28: prompts with labels separated around the query.

Chapter `one_nn`. Source: arXiv 2411.10830, the theorem on distribution shift and its figure (delta = 0.1).
"""

import numpy as np

from hal.chapters.one_nn.claims._shared import exact_flow
from hal.chapters.one_nn.models import weighted_rows
from hal.chapters.one_nn.models.separated import separate
from hal.chapters.one_nn.runs import shift_scores
from hal.chapters.one_nn.theory import separated_loss, separated_slope, wrong_sign
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
    xi1 = np.array([1.0, 5.0, 16.0, 32.0])
    apart, uniform = (shift_scores(xi1, xi1 + 5, _D, _N, gap, 40_000, seed).accuracy for gap in (delta, 0.0))
    expected = [1 - wrong_sign(float(at), _D, _N) for at in xi1]
    return result(
        Part("accuracy at xi_1 = 5, separated", apart[1], 1 - wrong_sign(5.0, _D, _N, 0.1), 0.01),
        Part("accuracy at xi_1 = 32, separated", apart[3], 0.999, 0, "at least"),
        *(
            Part(f"accuracy at xi_1 = {at:g}, uniform", uniform[i], expected[i], 0.01)
            for i, at in ((1, 5), (2, 16), (3, 32))
        ),
        Part("wrong signs at xi_1 = 32, uniform", 1 - uniform[3], 1 - expected[3], 0.25, "relative"),
        seeds=seeds,
    )


@claim(
    "NN-10",
    where="the theorem on distribution shift, O(R^2 N^2 T^(-poly(N, d) delta))",
    says="On separated prompts and with xi_2 infinite, so that no query attends to itself, the loss falls as an "
    "exponential of xi_1: the slope of its logarithm is -delta - 1/xi_1. Prompt by prompt |f - y_*| <= 2 N "
    "e^(-xi_1 delta / 2) + e^(xi_1 (1 - z_*) - xi_2).",
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
        expected = float(separated_slope(xi1, delta).mean())
        parts.append(Part(f"slope of log L over xi_1, delta = {delta}", slope, expected, 0.12, "relative"))
    prompts = model.sample_prompts(model.Task(_D, _N), 5000, generators([seed]))
    z = model.products(prompts)[0].max(axis=-1)
    worst = -np.inf
    for first, second in ((5.0, 5.0), (16.0, 14.0), (34.8, 30.8), (73.7, 67.7)):
        point = model.as_matrix(model.Pair(np.array([first]), np.array([second])), _D)
        for delta in (0.1, 0.5):
            given = separate(prompts, delta * separated)
            error = np.abs(model.predict(point.W, given) - model.targets(given))[0]
            worst = max(worst, float((error - theory.prediction_bound(first, second, z, _N, delta)).max()))
    parts.append(Part("largest |f - y_*| less its bound, 40,000 answers", worst, 0, 0, "at most"))
    return result(*parts, seeds=seeds)


def _on_rows(rows: model.Rows, xi1: float, xi2: float, delta: float) -> float:
    """Loss on weighted rows separated by `delta`, far labels averaged out."""
    z, weight = rows.z[0], np.asarray(rows.weight)[0]
    e, own = np.exp(xi1 * (z - z[0])), np.exp(xi1 * (1 - z[0]) - xi2)
    far = np.where(z <= z[0] - delta / 2, e, 0.0)
    return 0.5 * float(weight @ (((far.sum(axis=0) + own) ** 2 + (far**2).sum(axis=0)) / (e.sum(axis=0) + own) ** 2))


@claim(
    "NN-28",
    where="the theorem on distribution shift, O(R^2 N^2 T^(-poly(N, d) delta)), along training",
    says="Along training the loss on separated prompts ends on a floor: queries with no near example attend to "
    "themselves, whatever delta is. At t = 1e6 (d = 8, N = 16) the floor is 6.4e-5, all of the loss for delta >= 0.2, "
    "and by 1e8 it has fallen as t^(-0.36), a power of t that does not know delta.",
    control={"own": False},
    breaks="the query's own token is left out of the attention",
)
def _check_28(own: bool = True, block: int = 0) -> Result:
    """Measure the loss on separated rows at the pairs of the flow; `own`: whether the query's token is attended to."""
    (seed,) = seeds = seed_block(block, 1)
    rows = weighted_rows(_D, _N, 32768, generators([seed])[0])
    flow, parts, floors = exact_flow((1e6, 1e8), _D, _N), [], []
    for delta in (0.1, 0.2, 0.4):
        found = _on_rows(rows, flow.xi1[0], flow.xi2[0] if own else np.inf, delta)
        expected = float(separated_loss(flow.xi1[0], flow.xi2[0], _D, _N, delta)[0])
        parts.append(Part(f"loss at t = 1e6, delta = {delta}", found, expected, 0.02, "relative"))
    for i in range(2):
        floors.append(_on_rows(rows, flow.xi1[i], flow.xi2[i] if own else np.inf, 0.4))
    power = np.log(max(floors[1], 1e-300) / floors[0]) / np.log(100.0)
    floor = [float(separated_loss(flow.xi1[i], flow.xi2[i], _D, _N, 4.0)[1]) for i in range(2)]
    parts.append(Part("power of t in the floor, 1e6 to 1e8", power, np.log(floor[1] / floor[0]) / np.log(100.0), 0.02))
    return result(*parts, seeds=seeds)
