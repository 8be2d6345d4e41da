"""The rows of the chapter in the tests over the registry, its textbooks and figures; runs in the page's engine."""

import re

import numpy as np
import pytest

from hal.chapters.random_walk.figures import edge, learning, parity
from hal.explorer.sentences import shown as said
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_measures import LAGS
from lib.models.random_walk.textbook_questions import Asked, questions
from lib.models.random_walk.textbook_task import Settings
from lib.theory import random_walk as theory
from tests.portable.engine import literal, page_of
from tests.rows import Figure, Small, Textbook, as_said, middle, whole_runs
from tests.rows import said as number_after


def in_page(module, settings, seeds):
    """Runs of a textbook in the page's engine, which is faster than Python."""
    page = page_of(module)
    page.do(f'const T = portable["{module.__name__}"];')
    for seed in seeds:
        page.do(f"globalThis.s = T.start({literal(settings)}, {seed}); while (!T.done(s)) T.step(s);")
        yield page.run("T.read(s)")


REFUSED = [
    (dict(K=2), "K: expected at least 3 nodes, got 2"),
    (dict(N=1), "N: expected at least 2 places, got 1"),
    (dict(N=9, M=8), "M: expected at least N, so that positions are orthogonal, got 8"),
    (dict(p=1.5), "p: expected a probability from 0 to 1, got 1.5"),
    (dict(n=0), "n: expected at least 1 walk, got 0"),
    (dict(lr=-0.1), "lr: expected a number of at least 0, got -0.1"),
    (dict(steps=-1), "steps: expected at least 0 steps, got -1"),
    (dict(epsilon=0.0), "epsilon: expected a number above 0, got 0"),
    (dict(loss=4), "loss: expected one of 0 to 3, got 4"),
    (dict(sigma=-1.0), "sigma: expected a number of at least 0, got -1"),
]
DIVERGES = dict(K=6, N=13, M=50, n=20, unit=1, sigma=5.0, steps=6)


def short(rng, random=True):
    """Settings over the full ranges, extremes among them, cut so that a run reads some ten thousand tokens."""
    K, N = int(rng.integers(3, 13)), int(rng.integers(2, 40))
    n = int(rng.integers(1, 30))
    steps = min(int(rng.integers(1, 150)), 10_000 // (n * N))
    start = dict(sigma=float(10 ** rng.uniform(-8, -1)), unit=1) if random and rng.uniform() < 0.5 else {}
    p = float(rng.choice([0.0, 0.5, 1.0, rng.uniform(), rng.uniform()]))
    rates = dict(lr=float(10 ** rng.uniform(-2, 1)), epsilon=float(10 ** rng.uniform(-2, 0.5)))
    return Settings(
        K, N, p, N + int(rng.integers(0, 1000)), n, steps=steps, loss=int(rng.integers(4)), **rates, **start
    )


def rounded(rng):
    """The same on the edge: all walks, or some of them, summed and rounded in every way."""
    s = short(rng)
    n, mixed, bits = int(rng.choice([0, s.n])), int(rng.integers(2)), int(rng.choice([32, 64]))
    return Edge(s.K, s.N, s.M, n, mixed, bits, s.lr, s.steps, s.epsilon, s.loss, s.sigma, s.unit)


def asked(rng):
    task = int(rng.integers(1, 3))
    return Asked(
        task, int(rng.integers(1, 33 if task == 1 else 3)), float(10 ** rng.uniform(-3, 0)),
        float(10 ** rng.uniform(-4, -1)), int(rng.integers(2)), int(rng.integers(1, 8 if task == 1 else 90)),
    )  # fmt: skip


TEXTBOOKS = {
    "textbook": Textbook(short, REFUSED, DIVERGES),
    "textbook_turns": Textbook(
        lambda rng: short(rng, random=False),
        [(dict(sigma=0.1), "sigma: expected 0: a random start has no symmetry, got 0.1"), *REFUSED[:4]],
        dict(K=5, N=9, M=60, n=10, loss=1, lr=1e8, steps=10),
    ),
    "textbook_watch": Textbook(
        lambda rng: short(rng, random=False), REFUSED[:2], dict(K=5, N=9, M=60, n=10, loss=1, lr=1e8, steps=10)
    ),
    "textbook_parity": Textbook(short, REFUSED[:1], DIVERGES),
    "textbook_edge": Textbook(
        rounded,
        [
            (dict(bits=16), "bits: expected 32 or 64, got 16"),
            (dict(n=-1), "n: expected at least 0 walks, got -1"),
            *REFUSED[:3],
        ],
        dict(K=4, N=10, M=30, n=20, sigma=5.0, unit=1, steps=20),
    ),
    "textbook_questions": Textbook(
        asked,
        [
            (dict(task=3), "task: expected 1 or 2, got 3"),
            (dict(task=2, question=3), "question: expected the number of one, got 3"),
            (dict(question=0), "question: expected the number of one, got 0"),
            (dict(sigma=-1.0), "sigma: expected a number of at least 0, got -1"),
        ],
        dict(sigma=50.0, steps=6),
    ),
}


def lasts(shown, name):
    """The last value of a reading in every run that did not diverge."""
    return np.array([run[name][-1] for run in whole_runs(shown)])


def right_at_the_end(shown, decimals=0):
    return f"{said(100 * middle(shown, 'accuracy'), decimals)} %"


def check_learning(text, shown, point):
    chosen, p = learning.settings(**point), point["p"]
    parent, fresh = lasts(shown, "parent") > 0.5, float(np.median(lasts(shown, "fresh")))
    if p in (0, 1):
        assert text.startswith(f"A deterministic walk: after {chosen.steps} steps")
        told = 100 if "all answers are right." in text else number_after(text, "it is right in")
        assert told == pytest.approx(100 * fresh, abs=0.1)
        return
    assert f"After {chosen.steps} steps {parent.sum()} of {len(parent)} runs read the parent." in text
    assert f"the middle one is right in {said(100 * fresh, 0)} % of cases;" in text
    assert f"no guess is right more often than in {said(100 * max(p, 1 - p), 1)} %." in text
    if parent.all() and point["n"] >= 300:  # of fewer walks the wrong neighbour may have won
        assert fresh == pytest.approx(max(p, 1 - p), abs=0.08), "what is read is used"
    assert ("There V lies" in text) == parent.any()
    if parent.any():
        to_root, to_step = (said(float(np.median(lasts(shown, name)[parent])), 2) for name in ("to_root", "to_step"))
        assert f"There V lies {to_root} from the root of the law" in text
        stays = theory.law_distance(p)
        told = f"and {to_step} from the law itself; with many walks and many steps these become 0 and {said(stays, 2)}."
        assert (told in text) == (stays >= 0.01)


def check_edge(text, shown, point):
    chosen, K, N = edge.settings(**point), point["K"], point["N"]
    ridge, all_walks, random = (N - 1) % K == 0, chosen.n == 0, point["random"] == 1
    assert text.startswith(f"N − 1 = {(N - 1) // K}·K" + (":" if ridge else f" + {(N - 1) % K}:"))
    right = np.array([run["accuracy"] for run in whole_runs(shown)]) > 0.999
    first = [
        run["steps"][len(row) - int((~row[::-1]).argmax())]
        for run, row in zip(whole_runs(shown), right, strict=True)
        if row[-1]
    ]
    step = re.search(r"(?:from|by) step (\d+)", text)
    if step:
        assert step[1] == said(float(np.median(first)))
    else:
        assert right_at_the_end(shown, int("one answer in" in text)) in text
    assert "fter" not in text or f"fter {shown.theory['laws.last'][0]:,.0f} steps" in text
    still = ridge and not point["random"] and (all_walks or not point["mixed"])
    assert ("From zero nothing moves apart" in text) == still
    if still and all_walks:
        assert middle(shown, "accuracy") == pytest.approx(1 / K)
    escape = shown.theory["laws.escape"][0]  # owned by test_drawn.py; none from a start that has left already
    assert ("The middle run is right" in text) == ((not ridge or (random and np.isnan(escape))) and right[:, -1].all())
    if "the law says step" in text:
        assert number_after(text, "the law says step") == pytest.approx(escape, abs=0.51)
    from_zero = ridge and not random
    assert ("Rounding alone is enough" in text) == (from_zero and not still and bool(first))
    assert ("All terms of a sum are equal" in text) == (
        from_zero and all_walks and (point["mixed"] == 1 or point["bits"] == 32)
    )
    bits = f"In one order equal numbers stay equal to the last bit, in numbers of {point['bits']} bits."
    assert (bits in text) == (from_zero and not all_walks and not point["mixed"])
    assert "one answer in" not in text or f"one answer in {K} is right" in text
    stuck = (~right[:, -1]).sum()
    waits = random and ridge and stuck > 0
    assert (f"{stuck} of {len(right)} runs have not left yet." in text) == waits
    parent = float(np.median([run["by_lag"][-LAGS] for run in whole_runs(shown)]))
    share = f"The parent has {said(parent, 2)} of the" if parent >= 0.005 else "The parent has less than 0.01 of the"
    assert (share in text) == (random and not waits)


def check_lags(text, shown, point):
    K, p, N = point["K"], point["p"], point["N"]
    signal, found = theory.lag_signal(K, p, N)[:LAGS], lasts(shown, "lag")
    lag, alike = theory.best_lag(K, p, N), (signal >= signal.max() - 1e-9).sum()
    favours = "the parent, lag 1." if lag == 1 else f"lag {lag}, not the parent."
    if p == 1:
        assert f"lags that differ by K = {K} are one and the same" in text
        assert f"The layer is right in {right_at_the_end(shown)} of its walks." in text
        return
    several = f"several lags alike, also lag {lag}."
    assert f"In the mean over all walks the second step favours {favours if alike == 1 else several}" in text
    other = found != 1
    counts = f"lag 3 in {(found == 3).sum()}, lag 5 in {(found == 5).sum()}; they are right in"
    right = said(100 * float(np.median(lasts(shown, "accuracy")[other]))) if other.any() else right_at_the_end(shown)
    if other.any():
        most = f"In {other.sum()} of {len(other)} runs another ancestor than the parent is read most,"
        assert f"{most} {counts} {right} % of their walks." in text
    else:
        assert f"All runs read the parent most: right in {right} of their walks." in text
    assert f"On new walks no guess is right more often than {said(100 * max(p, 1 - p), 1)} %." in text


def check_parity(text, shown, point):
    odd, leaning, p, K = lasts(shown, "odd"), lasts(shown, "leaning"), point["p"], point["K"]
    even, turned = odd < -0.5, odd > 0.5
    if K % 2:
        near = (lasts(shown, "lag") == 1).sum()
        assert f"K = {K} is odd, lags have no parity: {near} of {len(odd)} runs read the parent most." in text
    else:
        steps = parity.settings(**point).steps
        told = (even & (leaning < 0)).sum() + (turned & (leaning > 0)).sum()
        most = f"In {steps} steps {even.sum()} of {len(odd)} starts have turned to even lags, the wrong ones, and"
        assert f"{most} {turned.sum()} to odd ones; the projection of the start told {told} of these." in text
    two = np.linalg.matrix_power(theory.step_matrix(K, p), 2).max()
    assert ("From the grandparent alone" in text) == (max(p, 1 - p) - two < 1e-4 and K % 2 == 0)
    both = even.any() and turned.any() and K % 2 == 0
    assert ("The middle divergence is" in text) == both
    if both:
        nats = lasts(shown, "divergence")
        wrong, right = (said(float(np.median(nats[which])), 2) for which in (even, turned))
        assert f"{wrong} nats for even lags, {right} for odd ones." in text


def check_questions(text, shown, point):
    number = point["question"] - 1 if point["task"] == 1 else (point["question"] - 1) % 2
    *words, answer = questions(point["task"])[number]
    fruit = ("apple", "orange")[answer]
    if point["task"] == 1:
        assert text.startswith(
            f"{fruit.capitalize()} is named {words.count(answer)} times of five: that is the answer."
        )
    else:
        assert f"An {fruit} is preferred to an {('orange', 'apple')[answer]}: the answer is {fruit}." in text
    every = lasts(shown, "accuracy") > 0.999
    assert f"After {shown.runs[0]['steps'][-1]:,.0f} steps" in text
    if every.any():
        assert f"{every.sum()} of {len(every)} runs answer all {len(questions(point['task']))} questions" in text
    else:
        assert f"the middle one is right in {said(100 * middle(shown, 'accuracy'))} % of them." in text
    odds = [said(100 * middle(shown, name)) for name in ("apple", "orange")]
    assert f"the output has {odds[0]} % on apple and {odds[1]} % on orange, middles of the runs." in text


FIGURES = {
    "learning": Figure(
        {"K": 5, "N": 23, "n": 41, "lr": 0.7}, check_learning, lost=False, smaller={"WORK": 1e5, "FEWEST": 6}
    ),
    "edge": Figure(
        {"K": 5, "N": 31, "walks": 1, "mixed": 1, "bits": 32}, check_edge, lost=False,
        smaller={"LONGEST": 70, "SAMPLE": 12},
    ),
    "lags": Figure({"K": 20, "p": 0.81, "N": 33, "n": 110}, check_lags, lost=False, smaller={"STEPS": 4, "SIZES": 3}),
    "parity": Figure({"N": 27, "n": 50, "sigma": 0.013}, check_parity, lost=False, smaller={"WORK": 1e5, "FEWEST": 8}),
    "questions": Figure(
        {"task": 2, "question": 2, "lr": 0.37, "sigma": 0.013}, check_questions, smaller={"STEPS": 12}
    ),
}  # fmt: skip


def check_age(text, shown, point):
    """From powers of the matrix of a step, which the library's theory does not use."""
    powers = [np.linalg.matrix_power(theory.step_matrix(point["K"], point["p"]), lag) for lag in (1, point["lag"])]
    parent, here = (100 * power[0].max() for power in powers)
    assert number_after(text, "right in") == as_said(here, percent=True)
    assert ("Lag 1 is the parent" in text) == (point["lag"] == 1)
    if point["lag"] > 1:
        assert number_after(text, "From") == point["lag"]
        assert ("as from the parent" in text) == (parent - here < 0.1)
        if "as from" not in text:
            assert number_after(text, "from the parent in") == as_said(parent, percent=True)


def check_votes(text, shown, point):
    """Mean heights are the library's lag signal, which goes another way: by eigenvalues."""
    signal = theory.lag_signal(point["K"], point["p"], 151)[:12] * point["K"] / 150
    best, here = int(signal.argmax()) + 1, signal[point["lag"] - 1]
    assert number_after(text, "The cloud of lag") == point["lag"]
    assert number_after(text, "at") == as_said(here)
    assert ("lies highest, at" in text) == (signal.max() - here < 1e-9)
    if "highest is that" in text:
        assert number_after(text, "highest is that of lag") in np.flatnonzero(signal > signal.max() - 1e-9) + 1
    assert best == 1 or point["K"] >= 17


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
    for value in (root,) if "From step" in text else (law, root):
        assert f"{value:.2f}" in text or f"{value:.1g}" in text
    if "From step" in text and middle - ratio.min() > 0.02:
        near = steps[ratio < middle]
        assert number_after(text, "From step") == pytest.approx(near[0], rel=0.3, abs=3)
        assert number_after(text, "to step") == pytest.approx(near[-1], rel=0.3, abs=3)


def check_counts(text, shown, point):
    visits = np.bincount(np.arange(point["places"]) % point["K"], minlength=point["K"])
    higher = int((visits > visits.min()).sum())
    assert text.startswith(f"{point['places']} nodes on a circle of {point['K']}:")
    assert ("equally often" in text) == (higher == 0)
    assert ("one node is visited once more" in text) == (higher == 1)
    if higher > 1:
        assert f"{higher} nodes are visited once more" in text
    if higher == 0:
        assert f"accuracy {said(100 / point['K'])}%" in text


SMALLS = {
    "age": Small(check_age), "votes": Small(check_votes), "needle": Small(check_needle), "counts": Small(check_counts),
}  # fmt: skip
