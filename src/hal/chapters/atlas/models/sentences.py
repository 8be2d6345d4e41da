"""Chapter 2's task, *Sentences*, with the clock of the contrast between its two classes.

Chapter `atlas`. Source: our own; samples and gradients are those of `lib.models.scan_snap.textbook`.
"""

from dataclasses import dataclass

from hal.chapters.atlas.models.layers import Layer, Now, Rates, layer, learn
from lib.models.scan_snap.textbook import Settings, State, attend, gradient, predict
from lib.models.scan_snap.textbook import attention as attention_of
from lib.models.scan_snap.textbook import start as start_model
from lib.portable.primitives import sqrt, zeros

BATCH = 128  # sequences a step


@dataclass
class Sentences:
    """A run."""

    model: State
    Y: Layer
    Z: Layer
    now: Now  # its clock is the sum of the contrast's size times what is asked of it


def begin(rates: Rates, seed: int) -> Sentences:
    """Before the first step: both layers zero, so that attention follows frequency."""
    model = start_model(Settings(optimiser=0, batch=BATCH, steps=0, weights=zeros(0)), seed)
    return Sentences(
        model, layer(rates, rates.readout, len(model.Y), 1.0, 0.02, 1.0),
        layer(rates, rates.attention, len(model.Z), 1.0, 0.02, 1.0), Now(0.0, 0.0, False),
    )  # fmt: skip


def attention(run: Sentences) -> float:
    """Attention on distinct tokens, mean over the classes, of an infinitely long sequence."""
    task, found = run.model.task, 0.0
    for n in range(len(task.query)):
        c = attention_of(run.model.Z, n, task, 0)
        for token in range(task.common, task.C):
            found += c[token] / float(len(task.query))
    return found


def contrast(run: Sentences) -> float:
    """Size of what the decoder says differently of the two classes, times what the loss still asks of that."""
    model, size, asked = run.model, 0.0, 0.0
    for token in range(model.task.C):
        apart = model.Y[token * model.columns] - model.Y[token * model.columns + 1]
        size += 0.5 * apart * apart
    for n in range(2):
        attend(model, n, model.task.law)
        predict(model, n)
        asked += 0.5 * (model.delta[n] - model.delta[1 - n]) / sqrt(2.0)
    return sqrt(size) * asked


def advance(run: Sentences) -> None:
    """One step."""
    model = run.model
    run.now.seen = attention(run)
    run.now.clock += contrast(run)
    gradient(model)
    learn(run.Y, [model.Y], [model.grad_Y])
    learn(run.Z, [model.Z], [model.grad_Z])
    model.step += 1
    run.now.lost = model.diverged_at >= 0
