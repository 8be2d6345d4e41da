"""Claims SCB-1 to SCB-4: the data law, the gradient of one sample, and the exact expectations.

Chapter `scb`. Source: arXiv 2410.23438, Sections 2.1 to 2.3 and Appendix B.
"""

from __future__ import annotations

import numpy as np

from lib.chapters.scb.claims._measure import Array, Outcomes, all_outcomes, gradients, largest, random_point, repeat
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory

_SAMPLES = 400_000


def _laws() -> list[tuple[Array, Array]]:
    """(mu, P) of every builder, twice each with different seeds or skews."""
    laws = [(mu, scb.ring_transition(mu, 0.75)) for mu in (scb.skewed_law(4, 0.0), scb.skewed_law(5, 1.0))]
    for seed in (0, 1):
        mu = scb.skewed_law(5, 0.7)
        laws.append((mu, scb.random_transition(mu, 0.3, np.random.default_rng(seed))))
        laws.append(scb.uniform_random_transition(4, np.random.default_rng(seed)))
    return laws


def _law_parts(laws: list[tuple[Array, Array]]) -> list[Part]:
    strength = []
    for mu, P in laws:
        K_P = scb.mu_norm(P - mu[:, None], mu) ** 2
        mixed = scb.mix(P, mu, 0.6)
        strength.append(scb.mu_norm(mixed - mu[:, None], mu) ** 2 / (0.36 * K_P) - 1)
    stationary = max(largest(P @ mu - mu) for mu, P in laws)
    return [
        Part("largest |P mu - mu|", stationary, 1e-9, kind="rounding"),
        Part("largest |1^T P - 1|", max(largest(P.sum(0) - 1) for _, P in laws), 1e-9, kind="rounding"),
        Part("smallest entry of P", min(P.min() for _, P in laws), 0, 0, "at least"),
        Part("relative error of K_P(mixed) = c^2 K_P", largest(np.array(strength)), 1e-9, kind="rounding"),
    ]


def _check_1() -> Result:
    task = scb.random_task(8, 4, 2, skew=0.5, rng=3)
    batch = scb.sample(task, _SAMPLES, generators([0]))
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
    marginal = np.bincount(label, minlength=task.N) / _SAMPLES
    # A cell of the joint table has a standard error of at most 0.002, and the largest of 512 lies below four of them.
    return result(
        *_law_parts(_laws()),
        Part("label frequencies against mu", largest(marginal - task.mu), 0.005, 0, "at most"),
        Part("label and token at each position, against q P D + (1 - q) mu mu^T", max(errors), 0.008, 0, "at most"),
        seeds=(0, 1, 3),
    )


def _control_1() -> Result:
    laws = []
    for seed in (0, 1):
        P = np.random.default_rng(seed).random((4, 4))
        laws.append((np.full(4, 0.25), P / P.sum(0)))  # columns are laws, but mu is not that of P
    return result(*_law_parts(laws)[:2], seeds=(0, 1))


def _dense_loss(V: Array, A: Array, batch: scb.Batch) -> float:
    """Mean loss of a one-run batch, written with one-hot matrices."""
    N = len(V)
    X = np.eye(N)[batch.tokens()[0]].swapaxes(-1, -2)  # (B, N, T)
    out = np.einsum("ij,bjt,bt->bi", V, X, A[batch.last[0]])
    return 0.5 * float(np.square(out - np.eye(N)[batch.label[0]]).sum()) / len(X)


def _gradient_error(every_row: bool) -> Result:
    worst = 0.0
    h = 1e-3  # the loss is quadratic in V and in A, so the central difference is exact up to rounding
    for seed in range(4):
        task = scb.random_task(5, 3, 2, skew=0.5, rng=seed)
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
    return result(Part("largest error of an entry of the gradient", worst, 1e-10, kind="rounding"), seeds=range(4))


def _mean(outcomes: Outcomes, values: Array) -> Array:
    return np.einsum("n,n...->...", outcomes.weight, values)


def _check_3(drop_drift: bool = False) -> Result:
    errors: dict[str, list[float]] = {"V": [], "A": [], "V, right projector": []}
    for seed in range(3):
        task = scb.random_task(4, 3, 2, skew=0.7, rng=seed)
        outcomes = all_outcomes(task)
        for keep_mean in (True, False):
            point = random_point(task, seed, keep_mean)
            law = (point.V, point.A, task.mu, task.P, task.Q)
            many = repeat(point, len(outcomes.weight))
            plain = gradients(task, many, outcomes.batch)[1]
            kept = gradients(task, many, outcomes.batch, keep_mean=True)[1]
            expected_V = theory.expected_gradient_V(*law, keep_marginal=drop_drift)[0]
            errors["V"].append(largest(_mean(outcomes, plain.V) - expected_V))
            errors["A"].append(largest(_mean(outcomes, plain.A) - theory.expected_gradient_A(*law)[0]))
            kept_V = theory.expected_gradient_V(*law, keep_marginal=True)[0]
            errors["V, right projector"].append(largest(_mean(outcomes, kept.V) - kept_V))
    parts = [Part(f"largest error, gradient of {n}", max(e), 1e-12, kind="rounding") for n, e in errors.items()]
    return result(*parts, seeds=range(3))


def _check_4(chain: bool = False) -> Result:
    theory_error, model_error = [], []
    for seed in range(3):
        task = scb.random_task(4, 3, 2, skew=0.7, rng=seed)
        outcomes = all_outcomes(task, chain)
        for keep_mean in (True, False):
            point = random_point(task, seed, keep_mean)
            loss = float(_mean(outcomes, gradients(task, repeat(point, len(outcomes.weight)), outcomes.batch)[0]))
            theory_error.append(theory.population_loss(point.V, point.A, task.mu, task.P, task.Q)[0] - loss)
            model_error.append(scb.population_loss(point, task)[0] - loss)
    return result(
        Part("largest error of the theory's loss", largest(np.array(theory_error)), 1e-12, kind="rounding"),
        Part("largest error of the model's test loss", largest(np.array(model_error)), 1e-12, kind="rounding"),
        seeds=range(3),
    )


CLAIMS = [
    Claim(
        "SCB-1",
        "scb",
        "Section 2.1, equation (1)",
        "Every way of making a task gives column laws with mu as their stationary law, and mixing P with the trivial "
        "transition by a factor c scales the signal K_P by exactly c squared. Drawn labels have law mu, and they "
        "depend on the token at position t in proportion to the attention weight of t.",
        _check_1,
        _control_1,
        "mu is taken uniform in place of the stationary law of P",
    ),
    Claim(
        "SCB-2",
        "scb",
        "Section 2.3, equation (3) and Lemma B.3",
        "The written-out gradient of a sample is the derivative of its loss, for both layers.",
        lambda: _gradient_error(every_row=False),
        lambda: _gradient_error(every_row=True),
        "the attention gradient goes to every row, not only to that of the sample's last token",
    ),
    Claim(
        "SCB-3",
        "scb",
        "Lemmas B.4 to B.6 and equation (8); for V mu other than mu: beyond the paper",
        "The expected gradients have a short closed form, exact at every point whose columns and rows sum to one. It "
        "needs the term (V mu - mu) 1^T whenever V mu is not mu.",
        _check_3,
        lambda: _check_3(drop_drift=True),
        "the term (V mu - mu) 1^T is left out, as in the paper's analysis",
    ),
    Claim(
        "SCB-4",
        "scb",
        "Beyond the paper",
        "The expected loss is exactly that of a rank-one fit of the product of transition and attention, plus a "
        "constant and the error of V mu.",
        _check_4,
        lambda: _check_4(chain=True),
        "the tokens of the context are not independent but a walk of P, each with law mu",
    ),
]
