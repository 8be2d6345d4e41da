"""The library's fast layer of a run in plain Python, and a run of it that is followed from there."""

import numpy as np

from hal.chapters.random_walk.runs.learning import record_of, trained
from lib.models import random_walk as rw


def twin(state, **more):
    """The fast layer of a run of `full`, the walks that it is on, and its parameters there."""
    s = state.settings
    model = rw.MinimalTransformer(
        K=s.K, N=s.N, M=s.M, epsilon=s.epsilon, sigma=s.sigma, unit_length=bool(s.unit), **more
    )
    walks = rw.Walks(np.array(state.walks)[None], np.full((1, len(state.walks)), 1 / len(state.walks)))
    return model, walks, rw.Minimal(*(np.array([x], dtype=float) for x in (state.V, state.u, state.g)))


def followed(state, p, at):
    """The library's run from there, on its walks: what is recorded of walks, attention and V too."""
    (model, walks, start), s = twin(state), state.settings
    record = record_of(model, rw.Walk(s.K, s.N, p), walks) | {
        "S": lambda p: model.attention(p, walks).mean(axis=1), "each": lambda p: model.attention(p, walks),
        "V": lambda p: p.V, "g": lambda p: p.g, "f": lambda p: model.output(p, walks),
    }  # fmt: skip
    return trained(model, walks, [0], record, s.lr, s.steps, [int(t) for t in at], start)


def ended(module, state):
    """A run at its end."""
    while not module.done(state):
        module.step(state)
    return state
