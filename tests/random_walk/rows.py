"""The rows of the chapter in the tests over the registry: its textbook and its figures."""

import numpy as np
import pytest

from hal.chapters.random_walk.figures import edge, learning, second
from hal.chapters.random_walk.models.tasks import questions
from hal.figure.sentences import shown as said
from lib.models.random_walk.textbook import Settings
from lib.theory import random_walk as theory
from tests.rows import Figure, Small, Textbook, each, middle, whole_runs
from tests.rows import said as number_after

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


def check_accuracy(text, p, *right, told="{}%"):
    """What median accuracies, as shares, are said to be, and that the best is not said to be unbeaten where it is."""
    best = max(p, 1 - p)
    told = told.format(*(said(100 * one, 1) for one in right))
    if max(right) <= best:
        assert f"median accuracy is {told}; no predictor can beat {said(100 * best, 1)}%." in text
    else:
        assert f"median accuracy on 500 new walks is {told}." in text
        assert max(right) == pytest.approx(best, abs=0.08), "no more than the luck of 500 walks"


def check_learning(text, shown, point):
    chosen, p = learning.settings(**point), point["p"]
    layers = np.append(lasts(shown, "parent"), lasts(shown, "attention_more")) > 0.5
    right = [float(np.median(lasts(shown, name))) for name in ("fresh", "more")]
    if p in (0, 1):
        told = f"{said(100 / point['K'], 1)}% of the answers are right after whole rounds"
        assert text == f"After {chosen.steps} steps {told}, and 100% with one node more."
        return
    assert text.startswith(f"In {len(layers) // 2} runs {layers.sum()} of {len(layers)} layers look at the parent. ")
    check_accuracy(text, p, *right, told="{}% after whole rounds and {}% with one node more")
    if layers.all() and point["n"] >= 300 and point["lr_V"] >= 0.03:  # else the wrong neighbour may have won
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


def known(values):
    """The middle of those that are numbers; NaN if none is."""
    values = [x for x in values if x == x]
    return float(np.median(values)) if values else np.nan


def check_edge(text, shown, point):
    K, N, push = point["K"], point["places"] + 1, point["push"]
    runs, (r, rest) = whole_runs(shown), divmod(N - 1, K)
    right = np.array([run["accuracy"] for run in runs]) > 0.999
    wrong = [len(row) if not row[-1] else int((~row[::-1]).argmax()) for row in right]
    first = known([np.nan if not row[-1] else len(row) - n for row, n in zip(right, wrong, strict=True)])
    never = int((~right[:, -1]).sum())
    if rest:
        told = [f"{r} rounds of {K} nodes and {rest} over: some nodes come once more, so there is no edge."]
        end = f"After {edge.STEPS} steps {right_at_the_end(shown)} of the answers are right."
        assert text == " ".join([*told, end if never else f"The answers are all right from step {said(first)} on."])
        return
    exact, told = sum(max(run["distance"]) == 0 for run in runs), []
    attention = [np.array(run["attention"]).reshape(len(run["steps"]), -1) for run in runs]
    seen = [S.max(axis=1) >= 2 / (N - 1) for S in attention]
    moved = known([np.nan if not s.any() else int(s.argmax()) for s in seen])
    path, level = edge_theory(K, N, point["lr"], push, point["size"]) if push else (np.array([0.0]), 1)
    grows, law = known([growth_on_the_way(run["distance"]) for run in runs]), growth_on_the_way(path)
    above = np.flatnonzero(path >= level)
    if push == 0:
        assert exact == len(runs)
        told.append(f"Equal numbers stay exactly equal: 1 answer in {K} is right.")
    elif exact == len(runs):
        told.append("Here no sum depends on its order: nothing moves.")
    elif np.isfinite(grows) and np.isfinite(law):
        told.append(f"The difference grows {said(grows, 1)} times a step, by theory {said(law, 1)} times.")
    if np.isfinite(moved):
        told.append(
            f"Attention moves at step {said(moved)}" + (f", by theory at step {above[0]}." if above.size else ".")
        )
    elif exact < len(runs):
        told.append(f"Attention has not moved after {edge.STEPS} steps.")
    if np.isfinite(first) and np.isfinite(moved) and first < moved:
        told.append(f"All answers are right from step {said(first)} on, before it moves.")
    if push and never:
        told.append(f"In {never} of {len(runs)} runs some are still wrong.")
    assert text == " ".join(told)


def check_lags(text, shown, point):
    K, p, N = point["K"], point["p"], point["N"]
    signal, found = theory.lag_signal(K, p, N)[:LAGS], lasts(shown, "lag")
    lag, alike = theory.best_lag(K, p, N), (signal >= signal.max() - 1e-9).sum()
    right = float(np.median(lasts(shown, "fresh")))
    leads = "the parent leads." if lag == 1 else f"lag {lag} leads, not the parent."
    several = f"several lags lead, lag {lag} among them."
    assert text.startswith(f"On infinitely many walks {leads if alike == 1 else several}")
    assert f"{(found == 1).sum()} of {len(found)} runs read the parent." in text
    check_accuracy(text, p, right)


def check_parity(text, shown, point):
    odd, leaning, K = lasts(shown, "odd"), lasts(shown, "leaning"), point["K"]
    even, turned = odd < -0.5, odd > 0.5
    if K % 2:
        near = (lasts(shown, "lag") == 1).sum()
        assert text.startswith(f"On {K} nodes, an odd number, there is no trap: {near} of {len(odd)} layers read the")
    else:
        told = (even & (leaning < 0)).sum() + (turned & (leaning > 0)).sum()
        fallen = f"{even.sum()} of {len(odd)} layers have fallen into the trap; {told} went where they leaned."
        assert text == fallen


def check_questions(text, shown, point):
    *words, answer = questions(1)[point["question"] - 1]
    named, fruit = [words.count(k) for k in (0, 1)], ("apple", "orange")[answer]
    leads = np.array([run["leads"][-3:] for run in whole_runs(shown)])
    say_so, runs = (leads[:, 0] * (1 - 2 * answer) > 0).sum(), f"of {len(leads)} layers"
    assert text.startswith(f"Of five fruits {named[answer]} are {fruit}s: {say_so} {runs} say {fruit}.")
    assert named[answer] >= 3
    same, both = (leads[:, 1] * leads[:, 2] > 0).sum(), (lasts(shown, "luck") > 0.999).sum()
    assert f"The two questions of the pair get one answer from {same} {runs}" in text
    assert (f"; {both} tell them apart." in text) == (both > 0)
    assert same + both <= len(leads)
    assert sorted(questions(2)[0][:-1]) == sorted(questions(2)[1][:-1])


FIGURES = {
    "learning": Figure(
        {"r": 4, "K": 5, "n": 41, "lr_V": 0.7, "lr_W": 0.4}, check_learning, lost=False
    ),
    "edge": Figure({"K": 5, "places": 30, "push": 3}, check_edge, lost=False),
    "lags": Figure({"K": 20, "p": 0.81, "N": 33, "n": 110}, check_lags, lost=False),
    "parity": Figure({"N": 27, "n": 50, "sigma": 0.013}, check_parity, lost=False),
    "questions": Figure({"question": 7, "lr": 0.37, "sigma": 0.013}, check_questions),
}  # fmt: skip


def check_needle(text, shown, point):
    """From the closed form, whose square grows steadily, not from the recursion."""
    p, epsilon = point["p"], point["epsilon"]
    law, root = (1 - p) / p, np.sqrt((1 - p) / p)
    steps, start = np.geomspace(1, 1e5, 4001), 1 / (36 * epsilon)
    entries = [np.sqrt((start + epsilon) ** 2 + (steps - 1) * x / 3) - epsilon for x in (p, 1 - p)]
    ratio, middle = entries[1] / entries[0], (law + root) / 2
    if abs(ratio.min() - middle) > 0.02:
        assert ("From step" in text) == (ratio.min() < middle)
    assert ("at all times" in text) != ("From step" in text)
    if "From step" in text and middle - ratio.min() > 0.02:
        near = steps[ratio < middle]
        assert number_after(text, "From step") == pytest.approx(near[0], rel=0.3, abs=3)
        assert number_after(text, "to step") == pytest.approx(near[-1], rel=0.3, abs=3)


def check_second(text, shown, point):
    """From powers of the matrix of a move."""
    K, p = point["K"], point["p"]
    signal = theory.lag_signal(K, p, second.ROUNDS * K + 1)[: second.LAGS]
    best = 1 + int(np.argmax(signal >= signal.max() - 1e-9))
    assert f"lag {best}" in text
    assert ("not to the parent" in text) == (best > 1)


SMALLS = {"second": Small(check_second), "needle": Small(check_needle)}
