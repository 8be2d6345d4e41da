"""Training: any problem, any optimiser, many runs at once; and gradient flow, its limit of small rates.

A problem says where runs start, what a batch is, and what its loss and gradient are. The first axis of every array
holds the runs. An argument of the wrong kind, shape or range, and a record that was not made, raise `InputError`, which
names it. Here is one in ten lines, linear regression on fresh samples:

>>> from typing import NamedTuple
>>> import numpy as np
>>> from lib import optim
>>> class Weights(NamedTuple):
...     w: np.ndarray  # (R, 2)
>>> class Regression:
...     def init(self, runs, rngs):
...         return Weights(np.zeros((runs, 2)))
...     def sample(self, batch, rngs, step):
...         return np.stack([rng.normal(size=(batch, 2)) for rng in rngs])  # (R, batch, 2)
...     def loss_and_gradient(self, params, x):
...         error = np.einsum("rbi,ri->rb", x, params.w - [1.0, -2.0])
...         gradient = np.einsum("rb,rbi->ri", error, x) / x.shape[1]
...         return 0.5 * (error**2).mean(axis=1), Weights(gradient)
>>> run = train(Regression(), None, optim.sgd(0.2), steps=200, batch=8, rng=np.random.default_rng(0))
>>> np.round(run.params.w, 3)
array([[ 1., -2.]])

An optimiser is a `lib.optim.Transform`: a pair of functions, what it remembers and what it does with a gradient. Here
is one in ten lines, signs of the momentum; what it returns is chained with the others:

>>> def sign_of_momentum(decay):
...     def init(params):
...         return type(params)(*(np.zeros_like(x) for x in params))
...     def update(updates, state, params):
...         mean = [decay * m + (1 - decay) * g for m, g in zip(state, updates)]
...         return type(params)(*map(np.sign, mean)), type(params)(*mean)
...     return optim.Transform(init, update)
>>> lion = optim.chain(sign_of_momentum(0.9), optim.scale_by_learning_rate(optim.exponential(0.1, 0.97)))
>>> np.round(train(Regression(), None, lion, 300, 8, np.random.default_rng(0)).params.w, 2)
array([[ 1., -2.]])
"""

from lib.train.gradient_flow import Flow, flow
from lib.train.loop import Record, record_points, train
from lib.train.problem import GivenBatches, Problem
from lib.train.trajectory import Trajectory

__all__ = ["Flow", "GivenBatches", "Problem", "Record", "Trajectory", "flow", "record_points", "train"]
