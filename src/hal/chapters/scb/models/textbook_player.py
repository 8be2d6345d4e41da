"""The linear layer as a player of a guessing game: one sample a step, told the label and nothing else.

Chapter `scb`. Source: arXiv 2410.23438, Algorithm 1, Stage 1 with B = 1. The model is that of `textbook`.
"""

from hal.figure.guesses import Sample
from lib.models.scb.textbook import State, add_sample, descend
from lib.portable.primitives import Readings, zeros
from lib.portable.vectors import add, fill, fill_rows

__all__ = ["answer", "learn", "looks"]


def answer(state: State, sample: Sample) -> int:
    """The label that its output V X a^(k) says most of, the first of several."""
    N = len(state.V)
    h, said = state.h, state.r
    fill(h, 0.0)
    for t in range(len(sample.cells)):
        h[sample.cells[t]] += state.A[sample.query][t]
    fill(said, 0.0)
    for j in range(N):
        add(said, h[j], state.V[j])
    best = 0
    for i in range(N):
        if said[i] > said[best]:
            best = i
    return best


def learn(state: State, sample: Sample) -> None:
    """One step of Stage 1 on this sample alone."""
    fill_rows(state.grad_V, 0.0)
    fill_rows(state.grad_A, 0.0)
    state.loss = add_sample(state, sample.cells, sample.query, sample.label)
    descend(state)
    state.step += 1


def looks(state: State) -> Readings:
    """`attention` (N T,), a row for each last token."""
    N, T = len(state.A), state.settings.T
    attention = zeros(N * T)
    for k in range(N):
        for t in range(T):
            attention[k * T + t] = state.A[k][t]
    return {"attention": attention}
