"""Claims SCB-15 to SCB-17 and SCB-40: which sign a run takes, what that costs, and where noise feeds itself.

Chapter `scb`. All beyond arXiv 2410.23438, whose Theorem 3.1 asks for poly(T) samples in Stage 1. Stage 1 is run with
many seeds: which sign its runs take, how long it lasts, and what can be read off then.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from hal.chapters.scb import models
from hal.chapters.scb.runs import learn
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.sampling import Rngs
from lib.theory import scb as theory

LEVEL = 0.1  # a run leaves Stage 1 when a coordinate reaches this size


class Stage1(NamedTuple):
    """What R runs show when they leave Stage 1 (or at the end, if they have not)."""

    right: NDArray[np.bool_]  #: (R,) the signal has the true sign
    support: NDArray[np.bool_]  #: (R,) the support of Q can be read off, up to the mirror
    steps: NDArray[np.int64]  #: (R,)


class TwinTokens(scb.LinearTransformer):
    """The model on contexts whose tokens come in pairs of equals: positions 2i and 2i + 1 hold the same."""

    def sample(self, batch: int, rngs: Rngs, step: int = 0) -> scb.Batch:
        """Samples of the task in which every token of an even place is repeated in the next."""
        half = scb.Task(self.task.mu, self.task.P, self.task.Q[:, ::2] + self.task.Q[:, 1::2])
        drawn = scb.sample(half, batch, rngs)
        return drawn._replace(draws=np.repeat(drawn.draws, 2, axis=-1))


class OneLine(scb.LinearTransformer):
    """The model whose V learns along its signal line alone: the update of V is its part in the direction of R."""

    def loss_and_gradient(self, params: scb.Params, batch: scb.Batch) -> tuple[NDArray, scb.Params]:
        """Loss (R,), and the gradient with that of V on the line."""
        loss, grad = super().loss_and_gradient(params, batch)
        R = self.task.P - self.task.mu[:, None]
        along = np.sum(grad.V * R, axis=(-2, -1)) / self.task.K_P
        return loss, scb.Params(along[:, None, None] * R * self.task.mu, grad.A)


@lru_cache(maxsize=8)
def two_token_task(T: int) -> scb.Task:
    """The ring task of two tokens: a batch of some six samples fills both columns, so that the sign law is good."""
    return scb.ring_task(T, 2, rng=0)


@lru_cache(maxsize=16)
def stage1(
    task: scb.Task, batch: int, lr: float, seeds: range, random_V: float = 0.0, model: type | None = None
) -> Stage1:
    """Plain SGD, 1.4 times as many steps as theory gives Stage 1; remembered.

    `random_V` is the size of a random centred matrix added to V at the start; `model` is what is trained on the task,
    by default the linear transformer on tokens.
    """
    T, runs = task.T, len(seeds)
    steps = int(1.4 * float(theory.escape_time(LEVEL, lr, task.K_Q, T)))
    start = scb.LinearTransformer(task).init(runs)
    noise = np.random.default_rng(seeds[0]).standard_normal(start.V.shape)
    start = scb.Params(start.V + random_V * models.centred(noise, task.mu), start.A)
    record = {
        "V": lambda p: scb.alpha_V(p, task),
        "A": lambda p: scb.alpha_A(p, task),
        "support": lambda p: models.support_recovered(p, task),
    }
    at = np.unique(np.r_[np.arange(0, steps, max(1, steps // 50)), steps])
    run = learn(
        task,
        seeds,
        lr=lr,
        batch=batch,
        steps=steps,
        record=record,
        record_at=at,
        start=start,
        model=None if model is None else model(task),
    )
    out = np.maximum(np.abs(run["V"]), np.abs(run["A"])) >= LEVEL  # (R, K)
    first = np.where(out.any(axis=1), out.argmax(axis=1), len(at) - 1)
    each = np.arange(runs)
    return Stage1(run["V"][each, first] > 0, run["support"][each, first] > 0, at[first])


def share_right(
    task: scb.Task, batch: int, lr: float, seeds: range, random_V: float = 0.0, model: type | None = None
) -> tuple[float, float]:
    """Share of the runs of `stage1` with the true sign, and the signal over noise z that the sign law gives them."""
    z = theory.sign_z(batch, lr, theory.constants(task.mu, task.P, task.Q).s2, task.T)
    return float(stage1(task, batch, lr, seeds, random_V, model).right.mean()), float(z)


def z_of(share: float, runs: int) -> float:
    """The z whose Phi(z) is the share; a share of 0 or 1 says no more than half a run."""
    return float(ndtri(np.clip(share, 0.5 / runs, 1 - 0.5 / runs)))


def z_error(share: float, runs: int) -> float:
    """Standard error of `z_of`."""
    p = np.clip(share, 0.5 / runs, 1 - 0.5 / runs)
    return float(np.sqrt(p * (1 - p) / runs * 2 * np.pi) * np.exp(0.5 * ndtri(p) ** 2))


_LR = 0.04
_RUNS = {64: 500, 128: 300, 256: 200, 512: 80}  # by context length
_MOST = max(_RUNS.values())


def _batch(T: int) -> int:
    """Batch for which the sign law gives a run the true sign with probability 0.95."""
    task = two_token_task(T)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    return round(float(theory.batch_for_sign(_LR, s2, T, 0.95)))


def _loop(task: scb.Task, batch: int, lr: float) -> float:
    """r of the theory, at these settings."""
    known = theory.constants(task.mu, task.P, task.Q)
    G = theory.control_number(batch, lr, task.T)
    return float(theory.noise_loop(G, task.T, task.N, known.K_P, known.K_Q, known.tr_S2))


def _signals(lengths: tuple[int, ...], block: int, random_V: float) -> tuple[np.ndarray, np.ndarray]:
    """Measured signal over noise of the sign over that of the law, and its standard error, at each context length."""
    found = []
    for T in lengths:
        runs, task = _RUNS[T], two_token_task(T)
        share, law = share_right(task, _batch(T), _LR, seed_block(block, _MOST)[:runs], random_V)
        found.append((z_of(share, runs) / law, z_error(share, runs) / law))
    ratio, error = np.array(found).T
    return ratio, error


@claim(
    "SCB-15",
    where="Beyond the paper",
    says="Noise on the plateau decides whether a run ends at the solution or at its mirror. The probability of "
    r"the true sign is $\Phi\bigl(\sqrt{2B/(\eta s^2T)}\bigr)$, for two tokens, and for more while noise does not feed "
    "itself (SCB-40).",
    control={"random_V": 0.02},
    breaks="$V$ starts with a small random matrix, which drowns the drift of size $1/T$",
)
def _check_15(random_V: float = 0.0, block: int = 0) -> Result:
    """`random_V`: size of a random matrix added to V at the start."""
    ratio, error = _signals((64, 128, 256), block, random_V)
    pooled = float(np.average(ratio, weights=error**-2))
    name = "signal over noise z of the sign (the share of right ones is Phi(z)) over the law's, "
    four = scb.ring_task(256, rng=0)
    share, law = share_right(four, 8, _LR, seed_block(block, _MOST), random_V)
    return result(
        Part(name + "N = 2, T = 64 to 256", pooled, 1.0, 0.2, drift=0.01),
        Part(name + f"N = 4, T = 256, r = {_loop(four, 8, _LR):.2f}", z_of(share, _MOST) / law, 1.0, 0.2, drift=0.01),
        seeds=seed_block(block, _MOST),
    )


@claim(
    "SCB-16",
    where=r"Theorem 3.1 ($\mathrm{poly}(T)$ samples before $\tau_1$); the exponents: beyond the paper",
    says="For a given probability of the true sign the batch must grow in proportion to the context length, and the "
    r"samples of Stage 1 a little faster, like $T\ln T$.",
    control={"random_V": 0.02},
    breaks="$V$ starts with a small random matrix, of a size that does not fall with $T$ as the drift does",
)
def _check_16(random_V: float = 0.0, block: int = 0) -> Result:
    """`random_V`: size of a random matrix added to V at the start."""
    lengths = tuple(_RUNS)
    ratio, error = _signals(lengths, block, random_V)
    # The batch goes with T here. Where it had to go with T^power, z would go with T^((1 - power) / 2).
    columns = np.stack([np.ones(len(lengths)), np.log(lengths) - np.log(lengths).mean()], axis=-1)
    level, slope = np.linalg.lstsq(columns / error[:, None], ratio / error, rcond=None)[0]
    power = 1 - 2 * slope / level
    seeds = seed_block(block, _MOST)
    steps = [np.median(stage1(two_token_task(T), _batch(T), _LR, seeds[: _RUNS[T]], random_V).steps) for T in lengths]
    said = [float(theory.escape_time(LEVEL, _LR, two_token_task(T).K_Q, T)) for T in lengths]
    longer, said_longer = (np.polyfit(np.log(lengths), np.log(times), 1)[0] for times in (steps, said))
    return result(
        Part("power of T in the batch for the true sign, T = 64 to 512", power, 1.0, 0.4, drift=0.02),
        Part("power of T that the steps of Stage 1 add to it", longer, said_longer, 0.05, drift=0.02),
        seeds=seeds,
    )


@claim(
    "SCB-17",
    where=r"Beyond the paper; against the conjecture that $\mathrm{poly}(T)$ samples are needed in Stage 1",
    says="Up to the mirror, the useful positions can be read off when Stage 1 ends, after a number of samples that "
    r"grows only like $\ln T$. Only the sign costs samples in proportion to $T$.",
    control={"model": TwinTokens},
    breaks="tokens come in pairs of equals, so that a useful position and its neighbour look the same",
)
def _check_17(model: type | None = None, block: int = 0) -> Result:
    """`model`: what is trained on the task; None for the linear transformer on its tokens."""
    batch, lr, lengths = 48, 0.05, (512, 4096)
    seeds, parts, samples, said = seed_block(block, 8), [], [], []
    for T in lengths:
        task = scb.ring_task(T, rng=0)
        found = stage1(task, batch, lr, seeds, model=model)
        samples.append(batch * np.median(found.steps))
        said.append(batch * float(theory.escape_time(LEVEL, lr, task.K_Q, T)))
        name = f"share of runs that show the support, up to the mirror, T = {T}, batch 48, lr 0.05"
        parts.append(Part(name, found.support.mean(), 0.75, 0, "at least", 1 / len(seeds)))
    (few, many), (said_few, said_many) = samples, said
    return result(
        *parts,
        Part("samples until then (median), T = 4096", many, said_many, 0.3, "relative", 2 * batch),
        Part("times more than at T = 512", many / few, said_many / said_few, 0.2, "relative", 0.05),
        seeds=seeds,
    )


def _energies_fed(task: scb.Task, batch: int, lr: float, seeds: range, model: type) -> tuple[float, float]:
    """What one step adds to the energy of A's noise for one of V's, and the other way round; means over the seeds."""
    runs, rng = len(seeds), np.random.default_rng(seeds[0])
    start = scb.LinearTransformer(task).init(runs)
    U = 0.01 * models.centred(rng.standard_normal(start.V.shape), task.mu)
    U -= U.mean(axis=-2, keepdims=True)
    W = rng.standard_normal(start.A.shape)
    W -= W.mean(axis=-1, keepdims=True)
    common = {"lr": lr, "batch": batch, "steps": 1, "record": {}, "model": model(task)}
    noisy_V = learn(task, seeds, start=scb.Params(start.V + U, start.A), **common).params
    noisy_A = learn(task, seeds, start=scb.Params(start.V, start.A + W), **common).params
    made_A = scb.mu_norm_rows(noisy_V.A - start.A, task.mu) ** 2
    made_V = scb.mu_norm(scb.delta_U(noisy_A, task), task.mu) ** 2
    given_V, given_A = scb.mu_norm(U, task.mu) ** 2, scb.mu_norm_rows(W, task.mu) ** 2
    return float(made_A.mean() / given_V.mean()), float(made_V.mean() / given_A.mean())


@claim(
    "SCB-40",
    where="Beyond the paper",
    says="From three tokens onwards noise feeds itself: off-signal noise of $V$ makes noise of $A$, and that makes "
    r"noise of $V$. Near zero the loop multiplies their energies by $1+2\eta r$ per step, and $1+2\eta$ is what the "
    r"squared signal grows by; for uniform tokens $r=\eta\sqrt{T(N-2)}/(2K_PK_QB)$. At $r=0.84$ the true sign is much "
    "rarer than the sign law says, and at $r=3$ runs diverge before the plateau is over.",
    control={"model": OneLine},
    breaks="$V$ learns along its signal line alone, so that the loop is cut",
)
def _check_40(model: type = scb.LinearTransformer, block: int = 0) -> Result:
    """`model`: what is trained on the task."""
    seeds, task = seed_block(block, _MOST), scb.ring_task(512, 4, 0.7, rng=0)
    to_A, to_V = _energies_fed(task, 4, _LR, seeds, model)
    late = round(1.25 * float(theory.escape_time(0.3, _LR, task.K_Q, task.T)))  # as the chapter's figure counts
    signal = {"V": lambda p: scb.alpha_V(p, task)}
    ends = learn(task, seeds, lr=_LR, batch=4, steps=late, record=signal, record_at=[0, late], model=model(task))["V"]
    share = float(np.mean(ends[:, -1] > 0))
    law = float(theory.sign_probability(4, _LR, theory.constants(task.mu, task.P, task.Q).s2, task.T))
    short = scb.ring_task(256, rng=0)
    steps = int(theory.escape_time(LEVEL, 0.06, short.K_Q, short.T))
    lost = learn(short, seeds[:100], lr=0.06, batch=1, steps=steps, record={}, model=model(short)).diverged_at >= 0
    r, far = _loop(task, 4, _LR), _loop(short, 1, 0.06)
    return result(
        Part(
            "what a step moves from V to A and back, root, over 2 lr",
            np.sqrt(to_A * to_V) / (2 * _LR),
            r,
            0.1,
            "relative",
        ),
        Part(f"share with the true sign at r = {r:.2f}, 0.1 below the law's", share, law - 0.1, 0, "at most", 0.01),
        Part(f"share of runs that diverge at r = {far:.1f}", lost.mean(), 0.9, 0, "at least", 0.02),
        seeds=seeds,
    )
