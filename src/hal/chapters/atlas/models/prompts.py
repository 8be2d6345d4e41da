"""Chapter 6's task, *Prompts*, from a start at which the block says nothing of the labels.

Chapter `atlas`. Source: our own; prompts and gradients are those of `hal.chapters.linear_block.models.drawn`.
"""

from dataclasses import dataclass

from hal.chapters.atlas.models.layers import Layer, Now, Rates, layer, learn
from hal.chapters.linear_block.models.drawn import Settings, State, gradient
from hal.chapters.linear_block.models.drawn import start as start_model
from lib.portable.vectors import part

D = 5  # features
EXAMPLES = 20
BATCH = 64  # prompts a step
START = 0.05  # the diagonal of Q


@dataclass
class Prompts:
    """A run."""

    model: State
    values: Layer  # alpha, v and c
    scores: Layer  # q and Q
    now: Now  # its clock is the sum of c (1 - c q / best), q the mean of the diagonal of Q, best that of the best step


def begin(rates: Rates, seed: int) -> Prompts:
    """Before the first step: c = 0, and a small multiple of the identity for Q; the prior mean is 0."""
    model = start_model(Settings(D, EXAMPLES, 1.0, 0.0, 0.0, BATCH), seed)
    theta = model.theta[0]
    theta[2 * D] = 0.0
    for i in range(D):
        theta[3 * D + 1 + D * i + i] = START
    return Prompts(
        model, layer(rates, rates.readout, 2 * D + 1, 0.004, 0.002, 1.0),
        layer(rates, rates.attention, D + D * D, 0.02, 0.002, 1.0), Now(0.0, 0.0, False),
    )  # fmt: skip


def attention(run: Prompts) -> float:
    """The mean of the diagonal of Q."""
    theta, found = run.model.theta[0], 0.0
    for i in range(D):
        found += theta[3 * D + 1 + D * i + i] / float(D)
    return found


def advance(run: Prompts) -> None:
    """One step on fresh prompts."""
    model, read, rest = run.model, 2 * D + 1, D + D * D
    theta, c = model.theta[0], model.theta[0][2 * D]
    best = float(EXAMPLES) / float(EXAMPLES + D + 2)  # of a gradient step on features and noise of variance 1
    run.now.seen = attention(run)
    run.now.clock += c * (1.0 - c * run.now.seen / best)
    gradient(model)
    out, scores = part(theta, 0, read), part(theta, read, rest)
    learn(run.values, [out], [part(model.slope[0], 0, read)])
    learn(run.scores, [scores], [part(model.slope[0], read, rest)])
    for i in range(len(theta)):
        theta[i] = out[i] if i < read else scores[i - read]
    model.step += 1
    run.now.lost = model.diverged_at >= 0
