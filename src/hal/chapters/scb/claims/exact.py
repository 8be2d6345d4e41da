"""Claims SCB-1 to SCB-4: the data law, the gradient of one sample, the exact expectations.

Chapter `scb`. Source: arXiv 2410.23438, Sections 2.1 to 2.3 and Appendix B.
"""

from typing import NamedTuple

import numpy as np

from hal.chapters.scb import models
from hal.chapters.scb.claims._measure import Array, Outcomes, all_outcomes, gradients, largest, random_point, repeat
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory

_SAMPLES = 200_000


class _Law(NamedTuple):
    """What a builder of transitions was asked for and what it made."""

    asked: Array  #: (N,) mu, by the formula; that of a builder that chooses its own is its own
    mu: Array  #: (N,) the array that the builder was given or gave, after building
    P: Array  #: (N, N)


def _zipf(N: int, skew: float) -> Array:
    weight = np.arange(1.0, N + 1) ** -skew
    return weight / weight.sum()


def _laws() -> list[_Law]:
    """Every builder, twice each with different seeds or skews."""
    laws = []
    for N, skew in ((4, 0.0), (5, 1.0)):
        mu = scb.skewed_law(N, skew)
        laws.append(_Law(_zipf(N, skew), mu, scb.ring_transition(mu, 0.75)))
    for seed in (0, 1):
        mu = scb.skewed_law(5, 0.7)
        laws.append(_Law(_zipf(5, 0.7), mu, models.random_transition(mu, 0.3, np.random.default_rng(seed))))
        own, P = models.uniform_random_transition(4, np.random.default_rng(seed))
        laws.append(_Law(own, own, P))
    return laws


def _law_parts(laws: list[_Law]) -> list[Part]:
    strength = []
    for _, mu, P in laws:
        K_P = scb.mu_norm(P - mu[:, None], mu) ** 2
        mixed = models.mix(P, mu, 0.6)
        strength.append(scb.mu_norm(mixed - mu[:, None], mu) ** 2 / (0.36 * K_P) - 1)
    stationary = max(largest(law.P @ law.mu - law.mu) for law in laws)
    off = max(largest(law.mu - law.asked) for law in laws)
    return [
        Part("largest difference of mu from Zipf's law, after building", off, 1e-12, kind="rounding"),
        Part("largest |P mu - mu|", stationary, 1e-9, kind="rounding"),
        Part("largest |1^T P - 1|", max(largest(law.P.sum(0) - 1) for law in laws), 1e-9, kind="rounding"),
        Part("smallest entry of P", min(law.P.min() for law in laws), 0, 0, "at least"),
        Part("relative error of K_P(mixed) = c^2 K_P", largest(np.array(strength)), 1e-9, kind="rounding"),
    ]


@claim(
    "SCB-1",
    where="Section 2.1, equation (1)",
    says=r"Every way of making a task gives columns that are distributions, with $\mu$ as the stationary one, and "
    "mixing $P$ with the trivial transition by a factor $c$ scales the signal $K_P$ by exactly $c^2$. Drawn tokens, "
    r"last tokens and labels have the distribution $\mu$, and a label depends on the token at position $t$ in "
    "proportion to the attention weight of $t$.",
    control={"shift": 1},
    breaks="the sampler attends to the position after the one that $S$ names",
)
def _check_1(shift: int = 0, block: int = 0) -> Result:
    """`shift`: how far beside the positions of Q the sampler attends."""
    task = models.random_task(8, 4, 2, skew=0.5, rng=3)
    (seed,) = seed_block(block, 1)
    drawn_from = scb.Task(task.mu, task.P, np.roll(task.Q, shift, axis=-1))
    batch = scb.sample(drawn_from, _SAMPLES, generators([seed]))
    tokens, last, label = batch.tokens()[0], batch.last[0], batch.label[0]
    D = np.diag(task.mu)
    errors = []
    for k in range(task.N):
        own = last == k
        for t in range(task.T):
            joint = np.zeros((task.N, task.N))  # label, token at position t
            np.add.at(joint, (label[own], tokens[own, t]), 1 / own.sum())
            q = task.Q[k, t]
            errors.append(largest(joint - q * task.P @ D - (1 - q) * np.outer(task.mu, task.mu)))
    of_label, of_last = (np.bincount(drawn, minlength=task.N) / _SAMPLES for drawn in (label, last))
    # Thirds are no whole numbers of 256ths: what the sampler does about the rest shows in four million tokens.
    thirds = scb.ring_task(64, 3, rng=0)
    each = scb.sample(thirds, 62_500, generators([seed])).tokens().reshape(-1)
    of_token = np.bincount(each, minlength=thirds.N) / each.size
    # Standard errors: 0.0011 of a frequency, 0.00024 of a third, at most 0.003 of a cell of a joint table; the largest
    # of the 512 cells lies below four and a half of them.
    return result(
        *_law_parts(_laws()),
        Part("label frequencies against mu", largest(of_label - task.mu), 0.005, 0, "at most"),
        Part("frequencies of the last token against mu", largest(of_last - task.mu), 0.005, 0, "at most"),
        Part(
            "frequencies of three equally likely tokens against mu", largest(of_token - thirds.mu), 0.001, 0, "at most"
        ),
        Part("label and token at each position, against q P D + (1 - q) mu mu^T", max(errors), 0.012, 0, "at most"),
        seeds=(seed,),
    )


def _dense_loss(V: Array, A: Array, batch: scb.Batch) -> float:
    """Mean loss of a one-run batch, written with one-hot matrices."""
    N = len(V)
    X = np.eye(N)[batch.tokens()[0]].swapaxes(-1, -2)  # (B, N, T)
    out = np.einsum("ij,bjt,bt->bi", V, X, A[batch.last[0]])
    return 0.5 * float(np.square(out - np.eye(N)[batch.label[0]]).sum()) / len(X)


@claim(
    "SCB-2",
    where="Section 2.3, equation (3) and Lemma B.3",
    says="The written-out gradient of a sample is the derivative of its loss, for both layers.",
    control={"every_row": True},
    breaks="the attention gradient goes to every row, not only to that of the sample's last token",
)
def _check_2(every_row: bool = False, block: int = 0) -> Result:
    """`every_row`: give each row of A the gradient of all samples."""
    worst = 0.0
    h = 1e-3  # the loss is quadratic in V and in A, so the central difference is exact up to rounding
    for seed in seed_block(block, 4):
        task = models.random_task(5, 3, 2, skew=0.5, rng=seed)
        batch = scb.sample(task, 3, generators([seed]))
        params = random_point(task, seed, keep_mean=False)
        _, grad = scb.loss_and_gradient(params, batch, np.float64)
        if every_row:
            grad = scb.Params(grad.V, np.broadcast_to(grad.A.sum(axis=1, keepdims=True), grad.A.shape))
        for field in ("V", "A"):
            for index in np.ndindex(getattr(params, field)[0].shape):
                ends = []
                for sign in (1, -1):
                    moved = {"V": params.V[0].copy(), "A": params.A[0].copy()}
                    moved[field][index] += sign * h
                    ends.append(_dense_loss(moved["V"], moved["A"], batch))
                worst = max(worst, abs((ends[0] - ends[1]) / (2 * h) - getattr(grad, field)[0][index]))
    return result(
        Part("largest error of an entry of the gradient", worst, 1e-10, kind="rounding"), seeds=seed_block(block, 4)
    )


def _mean(outcomes: Outcomes, values: Array) -> Array:
    return np.einsum("n,n...->...", outcomes.weight, values)


@claim(
    "SCB-3",
    where=r"Lemma B.8 (from Lemmas B.4 to B.6); for $V\mu\neq\mu$: beyond the paper",
    says="The expected gradients have a short closed form, exact at every point whose columns and rows sum to one. "
    r"It needs the term $(V\mu-\mu)\mathbf{1}^\top$ whenever $V\mu\neq\mu$.",
    control={"chain": True},
    breaks=r"the tokens of the context are not independent but a walk of $P$, each distributed as $\mu$",
)
def _check_3(chain: bool = False, block: int = 0) -> Result:
    """`chain`: see `all_outcomes`."""
    errors: dict[str, list[float]] = {"V": [], "A": [], "V, right projector": []}
    for seed in seed_block(block, 3):
        task = models.random_task(4, 3, 2, skew=0.7, rng=seed)
        outcomes = all_outcomes(task, chain)
        for keep_mean in (True, False):
            point = random_point(task, seed, keep_mean)
            law = (point.V, point.A, task.mu, task.P, task.Q)
            many = repeat(point, len(outcomes.weight))
            plain = gradients(task, many, outcomes.batch)[1]
            kept = gradients(task, many, outcomes.batch, keep_mean=True)[1]
            errors["V"].append(largest(_mean(outcomes, plain.V) - theory.expected_gradient_V(*law)[0]))
            errors["A"].append(largest(_mean(outcomes, plain.A) - theory.expected_gradient_A(*law)[0]))
            kept_V = theory.expected_gradient_V(*law, keep_marginal=True)[0]
            errors["V, right projector"].append(largest(_mean(outcomes, kept.V) - kept_V))
    parts = [Part(f"largest error, gradient of {n}", max(e), 1e-11, kind="rounding") for n, e in errors.items()]
    return result(*parts, seeds=seed_block(block, 3))


@claim(
    "SCB-4",
    where="Beyond the paper",
    says="The expected loss is exactly that of a rank-one fit of the product of transition and attention, plus a "
    r"constant and the error of $V\mu$.",
    control={"chain": True},
    breaks=r"the tokens of the context are not independent but a walk of $P$, each distributed as $\mu$",
)
def _check_4(chain: bool = False, block: int = 0) -> Result:
    """`chain`: see `all_outcomes`."""
    theory_error, model_error = [], []
    for seed in seed_block(block, 3):
        task = models.random_task(4, 3, 2, skew=0.7, rng=seed)
        outcomes = all_outcomes(task, chain)
        for keep_mean in (True, False):
            point = random_point(task, seed, keep_mean)
            loss = float(_mean(outcomes, gradients(task, repeat(point, len(outcomes.weight)), outcomes.batch)[0]))
            theory_error.append(theory.population_loss(point.V, point.A, task.mu, task.P, task.Q)[0] - loss)
            model_error.append(models.population_loss(point, task)[0] - loss)
    return result(
        Part("largest error of the theory's loss", largest(np.array(theory_error)), 1e-11, kind="rounding"),
        Part("largest error of the model's test loss", largest(np.array(model_error)), 1e-11, kind="rounding"),
        seeds=seed_block(block, 3),
    )
