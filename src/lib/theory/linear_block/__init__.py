r"""What theory predicts for a linear transformer block that regresses in context, for every task; imports no model.

Chapter `linear_block`. Source: Zhang, Wu, Bartlett, arXiv 2402.14951, by its Section 3 (the block, the risk), Theorems
4.1, 5.2, 5.3 and 6.3, Lemmas 6.1, G.2 and H.4, Corollary 6.2; what a function calls ours is. `portable` has what
figures draw, for H = diag(h) and Psi = psi I. A task is anything with H, Psi, mean, sigma, M and the roots of H and
Psi, such as `lib.models.linear_block.Task`, which checks it; covariances may be singular. A risk is a mean squared
error at the query in squared labels, label noise included. Of training, time is in steps of gradient descent times
their rate, and the loss is the risk, without a factor one half. What is out of range raises InputError.

$S = X^\top X/M$, $\delta = \tilde\beta - \beta^*$, $\xi = \lVert X\delta + \varepsilon\rVert^2/M$. With $a = \alpha -
\beta^*$, $w = v + c\beta^*$, $N = Q^\top + q\beta^{*\top}$, $p = cq$ and $\tilde\Gamma = cQ^\top + q(w +
c\beta^*)^\top$ the error of a block is $x^\top[a + NSw + p\xi] + x^\top[\tilde\Gamma(S\delta + X^\top\varepsilon/M) -
\delta]$: one part even in $(\delta, \varepsilon)$, one odd, so uncorrelated.

In the trap, which is ours, labels enter through the keys: with $c = 0$, $\alpha = \beta^*$, $Q^\top =
-q\beta^{*\top}$ and $qv^\top = \gamma H^{-1/2}uu^\top H^{-1/2}$, u the first eigenvector of $H^{1/2}\Psi H^{1/2}$, the
block is the best step of rank one, and a critical point of the risk.
"""

import math
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require
from lib.integrate import integrate
from lib.theory._arrays import Array, floats
from lib.theory.linear_block import portable

RANK = 1e-12  # an eigenvalue of H below so much of the largest is zero


class Task(Protocol):
    """What theory reads of a task."""

    H: Array  #: (d, d) feature covariance, positive semi-definite
    Psi: Array  #: (d, d) task covariance, positive semi-definite
    H_root: Array  #: (d, d) principal square root of H
    Psi_root: Array  #: (d, d) principal square root of Psi
    mean: Array  #: (d,) prior mean of the task vector
    sigma: float  #: standard deviation of the label noise
    M: int  #: labelled examples


class Effective(NamedTuple):
    """What the output of a block depends on; leading axes are blocks."""

    alpha: Array  #: (..., d) what the residual copy of the query is worth
    v: Array  #: (..., d) value of an example by its features
    c: Array  #: (...,) value of an example by its label
    Q: Array  #: (..., d, d) score of an example's features for the query
    q: Array  #: (..., d) score of an example's label for the query


class FlowPath(NamedTuple):
    """A path of the flow of one step."""

    times: Array  #: (T,)
    beta: Array  #: (T, d)
    Gamma: Array  #: (T, d, d)
    risk: Array  #: (T,)


def signal_spectrum(task: Task) -> Array:
    r"""(d,) eigenvalues $\phi_1 \ge \dots \ge \phi_d$ of $\Psi^{1/2}H\Psi^{1/2}$, those of $H^{1/2}\Psi H^{1/2}$."""
    return np.clip(np.linalg.eigvalsh(task.Psi_root @ task.H @ task.Psi_root)[::-1], 0.0, None)


def sandwich(A: Array, H: Array, M: int) -> Array:
    r"""$E[SAS] = HAH + \frac1M(HA^\top H + \mathrm{tr}(HA)H)$ (d, d) of M normal rows of covariance H, for A (d, d).

    Lemma H.4; the form for matrices that are not symmetric is ours.
    """
    return H @ A @ H + (H @ A.T @ H + np.sum(H * A.T) * H) / M


def step_moment(task: Task, A: Array) -> Array:
    r"""$B(A) = \frac{M+1}{M}HAH + \frac{\mathrm{tr}(HA) + \sigma^2}{M}H$: moment of $S\delta + X^\top\varepsilon/M$.

    A (..., d, d) is the second moment of $\delta$, symmetric; Psi gives $\bar\Omega$. Lemma H.4.
    """
    H, M = task.H, task.M
    trace = np.sum(H * A, axis=(-2, -1)) + task.sigma**2
    return (M + 1) / M * H @ A @ H + trace[..., None, None] / M * H


def label_variance(task: Task) -> float:
    r"""$\tau = \sigma^2 + \mathrm{tr}(H\Psi)$: a label's variance about the prior mean's; it damps the best step."""
    return portable.label_variance(signal_spectrum(task).tolist(), task.sigma)


prior_risk = label_variance  # of the predictor that reads no example, the prior mean


def square_variance(task: Task) -> float:
    r"""$V_\xi = 2\kappa + \frac2M(\tau^2 + 2\kappa)$, the variance of $\xi$; $\kappa = \sum\phi_i^2$. Ours."""
    return portable.square_variance(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def block_risk(task: Task, block: Effective) -> Array:
    """Risk (...,) of blocks. Ours, by Section 3 and Lemma H.4."""
    return block_risk_and_gradient(task, block)[0]


def block_risk_and_gradient(task: Task, block: Effective) -> tuple[Array, Effective]:
    """The risk (...,) of blocks, a polynomial in the five parameters, and its gradient, shaped like the block. Ours."""
    H, Psi, mean, M = task.H, task.Psi, task.mean, task.M
    phi, Omega = signal_spectrum(task).tolist(), step_moment(task, Psi)
    tau, spread = portable.label_variance(phi, task.sigma), portable.square_variance(phi, task.sigma, float(M))
    alpha, v, c, Q, q = (np.asarray(x, dtype=float) for x in block)
    w, p = v + c[..., None] * mean, c[..., None] * q
    N = _transposed(Q) + _outer(q, mean)
    G = c[..., None, None] * _transposed(Q) + _outer(q, w + c[..., None] * mean)
    Hw, HPHw = w @ H, w @ (H @ Psi @ H)
    u = _times(N, Hw)
    m = alpha - mean + u + tau * p
    HN, HG, Hu, Hm, Hp = H @ N, H @ G, u @ H, m @ H, p @ H
    ww, NN = _dot(w, Hw), np.sum((HN @ H) * N, axis=(-2, -1))
    risk = tau - 2 * np.sum(HG * (Psi @ H), axis=(-2, -1)) + np.sum((HG @ Omega) * G, axis=(-2, -1))
    risk = risk + _dot(m, Hm) + (_dot(u, Hu) + ww * NN) / M + 4 / M * _dot(p, _times(HN, HPHw)) + spread * _dot(p, Hp)

    dG = 2 * (HG @ Omega - H @ Psi @ H)
    dm = 2 * Hm
    du = dm + 2 / M * Hu
    dp = tau * dm + 4 / M * _times(HN, HPHw) + 2 * spread * Hp
    dN = 2 / M * ww[..., None, None] * (HN @ H) + _outer(du, Hw) + 4 / M * _outer(Hp, HPHw)
    dw = 2 / M * NN[..., None] * Hw + _times(_transposed(N), du) @ H
    dw = dw + 4 / M * _times(_transposed(N), Hp) @ (H @ Psi @ H) + _times(_transposed(dG), q)
    dc = np.sum(_transposed(Q) * dG, axis=(-2, -1)) + _dot(q, _times(dG, mean)) + _dot(dp, q) + dw @ mean
    dq = _times(dG, w + c[..., None] * mean) + _times(dN, mean) + c[..., None] * dp
    dQ = _transposed(c[..., None, None] * dG + dN)
    return risk, Effective(dm, dw, dc, dQ, dq)


def step_risk(task: Task, beta: Array, Gamma: Array) -> Array:
    r"""Risk (...,) of a gradient step from $\beta$ (..., d) with step matrix $\Gamma$ (..., d, d).

    $\sigma^2 + \mathrm{tr}(HA) - 2\mathrm{tr}(H\Gamma HA) + \mathrm{tr}(H\Gamma B(A)\Gamma^\top)$ with $A = \Psi +
    (\beta - \beta^*)(\beta - \beta^*)^\top$. Of a step made for another length M it is the risk at this one. Ours.
    """
    H, Delta = task.H, np.asarray(beta, dtype=float) - task.mean
    A = task.Psi + _outer(Delta, Delta)
    HG = H @ np.asarray(Gamma, dtype=float)
    risk = task.sigma**2 + np.sum(H * A, axis=(-2, -1)) - 2 * np.sum((HG @ H) * A, axis=(-2, -1))
    return risk + np.sum((HG @ step_moment(task, A)) * Gamma, axis=(-2, -1))


def best_step(task: Task) -> Array:
    r"""The step matrix (d, d) of the best one-step estimator, which starts at the prior mean.

    $\Gamma^* = \Psi^{1/2}(\frac{M+1}{M}\Psi^{1/2}H\Psi^{1/2} + \frac\tau MI)^{-1}\Psi^{1/2}$, symmetric; zero where
    $\tau = 0$, as every step is best there. Theorem 5.2.
    """
    if label_variance(task) == 0:
        return np.zeros_like(task.H)
    value, vector = np.linalg.eigh(task.Psi_root @ task.H @ task.Psi_root)
    gains = portable.best_gains(np.clip(value, 0.0, None).tolist(), 1.0, task.sigma, float(task.M))
    root = task.Psi_root @ vector
    step = root * gains @ root.T
    return (step + step.T) / 2


def best_risk(task: Task) -> float:
    r"""$R^* = \sigma^2 + \sum_i\frac{\phi_i(\tau + \phi_i)}{\tau + (M+1)\phi_i}$, of the best step and best block."""
    return portable.best_risk(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def bayes_risk(task: Task, normals: Array) -> float:
    """The Bayes risk, averaged over contexts: far less noisy than an average of squared errors; see `bayes_risks`."""
    return float(np.mean(bayes_risks(task, normals)))


def bayes_risks(task: Task, normals: Array) -> Array:
    r"""The Bayes risk (n,) given each context.

    $\sigma^2 + \sigma^2\mathrm{tr}(\Psi^{1/2}H\Psi^{1/2}(\Psi^{1/2}X^\top X\Psi^{1/2} + \sigma^2I)^{-1})$, and its
    limit where $\sigma = 0$. Lemma 6.1.

    Args:
        task: the task.
        normals: (n, M, d) standard normal numbers; context i is `normals[i] @ task.H_root`. The same numbers at two
            settings make the difference of the two risks smooth.
    """
    shape = (task.M, len(task.H))
    good = np.ndim(normals) == 3 and normals.shape[1:] == shape
    require(good, "normals", f"(n, {shape[0]}, {shape[1]})", np.shape(normals))
    Z = normals @ (task.H_root @ task.Psi_root)
    value, vector = np.linalg.eigh(np.swapaxes(Z, -1, -2) @ Z)
    value = np.clip(value, 0.0, None)
    signal = np.einsum("nij,ik,nkj->nj", vector, task.Psi_root @ task.H @ task.Psi_root, vector)
    noise = task.sigma**2
    if noise > 0:
        unread = noise / (value + noise)
    else:  # what no example points to stays unknown
        unread = (value <= 1e-10 * np.maximum(value.max(axis=-1, keepdims=True), 1e-300)).astype(float)
    return noise + np.sum(unread * signal, axis=-1)


def bayes_floor(task: Task) -> float:
    r"""Below the Bayes risk, by Jensen: $\sigma^2 + \sum_i\frac{\phi_i\sigma^2}{\sigma^2 + M\phi_i}$. Section 6."""
    phi, noise = signal_spectrum(task), task.sigma**2
    return float(noise + np.sum(phi * noise / (noise + task.M * phi))) if noise > 0 else 0.0


def rate_bounds(task: Task) -> tuple[Array, Array, Array]:
    r"""Terms (d,) of $R^* - \sigma^2$, and below and above them (d,): half and twice $\min\{\phi_i, \tau/(M+1)\}$.

    Corollary 6.2; the constants are ours.
    """
    phi = signal_spectrum(task)
    small = np.minimum(phi, label_variance(task) / (task.M + 1))
    return floats(portable.best_terms(phi.tolist(), task.sigma, float(task.M))), small / 2, 2 * small


def bayes_ratio_bound(task: Task) -> float:
    r"""$(\tau + \phi_1)/\sigma^2$: at most so many times the excess of Bayes is that of the best step, over $\sigma^2$.

    Isotropic tasks reach it as M grows. Infinite where the noise is zero. Corollary 6.2; the constant is ours.
    """
    phi, noise = signal_spectrum(task), task.sigma**2
    return (label_variance(task) + float(phi[0])) / noise if noise > 0 else math.inf


def gap_bound(task: Task) -> float:
    r"""$\lVert\beta^*\rVert_H^2/(M+1)$: by at least so much is the best attention worse than the best block.

    Theorem 4.1; the constant is ours.
    """
    return portable.gap_bound(float(task.mean @ task.H @ task.mean), float(task.M))


def curvature(task: Task, Gamma: Array) -> Array:
    r"""$K(\Gamma)$ (d, d) for a step matrix (d, d): the risk is quadratic in $\beta$, with Hessian $2K$.

    $H - H\Gamma H - H\Gamma^\top H + \frac{M+1}MH\Gamma^\top H\Gamma H + \frac1M\mathrm{tr}(H\Gamma H\Gamma^\top)H$; at
    least $\frac2{M+2}H$ whatever the step. Section 6 (the matrix); the bound is ours.
    """
    H, M = task.H, task.M
    once = H @ Gamma @ H
    return H - once - once.T + (M + 1) / M * once.T @ Gamma @ H + np.sum(once * Gamma) / M * H


def flow_slopes(task: Task, beta: Array, Gamma: Array) -> tuple[Array, Array]:
    r"""Minus the risk's gradient: $\dot\beta = -2K(\Gamma)(\beta - \beta^*)$, $\dot\Gamma = 2(HAH - H\Gamma B(A))$.

    The start of the step is (d,), its matrix (d, d), and so are the slopes. Lemma G.2.
    """
    H, Delta = task.H, beta - task.mean
    A = task.Psi + np.outer(Delta, Delta)
    return -2 * curvature(task, Gamma) @ Delta, 2 * (H @ A @ H - H @ Gamma @ step_moment(task, A))


def step_flow(task: Task, times: ArrayLike, beta: ArrayLike | None = None, Gamma: ArrayLike | None = None) -> FlowPath:
    """Gradient flow of the start and the step on the whole population.

    Args:
        task: the task.
        times: increasing times of at least 0, (T,).
        beta: (d,) start at time 0; default zero.
        Gamma: (d, d) step matrix at time 0; default zero.

    Raises:
        DivergedError: if the solver fails.
    """
    d = len(task.mean)
    first = np.zeros(d) if beta is None else floats(beta)
    step = np.zeros((d, d)) if Gamma is None else floats(Gamma)
    require(first.shape == (d,), "beta", f"shape ({d},)", first.shape)
    require(step.shape == (d, d), "Gamma", f"shape ({d}, {d})", step.shape)

    def slope(t: float, state: Array) -> Array:
        moved = flow_slopes(task, state[:d], state[d:].reshape(d, d))
        return np.concatenate([moved[0], moved[1].ravel()])

    path = integrate(slope, np.concatenate([first, step.ravel()]), times, what="theory of linear_block")
    b, G = path.states[:, :d], path.states[:, d:].reshape(-1, d, d)
    return FlowPath(path.times, b, G, step_risk(task, b, G))


def image_of_features(task: Task) -> Array:
    r"""The projection P (d, d) onto the image of H, the directions in which features vary: $(1 - P)\beta$ and
    $\Gamma - P\Gamma P$ stay on the way where they start.
    """
    value, vector = np.linalg.eigh(task.H)
    seen = vector[:, value > RANK * value[-1]]
    return seen @ seen.T


def flow_end(task: Task, beta: ArrayLike, Gamma: ArrayLike) -> tuple[Array, Array]:
    r"""Where the flow from (d,) and (d, d) ends: $P\beta^* + (1-P)\beta$ and $P\Gamma^*P + \Gamma - P\Gamma P$.

    It is a best step; the only one if H is invertible. Labels must have a variance about the prior mean's. Theorem 6.3.
    """
    P, first, step = image_of_features(task), floats(beta), floats(Gamma)
    return first + P @ (task.mean - first), step + P @ (best_step(task) - step) @ P


def start_bound(task: Task, times: ArrayLike) -> Array:
    r"""At most so much of $\lVert P(\beta(0) - \beta^*)\rVert^2$ is left, (T,): $e^{-8\lambda t/(M+2)}$.

    $\lambda$ is the least eigenvalue of H above zero; without one nothing is left. Theorem 6.3; the rate is ours.
    """
    value = np.linalg.eigvalsh(task.H)
    return np.exp(-8 * np.min(value[value > RANK * value[-1]], initial=np.inf) * floats(times) / (task.M + 2))


def trap_block(task: Task, which: int = 0) -> Effective:
    r"""The trap as effective parameters of a block; its scale between v and q is free, here they are equal.

    Its step is along the direction `which`, 0 the strongest; along others it is a critical point too.
    """
    value, vector = np.linalg.eigh(task.H_root @ task.Psi @ task.H_root)
    u, phi = vector[:, -1 - which], value[::-1].tolist()
    gain = portable.rank_one_gain(phi, which, task.sigma, float(task.M))
    along: Array = task.Psi @ task.H_root @ u / phi[which]  # H^(-1/2) u, without an inverse
    q = math.sqrt(gain) * along
    return Effective(np.array(task.mean, dtype=float), q, np.array(0.0), -np.outer(task.mean, q), q)


def trap_risk(task: Task) -> float:
    r"""$\tau - \gamma\phi_1$ with $\gamma = M\phi_1/(\tau + (M+1)\phi_1)$, the risk in the trap."""
    return portable.trap_risk(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def trap_criterion(task: Task) -> float:
    r"""$\frac{\gamma^2}M(V_\xi - \frac2M\phi_1^2)/\sum_{j\ge2}\phi_j^2$: above 1 the trap is a local minimum, below 1 a
    saddle; infinite where only one $\phi$ is not zero: there the trap is a global minimum.
    """
    return portable.trap_criterion(signal_spectrum(task).tolist(), task.sigma, float(task.M))


def _outer(a: Array, b: Array) -> Array:
    return a[..., :, None] * b[..., None, :]


def _dot(a: Array, b: Array) -> Array:
    return np.sum(a * b, axis=-1)


def _times(A: Array, x: Array) -> Array:
    return np.matmul(A, x[..., None])[..., 0]


def _transposed(A: Array) -> Array:
    return np.swapaxes(A, -1, -2)
