"""A small task with a closed-form solution, one that explodes, and how to train on them."""

from typing import NamedTuple

import numpy as np

from lib.train import Trajectory, train


class Params(NamedTuple):
    x: np.ndarray  # (R, 2)
    y: np.ndarray  # (R,)


class Parabola:
    """Loss c |p - z|^2 / 2 with p = (x, y) and z the mean of a batch of N(0, noise^2) targets."""

    def __init__(self, c=1.0, noise=0.0):
        self.c, self.noise = c, noise

    def init(self, runs, rngs):
        return start(runs)

    def sample(self, batch, rngs, step):
        return self.noise * np.stack([g.normal(size=(batch, 3)).mean(axis=0) for g in rngs])

    def loss_and_gradient(self, params, z):
        x, y = params.x - z[:, :2], params.y - z[:, 2]
        return 0.5 * self.c * (np.add.reduce(x * x, axis=-1) + y * y), Params(self.c * x, self.c * y)


def start(runs=3):
    return Params(np.arange(1.0, 2 * runs + 1).reshape(runs, 2), -np.arange(1.0, runs + 1))


def generators(runs=3):
    return [np.random.default_rng([7, r]) for r in range(runs)]


RECORD = {"x": lambda p: p.x, "size": lambda p: np.hypot(p.x[:, 0], p.y), "big": lambda p: p.y > -1.5}


def go(task, optimiser, steps=20, params=None, rng=None, **more):
    params = start() if params is None else params
    return train(task, params, optimiser, steps, 4, generators() if rng is None else rng, RECORD, **more)


def same(a: Trajectory, b: Trajectory):
    """Equal bit for bit, NaN included, the optimiser's state with it."""
    mine, other = ((one.arrays, tuple(one.params), one.steps, one.diverged_at, one.state) for one in (a, b))
    np.testing.assert_equal(mine, other)


class Explosive(Parabola):
    """A parabola that spoils run 1 at one step: its loss, or its gradient."""

    def __init__(self, at, loss=None, gradient=None):
        super().__init__(noise=1.0)
        self.at, self.loss, self.gradient, self.calls = at, loss, gradient, 0

    def loss_and_gradient(self, params, z):
        loss, gradient = super().loss_and_gradient(params, z)
        if self.calls == self.at and self.loss is not None:
            loss[1] = self.loss
        if self.calls == self.at and self.gradient is not None:
            gradient.x[1, 0] = self.gradient
        self.calls += 1
        return loss, gradient
