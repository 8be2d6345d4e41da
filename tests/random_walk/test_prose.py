"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import json
import re

import numpy as np
import pytest

from hal import claims
from hal.chapters.random_walk import runs
from hal.chapters.random_walk.figures import edge, learning, parity, questions
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.results import path_of
from lib.errors import InputError
from lib.models import random_walk as rw
from lib.models.random_walk import textbook_edge, textbook_questions
from lib.sampling import generators
from lib.theory import random_walk as theory
from tests.browser import ROOT
from tests.random_walk.rows import in_page

CELLS = json.loads((ROOT / "book" / "random_walk.ipynb").read_text())["cells"]
TEXT = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")


def learned(**changed):
    """The fast twin of the first figure, twenty runs."""
    given = {"K": 6, "N": 97, "p": 0.7, "ratio": 10.0, "n": 300, "lr": 1.0, "epsilon": 0.1}
    steps = changed.pop("steps", 30)
    return fast_runs(learning.settings(**{**given, **changed})._replace(steps=steps), range(20))


def test_the_first_figure():
    assert "After the second all attention is on lag 1" in TEXT
    assert "From step 3 on the layer is right in some 70 % of cases" in TEXT
    found = learned()
    middle = {name: np.median(values, axis=0) for name, values in found.items()}
    assert middle["parent"][1] < 0.02 < 0.99 < middle["parent"][2]
    np.testing.assert_allclose(middle["accuracy"][3:], 0.7, atol=0.02)
    assert "[A rate of 0.01](#random_walk-learning:lr=0.01) takes some sixteen steps instead of two" in TEXT
    slow = learned(lr=0.01)["parent"]
    first = (slow[slow[:, -1] > 0.9] > 0.9).argmax(axis=1)
    assert np.median(first) == pytest.approx(16, abs=3)


def test_how_many_walks_are_enough():
    assert "With 10 walks and all their turns 4 of 20 runs find the parent at $p=0.7$; with 100 it is 16" in TEXT
    assert "with 2000 all" in TEXT
    for n, expected, slack in ((10, 4, 3), (100, 16, 2), (2000, 20, 0)):
        assert np.sum(learned(n=n)["parent"][:, -1] > 0.9) == pytest.approx(expected, abs=slack)
    assert "[Ten walks](#random_walk-learning:n=10) are too few; in most runs another place wins" in TEXT


def test_the_numbers_of_the_theory():
    assert "These are 139 numbers instead of a million at $K=6$, $N=97$, $M=1000$" in TEXT
    assert (6**2 + 6 + 97, (6 + 1000) ** 2 + 36) == (139, 1_012_072)
    assert r"The factor $\rho^2$, here a quarter of a million" in TEXT
    assert pytest.approx(250_000, rel=0.01) == (1001 / 2) ** 2
    assert "the nearest rival, lag 2, lies 20 nats behind" in TEXT
    below = theory.second_scores(6, 0.5, 97, 1000)
    assert below[1:].min() == pytest.approx(20, abs=0.5)
    assert below[1] == pytest.approx(below[1:].min())
    assert "the distance from $\\Pi^\\top$ stops at 0.097, 0.175, 0.211" in TEXT
    assert [f"{theory.law_distance(p):.3f}" for p in (0.6, 0.7, 0.9)] == ["0.097", "0.175", "0.211"]
    assert "that is 18-fold at first" in TEXT
    assert recorded("RW-13", "in step 1") == pytest.approx(18, abs=0.2)
    assert "take over after some twenty steps (RW-13)" in TEXT


def test_the_edge():
    assert "at $N=97$ and $K=6$ every walk visits every node 16 times".lower() in TEXT.lower()
    assert divmod(97 - 1, 6) == (16, 0)
    assert "holds longest, 720 steps or so" in TEXT
    assert edge.laws(edge.settings(6, 97, 1, 1e-8, 0, 0, 64))["escape"][0] == pytest.approx(720, abs=20)
    assert "[A short walk](#random_walk-edge:N=25,random=1) leaves sooner than [a long one]" in TEXT
    short, long = (edge.laws(edge.settings(6, N, 1, 0.01, 0, 0, 64))["escape"][0] for N in (25, 145))
    assert short < 0.8 * long


def test_the_ancestors():
    assert "at $K=20$, $p=0.8$ the favoured lag is 3, at $N=101$ as at $N=5001$" in TEXT
    assert (theory.best_lag(20, 0.8, 101), theory.best_lag(20, 0.8, 5001)) == (3, 3)
    assert "For small circles it is the parent everywhere." in TEXT
    cells = [(K, p) for K in range(4, 11) for p in np.arange(0.5, 0.976, 0.025)]
    assert {theory.best_lag(K, p, 151) for K, p in cells} == {1}
    assert "it is right in some 40 % of cases, where 75 % were possible (RW-16)" in TEXT
    assert "For a strong drift on a large one it is lag 3, 5 or more" in TEXT
    assert {3, 5} <= {theory.best_lag(K, p, 151) for K in (20, 30) for p in (0.7, 0.75, 0.8, 0.85)}


@pytest.mark.parametrize(("sigma", "right"), [(0.01, 18), (1e-5, 12)])
def test_how_often_the_projection_is_right(sigma, right):
    assert "tells which in most of them: 18 of 24 in a longer test" in TEXT
    assert "the projection was right 12 times of 24, like a coin" in TEXT
    kind = {"sigma": sigma, "unit_length": True}
    found = runs.learn(rw.Walk(6, 49, 0.5), range(24), lr=10.0, steps=parity.STEPS, n=200, **kind)
    start = found.model.init(24, generators(range(24), 2))
    S = found.model.attention(found.run.params, found.walks).mean(axis=1)[:, -2::-1]
    odd = S[:, ::2].sum(axis=1) - S[:, 1::2].sum(axis=1)
    told = np.sum(theory.parity_projection(start.V, start.g, 1000, sigma) * odd > 0)
    assert told == pytest.approx(right, abs=2)


def recorded(one, part):
    found = json.loads(path_of("random_walk", "claims").read_text())["claims"][one]["check"]["parts"]
    return next(p["measured"] for p in found if part in p["name"])


def test_what_the_ledger_has_is_quoted():
    assert "In the talk's size four of twelve runs found the parent" in TEXT
    assert recorded("RW-18", "runs of twelve") == 4
    assert recorded("RW-16", "accuracy") == pytest.approx(0.4, abs=0.03)
    assert recorded("RW-13", "earliest") >= 15
    assert recorded("RW-13", "latest") <= 25


def test_the_paper_s_figures():
    assert r"At $p=\frac12$ step 3 has the best accuracy" in TEXT
    found = runs.learn(rw.Walk(6, 97, 0.5), range(4), steps=3, record_at=[0, 2, 3]).run["accuracy"]
    assert np.median(found[:, 1]) < 0.4
    assert np.median(found[:, 2]) == pytest.approx(0.5, abs=0.03)


def test_a_random_start_at_the_printed_rate_does_not_move():
    assert "The rate as printed, 0.01 on the mean, moves nothing in the time given" in TEXT
    start = {"sigma": 0.01, "unit_length": True}
    run = runs.learn(rw.Walk(6, 97, 1.0), range(2), lr=0.01, steps=1000, n=30, **start).run
    assert run["accuracy"][:, -1].max() < 0.5


def test_lazy_walks():
    assert "all of six runs find the parent, and they are right as often as one can be: 0.44, 0.35, 0.50" in TEXT
    for stay, right in ((0.1, 0.44), (0.3, 0.35), (0.5, 0.5)):
        found = runs.lazy(range(6), stay)
        assert (found.lag == 1).all()
        assert found.accuracy.mean() == pytest.approx(right, abs=0.02)
        assert found.accuracy.mean() == pytest.approx(found.best, abs=0.025)
    with pytest.raises(InputError, match=r"stay: expected a probability in \[0, 1\], got 1\.5"):
        runs.lazy([0], 1.5)


def test_adam_on_the_ridge():
    assert "From exact zero Adam stays as gradient descent does." in TEXT
    assert np.isnan(runs.adam_escape([0], 0.0, steps=60)).all()
    assert "Adam at the rate 0.01 is always right after some 40 steps" in TEXT
    assert np.nanmedian(runs.adam_escape(range(6), 1e-6, steps=80)) == pytest.approx(40, abs=12)
    assert "gradient descent at the rate 1 after two to five" in TEXT
    at = range(9)
    right = runs.learn_population(rw.Walk(6, 97, 1.0), range(6), steps=8, record_at=at, sigma=1e-6).run["accuracy"]
    assert (right > 0.999).any(axis=1).all()
    assert 2 <= (right > 0.999).argmax(axis=1).min() <= (right > 0.999).argmax(axis=1).max() <= 5


@pytest.mark.parametrize(("link", "given", "step"), [
    ("walks=1,mixed=1)", {}, 20), ("walks=1,mixed=1,bits=32)", {"bits": 32}, 10),
])  # fmt: skip
def test_rounding_on_the_edge(link, given, step):
    assert f"#random_walk-edge:{link}" in TEXT
    assert "it is right from about step 20 on" in TEXT
    assert "in [single precision](#random_walk-edge:walks=1,mixed=1,bits=32) from about step 10." in TEXT
    chosen = edge.settings(6, 97, 0, 0.01, 1, 1, 64)._replace(**given)
    found = [np.array(run["accuracy"]) > 0.999 for run in in_page(textbook_edge, chosen, range(6))]
    assert np.median([right.argmax() for right in found]) == pytest.approx(step, abs=3)


def test_in_one_order_nothing_moves():
    assert "[In one order](#random_walk-edge:walks=1,bits=32) it stays for good, in single precision as in" in TEXT
    for bits in (32, 64):
        (run,) = in_page(textbook_edge, edge.settings(6, 97, 0, 0.01, 1, 0, bits), [0])
        by_lag = np.array(run["by_lag"]).reshape(len(run["steps"]), -1)
        assert np.ptp(by_lag, axis=1).max() == 0
        assert np.ptp(run["accuracy"][1:]) == 0


def read(**changed):
    """The first run of the figure of the questions: its readings, attention of the words at its end."""
    given = {"task": 1, "question": 12, "lr": 0.1, "sigma": 0.01, "unit": 1, **changed}
    (run,) = in_page(textbook_questions, questions.settings(**given), [0])
    return run, np.array(run["attention"]).reshape(len(run["steps"]), -1)


def test_the_questions_word_by_word():
    assert "After 100 steps the fruits of the list are read twice as much as the other words" in TEXT
    assert "each votes for itself more than for the other one" in TEXT
    run, attention = read()
    fruits, others = attention[-1, 4:9], [*attention[-1, :4], *attention[-1, 9:-1]]
    assert np.mean(fruits) / np.mean(others) == pytest.approx(2, abs=0.2)
    votes = np.array(run["votes"]).reshape(len(run["steps"]), -1, 2)[-1, 4:9]
    own = np.array(textbook_questions.fruits(1, 11))
    assert (votes[np.arange(5), own] > votes[np.arange(5), 1 - own]).all()
    assert "and all 32 questions are right" in TEXT
    assert run["accuracy"][-1] == pytest.approx(1)
    assert "both questions hold the same words in another order" in TEXT
    words = rw.preferred().s[0, :, :-1]
    assert sorted(words[0]) == sorted(words[1])
    assert "one of the two answers is right, at [any learning rate](#random_walk-questions:task=2,lr=1)" in TEXT
    for lr in (0.01, 0.1, 1.0):
        assert read(task=2, lr=lr)[0]["accuracy"][-1] == pytest.approx(0.5)
    run, _ = read(task=2)
    votes = np.array(run["votes"]).reshape(len(run["steps"]), -1, 2)[-1, :-1]
    assert "Every word says apple and orange alike" in TEXT
    np.testing.assert_allclose(votes[:, 0], votes[:, 1], rtol=0.1)


def test_the_edges_of_the_questions():
    assert "At [a rate of 1](#random_walk-questions:lr=1) the fruits of the list get 95 % of the attention" in TEXT
    assert read(lr=1.0)[1][-1, 4:9].sum() == pytest.approx(0.95, abs=0.01)
    assert "a random start is almost all on one or two words before the first step (RW-15)" in TEXT
    starts = [rw.MinimalTransformer(K=19, N=19, sigma=0.01).init(40, generators(range(40)))]
    S = rw.MinimalTransformer(K=19, N=19).attention(starts[0], rw.preferred())[:, 0]
    assert np.median(np.sort(S, axis=1)[:, -2:].sum(axis=1)) > 0.9
    assert read(task=2, unit=0)[1][0].max() > 0.9


def test_other_graphs():
    assert "at $N=97$ twelve of twelve runs read an odd lag, at $N=98$ an even one" in TEXT
    for N, parity_of_lag in ((97, 1), (98, 0)):
        lags = runs.on_graph(rw.path_steps(5), range(12), N=N, steps=20)["lag"][:, -1]
        assert (lags % 2 == parity_of_lag).all()
    assert "On a path of 12 nodes all pairs of neighbours are equally frequent" in TEXT
    joint = theory.joint_root(rw.path_steps(12), 97) ** 2
    np.testing.assert_allclose(joint[joint > 0], 1 / 22, rtol=0.08)
    assert "$V$ ends as the table of who is next to whom" in TEXT
    late = runs.on_graph(rw.path_steps(12), range(6), steps=400)
    assert np.sum(late["lag"][:, -1] == 1) >= 5
    next_to = (rw.path_steps(12) > 0).astype(float)
    assert np.median(rw.direction_distance(late.params.V, next_to)) < 0.12
    assert np.median(late["to_step"][:, -1]) > 0.2
    assert "training finds the parent in most runs, and where it does is right as often as can be" in TEXT
    assert recorded("RW-19", "share of runs") >= 0.6


def test_two_heads_and_other_positions():
    assert "From zero they stay alike to the last bit: one layer whose values learn at twice the rate" in TEXT
    assert recorded("RW-20", "largest difference") == 0
    assert "the parity trap catches both less often than it catches one (RW-20)" in TEXT
    kind = {"sigma": 0.01, "unit_length": True, "lr": 10.0, "steps": 300, "n": 200}
    one, two = (runs.with_heads(H, rw.Walk(6, 49, 0.5), range(24), **kind)["odd"][:, -1] for H in (1, 2))
    assert np.sum((two < 0).all(axis=1)) < np.sum((one < 0).all(axis=1))
    assert "three steps are always right, at a place that the overlaps tell" in TEXT
    assert recorded("RW-21", "smallest accuracy") == pytest.approx(1)
    assert "At $p=0.7$ the overlaps mislead: most runs read a wrong place (RW-21)." in TEXT
    assert recorded("RW-21", "at the parent") <= 3
    assert "fixed, they do the same" in TEXT
    for p, n in ((1.0, None), (0.7, 300)):
        moved, still = (
            runs.with_positions(rw.Walk(6, 97, p), range(4), "random", learned, steps=5, n=n, M=300)
            for learned in (True, False)
        )
        np.testing.assert_array_equal(moved["lag"], still["lag"])
    assert "If they start orthogonal, learning them changes nothing either." in TEXT
    moved, still = (
        runs.with_positions(rw.Walk(6, 97, 0.7), range(4), "sine", learned, steps=10, n=1000)
        for learned in (True, False)
    )
    np.testing.assert_array_equal(moved["lag"], still["lag"])
    np.testing.assert_allclose(moved["accuracy"], still["accuracy"], atol=0.01)


def test_every_claim_that_is_named_exists():
    named = set(re.findall(r"RW-\d+", TEXT))
    assert len(named) > 12
    assert named <= {one.id for one in claims.of("random_walk")}
