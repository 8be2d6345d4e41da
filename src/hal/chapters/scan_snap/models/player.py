"""The two-layer model as a player of a guessing game: one sequence a step, told the next token and nothing else.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 3 and Lemma 1, with a batch of one sequence and two classes. The
model is that of `textbook`; here every kind of token may stand in any sequence, so that it is told of no role.
"""

from hal.figure.guesses import Sample
from lib.models.scan_snap.textbook import Settings, State, add_sample, attend, move, predict, start
from lib.portable.primitives import Vector, Wholes, zeros
from lib.portable.vectors import fill, scale, total

__all__ = ["answer", "attention", "learn", "player"]


def player(kinds: int, T: int, lr_Y: float, lr_Z: float) -> State:
    """The model before its first sequence, both layers zero.

    All kinds stand where the textbook has its common tokens, which both classes have; the distinct token that it asks
    for in each class never occurs. Outputs: every kind, the query token, and the two classes. T counts the contextual
    tokens of a sequence.
    """
    chosen = Settings(
        T=T + 1, queries=1, common=kinds, distinct=1, M=kinds + 3, lr_Y=lr_Y, lr_Z=lr_Z, optimiser=0, batch=1, steps=0,
        weights=zeros(0),
    )  # fmt: skip
    return start(chosen, 0)


def count(state: State, cells: Wholes) -> Vector:
    """How often each kind occurs, and the token that never does: the counts N of the model."""
    fill(state.N, 0.0)
    for t in range(len(cells)):
        state.N[cells[t]] += 1.0
    return state.N


def answer(state: State, sample: Sample) -> int:
    """The class, 0 or 1, that the decoder gives the larger probability; 0 of two equal ones."""
    attend(state, 0, count(state, sample.cells))
    predict(state, 0)
    return 1 if -state.delta[1] > 1.0 - state.delta[0] else 0


def learn(state: State, sample: Sample) -> None:
    """One plain gradient step of both layers on this sequence alone."""
    fill(state.grad_Y, 0.0)
    fill(state.grad_Z, 0.0)
    state.loss = add_sample(state, sample.label, count(state, sample.cells), 1.0)
    move(state.Y, state.grad_Y, state.memory_Y, state.settings.lr_Y, 0)
    move(state.Z, state.grad_Z, state.memory_Z, state.settings.lr_Z, 0)
    state.step += 1


def attention(state: State, law: Vector) -> Vector:
    """(kinds,) the attention weight of each kind in an infinitely long sequence with these probabilities."""
    fill(state.N, 0.0)
    for i in range(len(law)):
        state.N[i] = law[i]
    attend(state, 0, state.N)
    weights = zeros(len(law))
    for i in range(len(law)):
        weights[i] = state.f[i]
    scale(weights, 1.0 / total(weights))
    return weights
