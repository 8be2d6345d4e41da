"""Chapter 5's task, *Walks*, with a learning rate for each layer.

Chapter `atlas`. Source: our own; walks and gradients are those of `hal.chapters.random_walk.models.full`.
"""

from dataclasses import dataclass

from hal.chapters.atlas.models.layers import Layer, Now, Rates, layer, learn
from hal.chapters.random_walk.models.full import Settings, State, add_walk, draw_walks, rho_of, start_on
from hal.chapters.random_walk.models.full import begin as begin_pass
from lib.portable.numbers import exp
from lib.portable.primitives import Table, sqrt
from lib.portable.vectors import total

LENGTH = 25  # places of a walk, the target among them
WALKS = 500  # the same in every step


@dataclass
class Walks:
    """A run."""

    model: State
    V: Layer
    u: Layer
    g: Layer
    now: Now  # its clock is the sum of |V - its rows' means| E[1 / (f + 0.1)]


def draw(seed: int) -> Table:
    """The walks on which the runs of one seed train; none of them writes into it."""
    return draw_walks(Settings(N=LENGTH, M=LENGTH, n=WALKS, lr=0.0, steps=0), seed)


def begin(rates: Rates, walks: Table) -> Walks:
    """Before the first step: all zero, so that attention is even."""
    own = Settings(N=LENGTH, M=LENGTH, n=WALKS, lr=0.0, steps=0)
    model, rho = start_on(walks, own, 0), rho_of(own)
    return Walks(
        model, layer(rates, rates.readout, 36, 0.05, 0.01, 1.0), layer(rates, rates.attention, 6, 0.05, 0.02, rho),
        layer(rates, rates.attention, LENGTH, 0.05, 0.02, rho * rho), Now(0.0, 0.0, False),
    )  # fmt: skip


def apart(run: Walks) -> float:
    """Size of what the read-out says differently of the nodes."""
    found = 0.0
    for i in range(len(run.model.V)):
        row = run.model.V[i]
        mean = total(row) / float(len(row))
        for k in range(len(row)):
            found += (row[k] - mean) * (row[k] - mean)
    return sqrt(found) if found > 1e-24 else 0.0  # else it is rounding


def look(run: Walks) -> None:
    """The gradient of all walks, before a step. What is seen is attention on the parent, mean over the walks."""
    model, share = run.model, 1.0 / float(WALKS)
    begin_pass(model)
    seen, asked = 0.0, 0.0
    for i in range(WALKS):
        loss = add_walk(model, model.walks[i])
        asked += share * exp(loss)  # 1 / (f + 0.1), as the loss is minus its logarithm
        seen += share * model.S[LENGTH - 2]
        model.diverged_at = model.diverged_at if loss <= 1e9 else model.step
    run.now.seen = seen
    run.now.clock += apart(run) * asked


def move(run: Walks) -> None:
    """The step that goes with `look`."""
    model = run.model
    learn(run.V, model.V, model.grad_V)
    learn(run.u, [model.u], [model.grad_u])
    learn(run.g, [model.g], [model.grad_g])
    model.step += 1
    run.now.lost = model.diverged_at >= 0


def advance(run: Walks) -> None:
    """One step on all walks."""
    look(run)
    move(run)
