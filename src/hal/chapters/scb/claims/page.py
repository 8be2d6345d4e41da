"""Claim SCB-35: what the page computes is the library's model. Chapter `scb`, our own code."""

from typing import Any

import numpy as np

from hal.chapters.scb import models
from hal.chapters.scb import theory as beyond
from hal.chapters.scb.claims._measure import Array, largest
from hal.chapters.scb.figures import stages, transfer
from hal.chapters.scb.models import textbook_pair, textbook_transfer
from hal.chapters.scb.models.textbook_measures import skewed_law
from hal.chapters.scb.runs.replay import replay, samples, task_of
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings
from lib.portable.textbooks import recorded

_SETTINGS = Settings(T=24, mu=skewed_law(4, 0.7), lr=0.1, batch=8, threshold=0.01, stage1=60, stage2=20, stage3=16)
_ONE_STEP = textbook_transfer.OneStep(T=24, mu=skewed_law(4, 0.7), Q=2, c=0.75, rho=0.5, samples=1024)


def _run(run: Any, settings: Any, seed: int, *probes: Any) -> tuple[dict[str, Array], Any]:
    """The readings of a whole run and its state at the end."""
    made = recorded(run, *probes)
    recording = made.start(settings, seed)
    while not made.done(recording):
        made.step(recording)
    return {name: np.array(values) for name, values in made.read(recording).items()}, recording.state


def _stages_off(seed: int, late: int) -> tuple[float, float, float]:
    """Textbook minus fast model: signals at all records, |Delta| of the flow, and both matrices at the end."""
    shown, state = _run(textbook, _SETTINGS, seed)
    steps, places = np.unique(shown["steps"].astype(int), return_inverse=True)
    fast = replay(_SETTINGS, seed, steps, late)
    off = largest(np.array([shown[name] - fast.arrays[name][places] for name in ("alpha_V", "alpha_A")]))
    matrices = max(largest(state.A - fast.params.A[0]), largest(np.array(state.V).T - fast.params.V[0]))
    return off, largest(shown["off_flow"] - fast.arrays["off_flow"][places]), matrices


def _pair_off(seed: int, late: int) -> float:
    """The same for SGD and proximal descent side by side, V mu kept: their distances at all records."""
    settings = _SETTINGS._replace(stage3=0)
    shown, state = _run(textbook_pair, settings, seed, stages.probe, stages.at_end)
    steps, places = np.unique(shown["steps"].astype(int), return_inverse=True)
    off = []
    for name, own in (("sgd", settings._replace(threshold=0.0)), ("prox", settings)):
        fast = replay(own, seed, steps, late, keep_mean=True)
        turned = fast.arrays["alpha_A"] < 0
        task = task_of(state.sgd.task, settings.T)
        for field in ("V", "A"):
            found = (
                shown[f"{name}_{field}"][~turned[places]] - fast.arrays[f"distance_{field}"][places][~turned[places]]
            )
            off.append(largest(np.append(found, 0.0)))
        upright = models.unmirror(fast.params, task, turned[-1:])
        ends = (scb.distance_V(upright, task)[0], scb.distance_A(upright, task)[0])
        off += [abs(shown[f"{name}_{field}"][-1] - end) for field, end in zip("VA", ends, strict=True)]
    return max(off)


def _transfer_off(seed: int, late: int) -> float:
    """Textbook minus fast model and theory: the transferred start, the scores of one attention step, their margin."""
    shown, state = _run(textbook_transfer, _ONE_STEP, seed, transfer.probe, transfer.at_end)
    task, V = task_of(state.run.task, _ONE_STEP.T), shown["brought"].reshape(len(_ONE_STEP.mu), -1).T
    strength = beyond.start_alpha_V(V, task.P, task.mu), scb.mu_norm(V - task.mu[:, None], task.mu) ** 2 / task.K_P
    (batch,) = samples(_SETTINGS._replace(batch=_ONE_STEP.samples), seed, 1, late)
    start = scb.Params(V[None], np.full((1, task.N, task.T), 1 / task.T))
    raw = scb.loss_and_gradient(start, batch, np.float64)[1].A[0] / task.mu[:, None]
    score = -(raw - raw.mean(axis=1, keepdims=True))
    size = np.abs(score)
    useful = task.Q > 0
    margin = min(row[mark].min() / row[~mark].max() for row, mark in zip(size, useful, strict=True))
    frame = np.array(shown["scores"]).reshape(-1, task.N, task.T)[-1]
    return max(
        largest(np.array(strength) - [_ONE_STEP.rho, 1.0]),
        largest(np.array(textbook_transfer.scores(state)) - score),
        largest(frame - size / size.max(axis=1, keepdims=True)),
        abs(shown["margin"][-1] - margin),
        abs(shown["found"][-1] - float(margin > 1)),
    )


@claim(
    "SCB-35",
    where="our own code; Algorithm 1",
    says="The program that the page runs is the model of the library: trained on the same samples, both take the same "
    "path through all three stages, with and without threshold, and the same single step from a related task.",
    control={"late": 1},
    breaks="the library's model sees each sample with the label of the one before",
)
def _check_35(late: int = 0, block: int = 0) -> Result:
    """`late`: by how many samples the labels come late."""
    (seed,) = seed_block(block, 1)
    measures, flow, matrices = _stages_off(seed, late)
    state = textbook.start(_SETTINGS, seed)
    task, built = task_of(state.task, _SETTINGS.T), scb.ring_task(24, 4, 0.75, scb.even_weights(2), 0.7)
    constants = [largest(task.mu - built.mu), largest(task.P - built.P)]
    constants += [state.task.K_P - float(built.K_P), state.task.K_Q - float(built.K_Q)]
    begun = textbook.start(_SETTINGS._replace(start_V=0.3, start_A=-0.6), seed)
    lines = scb.Params(np.array(begun.V).T[None], np.array(begun.A)[None])
    constants += [scb.alpha_V(lines, task)[0] - 0.3, scb.alpha_A(lines, task)[0] + 0.6]
    return result(
        Part(
            "mu, P, K_P, K_Q of the task and a start on the lines, largest difference",
            largest(np.array(constants)),
            1e-12,
            kind="rounding",
        ),
        Part("signals on the way, largest difference", measures, 1e-9, kind="rounding"),
        Part("distance to the plane of the flow, largest difference", flow, 1e-6, kind="rounding"),
        Part("V and A after Stage 3, largest difference", matrices, 1e-9, kind="rounding"),
        Part("SGD and soft threshold side by side, distances", _pair_off(seed, late), 1e-9, kind="rounding"),
        Part("one step from a related task: start, scores, margin", _transfer_off(seed, late), 1e-9, kind="rounding"),
        seeds=(seed,),
    )
