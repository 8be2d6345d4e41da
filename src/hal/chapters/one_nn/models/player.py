"""The layer as a player of a guessing game: one prompt a step, told the label alone.

Chapter `one_nn`. Source: arXiv 2411.10830 by its talk; the model is that of `textbook`, with a batch of one.
"""

from dataclasses import dataclass

from hal.figure.guesses import Shapes
from lib.models.one_nn.textbook import Settings, State, add_prompt, softmax
from lib.models.one_nn.textbook import start as start_run
from lib.portable.optimisers import sgd
from lib.portable.primitives import Vector, zeros
from lib.portable.vectors import dot, fill_rows

KEPT = 0.95  # of the mean attention from prompt to prompt


@dataclass
class Learner:
    """A layer that plays: its run, its attention on the cells of the last prompt, and its mean attention by kind."""

    run: State
    attention: Vector  # (N,)
    ranked: Vector  # (N,)
    weight: float  # of the prompts in that mean, 1 in the end


def learner(d: int, N: int, lr: float, sigma: float) -> Learner:
    """A layer before its first prompt, W = 0 but for the self-penalty."""
    return Learner(start_run(Settings(N, d, lr, 1, sigma, 0.0, 1000000), 0), zeros(N), zeros(N), 0.0)


def take(run: State, sample: Shapes) -> None:
    """The prompt as tokens."""
    tokens, d, N = run.tokens, run.settings.d, run.settings.N
    for j in range(N):
        for a in range(d):
            tokens[j][a] = sample.shapes[j * d + a]
        tokens[j][d] = 1.0 if sample.signs[j] == 0 else -1.0
    for a in range(d):
        tokens[N][a] = sample.asked[a]


def answer(state: Learner, sample: Shapes) -> int:
    """The label that f has the sign of, + where it has none; its attention is kept to be seen."""
    run = state.run
    take(run, sample)
    query, f = run.tokens[run.settings.N], 0.0
    for i in range(len(query)):
        run.asked[i] = dot(run.W[i], query)
    for j in range(len(run.tokens)):
        run.scores[j] = dot(run.tokens[j], run.asked)
    softmax(run.scores)
    for j in range(run.settings.N):
        state.attention[j] = run.scores[j]
        f += run.scores[j] * run.tokens[j][run.settings.d]
    return 0 if f >= 0.0 else 1


def learn(state: Learner, sample: Shapes) -> None:
    """One step of SGD on this prompt alone."""
    run = state.run
    take(run, sample)
    fill_rows(run.gradient, 0.0)
    run.loss = add_prompt(run)
    for i in range(len(run.W)):
        sgd(run.W[i], run.gradient[i], run.settings.lr)
    run.step += 1
    state.weight = KEPT * state.weight + 1.0 - KEPT
    for j in range(run.settings.N):
        rank = sample.cells[j]
        state.ranked[rank] = KEPT * state.ranked[rank] + (1.0 - KEPT) * run.scores[j]
