"""Every curve, bar and map of the chapter's figures is what the library computes another way, at random settings."""

import numpy as np
import pytest

from hal.chapters.random_walk.figures import edge, lags, learning, parity, second
from hal.chapters.random_walk.models import full, rounded
from hal.chapters.random_walk.models.circulant import CirculantTransformer, Turns
from hal.chapters.random_walk.runs.learning import trained, turns_record
from hal.chapters.random_walk.theory.edge import mean_growth
from hal.figure import Computed, Small
from lib.models import random_walk as rw
from lib.models.random_walk import textbook
from lib.portable.textbooks import finish
from lib.theory import random_walk as theory
from tests.in_page import InPage
from tests.random_walk.twins import followed
from tests.sentences.positions import positions


def drawn_point(module, rng, **fixed):
    """A random position of all sliders, at an end of every third."""
    return {**next(positions(Computed(module), rng, 1, corners=0.3)), **fixed}


def rows_of(run, name, width):
    return np.array(run[name]).reshape(len(run["steps"]), width)


def extra_votes(V):
    """Mean entries of V by turn above the least, beside the most, (..., K); zeros where all are equal."""
    K, k = V.shape[-1], np.arange(V.shape[-1])
    mean = np.stack([V[..., (k + d) % K, k].mean(axis=-1) for d in k], axis=-1)
    mean -= mean.min(axis=-1, keepdims=True)
    top = mean.max(axis=-1, keepdims=True)
    return mean / np.where(top > 1e-9, top, np.inf)


def agree(run, found, names, atol=1e-6):
    for name in names:
        np.testing.assert_allclose(run[name], found[name][0], atol=atol, err_msg=name)


def agree_on_a_new_walk(run, found, chosen):
    """Attention, visits, and answers: exact where one place is read, else of others who walk as long."""
    S, V, last = found["S"][0], found["V"][0], chosen.N - 1
    np.testing.assert_allclose(rows_of(run, "attention", last), S[:, :last], atol=1e-6)
    for end, moves in ("", last - 1), ("_more", last):
        seen = np.array(run[f"walk{end}"], dtype=int)
        assert set(np.diff(seen) % chosen.K) <= {1, chosen.K - 1}
        assert len(seen) == moves + 1
        visits = np.bincount(seen, minlength=chosen.K)
        np.testing.assert_array_equal(run[f"visits{end}"], visits)
    walk = rw.Walk(chosen.K, chosen.N, chosen.p).sample(20_000, [np.random.default_rng(5)]).s[0]
    for t in {0, len(S) // 2, len(S) - 1}:
        f = sum(S[t, j] * V[t][:, walk[:, j]].T for j in range(last))
        best = f >= f.max(axis=1, keepdims=True) - 1e-9 * np.maximum(1, abs(f).max(axis=1, keepdims=True))
        right = np.mean(best.argmax(axis=1) == walk[:, last])
        assert run["fresh"][t] == pytest.approx(right, abs=0.012 if S[t, :last].max() > 0.999 else 0.06)


@pytest.mark.parametrize("seed", range(4))
def test_the_figures_by_turns_draw_the_library_s_layer(seed, monkeypatch):
    rng = np.random.default_rng([7, seed])
    module = (learning, lags)[seed % 2]
    monkeypatch.setattr(lags, "SIZES", 1)
    count = int(rng.integers(100, 140))
    length = {"r": 3, "K": int(rng.integers(4, 9))} if module is learning else {"N": int(rng.integers(15, 40))}
    point = drawn_point(module, rng, n=count, p=float(rng.uniform(0.5, 0.9)), **length)
    shown = Computed(module).compute(point, seed)
    chosen, run = module.settings(**point), shown.runs[0]
    state = textbook.start(chosen, seed)
    walks = Turns(np.array(state.turns)[None], np.full((1, chosen.n), 1 / chosen.n))
    model = CirculantTransformer(K=chosen.K, N=chosen.N, M=chosen.M, epsilon=chosen.epsilon)
    K = chosen.K
    record = turns_record(model, rw.Walk(K, chosen.N, chosen.p), walks) | {
        "S": model.attention, "V": lambda p: model.spread_out(p).V,
    }  # fmt: skip
    found = trained(
        model, walks, [seed], record, chosen.lr, chosen.steps, [int(t) for t in run["steps"]], lr_W=chosen.lr_W
    )
    agree(run, found, ("lag",))
    if module is learning:
        agree(run, found, ("parent", "to_step"))
        np.testing.assert_allclose(rows_of(run, "votes", K), extra_votes(found["V"][0]), atol=1e-6)
        agree_on_a_new_walk(run, found, chosen)
        longer = chosen._replace(N=chosen.N + 1, M=max(chosen.M, chosen.N + 1))
        more = finish(textbook, longer, seed, learning.probe)
        assert (run["votes_more"], run["attention_more"]) == (more["votes"], more["attention"])
        assert run["more"] == more["fresh"]
    else:
        by_lag = found["S"][0][:, -2::-1][:, : lags.LAGS]
        np.testing.assert_allclose(rows_of(run, "attention", lags.LAGS), by_lag, atol=1e-6)


def counted(K, p, N):
    """How often a walk that goes on lies where it did so many steps before, by lag, (N - 1,): step by step."""
    here, met = np.eye(K)[0], []
    for _ in range(N - 1):
        here = p * np.roll(here, 1) + (1 - p) * np.roll(here, -1)
        met.append(here)
    return np.array(met) @ np.sum(met, axis=0)


def test_the_map_at_random_settings():
    rng = np.random.default_rng(9)
    for _ in range(4):
        point = drawn_point(lags, rng)
        K, p, N = (point[name] for name in ("K", "p", "N"))
        chosen = lags.settings(**point)
        laws, drawn = lags.laws(chosen), lags.map_of(chosen)
        signal = counted(K, p, N)
        assert laws["lag"] == [1 + np.argmax(signal >= signal.max() - 1e-9)]
        assert laws["alike"] == [np.sum(signal[: lags.LAGS] >= signal.max() - 1e-9)]
        cells = np.array(drawn["cells"]).reshape(lags.SIZES, lags.CHANCES)
        for r, c in zip(rng.integers(0, lags.SIZES, 12), rng.integers(0, lags.CHANCES, 12), strict=True):
            there = counted(int(drawn["nodes"][r]), drawn["chances"][c], N)[: lags.LAGS]
            assert cells[r, c] == min(lags.LONG, 1 + np.argmax(there >= there.max() - 1e-9))


def test_the_second_step_at_random_settings():
    rng = np.random.default_rng(14)
    for _ in range(6):
        point = next(positions(Small(second), rng, 1, corners=0.3))
        K, p, drawn = point["K"], point["p"], second.fit(second.settings(**point))
        votes, target = (
            theory.visits(K, p, second.ROUNDS * K + 1),
            np.linalg.matrix_power(theory.step_matrix(K, p), point["lag"]),
        )
        np.testing.assert_allclose(drawn["votes"], votes - second.ROUNDS, atol=1e-9)
        np.testing.assert_allclose(drawn["target"], target[0], atol=1e-12)
        signal = counted(K, p, second.ROUNDS * K + 1)[: second.LAGS] - second.ROUNDS
        np.testing.assert_allclose(drawn["signal"], signal, atol=1e-6)
        assert drawn["signal"][point["lag"] - 1] == pytest.approx(target[0] @ votes - second.ROUNDS, abs=1e-8)


@pytest.mark.parametrize("seed", range(2))
def test_the_edge_draws_the_library_s_layer(seed, monkeypatch):
    """A large push, so that the library's rounding, which is another, cannot be seen."""
    rng = np.random.default_rng([10, seed])
    monkeypatch.setattr(edge, "STEPS", 12)
    monkeypatch.setattr(edge, "SAMPLE", 15)
    point = drawn_point(edge, rng, push=3, size=float(10 ** rng.uniform(-4, -2)))
    shown = Computed(edge).compute(point, seed)
    run, inner = shown.runs[0], rounded.start(edge.settings(**point), seed).inner
    found = followed(inner, 1.0, run["steps"])
    agree(run, found, ("accuracy",))
    S, V, g = (found[name][0] for name in ("S", "V", "g"))
    np.testing.assert_allclose(rows_of(run, "attention", point["places"]), S[:, :-1], atol=1e-6)
    apart = np.sqrt(np.ptp(g[:, :-1], axis=1) * np.ptp(V, axis=2).max(axis=1))
    np.testing.assert_allclose(run["distance"], apart, rtol=1e-5)


@pytest.mark.parametrize("seed", range(3))
def test_theory_of_the_edge_is_near_its_runs(seed):
    """From a push: the step at which attention moves within two, and growth on the way within a quarter."""
    rng = np.random.default_rng([11, seed])
    K, lr, size = int(rng.integers(3, 13)), float(rng.uniform(0.5, 2)), float(10 ** rng.uniform(-14, -5))
    N = K * int(rng.integers(-(-8 // K), 144 // K + 1)) + 1
    laws, page = edge.laws(edge.settings(3, size, N - 1, K, lr)), InPage(Computed(edge))
    page.choose({"push": 3, "size": size, "places": N - 1, "K": K, "lr": lr})
    found = np.array([page.train(run)["distance"] for run in range(8)])
    moved = (found >= laws["level"][0]).argmax(axis=1)
    assert np.median(moved) == pytest.approx(laws["moved"][0], abs=1.5)
    assert np.median([mean_growth(list(d), edge.LOW, edge.HIGH) for d in found]) == pytest.approx(
        laws["grows"][0], rel=0.25, nan_ok=True
    )


@pytest.mark.parametrize("seed", range(2))
def test_the_parity_trap_draws_the_library_s_layer(seed, monkeypatch):
    rng = np.random.default_rng([12, seed])
    monkeypatch.setattr(parity, "WORK", 1e5)
    monkeypatch.setattr(parity, "FEWEST", 25)
    point = drawn_point(parity, rng, n=int(rng.integers(50, 70)), N=int(rng.integers(25, 40)))
    shown = Computed(parity).compute(point, seed)
    run, state = shown.runs[0], full.start(parity.settings(**point), seed)
    found = followed(state, point["p"], run["steps"])
    agree(run, found, ("accuracy", "lag", "odd"), atol=1e-5)


@pytest.mark.parametrize(("push", "begins"), [(0, 2e-17), (1, np.nan), (3, None)])
def test_the_curve_of_the_edge_begins_where_its_handle_stands(push, begins):
    K, N, size = 5, 41, 3e-7
    drawn = edge.laws(edge.settings(push, size, N - 1, K, 1.0))
    path = np.array(drawn["path"] if push else drawn["zero"])
    assert push == 1 or path[0] == pytest.approx(drawn["begin"][0], rel=1e-14)
    assert drawn["begin"][0] == pytest.approx(begins or size * drawn["unit"][0], nan_ok=True)
    off = edge.laws(edge.settings(push, size, N, K, 1.0))
    assert np.isnan([*off["begin"], *off["unit"], *off["level"]]).all()
