"""What the small figures of chapter 1 draw, found another way at random settings: the owner of each curve and bar."""

import numpy as np
import pytest

from hal.chapters.scb import models
from hal.chapters.scb.figures import count, quiet, sample, sign
from hal.chapters.scb.models.portable_screening import screened
from hal.chapters.scb.models.textbook_measures import skewed_law
from hal.chapters.scb.runs.replay import samples, task_of
from hal.figure import Small
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings, ring_task
from lib.portable.random_numbers import generator
from lib.theory import scb as theory
from tests.scb.rows import make_task


def drawn(module, seed=0, **chosen):
    """What a small figure draws at these settings, by name."""
    return Small(module).compute(chosen, seed=seed, runs=0).theory


@pytest.mark.parametrize("T", [8, 23, 64, 500])
def test_the_landscape_is_the_expected_loss_of_the_whole_matrices(T):
    task, rng = make_task({"T": T}), np.random.default_rng(T)
    found = sign.scene(sign.settings(T, 4, 0.0, 0.75, 0.04, 4))
    least = theory.irreducible_loss(task.mu, task.P, task.Q)
    uniform = np.full_like(task.Q, 1 / T)
    zero = theory.population_loss(np.tile(task.mu[:, None], task.N), uniform, task.mu, task.P, task.Q) - least
    z = np.reshape(found["z"], (41, 41))
    for i, j in rng.integers(41, size=(30, 2)):
        V = task.mu[:, None] + found["x"][i] * (task.P - task.mu[:, None])
        A = uniform + found["y"][j] * (task.Q - uniform)
        over = float((theory.population_loss(V, A, task.mu, task.P, task.Q) - least) / zero)
        assert np.exp(z[j, i]) == pytest.approx(max(over, 0.01), rel=1e-9)


@pytest.mark.parametrize("T", [256, 700, 3000])
def test_the_vessels_are_those_of_the_flow(T):
    found, task = drawn(quiet, T=T), make_task({"T": T})
    path = theory.population_run(task.K_P, task.K_Q, T, 0.02, 50)
    levels, flows = (np.reshape(found[f"flow.{name}"], (-1, 2)).T / 100 for name in ("levels", "flows"))
    both, d = np.array([path.alpha_V, path.alpha_A]), float(theory.drift_number(task.K_Q, T))
    np.testing.assert_array_equal(found["flow.steps"], path.steps)
    np.testing.assert_allclose(levels, both, rtol=1e-9, atol=1e-15)
    np.testing.assert_array_equal([found["flow.signal"], found["flow.attention"]], 100 * levels)
    np.testing.assert_allclose(flows + np.array([[0], [1]]) * found["flow.drip"], theory.velocity(*both, d)[::-1],
                               rtol=1e-7, atol=1e-12)  # fmt: skip


def test_the_letters_arcs_and_bars_are_those_of_the_task():
    """The distribution of the label is P X q, of a task whose arcs do not depend on the sample."""
    P = scb.ring_transition(np.full(4, 0.25), 0.75)
    for last in range(4):
        places = set()
        for seed in range(5):
            found = drawn(sample, seed, last=last, place=3 + seed)
            weights, tokens = np.array(found["mix.weights"]), np.array(found["mix.tokens"]).astype(int)
            assert sorted(weights[weights > 0]) == pytest.approx([0.4, 0.6])
            assert found["mix.last"] == [last]
            places.add(tuple(np.flatnonzero(weights)))
            np.testing.assert_allclose(found["mix.after"], (P[:, tokens] * weights).sum(axis=1), rtol=1e-12)
            kinds, led = np.array(found["mix.kinds"]), set((tokens[weights > 0] + 1) % 4)
            assert (max(kinds) == 2) == (weights[2 + seed] > 0)
            assert set(np.flatnonzero(kinds)) == led
        assert len(places) == 1


def test_the_counts_are_the_library_s_statistics_of_the_same_samples():
    rng = np.random.default_rng(6)
    for seed in range(3):
        T, N, many, skew = int(rng.integers(8, 30)), int(rng.integers(2, 5)), int(rng.integers(30, 200)), rng.uniform()
        settings = Settings(T=T, mu=skewed_law(N, skew), batch=many, stage1=1)
        (batch,), ring = samples(settings, seed, 1), textbook.start(settings, seed).task
        found = np.reshape(screened(ring, T, many, generator(seed, 2)), (N, T))
        np.testing.assert_allclose(found, models.chi_squared(batch, task_of(ring, T))[0], rtol=1e-9)
        seen = drawn(count, seed, T=T + 8, samples=many + 20)
        again = ring_task(T + 8, [0.25] * 4, 2, 0.75, generator(seed, 0))
        every = screened(again, T + 8, many + 20, generator(seed, 2))
        np.testing.assert_array_equal(seen["counts.row"], list(every)[: T + 8])
        np.testing.assert_array_equal(seen["counts.every"], every)
        np.testing.assert_array_equal(np.flatnonzero(seen["counts.true"]), sorted(again.s[0]))
        np.testing.assert_array_equal(seen["counts.support"], task_of(again, T + 8).Q.ravel() > 0)
