"""Claims SCB-5 to SCB-8: what a step keeps, the signal coordinates, the plane of the population flow, one real step.

Chapter `scb`. Source: arXiv 2410.23438, Section 2.3, Section 3.1 and Appendix C.
"""

from __future__ import annotations

import numpy as np

from lib.chapters.scb.claims._measure import (
    Array,
    WholePopulation,
    after_step,
    gradients,
    largest,
    random_point,
    repeat,
    single_samples,
)
from lib.chapters.scb.runs import learn
from lib.claims.base import Claim, Part, Result, result
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory


def _left_projector(params: scb.Params, task: scb.Task) -> float:
    """Largest change that I - 11^T/N from the left makes to the gradient of V, over 200 samples."""
    many = repeat(params, 200)
    grad = gradients(task, many, single_samples(task, 200, 0))[1].V
    return largest(grad.mean(axis=-2))


def _check_5() -> Result:
    task = scb.ring_task(64, skew=0.5, rng=0)
    lr, batch, seeds = 0.02, 16, range(32)
    record = {
        "off": lambda p: np.square(np.matmul(p.V, task.mu) - task.mu).sum(-1),
        "column": lambda p: np.abs(p.V.sum(-2) - 1).max(-1),
        "row": lambda p: np.abs(p.A.sum(-1) - 1).max(-1),
    }
    runs = {
        keep: learn(
            task, seeds, lr=lr, batch=batch, steps=600, record=record, record_at=range(0, 601, 10), keep_mean=keep
        )
        for keep in (False, True)
    }
    plain = runs[False]
    late = plain.steps >= 200  # V mu forgets its start in K_Q / lr = 26 steps
    predicted = float(theory.marginal_error(lr / task.K_Q, batch, plain["loss"][:, late].mean()))
    return result(
        Part(
            "left projector, largest change of a gradient",
            _left_projector(random_point(task, 0, False), task),
            1e-12,
            kind="rounding",
        ),
        Part(
            "largest drift of a column sum of V", max(r["column"].max() for r in runs.values()), 1e-12, kind="rounding"
        ),
        Part("largest drift of a row sum of A", max(r["row"].max() for r in runs.values()), 1e-12, kind="rounding"),
        Part("mean |V mu - mu|^2 without right projector", plain["off"][:, late].mean(), predicted, 0.15, "relative"),
        Part("largest |V mu - mu|^2 with right projector", runs[True]["off"].max(), 1e-24, kind="rounding"),
        seeds=seeds,
    )


def _control_5() -> Result:
    task = scb.ring_task(64, skew=0.5, rng=0)
    point = random_point(task, 0, False)
    off = scb.Params(point.V + 0.1 * np.eye(task.N), point.A)  # columns sum to 1.1
    change = _left_projector(off, task)
    return result(Part("left projector, largest change of a gradient", change, 1e-12, kind="rounding"))


def _fit(target: Array, line: Array, weight: Array) -> float:
    """Weighted least-squares coefficient of `target` on `line`, by a general solver."""
    root = np.sqrt(weight)
    return float(np.linalg.lstsq((line * root).reshape(-1, 1), (target * root).ravel(), rcond=None)[0][0])


def _check_6(keep_mean: bool = True) -> Result:
    fit, right_angle, pythagoras = [], [], []
    for seed in range(6):
        task = scb.random_task(64, 5, 3, skew=0.6, rng=seed)
        p = random_point(task, seed, keep_mean)
        mu, T = task.mu, task.T
        R, goal = task.P - mu[:, None], task.Q - 1 / T
        a_V, a_A = scb.alpha_V(p, task)[0], scb.alpha_A(p, task)[0]
        d_V, d_A = scb.delta_V(p, task)[0], scb.delta_A(p, task)[0]
        fit += [a_V - _fit(p.V[0] - mu[:, None], R, mu[None, :]), a_A - _fit(p.A[0] - 1 / T, goal, mu[:, None])]
        right_angle += [scb.mu_inner(d_V, task.P, mu), scb.mu_inner_rows(d_A, task.Q, mu)]
        norm_V, norm_A = scb.mu_norm(p.V[0], mu) ** 2, scb.mu_norm_rows(p.A[0], mu) ** 2
        sides_V = mu @ mu + a_V**2 * task.K_P + scb.mu_norm(d_V, mu) ** 2
        sides_A = 1 / T + a_A**2 * task.K_Q + scb.mu_norm_rows(d_A, mu) ** 2
        pythagoras += [norm_V / sides_V - 1, norm_A / sides_A - 1]
    return result(
        Part(
            "alpha_V, alpha_A against least squares, largest difference", largest(np.array(fit)), 1e-12, kind="rounding"
        ),
        Part("largest |<Delta_V, P>|, |<Delta_A, Q>|", largest(np.array(right_angle)), 1e-12, kind="rounding"),
        Part("Pythagoras, largest relative error", largest(np.array(pythagoras)), 1e-12, kind="rounding"),
        seeds=range(6),
    )


def _check_7(noise: bool = False) -> Result:
    task = scb.random_task(256, 5, 3, skew=0.4, rng=0)
    lr, steps = 0.03, 400
    model = scb.GaussianSurrogate(task) if noise else WholePopulation(task)
    record = {
        "alpha_V": lambda p: scb.alpha_V(p, task),
        "alpha_A": lambda p: scb.alpha_A(p, task),
        "off": lambda p: scb.distance_to_flow(p, task),
    }
    run = learn(task, [0], lr=lr, batch=64, steps=steps, record=record, record_at=range(steps + 1), model=model)
    path = theory.population_run(task.K_P, task.K_Q, task.T, lr, steps)
    return result(
        Part("alpha_V, largest difference", largest(run["alpha_V"][0] - path.alpha_V), 1e-12, kind="rounding"),
        Part("alpha_A, largest difference", largest(run["alpha_A"][0] - path.alpha_A), 1e-12, kind="rounding"),
        Part("largest distance from the plane", run["off"].max(), 1e-12, kind="rounding"),
        Part("alpha_A alpha_V at the end", float(run["alpha_V"][0, -1] * run["alpha_A"][0, -1]), 1.0, 0.01),
        seeds=(0,),
    )


def _check_8(drop_delta: bool = False) -> Result:
    worst: dict[str, float] = {"alpha_V": 0.0, "alpha_A": 0.0, "delta_V": 0.0, "delta_A": 0.0}
    for seed in range(4):
        task = scb.random_task(48, 4, 2, skew=0.6, rng=seed)
        law = (task.mu, task.P, task.Q)
        lr_V, lr_A = float(0.05 / task.K_Q), float(0.05 / task.K_P)
        # Part of the way to (P, Q), with something beside both lines.
        noisy = random_point(task, seed, keep_mean=False, size=0.1)
        V, A = noisy.V + 0.6 * (task.P - task.mu[:, None]), noisy.A + 0.5 * (task.Q - 1 / task.T)
        point = scb.Params(V, A)
        grad = gradients(task, point, scb.sample(task, 32, generators([seed])))[1]
        moved = after_step(point, grad, lr_V, lr_A)
        xi_V = grad.V - theory.expected_gradient_V(V, A, *law)
        xi_A = grad.A - theory.expected_gradient_A(V, A, *law)
        if drop_delta:
            V = task.mu[:, None] + scb.alpha_V(point, task) * (task.P - task.mu[:, None])[None]
            A = 1 / task.T + scb.alpha_A(point, task) * (task.Q - 1 / task.T)[None]
        said = theory.one_step(V, A, *law, lr_V, lr_A, xi_V, xi_A)
        for name in worst:
            found = getattr(scb, name)(moved, task)
            worst[name] = max(worst[name], largest(found - getattr(said, name)))
    names = ("alpha_V", "alpha_A") if drop_delta else tuple(worst)
    return result(*(Part(f"{n}, largest error", worst[n], 1e-12, kind="rounding") for n in names), seeds=range(4))


CLAIMS = [
    Claim(
        "SCB-5",
        "scb",
        "Section 2.3, equations (4) and (5); the law of V mu and the right projector: beyond the paper",
        "Column sums of V and row sums of A stay one, and the paper's projector on V changes nothing. V mu wanders "
        "off mu by a known small amount; a projector from the right stops it.",
        _check_5,
        _control_5,
        "the columns of V do not sum to one",
    ),
    Claim(
        "SCB-6",
        "scb",
        "Section 3.1 and Appendix C",
        "The signal coordinates are least-squares fits on the lines to P and to Q, the remainders are orthogonal to P "
        "and Q, and squared lengths add up, as long as V mu = mu.",
        _check_6,
        lambda: _check_6(keep_mean=False),
        "V mu is not mu, as in plain training",
    ),
    Claim(
        "SCB-7",
        "scb",
        "Section 3.1, equation (8)",
        "With infinitely large batches the two matrices never leave a plane: training is a recursion of two numbers, "
        "exactly, step by step.",
        _check_7,
        lambda: _check_7(noise=True),
        "the noise of batches of 64 is added",
    ),
    Claim(
        "SCB-8",
        "scb",
        "Appendix C; exact form beyond the paper",
        "One real minibatch step moves coordinates and remainders exactly as the one-step law says, remainders "
        "included: what lies beside the lines slows both coordinates down.",
        _check_8,
        lambda: _check_8(drop_delta=True),
        "the remainders are left out of the law",
    ),
]
