"""Walks on other graphs than a circle: their law, and what theory says of them."""

from hal.chapters.random_walk.models.graphs import GraphWalk
from hal.chapters.random_walk.models.graphs import path_steps
import numpy as np
import pytest

from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory


@pytest.mark.parametrize("steps", [path_steps(5), 0.3 * np.eye(6) + 0.7 * theory.step_matrix(6, 0.5)])
def test_walks_on_a_graph_have_its_law(steps):
    walk = GraphWalk(steps, 9)
    s, weight = walk.sample(6000, generators([0, 1]))
    np.testing.assert_allclose(weight.sum(axis=1), 1)
    pairs = np.zeros_like(steps)
    np.add.at(pairs, (s[..., :-1].ravel(), s[..., 1:].ravel()), 1)
    assert (pairs[steps == 0] == 0).all()
    np.testing.assert_allclose(pairs / pairs.sum(axis=1, keepdims=True), steps, atol=0.02)
    parents = np.bincount(s[..., -2].ravel(), minlength=len(steps)) / 12000
    np.testing.assert_allclose(parents, theory.parent_law(steps, 9), atol=0.02)
    np.testing.assert_array_equal(walk.next_law(s[:1])[0, 0], steps[s[0, 0, -2]])
    np.testing.assert_array_equal(walk.sample(5, generators([1])).s[0], walk.sample(5, generators([0, 1])).s[1])


def test_what_theory_says_of_a_graph():
    steps = path_steps(4)
    s = [[a, b, c] for a in range(4) for b in range(4) for c in range(4) if steps[a, b] * steps[b, c] > 0]
    chance = {tuple(x): steps[x[0], x[1]] * steps[x[1], x[2]] / 4 for x in s}
    joint = np.zeros((4, 4))
    for (_, parent, target), p in chance.items():
        joint[target, parent] += p
    np.testing.assert_allclose(theory.joint_root(steps, 3) ** 2, joint, atol=1e-15)
    ring = theory.step_matrix(6, 0.7)
    np.testing.assert_allclose(theory.joint_root(ring, 20) * np.sqrt(6), theory.root_target(6, 0.7), atol=1e-12)
