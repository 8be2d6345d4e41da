"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import json
import re

import numpy as np
import pytest

from lib import claims
from lib.chapters.random_walk import runs
from lib.chapters.random_walk.explorers import edge, learning, parity
from lib.chapters.random_walk.runs.textbook_twin import fast_runs
from lib.errors import InputError
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from tests.browser import ROOT

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
    assert theory.check_ridge(6, 97) == 16
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
    found = json.loads((ROOT / "results" / "random_walk" / "claims.json").read_text())["claims"][one]["check"]["parts"]
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


def test_every_claim_that_is_named_exists():
    named = set(re.findall(r"RW-\d+", TEXT))
    assert len(named) > 12
    assert named <= {one.id for one in claims.of("random_walk")}
