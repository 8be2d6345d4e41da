"""The numbers of the atlas's text, each computed; those of claims are of the record, which other tests compare."""

import functools

import numpy as np
import pytest

from hal.chapters.atlas.figures import deaf, six
from hal.chapters.atlas.runs import grid, pushes
from hal.chapters.atlas.runs.rows import ROWS
from hal.chapters.scb.runs.samples import along, exponent
from hal.explorer import Computed
from lib import optim
from lib.models import random_walk as rw
from lib.models import scan_snap as ss
from lib.models.atlas.tasks import levels
from lib.sampling import generators
from lib.theory import atlas as theory
from lib.train import GivenBatches, train
from tests.in_page import InPage
from tests.prose import Prose

PROSE = Prose("atlas")
says, measured, claim = PROSE.says, PROSE.measured, PROSE.claim
TASK, DEAF = ss.base_task(), ("Adam", "sign descent")
DISTINCT = float((TASK.P * TASK.distinct)[0].sum())


def sample_power(name):
    """Exponent in the length of the samples that linear attention of chapter 1 takes, by its record."""
    return lambda: exponent(*along("T", "little else", name, "linear"))[0]


TABLE = [
    ("comes at $\\tau={}$, with no number fitted", float(theory.half_clock(0.3, 0.02))),
    ("At $0.45/0.03={}$.", float(theory.half_clock(0.45, 0.03))),
    ("answers late, by $0.9/(1-0.9)={}$ steps", 0.9 / (1 - 0.9)),
    ("On the softmax attention of chapter 1 we measure ${}$ and ${}$ (ATL-22)",
     *(claim("ATL-22", part) for part in ("power of the half-way time", "in attention's"))),
    ("with {}% of the attention on distinct tokens, as", 100 * DISTINCT),
    ("at {} in Places and Prompts, at {} in Sentences, at {} in the others", levels()[:3]),
    ("it takes samples like $T^{{}}$ by gradient descent, $T^{{}}$ by Adam and $T^{{}}$ by sign descent",
     *map(sample_power, ("gradient descent", "Adam", "sign descent"))),
    ("a soft threshold narrows it, to $T^{{}}$.", sample_power("soft threshold")),
    ("$\\lambda=q_0={}$ and $d={}$ this ratio is {}, a quarter", 0.05, 5, float(theory.critical_ratio(0.05, 0.05, 5))),
    ("The level is a mass of {} on distinct tokens", pushes.LEVEL),
    ("which asks for log-odds {} above those of the {} at initialisation", pushes.asked(TASK), DISTINCT),
    ("or a thousand of {} tokens", TASK.L),
    ("at learning rates of the read-out {} times apart", pushes.TIMES[-1] / pushes.TIMES[0]),
    ("lies on the dashed line at {}.", pushes.asked(TASK)),
]  # fmt: skip


@PROSE.rows(TABLE)
def test_number_in_text_is_what_is_computed(row):
    says(*row)


def test_numbers_in_words_that_claims_measure():
    """Of ATL-16 the least, the middle and the largest share of the record's sixteen blocks of three runs."""
    assert 0.0005 < measured("ATL-7", "share that is heard of the gradient") < 0.002  # "about a thousandth"
    shares = PROSE.record["ATL-16"]["spread"]["parts"]
    assert min(shares["runs that find the parent by gradient descent, share"]) > 0.6
    assert sorted(shares["with the read-out’s Adam"])[1] == 0
    assert min(shares["the same, centred"]) > 0.6
    assert max(shares["centred, and with attention’s Adam"]) == 0
    assert measured("ATL-17", "attention with the read-out’s Adam at 0.01, over that of gradient descent") < 0.5
    assert measured("ATL-18", "largest change of the entropy under the read-out’s gradient descent, nats") < 0
    assert measured("ATL-18", "smallest under its Adam or sign descent") > 0


@pytest.fixture(scope="module")
def six_panels():
    """Of a run of the six panels: last half-way over first, by the step and by the clock, for each of five tasks."""
    page = InPage(Computed(six))

    @functools.cache
    def found(**point):
        page.choose({"watch": 0, "optimiser": 0, "readout": 1.0, "attention": 1.0, **point})
        run = page.train(0)
        told = {}
        for name, row in zip((FOUR[0], "Sentences", *FOUR[1:]), (0, 3, 9, 12, 15), strict=True):
            times = [np.array(run[key][row : row + 3], dtype=float) for key in ("half_step", "half_clock")]
            told[name] = [float(max(x) / min(x)) if np.isfinite(x).all() else np.nan for x in times]
        return told, run

    return found


FOUR = ("Places", "Groups", "Walks", "Prompts")


def test_six_panels_by_gradient_descent(six_panels):
    """Read-outs sixteen times apart: the step like the power -1/2 of the rate, the clock as theory has it."""
    told, run = six_panels()
    assert all(told[name][0] > 1.4 and told[name][1] < 1.15 for name in FOUR)
    assert told["Sentences"][1] > 2 * told["Sentences"][0]
    for name in ("Places", "Prompts"):
        assert np.log(told[name][0]) / np.log(16) == pytest.approx(0.5, abs=0.08), name
    assert np.mean(run["half_clock"][15:18]) == pytest.approx((0.3 - 0.05) / (2 * 0.02), rel=0.06)


def test_six_panels_by_other_optimisers(six_panels):
    told, run = six_panels(optimiser=2)
    assert all(told[name][0] < 1.15 and told[name][1] > 5 for name in ("Places", "Prompts"))
    assert max(max(run[f"walks{i}"]) for i in (1, 2, 3)) < 0.1
    assert 0 < np.isfinite(np.array(run["half_step"][9:12], dtype=float)).sum() < 3
    told, run = six_panels(optimiser=1)
    assert all(told[name][1] < 1.15 for name in FOUR)
    _, plain = six_panels()
    assert run["half_clock"][12] > 1.2 * plain["half_clock"][12]
    told, run = six_panels(optimiser=4)
    assert np.isfinite(list(told.values())).all()
    assert max(run["neighbours1"]) < 0.5 < max(plain["neighbours1"])


def test_water_below_the_bars_changes_no_sign():
    low, high = (deaf.first(deaf.Water(share), 0) for share in (0.7, 0.95))
    assert low["minus"] == [0.0] < high["minus"]
    assert deaf.first(deaf.Water(0.0), 0)["told"][0] == 0
    assert max(low["bars"]) / min(low["bars"]) < 4 / 3  # "differ by less than a third"
    assert high["told"][0] > 50  # "more than half of the signs"


def test_attention_by_adam_spreads_over_many_lags():
    layer = rw.MinimalTransformer(K=6, N=97, M=1000)
    walks = rw.Walk(6, 97, 0.8).sample(500, generators([0]))
    slow = optim.adam(0.05)
    rule = optim.per_field(V=optim.sgd(1.0), u=slow, g=slow)
    run = train(GivenBatches(layer, [walks]), layer.init(1), rule, steps=200)
    on_lags = layer.attention(run.params, walks)[0].mean(axis=0)[:-1]
    shares = on_lags / on_lags.sum()
    assert np.exp(-(shares * np.log(shares)).sum()) > 5  # effective number of places
    assert shares.max() < 0.5


def test_the_recorded_map():
    record = grid.recorded_grid()
    found = {key: np.array(kept["found"]) for key, kept in record.items() if "why" not in kept}
    assert grid.ATTENTION == (0.25, 1.0, 4.0)  # "to a quarter and to four times the middle ones"
    assert (len(ROWS), len(grid.OPTIMISERS), len(grid.SEEDS)) == (10, 6, 16)
    framed = [record[row, name] for row in ROWS if row.startswith("Groups") for name in DEAF]
    assert min(np.min(kept["right"]) for kept in framed) > 0.75
    assert max(np.max(kept["found"]) for kept in framed) <= 3
    for row, spec in ROWS.items():  # "in every run of every row but one"
        for optimiser in ("gradient descent", "momentum"):
            missed = 16 - found[row, optimiser][1, spec.readout.index(1.0)]
            assert missed in ((1, 2) if row == "Prompts, softmax" else (0,))
    deaf_ = [found[row, name].max() for row in ROWS if row.startswith(("Groups", "Walks")) for name in DEAF]
    assert (len(deaf_), max(deaf_)) == (6, 3)  # "in more than three of sixteen runs"
    pairs = {name: (found["Places, softmax", name] > 8).sum() for name in (*DEAF, "gradient descent")}
    assert min(pairs["Adam"], pairs["sign descent"]) > pairs["gradient descent"]
    assert found["Neighbours, softmax", "weight decay"].max() == 0
    for name in grid.OPTIMISERS:
        assert np.min(record["Sentences, softmax", name]["right"]) > 0.995
    assert {found["Sentences, softmax", name].min() for name in grid.OPTIMISERS} == {0, 16}


def test_a_soft_threshold_draws_a_diagonal():
    record = grid.recorded_grid()
    found = {row: np.array(record[row, "soft threshold"]["found"]) for row in ROWS if row.startswith(("Places", "Pro"))}
    for row in ("Places, linear", "Places, softmax", "Prompts, linear, c = 0"):
        assert found[row][2, 0] == 0 < found[row][1, 2]  # attention sixteen times as fast, and a quarter as fast
        assert np.array(record[row, "gradient descent"]["found"])[2, 0] == 16
    here = found["Prompts, linear, c = 0"]
    says("Two pairs of rates of the map lie on it: {} and {} of sixteen runs get away.", here[1, 0], here[2, 1])
    assert np.min(record["Prompts, linear", "soft threshold"]["found"]) == 16
    assert ROWS["Prompts, linear, c = 0"].softens == 0.05
    assert theory.critical_ratio(0.05, 0.05, 5) / (0.004 / 0.02) == pytest.approx(0.25)


def test_two_pushes_are_a_clock():
    step, clock, lost = pushes.recorded_clocks()
    told, means = pushes.asked(TASK), clock[pushes.VERSIONS.index(("decoder", "finite"))].mean(axis=1)
    says("The reading is {} to {} where {} is asked", means.min(), means.max(), told)
    assert (pushes.TIMES[0], pushes.TIMES[-1], len(pushes.TIMES), step.shape[1]) == (0.125, 8.0, 7, 16)
    says("Of {} runs {} are not half-way.", step.size, lost)
    some = slice(1, 6)  # a quarter to four
    says("Over a factor of sixteen the step spreads by {} (standard deviation of its logarithm)",
         np.log(step[some]).std(axis=0).mean())  # fmt: skip
    by = dict(zip(pushes.VERSIONS, np.log(clock[:, some]).std(axis=1).mean(axis=-1), strict=True))
    says("and the clock of attention alone by {}.", by["attention", "infinite"])
    says("With sequences of the real length it is {}, with the decoder's own shapes {}, with both {}.",
         by["attention", "finite"], by["decoder", "infinite"], by["decoder", "finite"])  # fmt: skip
    says("Three curves fall from left to right, from as much as {}; the fourth", np.median(clock[0, 0]))
    says("whose clock spreads by less than 0.05 here")
    assert by["decoder", "finite"] < 0.05
