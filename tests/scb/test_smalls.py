"""What the small figures of chapter 1 draw, found another way at random settings: the owner of each curve and bar."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hal.chapters.scb.figures import count, model, needed, net, pulls, quiet, sample, saves, valley
from hal.chapters.scb.runs import learn
from hal.chapters.scb.runs import samples as recorded
from hal.chapters.scb.runs.skip import least_correlation
from hal.explorer import Small
from lib.models import scb
from lib.models.scb import textbook
from lib.models.scb.portable_screening import screened
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_ring import ring_task
from lib.portable.random_numbers import generator
from lib.theory import scb as theory
from tests.scb.rows import make_task, saved


def drawn(module, seed=0, **chosen):
    """What a small figure draws at these settings, by name."""
    return Small(module).compute(chosen, seed=seed, runs=0).theory


@pytest.mark.parametrize("T", [4, 23, 64, 900])
def test_the_landscape_is_the_expected_loss_of_the_whole_matrices(T):
    found, task, rng = drawn(valley, T=T), make_task({"T": T}), np.random.default_rng(T)
    least = theory.irreducible_loss(task.mu, task.P, task.Q)
    uniform = np.full_like(task.Q, 1 / T)
    zero = theory.population_loss(np.tile(task.mu[:, None], task.N), uniform, task.mu, task.P, task.Q) - least
    z = np.reshape(found["scene.z"], (valley.SIDE, valley.SIDE))
    for i, j in rng.integers(valley.SIDE, size=(30, 2)):
        V = task.mu[:, None] + found["scene.x"][i] * (task.P - task.mu[:, None])
        A = uniform + found["scene.y"][j] * (task.Q - uniform)
        over = float((theory.population_loss(V, A, task.mu, task.P, task.Q) - least) / zero)
        assert 10 ** z[j, i] == pytest.approx(max(over, 0.01), rel=1e-9)


@pytest.mark.parametrize("T", [4, 64, 3000])
def test_to_the_two_sides_of_the_watershed_runs_part(T):
    found = drawn(valley, T=T)
    d = float(theory.drift_number(make_task({"T": T}).K_Q, T))
    x, y = np.array(found["scene.cut_x"]), np.array(found["scene.cut_y"])
    assert (x[len(x) // 2], y[len(y) // 2]) == (0, pytest.approx(-d))
    inside = (abs(x) < 1.4) & (abs(y) < 1.8)
    assert inside.sum() > 60
    assert not inside[[0, -1]].any()
    for i in np.flatnonzero(inside)[::15]:
        for side in (-1, 1):
            at = (x[i] + 0.01 * side, y[i] + 0.01 * side)
            end = solve_ivp(lambda _, z: theory.velocity(*z, d), (0, 60), at, "LSODA", rtol=1e-9, atol=1e-12).y[:, -1]
            assert np.sign(end[0]) == side


def test_the_marble_rolls_as_the_flow_and_its_row_is_the_one_on_the_line():
    rng = np.random.default_rng(3)
    for _ in range(6):
        T, start = round(4 * 1000 ** rng.uniform()), (rng.uniform(-1.4, 1.4), rng.uniform(-1.8, 1.8))
        found = drawn(valley, T=T, start_V=start[0], start_A=start[1])
        task = make_task({"T": T})
        path = theory.population_run(task.K_P, task.K_Q, T, 0.02, 3000, start=start)
        way = np.array([path.alpha_V, path.alpha_A]).T
        for x, y in zip(found["roll.x"], found["roll.y"], strict=True):
            assert np.abs(way - (x, y)).sum(axis=1).min() < 1e-8
        assert (found["roll.x"][-1], found["roll.y"][-1]) == pytest.approx(tuple(way[-1]), abs=1e-8)
        row, true = np.array(found["roll.row"]), np.array(found["roll.true"])
        assert sorted(true[true > 0]) == pytest.approx([0.4, 0.6])
        np.testing.assert_allclose(row, 1 / T + way[-1, 1] * (true - 1 / T), atol=1e-8)
        V = task.mu[:, None] + way[-1, 0] * (task.P - task.mu[:, None])  # column by column
        np.testing.assert_allclose(np.reshape(found["roll.outputs"], (4, 4)), V.T, atol=1e-8)
        for x, y in zip(
            np.reshape(found["scene.fan_x"], (8, 121)), np.reshape(found["scene.fan_y"], (8, 121)), strict=True
        ):
            run = theory.population_run(task.K_P, task.K_Q, T, 0.02, 600, start=(x[0], y[0]))
            assert (x[119], y[119]) == pytest.approx((run.alpha_V[-1], run.alpha_A[-1]), abs=1e-8)
            assert np.isnan(x[120])


def test_the_blind_loss_is_that_of_the_flow():
    rng = np.random.default_rng(4)
    for _ in range(6):
        T, lr = round(8 * 600 ** rng.uniform()), float(10 ** rng.uniform(-2.3, -1))
        found, task = drawn(quiet, T=T, lr=lr), make_task({"T": T})
        at = np.array(found["flow.steps"]).astype(int)
        assert at[-1] == round(10 / lr)
        path = theory.population_run(task.K_P, task.K_Q, T, lr, at[-1])
        np.testing.assert_allclose(found["flow.signal"][1:], path.alpha_V[at][1:], rtol=1e-9)
        np.testing.assert_allclose(
            found["flow.loss"], path.excess_loss[at] / path.excess_loss[0], rtol=1e-7, atol=1e-12
        )


def test_the_bars_of_the_two_halves_are_one_step_of_the_whole_matrices():
    rng = np.random.default_rng(5)
    task = make_task({"T": 64})
    for _ in range(6):
        x, y = rng.uniform(0, 1, 2)
        found = drawn(pulls, start_V=x, start_A=y)
        path = theory.population_run(task.K_P, task.K_Q, 64, 1.0, 1, start=(x, y))
        by = path.alpha_V[1] - x, path.alpha_A[1] - y
        np.testing.assert_allclose(found["drives.bars"], [y, by[0], x, by[1]], rtol=1e-9)


def test_the_noise_of_the_row_has_the_size_that_runs_have_when_the_threshold_comes_on():
    """Medians of 24 runs at three lengths; the draw is Gaussian, a run's noise nearly so: what a cut leaves agrees."""
    for T in (64, 256, 1024):
        settings = net.settings(T, 0.02)
        task = scb.ring_task(T, 4, 0.75, scb.even_weights(2))
        params = learn(task, range(24), lr=0.02, batch=32, steps=settings.stage1).params
        A = scb.unmirror(params, task).A
        others = A[:, task.Q == 0].reshape(24, -1)
        rows = [
            np.array(drawn(net, seed, T=T)["row.attention"])[np.array(drawn(net, seed, T=T)["row.true"]) == 0]
            for seed in range(12)
        ]
        assert np.median([row.std() for row in rows]) == pytest.approx(np.median(others.std(axis=1)), rel=0.2)
        for band in (1.0, 2.0):
            cut = band * np.median(others.std(axis=1))
            left = [
                np.median([(np.maximum(abs(one) - cut, 0) ** 2).sum() / (one**2).sum() for one in many])
                for many in (others, rows)
            ]
            assert left[1] == pytest.approx(left[0], abs=0.06)


def test_the_letters_arcs_and_bars_are_those_of_the_task():
    """The distribution of the label is P X q, of a task whose arcs do not depend on the sample."""
    P = scb.ring_transition(np.full(4, 0.25), 0.8)
    for last in range(4):
        places = set()
        for seed in range(5):
            found = drawn(sample, seed, last=last, place=3 + seed)
            weights, tokens = np.array(found["mix.weights"]), np.array(found["mix.tokens"]).astype(int)
            assert sorted(weights[weights > 0]) == pytest.approx([0.4, 0.6])
            assert found["mix.last"] == [last]
            places.add(tuple(np.flatnonzero(weights)))
            np.testing.assert_allclose(found["mix.after"], (P[:, tokens] * weights).sum(axis=1), rtol=1e-12)
            assert any(found["mix.kinds"]) == (weights[2 + seed] > 0)
        assert len(places) == 1


def test_the_model_s_arcs_and_bars_are_those_of_the_flow_s_matrices():
    """Of the expected gradients themselves, matrix by matrix; the task is that of `scb-sample`."""
    mu, P = np.full(4, 0.25), scb.ring_transition(np.full(4, 0.25), 0.8)
    for seed, (last, steps) in enumerate([(0, 0), (1, 40), (2, 90), (3, 300)]):
        found = drawn(model, seed, last=last, step=steps)
        tokens, true = (np.array(found[f"guess.{name}"]) for name in ("tokens", "true"))
        np.testing.assert_array_equal(true, drawn(sample, seed, last=last)["mix.weights"])
        Q = np.array([drawn(model, seed, last=k)["guess.true"] for k in range(4)])
        V, A, R = np.tile(mu[:, None], 4), np.full((4, 24), 1 / 24), P - mu[:, None]
        K_P, K_Q = (R**2).sum() / 4, 0.52 - 1 / 24
        for _ in range(steps):
            U = V - mu[:, None]
            gradient_V = (A**2).sum() / 4 * U - (A * Q).sum() / 4 * R
            gradient_A = (U**2).sum() / 4 * (A - 1 / 24) - (U * R).sum() / 4 * (Q - 1 / 24)
            V, A = V - 0.02 / K_Q * gradient_V, A - 0.02 / K_P * gradient_A
        np.testing.assert_allclose(found["guess.attention"], A[last], rtol=1e-9)
        np.testing.assert_allclose(found["guess.model"], V[:, tokens.astype(int)] @ A[last], rtol=1e-9)
        np.testing.assert_allclose(found["guess.label"], P[:, tokens.astype(int)] @ true, rtol=1e-9)


def test_the_counts_are_the_library_s_statistics_of_the_same_samples():
    rng = np.random.default_rng(6)
    for seed in range(3):
        T, N, samples = int(rng.integers(8, 30)), int(rng.integers(2, 5)), int(rng.integers(30, 200))
        mu = rng.uniform(0.2, 1, N)
        ring = ring_task(T, list(mu / mu.sum()), 2, 0.75, generator(seed, 0))
        found = np.reshape(screened(ring, T, samples, generator(seed, 2)), (N, T))
        state = textbook.start_on(ring, Settings(T, N, 2, 0.75, 0.0, 0.02, 1, 0.0, 0, 0, 0, 0.0, 0.0), seed)
        tokens, last, labels = [], [], []
        for _ in range(samples):  # draw_sample asks the state's own generator, that of purpose 2, in the same order
            k, label = textbook.draw_sample(state)
            tokens.append(list(state.X))
            last.append(k)
            labels.append(label)
        X, law = np.array(tokens), np.array(ring.mu)
        for k in range(N):
            rows = np.array(last) == k
            table = np.array(
                [[((X[rows] == j) & (np.array(labels)[rows] == i)[:, None]).sum(0) for i in range(N)] for j in range(N)]
            )
            expected = rows.sum() * np.outer(law, law)[..., None]
            np.testing.assert_allclose(
                found[k], ((table - expected) ** 2 / np.maximum(expected, 1e-300)).sum((0, 1)), rtol=1e-9
            )
        seen = drawn(count, seed, T=T + 8, samples=samples + 20)
        again = ring_task(T + 8, [0.25] * 4, 2, 0.75, generator(seed, 0))
        every = screened(again, T + 8, samples + 20, generator(seed, 2))
        np.testing.assert_array_equal(seen["counts.row"], list(every)[: T + 8])
        np.testing.assert_array_equal(seen["counts.every"], every)
        np.testing.assert_array_equal(np.flatnonzero(seen["counts.true"]), sorted(again.s[0]))
        wanted = np.zeros((4, T + 8))
        for k in range(4):
            wanted[k, np.array(again.s[k])] = 1
        np.testing.assert_array_equal(seen["counts.support"], wanted.ravel())


@pytest.mark.parametrize(("optimiser", "name"), list(enumerate(recorded.OPTIMISERS)))
@pytest.mark.parametrize(("over", "axis"), list(enumerate("TNQ")))
def test_what_samples_grow_with_is_the_record(optimiser, name, over, axis):
    found, powers = drawn(needed, optimiser=optimiser, over=over), {}
    for key, kind, goal in (
        ("linear", "linear", "little else"), ("softmax", "softmax", "little else"),
        ("first", "linear", "where"), ("second", "softmax", "where"),
    ):  # fmt: skip
        sizes, samples = recorded.along(axis, goal, name, kind)
        np.testing.assert_allclose(found["needed.times"], np.array(sizes) / sizes[0], rtol=1e-12)
        wanted = np.stack([samples[:, 0], *np.quantile(samples[:, 1:], [0.025, 0.975], axis=1, method="nearest")])
        wanted[~np.isfinite(wanted)] = np.nan
        np.testing.assert_array_equal([found[f"needed.{key}{end}"] for end in ("", "_low", "_high")], wanted)
        powers[key] = recorded.exponent(sizes, samples[:, :1])[0]
    told = [found[f"needed.{name}"][0] for name in ("power", "soft", "where")]
    assert told == pytest.approx([powers["linear"], powers["softmax"], max(powers["first"], powers["second"])])
    slope = np.polyfit(np.log(found["needed.times"]), np.log(found["needed.guide"]), 1)[0]
    assert (slope, found["needed.guide"][0]) == pytest.approx((1, found["needed.linear"][0]))


@pytest.mark.parametrize("N", range(4))
def test_the_map_of_old_tasks_is_the_record(N):
    found = drawn(saves, N=N, rho=2, T=3)
    assert [(i, j) for i, j in zip(*np.nonzero(np.reshape(found["map_of.chosen"], (8, 6))), strict=True)] == [(1, 2)]
    for i, j in np.ndindex(8, 6):
        step, scratch, ratio = saved({"N": N, "rho": i + 1, "T": j + 1})
        least = drawn(saves, N=N, rho=i + 1, T=j + 1)["map_of.least"][0]
        assert np.isnan(scratch) or least == pytest.approx(least_correlation(ratio)[0])
        wanted = np.log2(scratch / step[11]) if step[11] < np.inf or np.isnan(scratch) else -saves.LARGEST
        np.testing.assert_allclose(found["map_of.cells"][6 * i + j], wanted, rtol=1e-12)
    assert recorded.fewest([[0, 0, list(range(1, 17))]], False, 0)[0] == 12  # three of four runs
