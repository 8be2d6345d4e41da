"""What theory predicts for one attention layer that learns the next token: scan and snap.

Paper: Tian, Wang, Chen, Du, "Scan and Snap: Understanding Training Dynamics and Token Composition in 1-layer
Transformer" (NeurIPS 2023, arXiv 2305.16380); a docstring names the place, or says "beyond". All is closed form or
linear algebra; nothing samples, and nothing knows the model or the optimiser. The closed forms that pages draw are
written in `portable`; here they are lifted to arrays. `hal.chapters.scan_snap.theory` integrates the dynamics.

Contexts are infinitely long. P (K, C) holds the probability of contextual token l in class n, `query` (K,) the query
token of each class, Z (..., Q, C) attention logits, f (..., K, C) decoder inputs, of length one. K counts classes, M
output tokens, M at least K. The mean over classes (1/K) is kept everywhere.

Time is in steps, a gradient step of rate lr_Y being one unit of it; logits and gaps are in nats. A class is seen once
every K steps, so that at step t it has been seen t/K times. Numbers (...) broadcast; leading axes are runs.

What pushes attention is proportional to the speed coefficient gamma, which is kept apart: multiply drives by it, and
velocities of logits by it and by lr_Z. Values out of range, shapes that do not fit and classes that coincide are
refused with an `InputError`.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import lambertw, wrightomega

from lib.errors import require, whole, wholes
from lib.portable import lift
from lib.theory._arrays import Array, floats, positive
from lib.theory.scan_snap import portable

__all__ = [
    "Assumption2", "Drive", "assumption_2", "attention", "class_drive", "correlations", "decoder_inputs",
    "decoder_weights", "drive_coefficients", "fate_velocity", "gradient_at_input", "growth_bounds", "growth_factor",
    "h", "h_star", "line_roots", "logit_gap", "logit_velocity", "modified_overlaps", "operational_time",
    "predicted_gain", "reduced_B", "relative_gain", "scores", "speed", "transition_times", "zeta", "zeta_products",
]  # fmt: skip

Ints = NDArray[np.intp]
_SUMS = 1e-9  # how far a row of P may be from one: rounding of stored probabilities

# Classes as directions


class Assumption2(NamedTuple):
    """The paper's condition on the overlaps, and the numbers it compares."""

    holds: NDArray[np.bool_]  #: (...)
    eigenvalues: Array  #: (..., K) of E, falling by size
    upper: float  #: 1/K, above the largest |eigenvalue|
    lower: float  #: 6/sqrt(M), below the smallest
    crowding: float  #: K^2 / M, which the paper wants small


def scores(P: ArrayLike, Z: ArrayLike, query: ArrayLike) -> Array:
    """Unnormalised attention P(l | n) e^{z_ml} (..., K, C) of every class under its own query. Section 3, c-tilde."""
    p, q = data_law(P, query)
    return p * np.exp(logits(Z, p, q)[..., q, :])


def attention(P: ArrayLike, Z: ArrayLike, query: ArrayLike) -> Array:
    """Attention c_n (..., K, C) of an infinitely long context: the scores, summing to one. Lemma 2."""
    p, q = data_law(P, query)
    raised = _raised(p, logits(Z, p, q), q)
    return raised / np.sum(raised, axis=-1, keepdims=True)


def decoder_inputs(P: ArrayLike, Z: ArrayLike, query: ArrayLike) -> Array:
    """Decoder input f_n (..., K, C) of every class: the scores, with length one. Lemma 2."""
    p, q = data_law(P, query)
    return unit_inputs(p, logits(Z, p, q), q)


def correlations(f: ArrayLike) -> Array:
    """Overlaps of different classes, E = F^T F - I (..., K, K): f_n . f_n' off the diagonal, zero on it. Lemma 3."""
    rows = floats(f)
    require(rows.ndim >= 2, "f", "shape (..., K, C)", rows.shape)
    norms = np.sum(rows * rows, axis=-1)
    require(np.allclose(norms, 1.0, rtol=0, atol=1e-9), "f", "rows of length 1", f"squared lengths {norms}")
    return gram(rows)


def modified_overlaps(E: ArrayLike) -> Array:
    """E' = I - (I + E)^{-1} (..., K, K), by a linear solve. Lemma 3, with the sign that its proofs use."""
    e = square(E)
    smallest = 1.0 + np.linalg.eigvalsh(e)[..., 0]
    require(np.all(smallest > 1e-12), "E", "I + E positive definite", f"smallest eigenvalue {smallest.min():.1e}")
    return solve_overlaps(e)


def assumption_2(E: ArrayLike, M: int) -> Assumption2:
    """Whether the overlaps obey |lambda_1| < 1/K and all |lambda_i| >= 6/sqrt(M); the third part, M much larger than
    K^2, is reported as `crowding`. Assumption 2."""
    e = square(E)
    K = e.shape[-1]
    sizes(K, M)
    values = np.linalg.eigvalsh(e)
    falling = np.take_along_axis(values, np.argsort(-np.abs(values), axis=-1), axis=-1)
    upper, lower = 1.0 / K, float(6.0 / np.sqrt(M))
    holds = (np.abs(falling[..., 0]) < upper) & (np.abs(falling[..., -1]) >= lower)
    return Assumption2(np.asarray(holds), floats(falling), upper, lower, K * K / float(M))


# The decoder on its own: one scalar clock, and the speed that it leaves to attention; attention is held still


def h_star(steps: int, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """The decoder's clock (..., steps + 1) in single gradient steps, each a sighting of the class:
    h*(k+1) = h*(k) + lr_Y / (M - 1 + e^{M h*(k)}), h*(0) = 0. Lemma 5."""
    (_, m), rate = sizes(1, M), positive(lr_Y, "lr_Y")
    x = np.zeros(np.broadcast_shapes(m.shape, rate.shape))
    path = np.empty((whole("steps", steps) + 1, *x.shape))
    with np.errstate(over="ignore"):  # an overflowing e^x means a step of zero, which is right
        for k in range(len(path)):
            path[k] = x
            x = x + m * rate / (m - 1.0 + np.exp(x))
    return np.moveaxis(path, 0, -1) / m[..., None]


def logit_gap(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Gap x = M h (...) between the right token's logit and any other's: the root of e^x + (M-1) x = M lr_Y t/K + 1.

    With a = (M lr_Y t/K + 1)/(M-1) and w the Wright omega function it is a - w(a - ln(M-1)) = ln((M-1) w), of which the
    second form keeps its digits at late times. It takes a thousandth of the time of the portable one, which finds the
    root by Newton's method. Lemma 6; closed form beyond.
    """
    (k, m), rate = sizes(K, M), positive(lr_Y, "lr_Y")
    reached = m * rate * non_negative(t, "t") / k
    x = np.log((m - 1.0) * wrightomega((reached + 1.0) / (m - 1.0) - np.log(m - 1.0)))
    # one Newton step, written for small x, gives the first instants their digits
    return x - (np.expm1(x) + (m - 1.0) * x - reached) / (np.exp(x) + m - 1.0)


def h(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """The decoder's clock in continuous time, h(t/K) = `logit_gap` / M (...). Lemma 6."""
    return logit_gap(t, K, M, lr_Y) / floats(M)


def speed(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> Array:
    """Speed coefficient gamma(t) = (M-1)^2 h / (M-1+e^{Mh}) (...), a factor of all that attention does. Theorem 1."""
    gamma: Array = lift(portable.speed)(logit_gap(t, K, M, lr_Y), M)
    return gamma


def zeta(K: int, M: int) -> Array:
    """Directions zeta_n = (M/(M-1)) (e_n - 1/M) of the first K output tokens, (K, M). Lemma 5."""
    sizes(K, M)
    return M / (M - 1.0) * (np.eye(K, M) - 1.0 / M)


def decoder_weights(f: ArrayLike, M: int, clock: float) -> Array:
    """Decoder Y (C, M) of the reference dynamics when its clock shows h, f (K, C) held still: Y = F (I - E') W with
    rows w_n = (M-1) h zeta_n. Theorem 5."""
    rows = floats(f)
    K = rows.shape[-2]
    W = (M - 1.0) * float(non_negative(clock, "clock")) * zeta(K, M)
    return rows.T @ (np.eye(K) - modified_overlaps(correlations(rows))) @ W


def line_roots(M: ArrayLike) -> tuple[Array, Array]:
    """The two roots (...) of e^x = (M-1) x, M at least 4 (below, the line stays under the exponential): about 1/(M-1),
    where the sliver at t = 0 ends, and x-hat; -W_0 and -W_{-1} of -1/(M-1), Lambert's W. Lemma 8."""
    m = sizes(1, M)[1]
    enough_for_a_line(m)
    small, large = (-np.real(lambertw(-1.0 / (m - 1.0), branch)) for branch in (0, -1))
    return small, large


def transition_times(K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike) -> tuple[Array, Array]:
    """End of the scan and start of the snap, t0' = K ln M / lr_Y and t0 = 2 (1 + omega_1) t0', each (...);
    M is at least 4. Theorem 4 and Lemma 9."""
    (k, m), rate = sizes(K, M), positive(lr_Y, "lr_Y")
    enough_for_a_line(m)
    return lift(portable.scan_end)(k, m, rate), lift(portable.snap_start)(k, m, rate)


def operational_time(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike) -> Array:
    """Gamma(t) = lr_Z int_0^t gamma = (lr_Z / lr_Y) (K (M-1)^2 / 2) h(t/K)^2 (...), exact. Proof of Theorem 4."""
    x, rate = logit_gap(t, K, M, lr_Y), non_negative(lr_Z, "lr_Z")
    Gamma: Array = lift(portable.operational_time)(x, K, M, lr_Y, rate)
    return Gamma


def reduced_B(t: ArrayLike, K: ArrayLike, M: ArrayLike, lr_Y: ArrayLike, lr_Z: ArrayLike, C0: ArrayLike = 1.0) -> Array:
    """Growth exponent B = ln(1 + 4 Gamma / C0) / 4 (...) of the reduced system, C0 = rho_0^4 / K; the common logit is
    -B. Theorem 4, with the -ln(C0)/4 that makes B(0) = 0."""
    B: Array = lift(portable.reduced_B)(operational_time(t, K, M, lr_Y, lr_Z), positive(C0, "C0"))
    return B


# What pushes attention in the reference dynamics


class Drive(NamedTuple):
    """Coefficients of g_n / gamma = iota_n f_n - sum_n' beta_nn' f_n'."""

    iota: Array  #: (..., K)
    beta: Array  #: (..., K, K), zero on the diagonal


def zeta_products(M: ArrayLike) -> tuple[Array, Array]:
    """Inner products of the zeta_n: q1 = M/(M-1) with themselves, q0 = -M/(M-1)^2 with each other. Theorem 1."""
    return _products(sizes(1, M)[1])


def drive_coefficients(f: ArrayLike, M: int) -> Drive:
    """Coefficients of Theorem 1, exact; the bare q0 term of beta has the sign that follows from its proof, not the
    printed one."""
    E_prime = modified_overlaps(correlations(f))
    sizes(E_prime.shape[-1], M)
    return _coefficients(E_prime, M)


def gradient_at_input(f: ArrayLike, M: int) -> Array:
    """Gradient g_n / gamma (..., K, C) that arrives at the decoder input of class n. Theorem 1."""
    iota, beta = drive_coefficients(f, M)
    return iota[..., None] * floats(f) - beta @ floats(f)


def class_drive(f: ArrayLike, M: int) -> Array:
    """Drive xi_n / gamma (..., K) of every class, -q1 E'_nn - q0 sum_{k != n} E'_nk, not negative; zero only where no
    other class overlaps. Theorem 2; closed form beyond."""
    E_prime = modified_overlaps(correlations(f))
    sizes(E_prime.shape[-1], M)
    q1, q0 = _products(M)
    diagonal = np.diagonal(E_prime, axis1=-2, axis2=-1)
    return -q1 * diagonal - q0 * (np.sum(E_prime, axis=-1) - diagonal)


def logit_velocity(f: ArrayLike, query: ArrayLike, M: int) -> Array:
    """Motion (..., Q, C) of the logits, (1/K) sum_n f_n o sum_n' beta_nn' (f_n f_n^T - 1) f_n', a row for each query
    token up to the largest. Lemma 4."""
    rows, q = floats(f), np.asarray(query)
    E = correlations(rows)
    modified_overlaps(E)  # refuses coinciding classes
    K = E.shape[-1]
    sizes(K, M)
    fits = q.shape == (K,) and np.issubdtype(q.dtype, np.integer)
    require(fits and np.all(q >= 0), "query", f"{K} whole numbers >= 0", query)
    return velocity_of(rows, E, query_matrix(q.astype(np.intp)), M)[0]


# Which tokens it moves towards, and how unevenly


def fate_velocity(P: ArrayLike, f: ArrayLike, query: ArrayLike, M: int) -> Array:
    """Motion (Q, C) of the logits as Theorem 2 states it: f_nl^2 xi_n / K for a distinct token of n under its query and
    zero under others; the sum over the query's classes of -(1 - f_nl^2) xi_n / K for a sole common token; NaN for one
    of several common tokens, of which the theorem says nothing."""
    p, q = data_law(P, query)
    rows = floats(f)
    require(rows.shape == p.shape, "f", f"shape {p.shape}", rows.shape)
    xi, belongs = class_drive(rows, M) / len(p), query_matrix(q)
    owners = np.sum(p > 0, axis=0)
    common = owners >= 2
    velocity = belongs @ (rows**2 * xi[:, None] * ((p > 0) & (owners == 1)))
    falling = -belongs @ ((1.0 - rows**2) * xi[:, None])
    velocity[:, common] = falling[:, common] if np.sum(common) == 1 else np.nan
    return velocity


def relative_gain(scores: ArrayLike, leader: ArrayLike) -> Array:
    """Relative gain r = score_leader^2 / score_l^2 - 1 (..., K, C) of one token of each class, `leader` (K,), over
    every token; infinite over tokens outside the class. Theorem 3."""
    c, top = scores_of(scores), np.asarray(leader)
    fits = top.shape == c.shape[-2:-1] and np.issubdtype(top.dtype, np.integer)
    require(fits and np.all((top >= 0) & (top < c.shape[-1])), "leader", "one token per class, shape (K,)", leader)
    chosen = c[..., np.arange(c.shape[-2]), top][..., None]
    require(np.all(chosen > 0), "leader", "tokens that occur in their class", leader)
    with np.errstate(divide="ignore"):
        return (chosen / c) ** 2 - 1.0


def growth_factor(z: ArrayLike, z_start: ArrayLike) -> Array:
    """Growth factor chi = e^{2 (z - z_start)} (...). Theorem 3."""
    return np.exp(2.0 * (floats(z) - floats(z_start)))


def predicted_gain(gain_start: ArrayLike, chi: ArrayLike) -> Array:
    """Relative gain r(0) chi (...) of a distinct token over another of its class; chi is its growth. Theorem 3."""
    factor = floats(chi)
    require(np.all(factor > 0), "chi", "values > 0", chi)
    return floats(gain_start) * factor


def growth_bounds(input_start: ArrayLike, B: ArrayLike) -> tuple[Array, Array]:
    """Bounds e^{2 f^2 B} <= chi <= e^{2B}, each (...), on the growth of a class's dominant distinct token, f its input
    at the start and B the growth exponent, with its 1/K; they hold while the class's common tokens fall. Theorem 3."""
    f, exponent = floats(input_start), non_negative(B, "B")
    require(np.all((f >= 0) & (f <= 1)), "input_start", "values in [0, 1]", input_start)
    lower, upper = np.broadcast_arrays(lift(portable.lower_bound)(f, exponent), lift(portable.upper_bound)(exponent))
    return lower, upper


# Checks, and what inner loops use with arguments already checked


def non_negative(value: ArrayLike, argument: str) -> Array:
    """`value` as float64, finite and at least zero."""
    array = floats(value)
    require(np.all(np.isfinite(array)) and np.all(array >= 0), argument, "finite values >= 0", value)
    return array


def sizes(K: ArrayLike, M: ArrayLike) -> tuple[Array, Array]:
    """The number of next tokens K (...) and of output tokens M (...) as float64."""
    k, m = floats(wholes("K", K, 1)), floats(wholes("M", M))
    require(np.all(m >= 2) and np.all(m >= k), "M", f"at least 2 and at least K = {k}", M)
    return k, m


def overlap_value(rho: ArrayLike) -> Array:
    """The correlation rho (...) of two classes as float64, in [0, 1)."""
    value = floats(rho)
    require(np.all((value >= 0) & (value < 1)), "rho", "values in [0, 1)", rho)
    return value


def data_law(P: ArrayLike, query: ArrayLike) -> tuple[Array, Ints]:
    """P (K, C) as float64, rows that are distributions, and the query of each class (K,) as whole numbers."""
    p, q = floats(P), np.asarray(query)
    require(p.ndim == 2 and p.size > 0, "P", "shape (K, C)", p.shape)
    require(np.all(np.isfinite(p)) and np.all(p >= 0), "P", "finite probabilities >= 0", P)
    require(np.allclose(p.sum(-1), 1.0, rtol=0, atol=_SUMS), "P", "rows that sum to 1", f"row sums {p.sum(-1)}")
    whole_numbers = q.shape == (len(p),) and np.issubdtype(q.dtype, np.integer)
    require(whole_numbers and np.all(q >= 0), "query", f"{len(p)} whole numbers >= 0", query)
    return p, q.astype(np.intp)


def logits(Z: ArrayLike, P: Array, query: Ints) -> Array:
    """The attention logits Z (..., Q, C) as float64."""
    z, least = floats(Z), int(query.max()) + 1
    good = z.ndim >= 2 and z.shape[-2] >= least and z.shape[-1] == P.shape[-1]
    require(good, "Z", f"shape (..., Q >= {least}, {P.shape[-1]})", z.shape)
    require(np.all(np.isfinite(z)), "Z", "finite values", Z)
    return z


def unit_inputs(P: Array, Z: Array, query: Ints) -> Array:
    """`decoder_inputs` (..., K, C)."""
    raised = _raised(P, Z, query)
    return raised / np.sqrt(np.sum(raised**2, axis=-1, keepdims=True))


def gram(f: Array) -> Array:
    """`correlations` (..., K, K); the diagonal is exactly zero."""
    E = f @ np.swapaxes(f, -1, -2)
    every = np.arange(E.shape[-1])
    E[..., every, every] = 0.0
    return E


def solve_overlaps(E: Array) -> Array:
    """`modified_overlaps` (..., K, K), as (I + E)^{-1} E, which keeps small digits."""
    return floats(np.linalg.solve(np.eye(E.shape[-1]) + E, E))


def query_matrix(query: Ints, Q: int | None = None) -> Array:
    """One-hot matrix (Q, K) that adds up the classes of each query token."""
    rows = int(query.max()) + 1 if Q is None else Q
    return (np.arange(rows)[:, None] == query).astype(np.float64)


def velocity_of(f: Array, E: Array, belongs: Array, M: float) -> tuple[Array, Array]:
    """`logit_velocity` (..., Q, C) and xi / gamma (..., K)."""
    beta = _coefficients(solve_overlaps(E), M).beta
    towards = beta @ f
    along = np.sum(beta * E, axis=-1)
    return belongs @ (f * (f * along[..., None] - towards)) / E.shape[-1], along


def _coefficients(E_prime: Array, M: float) -> Drive:
    """Minus the columns of (I - E') times the matrix of zeta products: entry (n', n) is what f_n' adds to g_n."""
    q1, q0 = _products(M)
    rest = np.eye(E_prime.shape[-1]) - E_prime
    added = (q1 - q0) * rest + q0 * np.sum(rest, axis=-1, keepdims=True)
    iota = np.diagonal(added, axis1=-2, axis2=-1).copy()
    beta = -np.swapaxes(added, -1, -2)
    every = np.arange(E_prime.shape[-1])
    beta[..., every, every] = 0.0
    return Drive(iota, beta)


def _products(M: Any) -> tuple[Any, Any]:
    return M / (M - 1.0), -M / (M - 1.0) ** 2


def enough_for_a_line(M: Array) -> None:
    """Refuse vocabularies for which the line (M-1) x stays under e^x."""
    require(np.all(M >= 4), "M", "at least 4 output tokens", M)


def scores_of(value: ArrayLike) -> Array:
    """Unnormalised attention (..., K, C) as float64, not negative."""
    c = non_negative(value, "scores")
    require(c.ndim >= 2, "scores", "shape (..., K, C)", c.shape)
    return c


def square(E: ArrayLike) -> Array:
    """A stack of square matrices as float64."""
    e = floats(E)
    require(e.ndim >= 2 and e.shape[-1] == e.shape[-2], "E", "shape (..., K, K)", e.shape)
    return e


def _raised(P: Array, Z: Array, query: Ints) -> Array:
    """The scores but for a factor; the largest logit of each row is taken out first."""
    rows = Z[..., query, :]
    top = np.max(rows, axis=-1, keepdims=True, initial=-np.inf, where=P > 0)
    return P * np.exp(np.minimum(rows - top, 0.0))  # tokens outside the class have P = 0 and any logit
