"""What theory says of sparse contextual bigrams with a one-layer transformer: the paper's statements, and the sign law.

Paper: Ren, Wang, Lee, "Learning and Transferring Sparse Contextual Bigrams with Linear Transformers" (NeurIPS 2024,
arXiv 2410.23438): the inner products and population gradients of the proof of Theorem 3.1, the population process of
Stages 1 and 2, the quiet phase, the valley. Beyond the paper: gradients and loss where V mu != mu, the exact loss, the
mirror, rates and constants, the sign law. Everything is closed form or a recursion of a few numbers; nothing samples,
nothing knows the model or the optimiser; what pages draw stands in `portable` and is lifted here.

A point is V (..., N, N) and A (..., N, T), its task mu (..., N), P (..., N, N) and Q (..., N, T), attention by rows:
A[..., k, :] = a^(k). Columns of V and rows of A sum to one. Losses are squared errors; signals, rates, losses and
constants have no unit, times are in steps, T and N in tokens. `InputError` names what is out of range.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri

from lib.errors import require, whole
from lib.portable import lift
from lib.portable.chances import normal_cdf
from lib.theory._arrays import Array, floats, positive, recorded_steps
from lib.theory.scb import portable
from lib.theory.scb.portable import Constants

__all__ = [
    "Constants", "PopulationPath", "batch_for_sign", "centred", "constants", "control_number", "drift_number",
    "early_growth", "escape_time", "excess_loss", "expected_gradient_A", "expected_gradient_V", "inner_A", "inner_V",
    "irreducible_loss", "mirror_excess_loss", "noise_loop", "population_loss", "population_run", "ring_constants",
    "sign_probability", "sign_z", "solution_rates", "valley", "velocity",
]  # fmt: skip

_SUMS = 1e-6  # how far a sum may be from one: allows the rounding of long float32 runs, refuses a wrong layout

drift_number = lift(portable.drift_number, positive=("K_Q", "T"))
velocity = lift(portable.velocity)
early_growth = lift(portable.early_growth)
valley = lift(portable.valley)
control_number = lift(portable.control_number, positive=("batch", "eta", "T"))
noise_loop = lift(portable.noise_loop, positive=("G", "T", "K_P", "K_Q", "tr_S2"))


def inner_V(mu: ArrayLike, M: ArrayLike, W: ArrayLike) -> Array:
    """The paper's <., .>_mu, sum_k mu_k <M[:, k], W[:, k]>, of matrices (..., N, N)."""
    return np.sum(floats(mu) * np.sum(floats(M) * floats(W), axis=-2), axis=-1)


def inner_A(mu: ArrayLike, A: ArrayLike, B: ArrayLike) -> Array:
    """The same of attentions stored by rows (..., N, T), sum_k mu_k <a^(k), b^(k)>."""
    return np.sum(floats(mu) * np.sum(floats(A) * floats(B), axis=-1), axis=-1)


def centred(V: ArrayLike, mu: ArrayLike) -> Array:
    """U = V - (V mu) 1^T (..., N, N), V without its mean output (U mu = 0); of P it is the paper's R."""
    V = floats(V)
    require(V.ndim >= 2 and V.shape[-1] == V.shape[-2], "V", "shape (..., N, N)", V.shape)
    return V - np.einsum("...ij,...j->...i", V, floats(mu))[..., None]


def _point(V: ArrayLike, A: ArrayLike, mu: ArrayLike) -> tuple[Array, Array, Array]:
    V, A = floats(V), floats(A)
    require(np.allclose(V.sum(-2), 1.0, rtol=0, atol=_SUMS), "V", "column sums of 1", V.sum(-2))
    require(np.allclose(A.sum(-1), 1.0, rtol=0, atol=_SUMS), "A", "row sums of 1 (rows are attentions)", A.sum(-1))
    return V, A, floats(mu)


def expected_gradient_V(
    V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike, keep_marginal: bool = False
) -> Array:
    """Expected preconditioned gradient of V (..., N, N): |A|^2 U - <A,Q> R + (V mu - mu) 1^T.

    `keep_marginal` is with the right projector I - mu 1^T, which drops the last term and keeps V mu.
    """
    V, A, mu = _point(V, A, mu)
    U, R = centred(V, mu), centred(P, mu)
    gradient = inner_A(mu, A, A)[..., None, None] * U - inner_A(mu, A, Q)[..., None, None] * R
    if keep_marginal:
        return gradient
    return gradient + (np.einsum("...ij,...j->...i", V, mu) - mu)[..., :, None]


def expected_gradient_A(V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Array:
    """Expected preconditioned, projected gradient of A (..., N, T): |U|^2 (A - 1/T) - <U,R> (Q - 1/T).

    The paper's equation (10) is its entry t on the signal line.
    """
    V, A, mu = _point(V, A, mu)
    U, R = centred(V, mu), centred(P, mu)
    T = A.shape[-1]
    return inner_V(mu, U, U)[..., None, None] * (A - 1.0 / T) - inner_V(mu, U, R)[..., None, None] * (
        floats(Q) - 1.0 / T
    )


def irreducible_loss(mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Array:
    """Loss of the best model (...), L* = (1 - |mu|^2 - K_P |Q|_mu^2) / 2."""
    mu, R = floats(mu), centred(P, floats(mu))
    return 0.5 * (1.0 - np.sum(mu * mu, axis=-1) - inner_V(mu, R, R) * inner_A(mu, Q, Q))


def population_loss(V: ArrayLike, A: ArrayLike, mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Array:
    """Exact expected loss (...): rank-one tensor factorisation of R (x) Q, plus L* and a marginal term."""
    V, A, mu = _point(V, A, mu)
    U, R = centred(V, mu), centred(P, mu)
    marginal = np.einsum("...ij,...j->...i", V, mu) - mu
    tensor = (
        inner_A(mu, A, A) * inner_V(mu, U, U)
        - 2.0 * inner_A(mu, A, Q) * inner_V(mu, U, R)
        + inner_A(mu, Q, Q) * inner_V(mu, R, R)
    )
    return irreducible_loss(mu, P, Q) + 0.5 * np.sum(marginal**2, axis=-1) + 0.5 * tensor


def excess_loss(
    alpha_V: ArrayLike,
    alpha_A: ArrayLike,
    K_P: ArrayLike,
    K_Q: ArrayLike,
    T: ArrayLike,
    delta_U2: ArrayLike = 0.0,
    delta_A2: ArrayLike = 0.0,
) -> Array:
    """Exact L - L* (...) from the signals and the energies |Delta_U|_mu^2, |Delta_A|_mu^2 beside the lines, V mu = mu.

    On the lines it is K_P K_Q (1 - alpha_A alpha_V)^2 / 2 + K_P (1 - alpha_V)^2 / (2T), as in the paper.
    """
    x, y = floats(alpha_V), floats(alpha_A)
    K_P, K_Q, T = positive(K_P, "K_P"), positive(K_Q, "K_Q"), positive(T, "T")
    u, e = floats(delta_U2), floats(delta_A2)
    on_lines = K_P * K_Q * (1.0 - x * y) ** 2 + K_P * (1.0 - x) ** 2 / T
    beside = e * x**2 * K_P + u * (1.0 / T + y**2 * K_Q + e)
    return 0.5 * (on_lines + beside)


def mirror_excess_loss(K_P: ArrayLike, T: ArrayLike) -> Array:
    """L - L* (...) at the mirror solution alpha_V = alpha_A = -1: exactly 2 K_P / T."""
    return 2.0 * positive(K_P, "K_P") / positive(T, "T")


class PopulationPath(NamedTuple):
    """A noiseless run, recorded at K steps."""

    steps: NDArray[np.int64]  #: (K,)
    alpha_V: Array  #: (K,)
    alpha_A: Array  #: (K,)
    excess_loss: Array  #: (K,)


def population_run(
    K_P: ArrayLike,
    K_Q: ArrayLike,
    T: ArrayLike,
    eta: float,
    steps: int,
    start: tuple[float, float] = (0.0, 0.0),
    record_at: ArrayLike | None = None,
) -> PopulationPath:
    """The exact recursion of full-population descent from a point on the signal lines: the matrices, step by step.

    Args:
        K_P, K_Q, T: of one task; K_P only scales the loss.
        eta: base step.
        steps: number of steps.
        start: (alpha_V, alpha_A) at step 0.
        record_at: steps to record, (K,); all by default.

    Returns:
        `PopulationPath`. Steps far too large overflow to inf or NaN and stay there.
    """
    wanted, d = recorded_steps(steps, record_at), float(drift_number(K_Q, T))
    require(np.isfinite(eta) and eta >= 0, "eta", "a finite number >= 0", eta)
    last = int(wanted[-1])
    run = portable.population_run(d, float(eta), float(start[0]), float(start[1]), last, max(last, 1))
    alpha_V, alpha_A = (np.array(run[name])[wanted] for name in ("alpha_V", "alpha_A"))
    with np.errstate(over="ignore", invalid="ignore"):
        return PopulationPath(wanted, alpha_V, alpha_A, excess_loss(alpha_V, alpha_A, K_P, K_Q, T))


def escape_time(level: ArrayLike, eta: ArrayLike, K_Q: ArrayLike, T: ArrayLike) -> Array:
    """Length of the quiet phase in steps (...), the paper's tau_1 with its constant, log(2 level K_Q T) / eta.

    The `level` of the signals ends Stage 1; refused where it is below the drift, 2 level K_Q T <= 1.
    """
    steps: Array = lift(portable.escape_time, positive=("level", "eta"))(level, eta, drift_number(K_Q, T))
    require(not np.any(np.isnan(steps)), "level", "a level above 1 / (2 K_Q T)", level)
    return steps


def solution_rates(d: ArrayLike) -> tuple[Array, Array]:
    """Exact decay rates (...) at the solution (1, 1), per unit of eta t: (fast, slow), about 2 + d/2, of the product,
    and d/2, along the valley. The slow one is why Stage 3 exists.
    """
    half = 0.5 * floats(d)
    root = np.sqrt(1.0 + half**2)
    # 1 + half - root, written so that small d keeps its digits
    return 1.0 + half + root, half * (1.0 - half / (1.0 + root))


def constants(mu: ArrayLike, P: ArrayLike, Q: ArrayLike) -> Constants:
    """The constants of one task, mu (N,), P (N, N), Q (N, T); where rows of Q differ q_norm2 is their mean in mu.

    Refused where a sum is not one, P mu is not mu, or there is no signal (K_P or K_Q is 0).
    """
    mu, P, Q = floats(mu), floats(P), floats(Q)
    N = len(mu) if mu.ndim == 1 else 0
    require(N >= 2, "mu", "shape (N,) with N >= 2", mu.shape)
    require(P.shape == (N, N), "P", f"shape ({N}, {N})", P.shape)
    require(Q.ndim == 2 and len(Q) == N, "Q", f"shape ({N}, T), rows are attentions", Q.shape)
    require(np.all(mu > 0) and abs(mu.sum() - 1) < _SUMS, "mu", "positive entries that sum to 1", mu)
    require(np.abs(P.sum(0) - 1).max() < _SUMS, "P", "columns that are distributions", f"column sums {P.sum(0)}")
    require(np.abs(P @ mu - mu).max() < _SUMS, "P", "P mu = mu", f"P mu = {P @ mu}")
    require(np.abs(Q.sum(1) - 1).max() < _SUMS, "Q", "rows that sum to 1", f"row sums {Q.sum(1)}")
    T, norm2, K_P = Q.shape[1], float(mu @ np.sum(Q * Q, axis=1)), float(inner_V(mu, centred(P, mu), centred(P, mu)))
    require(K_P > 1e-12, "P", "columns that differ (K_P > 0)", f"K_P = {K_P}")
    require(norm2 - 1 / T > 1e-12, "Q", "attention that is not uniform (K_Q > 0)", f"K_Q = {norm2 - 1 / T}")
    found = portable.constants(mu.tolist(), P.T.tolist(), Q[Q > 0].tolist(), T)
    return replace(found, q_norm2=norm2, K_Q=norm2 - 1 / T)


def ring_constants(N: int, T: int, c: float, weights: ArrayLike) -> Constants:
    """`Constants` of the ring task: uniform tokens, a cyclic shift of strength c in (0, 1], the same weights (Q,) in
    every row. K_P = c^2 (N-1)/N, s2 = 1/(c^2 (N-1)), c2 = c^4 (N-1)/N^2, K_Q = |w|^2 - 1/T.

    Example:
        >>> round(ring_constants(4, 1024, 0.75, (0.6, 0.4)).K_P, 12)
        0.421875
    """
    w, N = floats(weights), whole("N", N, 2)
    require(w.ndim == 1 and w.size > 0 and np.isclose(w.sum(), 1.0), "weights", "a vector that sums to 1", weights)
    require(w.size < T, "T", f"more tokens than the {w.size} weights", T)
    require(0 < c <= 1, "c", "a value in (0, 1]", c)
    P = (1 - c) / N + c * np.roll(np.eye(N), 1, axis=1)  # row j is the law after token j: token j + 1
    return portable.constants([1 / N] * N, P.tolist(), w.tolist(), T)


def sign_z(batch: ArrayLike, eta: ArrayLike, s2: ArrayLike, T: ArrayLike) -> Array:
    """Signal over noise of the sign (...), z = sqrt(2 B / (eta s2 T)) = sqrt(2 G / s2), of batch B and rate eta."""
    z: Array = lift(portable.sign_z, positive=("s2",))(control_number(batch, eta, T), s2)
    return z


def sign_probability(batch: ArrayLike, eta: ArrayLike, s2: ArrayLike, T: ArrayLike) -> Array:
    """The sign law: the chance (...) that a run ends at the true solution and not at its mirror, Phi(z) of `sign_z`.

    Measured rates agree where `noise_loop` is below 1/2 and lie below it else.
    """
    chance: Array = lift(normal_cdf)(sign_z(batch, eta, s2, T))
    return chance


def batch_for_sign(eta: ArrayLike, s2: ArrayLike, T: ArrayLike, probability: ArrayLike = 0.9) -> Array:
    """Batch (...) for a chance of the true sign in (1/2, 1), B = z_p^2 eta s2 T / 2 (0.82 eta s2 T for 90 %); not
    rounded.
    """
    p = floats(probability)
    require(np.all((p > 0.5) & (p < 1.0)), "probability", "values in (1/2, 1)", probability)
    return 0.5 * ndtri(p) ** 2 * positive(eta, "eta") * positive(s2, "s2") * positive(T, "T")
