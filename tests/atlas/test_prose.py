"""What the chapter says in words: quoted as it stands, and computed."""

import numpy as np
import pytest

from hal import claims
from hal.chapters.atlas.figures import deaf, six
from hal.chapters.atlas.runs import grid, pushes
from hal.chapters.atlas.runs.endings import ENDS
from hal.chapters.atlas.runs.reasons import RUNS
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

SAID = Prose("atlas")


def test_the_reading_at_half_way():
    SAID.says("comes at $\\tau={}$, with no number fitted", theory.half_clock(0.3, 0.02))
    SAID.says("At $0.45/0.03={}$.", theory.half_clock(0.45, 0.03))


def test_momentum_is_nine_steps_late():
    SAID.says("answers late, by $0.9/(1-0.9)={}$ steps", 0.9 / (1 - 0.9))


def test_both_powers_of_the_half_way_time():
    powers = [SAID.measured("ATL-22", part) for part in ("power of the half-way time", "in attention's")]
    SAID.says("On the softmax attention of chapter 1 we measure ${}$ and ${}$ (ATL-22)", *powers)


def test_what_is_heard_on_walks_is_about_a_thousandth():
    assert 0.0005 < SAID.measured("ATL-7", "share that is heard of the gradient") < 0.002


def test_frozen_attention_has_its_first_weight_on_distinct_tokens():
    task = ss.base_task()
    SAID.says("with {}% of the attention on distinct tokens, as", 100 * (task.P * task.distinct)[0].sum())


@pytest.fixture(scope="module")
def ratios():
    """Of a run of the six panels: last half-way over first, by the step and by the clock, for each of five tasks."""
    page = InPage(Computed(six))

    def found(**point):
        page.choose({"watch": 0, "optimiser": 0, "readout": 1.0, "attention": 1.0, **point})
        run = page.train(0)
        told = {}
        for name, row in zip(NAMES, (0, 3, 9, 12, 15), strict=True):
            times = [np.array(run[key][row : row + 3], dtype=float) for key in ("half_step", "half_clock")]
            told[name] = [float(max(x) / min(x)) if np.isfinite(x).all() else np.nan for x in times]
        return told, run

    return found


NAMES = ("Places", "Sentences", "Groups", "Walks", "Prompts")
FOUR = ("Places", "Groups", "Walks", "Prompts")


def test_six_panels_by_gradient_descent(ratios):
    SAID.says("at {} in Places and Prompts, at {} in Sentences, at {} in the others", 0.3, 0.45, 0.5)
    assert levels() == [0.3, 0.45, 0.5, 0.5, 0.5, 0.3]
    told, _ = ratios()
    assert all(told[name][0] > 1.4 and told[name][1] < 1.15 for name in FOUR)
    assert told["Sentences"][1] > 2 * told["Sentences"][0]


def test_six_panels_by_other_optimisers(ratios):
    told, run = ratios(optimiser=2)
    assert all(told[name][0] < 1.15 and told[name][1] > 5 for name in ("Places", "Prompts"))
    assert max(max(run[f"walks{i}"]) for i in (1, 2, 3)) < 0.1
    assert 0 < np.isfinite(np.array(run["half_step"][9:12], dtype=float)).sum() < 3
    told, run = ratios(optimiser=1)
    assert all(told[name][1] < 1.15 for name in FOUR)
    _, plain = ratios()
    assert run["half_clock"][12] > 1.2 * plain["half_clock"][12]
    told, run = ratios(optimiser=4)
    assert np.isfinite(list(told.values())).all()
    assert max(run["neighbours1"]) < 0.5 < max(plain["neighbours1"])


def test_water_below_the_bars_changes_no_sign():
    low, high = (deaf.first(deaf.Water(share), 0) for share in (0.7, 0.95))
    assert low["minus"] == [0.0] < high["minus"]
    assert deaf.first(deaf.Water(0.0), 0)["told"][0] == 0
    assert max(low["bars"]) / min(low["bars"]) < 4 / 3
    assert high["told"][0] > 50


def test_whose_adam_it_is():
    """Of the record's sixteen blocks of three runs: the least, the middle and the largest share."""
    shares = SAID.record["ATL-16"]["spread"]["parts"]
    assert min(shares["runs that find the parent by gradient descent, share"]) > 0.6
    assert sorted(shares["with the read-out’s Adam"])[1] == 0
    assert min(shares["the same, centred"]) > 0.6
    assert max(shares["centred, and with attention’s Adam"]) == 0
    assert SAID.measured("ATL-17", "attention with the read-out’s Adam at 0.01, over that of gradient descent") < 0.5
    assert SAID.measured("ATL-18", "largest change of the entropy under the read-out’s gradient descent, nats") < 0
    assert SAID.measured("ATL-18", "smallest under its Adam or sign descent") > 0


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
    assert grid.ATTENTION == (0.25, 1.0, 4.0)
    assert (len(ROWS), len(grid.OPTIMISERS)) == (10, 6)
    framed = [record[row, name] for row in ROWS if row.startswith("Groups") for name in DEAF]
    assert min(np.min(kept["right"]) for kept in framed) > 0.75
    assert max(np.max(kept["found"]) for kept in framed) <= 3
    assert len(grid.SEEDS) == 16
    for row, spec in ROWS.items():
        for optimiser in ("gradient descent", "momentum"):
            missed = 16 - found[row, optimiser][1, spec.readout.index(1.0)]
            assert missed in ((1, 2) if row == "Prompts, softmax" else (0,))
    deaf = [found[row, name].max() for row in ROWS if row.startswith(("Groups", "Walks")) for name in DEAF]
    assert len(deaf) == 6
    assert max(deaf) == 3
    pairs = {name: (found["Places, softmax", name] > 8).sum() for name in (*DEAF, "gradient descent")}
    assert min(pairs["Adam"], pairs["sign descent"]) > pairs["gradient descent"]
    assert found["Neighbours, softmax", "weight decay"].max() == 0
    for name in grid.OPTIMISERS:
        assert np.min(record["Sentences, softmax", name]["right"]) > 0.995
    assert {found["Sentences, softmax", name].min() for name in grid.OPTIMISERS} == {0, 16}


DEAF = ("Adam", "sign descent")


def test_a_soft_threshold_draws_a_diagonal():
    SAID.says("In Places, and in Prompts from $c=0$, a slow read-out with a fast attention is lost.")
    record = grid.recorded_grid()
    found = {row: np.array(record[row, "soft threshold"]["found"]) for row in ROWS if row.startswith(("Places", "Pro"))}
    for row in ("Places, linear", "Places, softmax", "Prompts, linear, c = 0"):
        assert found[row][2, 0] == 0 < found[row][1, 2]  # attention sixteen times as fast, and a quarter as fast
        assert np.array(record[row, "gradient descent"]["found"])[2, 0] == 16
    here = found["Prompts, linear, c = 0"]
    SAID.says("Two pairs of rates of the map lie on it: {} and {} of sixteen runs get away.", here[1, 0], here[2, 1])
    own = record["Prompts, linear", "soft threshold"]
    assert np.min(own["found"]) == 16
    SAID.says("$\\lambda=q_0={}$ and $d={}$ this ratio is {}, a quarter", 0.05, 5, theory.critical_ratio(0.05, 0.05, 5))
    assert ROWS["Prompts, linear, c = 0"].softens == 0.05
    assert theory.critical_ratio(0.05, 0.05, 5) / (0.004 / 0.02) == pytest.approx(0.25)


def test_the_endings():
    ends = {name: end() for name, end in ENDS.items()}
    laws = {name: end.power if np.isfinite(end.power) else "exponential" for name, end in ends.items()}
    assert len(set(laws.values())) == 4
    assert [name for name, law in laws.items() if law == "exponential"] == ["Places", "Prompts"]
    places = ends["Places"]
    assert places.left[-1] > 3 * places.law[-1]
    assert not claims.get("ATL-19").control().good


def test_right_answers_with_attention_elsewhere():
    for book, other in RUNS.values():
        honest, wrong = book(range(4)), other(range(4))
        assert wrong.right[-1] > honest.right[-1] - 0.06
        assert wrong.seen[-1] < 0.5 < honest.seen[-1]


def test_the_sample_gap_is_that_of_chapter_1():
    names = ("gradient descent", "Adam", "sign descent", "soft threshold")
    powers = [exponent(*along("T", "little else", name, "linear"))[0] for name in names]
    SAID.says(
        "it takes samples like $T^{{}}$ by gradient descent, $T^{{}}$ by Adam and $T^{{}}$ by sign descent", *powers[:3]
    )
    SAID.says("a soft threshold narrows it, to $T^{{}}$.", powers[3])


def test_two_pushes_are_a_clock():
    step, clock, lost = pushes.recorded_clocks()
    told = pushes.asked(ss.base_task())
    last = clock[pushes.VERSIONS.index(("decoder", "finite"))]
    means = last.mean(axis=1)
    SAID.says("The reading is {} to {} where {} is asked", means.min(), means.max(), told)
    SAID.says("at learning rates of the read-out {} times apart", pushes.TIMES[-1] / pushes.TIMES[0])
    SAID.says("Seven learning rates of the read-out from an eighth to eight, attention's at 1, sixteen seeds")
    assert (pushes.TIMES[0], pushes.TIMES[-1], len(pushes.TIMES), step.shape[1]) == (0.125, 8.0, 7, 16)
    task = ss.base_task()
    first = float((task.P * task.distinct)[0].sum())
    SAID.says("The level is a mass of {} on distinct tokens", pushes.LEVEL)
    SAID.says("which asks for log-odds {} above those of the {} at initialisation", told, first)
    SAID.says("or a thousand of {} tokens", task.L)
    assert pushes.TESTS == 1000
    SAID.says("Of {} runs {} are not half-way.", step.size, lost)
    some = slice(1, 6)  # a quarter to four
    spread = np.log(step[some]).std(axis=0).mean()
    SAID.says("Over a factor of sixteen the step spreads by {} (standard deviation of its logarithm)", spread)
    by = dict(zip(pushes.VERSIONS, np.log(clock[:, some]).std(axis=1).mean(axis=-1), strict=True))
    SAID.says("and the clock of attention alone by {}.", by["attention", "infinite"])
    SAID.says(
        "With sequences of the real length it is {}, with the decoder's own shapes {}, with both {}.",
        by["attention", "finite"], by["decoder", "infinite"], by["decoder", "finite"],
    )  # fmt: skip
    SAID.says("Three curves fall from left to right, from as much as {}; the fourth", np.median(clock[0, 0]))
    falling = np.median(clock, axis=-1)[:3]
    assert (np.diff(falling, axis=1) < 0).all()
    SAID.says("lies on the dashed line at {}.", told)
    SAID.says("whose clock spreads by less than 0.05 here")
