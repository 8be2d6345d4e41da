"""Claims SCB-7 and SCB-9 to SCB-11: the plane of the flow, the plateau, the two rates at the solution, the mirror.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1, equations (8) and (9). Runs here have infinitely large batches:
the model's expected gradients and the algorithm's optimiser, on the full matrices.
"""

from functools import lru_cache

import numpy as np

from hal.chapters.scb import models
from hal.chapters.scb.claims._measure import Array, WholePopulation, all_outcomes, gradients, largest, on_plane, repeat
from hal.chapters.scb.runs import learn
from hal.claims import Part, Result, claim, result
from lib.models import scb
from lib.theory import scb as theory


@claim(
    "SCB-7",
    where="Section 3.1, equation (8)",
    says="With infinitely large batches the two matrices never leave a plane: training is a recursion of two scalars, "
    "exactly, step by step.",
    control={"noise": True},
    breaks="the noise of batches of 64 is added",
)
def _check_7(noise: bool = False) -> Result:
    """`noise`: whether the gradients have that of a minibatch."""
    task = models.random_task(256, 5, 3, skew=0.4, rng=0)
    lr, steps = 0.03, 400
    model = models.GaussianSurrogate(task) if noise else WholePopulation(task)
    record = {
        "alpha_V": lambda p: scb.alpha_V(p, task),
        "alpha_A": lambda p: scb.alpha_A(p, task),
        "off": lambda p: models.distance_to_flow(p, task),
    }
    run = learn(task, [0], lr=lr, batch=64, steps=steps, record=record, record_at=range(steps + 1), model=model)
    path = theory.population_run(task.K_P, task.K_Q, task.T, lr, steps)
    return result(
        Part("alpha_V, largest difference", largest(run["alpha_V"][0] - path.alpha_V), 1e-12, kind="rounding"),
        Part("alpha_A, largest difference", largest(run["alpha_A"][0] - path.alpha_A), 1e-12, kind="rounding"),
        Part("largest distance from the plane", run["off"].max(), 1e-12, kind="rounding"),
        Part("alpha_A alpha_V at the end", float(run["alpha_V"][0, -1] * run["alpha_A"][0, -1]), 1.0, 0.01),
    )


@lru_cache(maxsize=8)
def _quiet_run(T: int, lr: float, steps: int, head_start: float = 0.0) -> tuple[scb.Task, Array, Array]:
    """The task and alpha_V, alpha_A (steps + 1,) of a run from alpha_V = head_start."""
    task = scb.ring_task(T, rng=0)
    start = on_plane(task, np.array([head_start]), np.zeros(1))
    record = {"V": lambda p: scb.alpha_V(p, task), "A": lambda p: scb.alpha_A(p, task)}
    run = learn(
        task,
        [0],
        lr=lr,
        batch=1,
        steps=steps,
        record=record,
        record_at=range(steps + 1),
        start=start,
        model=WholePopulation(task),
    )
    return task, run["V"][0], run["A"][0]


def _first(values: Array, level: float) -> int:
    """First step at which `values` is at least the level."""
    return int(np.argmax(values >= level))


@claim(
    "SCB-9",
    where="Section 3.2, equation (9); the constant: beyond the paper",
    says="Learning starts with a long plateau: the coordinates grow like sinh and cosh from a drift of size "
    r"$1/T$, so the phase lasts $\ln(2\alpha K_QT)/\eta$ steps, and four times the context costs only "
    r"$\ln(4)/\eta$ steps more.",
    control={"head_start": 0.02},
    breaks=r"$V$ starts with a little of the signal, $\alpha_V=0.02$",
)
def _check_9(head_start: float = 0.0) -> Result:
    """`head_start`: alpha_V where training starts."""
    T, lr, level = 4096, 0.01, 0.1
    task, V, A = _quiet_run(T, lr, 660, head_start)
    d = theory.drift_number(task.K_Q, T)
    steps = np.arange(1, _first(V, 0.05))  # while small
    law_V, law_A = theory.early_growth(steps, lr, d)
    far = steps >= 100  # alpha_A is of order lr^2 at first, and a step is not small against it
    quarter, V_quarter, _ = _quiet_run(T // 4, lr, 660, head_start)
    time = float(theory.escape_time(level, lr, task.K_Q, T))
    longer = time - float(theory.escape_time(level, lr, quarter.K_Q, T // 4))
    return result(
        Part("alpha_V against d sinh(lr t), largest relative error", largest(V[steps] / law_V - 1), 0.06, 0, "at most"),
        Part(
            "alpha_A against d (cosh(lr t) - 1) from step 100, largest relative error",
            largest(A[steps][far] / law_A[far] - 1),
            0.06,
            0,
            "at most",
        ),
        Part("steps until alpha_V = 0.1", _first(V, level), time, 0.03, "relative", 1.0),
        Part(
            "steps more than at a quarter of T",
            _first(V, level) - _first(V_quarter, level),
            longer,
            0.03,
            "relative",
            1.0,
        ),
    )


@claim(
    "SCB-10",
    where="Section 3.4; the rates: beyond the paper",
    says=r"Near the solution the product $\alpha_V\alpha_A$ settles fast, at rate 2, but the split between the two "
    "layers only at rate $1/(2K_QT)$: this is why a last stage fixes the attention.",
    control={"at": (2.0, 0.5)},
    breaks=r"another point of the valley $\alpha_V\alpha_A=1$, $(2,1/2)$",
)
def _check_10(at: tuple[float, float] = (1.0, 1.0)) -> Result:
    """`at`: the point of the plane."""
    task = scb.ring_task(100, rng=0)
    lr, h = 0.01, 1e-4
    x, y = at
    start = on_plane(task, np.array([x + h, x - h, x, x]), np.array([y, y, y + h, y - h]))
    run = learn(task, range(4), lr=lr, batch=1, steps=1, start=start, model=WholePopulation(task), record={})
    move = np.array(
        [
            scb.alpha_V(run.params, task) - scb.alpha_V(start, task),
            scb.alpha_A(run.params, task) - scb.alpha_A(start, task),
        ]
    )
    J = (move[:, ::2] - move[:, 1::2]) / (2 * h * lr)
    slow, fast = np.sort(-np.linalg.eigvals(J).real)
    d = float(theory.drift_number(task.K_Q, task.T))
    exact_fast, exact_slow = theory.solution_rates(d)
    return result(
        Part("fast rate, of the product (per unit of lr t)", fast, 2 + d / 2, 0.01, "relative"),
        Part("slow rate, along the valley (per unit of lr t)", slow, d / 2, 0.02, "relative"),
        Part("fast rate against its exact form", fast / exact_fast, 1.0, 1e-6),
        Part("slow rate against its exact form", slow / exact_slow, 1.0, 1e-5),
    )


def _flipped(params: scb.Params, task: scb.Task, only_V: bool) -> scb.Params:
    everything = models.unmirror(params, task, np.array([True]))
    return scb.Params(everything.V, params.A) if only_V else everything


@claim(
    "SCB-11",
    where="Beyond the paper",
    says="Turning the sign of both coordinates costs only $2K_P/T$ in loss, and training from there keeps the sign: "
    "long contexts have a second valley, the mirror of the true one. It has no lowest point: along it the excess falls "
    r"towards $K_P/(2T)$ while the attention grows without bound.",
    control={"only_V": True},
    breaks="the sign of $V$ alone is turned",
)
def _check_11(only_V: bool = False) -> Result:
    """`only_V`: whether the attention keeps its sign."""
    long = scb.ring_task(1024, skew=0.5, rng=0)
    truth = scb.Params(long.P[None], long.Q[None])
    excess = models.population_loss(_flipped(truth, long, only_V), long)[0] - models.population_loss(truth, long)[0]
    small = models.random_task(4, 3, 2, skew=0.7, rng=0)
    outcomes = all_outcomes(small)

    def mean_loss(point: scb.Params) -> float:
        return float(outcomes.weight @ gradients(small, repeat(point, len(outcomes.weight)), outcomes.batch)[0])

    truth = scb.Params(small.P[None], small.Q[None])
    counted = mean_loss(_flipped(truth, small, only_V)) - mean_loss(truth)
    return result(
        Part("excess loss of the mirror, T = 1024", excess, float(theory.mirror_excess_loss(long.K_P, long.T)), 1e-12),
        Part(
            "excess loss of the mirror, T = 4, over all outcomes",
            counted,
            float(theory.mirror_excess_loss(small.K_P, small.T)),
            1e-12,
        ),
        Part("product of the coordinates, 700 steps from there", _product_after(only_V), 1.0, 0.01),
        Part(
            "excess loss far along the mirrored valley, alpha_V = -0.02, over K_P / (2 T)", _far(only_V), 1.02**2, 1e-9
        ),
    )


def _far(only_V: bool) -> float:
    """Excess loss of V = mu 1' - 0.02 R with the attention that goes with it, its sign turned or not, over K_P / 2T."""
    task = scb.ring_task(1024, skew=0.5, rng=0)
    truth, x = scb.Params(task.P[None], task.Q[None]), np.array([-0.02])
    excess = models.population_loss(on_plane(task, x, -1 / x if only_V else 1 / x), task)
    return float((excess - models.population_loss(truth, task))[0] * 2 * task.T / task.K_P)


@lru_cache(maxsize=2)
def _product_after(only_V: bool) -> float:
    """alpha_V alpha_A after 700 steps of rate 0.02 from the flipped solution; 0 if the run has left its branch."""
    task = scb.ring_task(1024, rng=0)
    start = _flipped(scb.Params(task.P[None], task.Q[None]), task, only_V)
    run = learn(task, [0], lr=0.02, batch=1, steps=700, start=start, model=WholePopulation(task), record={})
    x, y = scb.alpha_V(run.params, task)[0], scb.alpha_A(run.params, task)[0]
    return float(x * y) if x < 0 and y < 0 else 0.0
