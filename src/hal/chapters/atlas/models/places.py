"""Chapter 1's task, *Places*, with a learning rate for each layer.

Chapter `atlas`. Source: our own; samples and gradients are those of `lib.models.scb.textbook`.
"""

from dataclasses import dataclass

from hal.chapters.atlas.models.layers import Layer, Now, Rates, layer, learn
from lib.models.scb.textbook import Settings, State, gradient, signal_A, signal_V
from lib.models.scb.textbook import start as start_model
from lib.portable.optimisers import keep_sum
from lib.portable.vectors import filled


@dataclass
class Places:
    """A run."""

    model: State
    V: Layer
    A: Layer
    now: Now  # its clock is the sum of alpha_V (1 - alpha_A alpha_V)


def begin(T: int, N: int, batch: int, rates: Rates, seed: int) -> Places:
    """Before the first step: V says the same of every token, attention is uniform."""
    model = start_model(Settings(T=T, mu=filled(N, 1.0 / float(N)), lr=0.0, batch=batch, stage1=0), seed)
    task, same = model.task, float(N)  # tokens are equally frequent
    return Places(
        model, layer(rates, rates.readout, N * N, 0.02 * same / task.K_Q, 0.002, 1.0),
        layer(rates, rates.attention, N * T, 0.02 * same / task.K_P, 0.0004, 1.0), Now(0.0, 0.0, False),
    )  # fmt: skip


def advance(run: Places) -> None:
    """One step; the rows of A keep their sum. What is seen is alpha_A: 0 at the start, 1 where the layer is right."""
    model, task, now = run.model, run.model.task, run.now
    out = signal_V(model.V, task)
    now.seen = signal_A(model.A, task)
    now.clock += out * (1.0 - now.seen * out)
    gradient(model)
    for k in range(len(model.A)):
        keep_sum(model.grad_A[k])
    learn(run.V, model.V, model.grad_V)
    learn(run.A, model.A, model.grad_A)
    model.step += 1
    now.lost = model.diverged_at >= 0
