"""Claims SNAP-4 to SNAP-7: the decoder of the reference dynamics, its clock, its two stages, and what it sends back.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 4 and Appendix D.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from hal.chapters.scan_snap.claims._measure import arriving, largest, random_classes, residuals, trained
from hal.chapters.scan_snap.runs import learn_replaced, rates, start_inputs, times_seen
from hal.chapters.scan_snap.theory.lemmas import (
    clock_gap_bound,
    early_gap,
    equal_modified_overlaps,
    late_gap,
    series_error_bound,
    speed_peak,
)
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory

Array = NDArray[np.float64]
_RATES = np.array([0.1, 0.2, 0.5, 1.0, 2.0, 4.0])  # per step, paper's Figure 8
_SIZES = (34, 100, 1000, 10_000)  # M


@claim(
    "SNAP-4",
    where="Lemmas 3 and 5, Theorem 5",
    says=r"With the modified gradient and attention at rest, single-sample SGD moves each class's row of $F^\top Y$ "
    "alone, along one direction, by a scalar that depends only on how often the class was seen.",
    control={"replaced": False},
    breaks="the true gradient of the decoder in place of the modified one",
)
def _check_4(replaced: bool = True, block: int = 0) -> Result:
    seeds, steps, rate = seed_block(block, 3), 300, 0.5
    at = [0, 1, 10, 100, steps]
    errors: dict[str, list[float]] = {"W": [], "delta": [], "Y": []}
    for K in (2, 5):
        task = ss.base_task(K=K)
        run = learn_replaced(
            task, seeds, rates(rate, 0.0, optim.sgd), steps, one_by_one=True, replaced=replaced, record_at=at
        )
        f = start_inputs(task)
        h = theory.h_star(steps, task.M, rate)[times_seen(task, seeds, steps)[:, at]][..., None]  # (R, records, K, 1)
        zeta = theory.zeta(K, task.M)
        W = f @ run["Y"]
        shrink = (task.M - 1) / (task.M - 1 + np.exp(task.M * h))
        mixed = f.T @ (np.eye(K) - theory.modified_overlaps(theory.correlations(f)))
        errors["W"].append(largest(W - (task.M - 1) * h * zeta))
        errors["delta"].append(largest(residuals(W) - shrink * zeta))
        errors["Y"].append(largest(run["Y"] - mixed @ ((task.M - 1) * h * zeta)))
    return result(
        Part("largest error of w_n = (M-1) h* zeta_n, nats", max(errors["W"]), 1e-11, kind="rounding"),
        Part("largest error of delta_n = (M-1)/(M-1+e^(M h*)) zeta_n", max(errors["delta"]), 1e-11, kind="rounding"),
        Part("largest error of Y = F (I - E') W, nats", max(errors["Y"]), 1e-11, kind="rounding"),
        seeds=seeds,
    )


def _integrated(t: Array, K: int, M: int, rates: Array | float) -> Array:
    """Logit gap x at times t (T,) by integrating dx/dt = M rate / (K (M - 1 + e^x)), against ln(1 + t)."""
    rate = np.atleast_1d(np.asarray(rates, dtype=np.float64)) * M / K
    s = np.log1p(t)

    def slope(u: float, x: Array) -> Array:
        return np.exp(u) * rate / (M - 1 + np.exp(x))

    found = solve_ivp(slope, (0, s[-1]), np.zeros_like(rate), "DOP853", t_eval=s, rtol=1e-12, atol=1e-13)
    return np.asarray(found.y.T)  # (T, rates)


def _implicit(steps: int, M: int) -> Array:
    """Clock (rates, steps + 1) whose residual is taken after the step: x' = x + M rate / (M - 1 + e^x')."""
    x = np.zeros((len(_RATES), steps + 1))
    for k in range(steps):
        new = x[:, k]
        for _ in range(10):  # Newton's method, from below
            raised = np.exp(new)
            excess = (new - x[:, k]) * (M - 1 + raised) - M * _RATES
            new = new - excess / (M - 1 + raised + (new - x[:, k]) * raised)
        x[:, k + 1] = new
    return x / M


@claim(
    "SNAP-5",
    where="Lemmas 6 and 7, Figure 8; the closed form beyond the paper",
    says="In continuous time the decoder's clock has a closed form. Single steps run ahead of it, by at most "
    r"$2\eta_Y/M$, and the lead dies out. While $\eta_Y$ is small its largest value is $\eta_Y/(2eM)$.",
    control={"implicit": True},
    breaks="each step uses the residual after the step, not before it",
)
def _check_5(implicit: bool = False) -> Result:
    t, steps = np.concatenate([[0.0], np.geomspace(0.1, 1e4, 100)]), 2000
    closed, shares, left, most = [], [], [], []
    for M in (50, 1000):
        closed.append(largest(theory.logit_gap(t[:, None], 1, M, _RATES) - _integrated(t, 1, M, _RATES)))
        steady = theory.h(np.arange(steps + 1), 1, M, _RATES[:, None])
        single = _implicit(steps, M) if implicit else theory.h_star(steps, M, _RATES)
        share = (single - steady) / clock_gap_bound(M, _RATES)[:, None]
        shares.append(share)
        left.append(largest(share[:, -1]) / largest(share))
        most.append(share[0].max())
    return result(
        Part("closed form of M h against its integration, nats", max(closed), 1e-9, kind="rounding"),
        Part("smallest h* - h over its bound 2 lr_Y / M", np.min(shares), 0.0, 1e-12, "at least"),
        Part("largest h* - h over its bound", np.max(shares), 1.0, 0, "at most"),
        # The leading error of Euler's method is (F / 2) ln(F(0) / F), F the speed of M h, which starts at lr_Y.
        *(
            Part(f"the same at lr_Y = {_RATES[0]}, M = {M}", found, np.exp(-1) / 4, 0.03, "relative")
            for M, found in zip((50, 1000), most, strict=True)
        ),
        Part(f"what is left of the largest gap after {steps} sightings", max(left), 0.1, 0, "at most"),
    )


@claim(
    "SNAP-6",
    where="Lemmas 8 and 9, Theorem 1 (b); the peak beyond the paper",
    says=r"Up to $K\ln(M)/\eta_Y$ the logit gap grows linearly, and so does the speed of attention; from a time 2.5 "
    r"to 3 times as late it grows logarithmically and the speed decays like $\ln(t)/t$. In between the speed "
    "has a single peak.",
    control={"late": 0.3},
    breaks="the inequalities of the second stage are asked from 0.3 of its stated time on",
    verdict="holds in a regime",
    regime=r"The bound $e^x\le(M-1)x$ of the first stage is false in the first instants, while $x$ is below about "
    "$1/(M-1)$; the paper's Remark 3 looks at the second crossing alone.",
)
def _check_6(late: float = 1.0) -> Result:
    """The inequalities of the second stage are asked from `late` times the stated time on."""
    K, rate = 3, 0.7
    wrong, sliver, speeds = np.zeros(4), [], []
    for M in _SIZES:
        end, begin = (float(t) for t in theory.transition_times(K, M, rate))
        t = end * np.concatenate([np.geomspace(1e-5, 1.0, 2500), np.geomspace(1.0, 1e4, 2500)[1:]])
        x = _integrated(t, K, M, rate)[:, 0]
        early, after = t <= end, t >= late * begin
        line, raised = (M - 1) * x, np.exp(x)
        past = (M - 1) * x >= 1.1  # the line is crossed at x of about 1/(M-1)
        wrong += [
            (early & (raised > M - 1)).sum(),
            (early & past & (raised > line)).sum(),
            (after & (raised < M - 1)).sum(),
            (after & (raised < line)).sum(),
        ]
        sliver.append(t[early & (raised > line)].max(initial=0.0) / end)
        gamma = (M - 1) ** 2 / M * x / (M - 1 + raised)
        first, second = early_gap(t, K, rate), late_gap(t, K, M, rate) * K / (rate * t)
        passed = np.interp(np.log(M - 1), x, t) / (end * (1 + 1 / np.log(M))), t[raised < line].max() / begin
        speeds.append([(gamma / first)[early].max(), (gamma / second)[after].max()])
    peak_value, peak_time = _peak_errors(K, rate)
    return result(
        Part("times before t0' with e^x > M - 1", wrong[0], 0, 0, "at most"),
        Part("times before t0' with e^x > (M - 1) x, once (M - 1) x > 1.1", wrong[1], 0, 0, "at most"),
        Part("share of t0' in which the line is not yet above, M = 34", sliver[0], _sliver(34), 0.01, "relative"),
        Part("times after t0 with e^x < M - 1", wrong[2], 0, 0, "at most"),
        Part("times after t0 with e^x < (M - 1) x", wrong[3], 0, 0, "at most"),
        *(
            Part(f"M = {_SIZES[-1]}: time at which e^x passes {word}", found, 1, 0.01)
            for word, found in zip(("M - 1, over t0' (1 + 1/ln M)", "(M - 1) x again, over t0"), passed, strict=True)
        ),
        Part("largest gamma over lr_Y t/K before t0'", np.max(speeds, axis=0)[0], 1, 0, "at most"),
        Part("largest gamma over K ln(M lr_Y t/K) / (lr_Y t) after t0", np.max(speeds, axis=0)[1], 2, 0, "at most"),
        Part("peak of gamma, relative error of its closed form", peak_value, 1e-6, kind="rounding"),
        Part("time of the peak, relative error of its closed form", peak_time, 1e-6, kind="rounding"),
    )


def _sliver(M: int) -> float:
    """Share of t0' until e^x falls below (M - 1) x, by the equation of the clock, M lr_Y t/K = e^x - 1 + (M - 1) x."""
    x = brentq(lambda x: np.exp(x) - (M - 1) * x, 0, 1, xtol=1e-13)
    return float(np.exp(x) - 1 + (M - 1) * x) / (M * np.log(M))


def _peak_errors(K: int, rate: float) -> tuple[float, float]:
    """Relative errors of height and time of the peak of gamma, against a root and an integral."""
    height, time = [], []
    for M in _SIZES:
        top = brentq(lambda x, M=M: M - 1 + (1 - x) * np.exp(x), 0, 20, xtol=1e-13)  # where x / (M-1+e^x) turns
        at = quad(lambda x, M=M: (M - 1 + np.exp(x)) * K / (M * rate), 0, top)[0]
        said = speed_peak(K, M, rate)
        height.append(float(said.speed) * M / (M - 1) ** 2 * (M - 1 + np.exp(top)) / top - 1)
        time.append(float(said.time) / at - 1)
    return largest(*height), largest(*time)


@claim(
    "SNAP-7",
    where=r"Theorem 1, Lemma 17; closed form of $\xi$ beyond the paper",
    says="The gradient that the decoder sends back to class $n$ is a combination of $f_n$ and the other classes' "
    "$f_{n'}$, with coefficients known from their overlaps and one common speed. The other classes' part "
    r"pushes every class with a positive drive $\xi$.",
    control={"replaced": False},
    breaks="the decoder was trained on its true gradient",
)
def _check_7(replaced: bool = True, block: int = 0) -> Result:
    split, closed, series, drives, weights = [], [], [], [], []
    seeds = seed_block(block, 4)
    for seed, (K, M) in zip(seeds, [(2, 20), (3, 50), (5, 60), (4, 4)], strict=True):
        task, rate, steps = random_classes(K, M, seed), 0.8, 40
        f, Y = trained(task, rate, steps, replaced)
        h = theory.h_star(steps, M, rate / K)[-1]  # every class is seen at every step, with the weight 1/K
        gamma = (M - 1) ** 2 * h / (M - 1 + np.exp(M * h))
        split.append(largest(arriving(f, Y, task) - gamma * theory.gradient_at_input(f, M)))
        iota, beta = theory.drive_coefficients(f, M)
        # What does not point along f_n is the sum over the other classes: its part along f_n is the drive.
        along = np.einsum("nl,nl->n", f, arriving(f, Y, task)) / gamma
        summed = np.sum(beta * theory.correlations(f), axis=-1)
        closed += [largest(iota - along - drive) for drive in (theory.class_drive(f, M), summed)]
        # the outputs that are never right share one column
        weights.append(largest(Y - theory.decoder_weights(f, M, h)[:, : Y.shape[1]]))
        drives.append(float((iota - along).min()))
        series.append(_series_excess(f))
    return result(
        Part("largest error of g_n = gamma (iota f_n - sum beta f_n')", max(split), 1e-10, kind="rounding"),
        Part("largest error of xi_n, in closed form and as a sum", max(closed), 1e-10, kind="rounding"),
        Part("largest error of the decoder Y = F (I - E') W, nats", max(weights), 1e-10, kind="rounding"),
        Part("largest error of E' in closed form, equal overlaps", _equal_overlaps_off(), 1e-12, kind="rounding"),
        Part("smallest xi_n / gamma", min(drives), 0.01, 0, "at least"),
        # For two classes it is 1 / (1 + lambda) of the bound, and less for more.
        Part("largest |E' - E| over lambda^2 / (1 - lambda), lambda = 0.3", max(series), 1 / 1.3, 1e-6),
        seeds=seeds,
    )


def _equal_overlaps_off() -> float:
    """Closed form of E' = I - (I + E)^-1 against the inverse, where all pairs of classes overlap alike."""
    off = []
    for K, rho in ((2, 0.3), (3, 0.7), (6, 0.1)):
        found = np.eye(K) - np.linalg.inv((1 - rho) * np.eye(K) + rho)
        diagonal, across = equal_modified_overlaps(K, rho)
        off.append(largest(found - np.where(np.eye(K) > 0, diagonal, across)))
    return max(off)


def _series_excess(f: Array) -> float:
    """Largest entry of |E' - E| over its bound, where E is shrunk until its largest eigenvalue is 0.3."""
    E = theory.correlations(f)
    E = 0.3 * E / np.abs(np.linalg.eigvalsh(E)).max()
    return largest((np.eye(len(E)) - np.linalg.inv(np.eye(len(E)) + E) - E) / series_error_bound(E))
