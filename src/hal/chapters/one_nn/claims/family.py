"""Claims NN-11, NN-12, NN-14: the two numbers against each other, labels that leave the family, SGD on the matrix.

Chapter `one_nn`. Source: arXiv 2411.10830, the proof sketch and the conditions on the labels.
"""

import numpy as np

from hal.chapters.one_nn.claims._shared import exact_flow, flows, mean_gradient, predicted
from hal.chapters.one_nn.models import Crowded
from hal.chapters.one_nn.runs import learn
from hal.chapters.one_nn.theory import slope_off_family
from hal.claims import Part, Result, claim, result, seed_block
from lib.attention import softmax
from lib.models import one_nn as model
from lib.sampling import generators


@claim(
    "NN-11",
    where="the public text: xi_1 <= (7/15) xi_2 at all times; the slide says xi_1 >> xi_2",
    says="Along training xi_1 stays below 7/15 of xi_2.",
    control={"sigma": 2000.0},
    breaks="a self-penalty so strong that it never has to learn, sigma = 2000",
    verdict="fails",
    regime="The two grow together: at t = 1e7 the ratio is 0.59 (d = N = 4), 0.79 (4, 8), 1.05 (8, 16), 1.18 (16, 32); "
    "neither below 7/15 nor large. In the limit it falls to 1/2 from above: with two examples in three dimensions it "
    "is 0.501.",
)
def _check_11(sigma: float = 3.0, block: int = 0) -> Result:
    """Measure the ratio along flows from the self-penalty `sigma`."""
    parts = []
    for d, N in ((3, 2), (4, 4), (4, 8), (8, 16), (16, 32)):
        run, exact, name = flows(d, N, sigma, block), predicted(d, N, sigma), f"d = {d}, N = {N}"
        ratio = run.params.xi1 / run.params.xi2
        parts += [
            Part(f"largest xi_1 / xi_2 up to t = 1e8, {name}", ratio.max(), 7 / 15, 0, "at most"),
            Part(f"xi_1 / xi_2 at t = 1e7, {name}", ratio[56], exact.xi1[7] / exact.xi2[7], 0.05, "relative"),
        ]
    return result(*parts, seeds=seed_block(block, 1))


@claim(
    "NN-12",
    where="the conditions on the labels: E[y_i y_j | x] = 1{i = j} and a distribution that does not change under x ->"
    " -x",
    says="The printed conditions do not keep W in the family: under Walsh labels, which meet them all, the slope in "
    "W_23 is (E sum' q_i q_j - E sum'' q_i q_j q_k) / (N - 2), not 0. E[y_i y_j y_k | x] = 0 is needed as well.",
    control={"labels": "rademacher"},
    breaks="independent labels, whose products of three average to 0",
)
def _check_12(labels: str = "walsh", block: int = 0) -> Result:
    """Measure the slope in W_23 under labels of this law."""
    seeds, d, N, xi1, xi2 = seed_block(block, 80), 4, 7, 4.0, 3.0
    gradient, _ = mean_gradient(model.Task(d, N, labels), xi1, xi2, seeds, 5000)
    slope, error = gradient.mean[d, d + 1], gradient.error[d, d + 1]
    z = model.ReducedPair(d, N).sample(100_000, generators(seeds[:1], purpose=4)).z[0]
    q = softmax(np.vstack([xi1 * z, np.full((1, z.shape[1]), xi1 - xi2)]), axis=0)[:-1]
    one, two, three = (np.sum(q**k, axis=0) for k in (1, 2, 3))  # sums of powers give those over different indices
    top = np.take_along_axis(q, z.argmax(axis=0)[None], axis=0)[0]
    pairs = np.mean((one - top) ** 2 - (two - top**2))
    triples = np.mean(one**3 - 3 * one * two + 2 * three)
    return result(
        Part("slope in W_23", slope, slope_off_family(pairs, triples, N), 0.35, "relative"),
        Part("the same in standard errors", abs(slope) / error, 4.5, 0, "at least"),
        seeds=seeds,
    )


@claim(
    "NN-14",
    where="the training experiment; gradient descent on fresh prompts",
    says="SGD on the whole matrix (d = 8, N = 16, batch 256, learning rate 2) follows the flow of the two scalars, "
    "and what leaves the family is noise: under a thirtieth of the matrix.",
    control={"squeeze": 4.0},
    breaks="points that crowd around one axis",
)
def _check_14(squeeze: float = 1.0, block: int = 0) -> Result:
    """Train the whole matrix; `squeeze`: on points as `crowded` has them."""
    seeds, steps, lr = seed_block(block, 1), 1000, 2.0
    problem = None if squeeze == 1.0 else Crowded(model.Task(8, 16), squeeze)
    run = learn(seeds, lr=lr, steps=steps, record_at=[0, 500, steps], problem=problem)
    exact = exact_flow((500 * lr, steps * lr), 8, 16)
    return result(
        *(
            Part(f"{name} after {step} steps", run.at(step)[name][0], values[i], 0.06, "relative", 1e-3)
            for name, values in (("xi1", exact.xi1), ("xi2", exact.xi2))
            for i, step in enumerate((500, steps))
        ),
        Part("norm beside the family, over the norm of W", run.at(steps)["off_family"][0], 1 / 30, 0, "at most", 1e-4),
        seeds=seeds,
    )
