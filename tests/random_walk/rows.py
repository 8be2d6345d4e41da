"""The rows of the chapter in the tests over the registry: its textbook and its figures."""

import numpy as np
import pytest

from hal.chapters.random_walk.figures import edge, learning, second
from hal.figure.sentences import shown as said
from lib.models.random_walk.textbook import Settings
from lib.theory import random_walk as theory
from tests.rows import Figure, Small, Textbook, each, middle, whole_runs

LAGS = 14  # that may win on the map of lags
REFUSED = [*each(K=2, N=1, p=1.5, n=0, lr=-0.1, steps=-1, epsilon=0.0, lr_W=-0.1), dict(N=9, M=8)]


def short(rng):
    """Settings over the full ranges, extremes among them, cut so that a run reads some ten thousand tokens."""
    K, N = int(rng.integers(3, 13)), int(rng.integers(2, 40))
    n = int(rng.integers(1, 30))
    steps = min(int(rng.integers(1, 150)), 10_000 // (n * N))
    p = float(rng.choice([0.0, 0.5, 1.0, rng.uniform(), rng.uniform()]))
    rates = {name: float(10 ** rng.uniform(-2, 1)) for name in ("lr", "lr_W")}
    rates["epsilon"] = float(10 ** rng.uniform(-2, 0.5))
    return Settings(K, N, p, N + int(rng.integers(0, 1000)), n, steps=steps, **rates)


#: The loss of a start at zero is at most that of saying nothing: no run diverges.
TEXTBOOKS = {"textbook": Textbook(short, REFUSED, None)}


def lasts(shown, name):
    """The last value of a reading in every run that did not diverge."""
    return np.array([run[name][-1] for run in whole_runs(shown)])


def right_at_the_end(shown, decimals=0):
    return f"{said(100 * middle(shown, 'accuracy'), decimals)}%"


def check_accuracy(text, p, best_told, luck_told, *right):
    """What accuracies, as shares, are said to be, and that the best is not said to be unbeaten where it is."""
    best, told = max(p, 1 - p), [f"{said(100 * one, 1)}%" for one in right]
    if max(right) <= best:
        assert best_told.format(*told) + f"; no predictor can beat {said(100 * best, 1)}%." in text
    else:
        assert luck_told.format(*told) in text
        assert max(right) == pytest.approx(best, abs=0.08), "no more than the luck of 500 walks"


def check_learning(text, shown, point):
    chosen, p = learning.settings(**point), point["p"]
    (run,) = whole_runs(shown)
    right = run["fresh"][-1], run["more"][-1]
    if p in (0, 1):
        assert right == pytest.approx((1 / point["K"], 1))
        told = f"whole rounds, 1 answer in {point['K']} right; one node more, all right."
        assert text == f"After {chosen.steps} steps: {told}"
        return
    layers = sum(S > 0.5 for S in (run["parent"][-1], run["attention_more"][-1]))
    assert text.startswith(("Neither layer gives", "One of the two layers gives", "Both layers find")[layers])
    since = len(run["parent"]) - int((np.array(run["parent"]) <= 0.5)[::-1].argmax())
    assert layers < 2 or f"it has most of the attention from step {since} on." in text
    told = "{} of the answers are right after whole rounds and {} with one node more"
    if set(right) == {max(p, 1 - p)}:
        assert f"Both layers are right {said(100 * right[0], 1)}% of the time, the best possible." in text
    else:
        check_accuracy(text, p, told, f"On 500 new walks {told}.", *right)
    if layers == 2 and point["n"] >= 300 and point["lr_V"] >= 0.03:  # else the wrong neighbour may have won
        assert right == pytest.approx([max(p, 1 - p)] * 2, abs=0.08), "what is read is used"


def edge_theory(K, N, lr, push, size):
    """The distance by the library's growth, (steps + 1,), and the distance at which scores spread by a nat."""
    steps, level = np.arange(edge.STEPS + 1), (np.sqrt(N - 1) / (K * 500.5)) ** 0.5
    f = theory.even_output(K, edge.STEPS, lr)
    factors = np.array([theory.growth(K, N, edge.M, lr, x) for x in f])
    since = 0 if push == 3 else 2
    begin = 1.25 * size * level / np.sqrt((N - 1) / K) if push == 3 else 1.1e-16
    path = begin * np.cumprod(np.concatenate([np.ones(since + 1), factors[since:-1]]))
    return np.where((steps >= since) & (path <= 100), path, np.nan), level


def growth_on_the_way(path):
    """Geometric mean of the factors a step between the ends that the figure names."""
    path = np.array(path)
    begin, ends = np.flatnonzero(path > edge.LOW), np.flatnonzero(path <= edge.HIGH)
    if not (begin.size and ends.size and ends[-1] >= begin[0] + 4):
        return np.nan
    return (path[ends[-1]] / path[begin[0] + 2]) ** (1 / (ends[-1] - begin[0] - 2))


def check_edge(text, shown, point):
    K, N, push = point["K"], point["places"] + 1, point["push"]
    (run,), (r, rest) = whole_runs(shown), divmod(N - 1, K)
    right = np.array(run["accuracy"]) > 0.999
    never, first = not right[-1], len(right) - int((~right[::-1]).argmax()) if right[-1] else np.nan
    if rest:
        told = [f"{r} rounds of {K} nodes and {rest} over: some nodes come once more, so there is no edge."]
        end = f"After {edge.STEPS} steps {right_at_the_end(shown)} of the answers are right."
        assert text == " ".join([*told, end if never else f"The answers are all right from step {said(first)} on."])
        return
    exact, told = max(run["distance"]) == 0, []
    seen = np.array(run["attention"]).reshape(len(run["steps"]), -1).max(axis=1) >= 2 / (N - 1)
    moved = int(seen.argmax()) if seen.any() else np.nan
    path, level = edge_theory(K, N, point["lr"], push, point["size"]) if push else (np.array([0.0]), 1)
    grows, law = growth_on_the_way(run["distance"]), growth_on_the_way(path)
    above = np.flatnonzero(path >= level)
    if push == 0:
        assert exact
        told.append(f"Equal numbers stay exactly equal: 1 answer in {K} is right.")
    elif exact:
        told.append("Here no sum depends on its order: nothing moves.")
    elif np.isfinite(grows) and np.isfinite(law):
        told.append(f"The difference grows {said(grows, 1)}-fold per step (theory: {said(law, 1)}).")
    if np.isfinite(moved):
        told.append(f"Attention moves at step {said(moved)}" + (f" (theory: {above[0]})." if above.size else "."))
    elif not exact:
        told.append(f"Attention has not moved after {edge.STEPS} steps.")
    if np.isfinite(first) and np.isfinite(moved) and first < moved:
        told.append(f"All answers are right from step {said(first)} on, before it moves.")
    if push and never:
        told.append("Some answers are still wrong.")
    assert text == " ".join(told)


def check_lags(text, shown, point):
    K, p, N = point["K"], point["p"], point["N"]
    signal, found = theory.lag_signal(K, p, N)[:LAGS], lasts(shown, "lag")
    lag, alike = theory.best_lag(K, p, N), (signal >= signal.max() - 1e-9).sum()
    leads = "the parent leads." if lag == 1 else f"lag {lag} leads, not the parent."
    several = f"several lags lead, lag {lag} among them."
    assert text.startswith(f"On infinitely many walks {leads if alike == 1 else several}")
    assert f"This layer looks most at lag {int(found[0])}." in text
    check_accuracy(text, p, "Its accuracy is {}", "Its accuracy on 500 new walks is {}.", lasts(shown, "fresh")[0])


def check_parity(text, shown, point):
    odd, leaning, K = lasts(shown, "odd"), lasts(shown, "leaning"), point["K"]
    even, turned = odd < -0.5, odd > 0.5
    if K % 2:
        told = f"{(lasts(shown, 'lag') == 1).sum()} of {len(odd)} layers"
        assert text.startswith(f"On {K} nodes, an odd number, no start leans and there is no trap: {told}")
    else:
        told = (even & (leaning < 0)).sum() + (turned & (leaning > 0)).sum()
        fallen = f"{even.sum()} of {len(odd)} layers have fallen into the trap; {told} went where they leaned."
        near = f"{(lasts(shown, 'lag') == 1).sum()} of {len(odd)} look most at the parent."
        assert text == (fallen if even.any() else f"No layer has fallen into the trap; {near}")


FIGURES = {
    "learning": Figure(
        {"r": 4, "K": 5, "n": 41, "lr_V": 0.7, "lr_W": 0.4}, check_learning, lost=False
    ),
    "edge": Figure({"K": 5, "places": 30, "push": 3}, check_edge, lost=False),
    "lags": Figure({"K": 20, "p": 0.81, "N": 33, "n": 110}, check_lags, lost=False),
    "parity": Figure({"N": 27, "n": 50, "sigma": 0.013}, check_parity, lost=False),
}  # fmt: skip


def check_second(text, shown, point):
    """From powers of the matrix of a move."""
    K, p = point["K"], point["p"]
    signal = theory.lag_signal(K, p, second.ROUNDS * K + 1)[: second.LAGS]
    best = 1 + int(np.argmax(signal >= signal.max() - 1e-9))
    assert ("equally" if np.ptp(signal) < 1e-9 else f"lag {best}") in text
    assert ("not to the parent" in text) == (best > 1)


SMALLS = {"second": Small(check_second)}
