"""The numbers of the atlas's text, each computed; those of claims are of the record, which other tests compare."""

import functools

import numpy as np

from hal import claims
from hal.chapters.atlas import theory
from hal.chapters.atlas.figures import clock, deaf, six
from hal.chapters.atlas.models.tasks import levels
from hal.chapters.atlas.models.textbook import LEVEL
from hal.chapters.atlas.runs import grid
from hal.chapters.atlas.runs.rows import ROWS
from hal.chapters.scb.runs.samples import LENGTHS, exponent, interval, silenced
from hal.figure import figure_of
from lib import optim
from lib.models import group_sparse as gs
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import GivenBatches, train
from tests.prose import Prose

PROSE = Prose("atlas")
says, measured = PROSE.says, PROSE.measured
TASK, DEAF = ss.base_task(), ("Adam", "sign descent")
GROUPS = gs.Task(D=6, d=4)
SAMPLED = ("gradient descent", *DEAF, "soft threshold")
DISTINCT = float((TASK.P * TASK.distinct)[0].sum())


@functools.cache
def run_of_six():
    """The run with which the figure of six tasks opens."""
    figure = figure_of(six)
    return figure.built.compute(figure.check({}), 0, 1).runs[0]


def drawn():
    """What its sentences say of it."""
    return six.run_metrics(*(list(run_of_six()[name]) for name in ("half_step", "half_clock")))


def sample_power(name):
    """Of the samples that linear attention of chapter 1 takes, by its record: exponent in the length, its interval."""
    power = functools.cache(lambda: interval(exponent(LENGTHS, silenced(name))))
    return [lambda i=i: power()[i] for i in range(3)]


TABLE = [
    ("when its clock reads {}, in the fast run as in the slow one", float(theory.half_clock(LEVEL, 0.02))),
    ("a *signal* of attention of {}, where", LEVEL),
    ("agree at half-way within {}% (ATL-12", 100 * (six.CLOSE - 1)),
    (
        "Half-way is a share of {} of attention on the right place, but {} in Sentences, where it starts at {} and "
        "settles near {}.",
        lambda: [levels()[3], levels()[1], DISTINCT, run_of_six()["sentences1"][-1]],
    ),
    ("as in the first figure, and half-way is {}.", levels()[0]),
    ("predicts $0.3/0.02={}$ without", float(theory.half_clock(levels()[0], 0.02))),
    ("At $0.45/0.05={}$.", float(theory.half_clock(0.45, 0.05))),
    ("With six groups of four variables that is {}%", 100 * GROUPS.D / (GROUPS.d + GROUPS.D)),
    ("with {}% on the telling words, and", 100 * DISTINCT),
    *((f"| {name} | {{}} | {{}} to {{}} |", *sample_power(name)) for name in SAMPLED),
    ("checks {} statements of this chapter", lambda: len(claims.of("atlas"))),
]  # fmt: skip


def test_what_is_said_of_six_tasks_is_what_they_do():
    """By the step and by the clock, of the figure as it opens."""
    found = drawn()
    assert (found["arrive"], found["by_clock"], found["given"]) == ([5.0], [4.0], [1.0])
    fast, slow = run_of_six()["half_clock"][2:4]
    assert slow > 2 * fast  # Sentences: "one clock does not tell the time"
    assert np.isfinite(np.delete(run_of_six()["half_step"], 5)).all()


@PROSE.rows(TABLE)
def test_number_in_text_is_what_is_computed(row):
    says(*row)


def test_numbers_in_words_that_claims_measure():
    assert 0.0005 < measured("ATL-7", "share that is heard of the gradient") < 0.002  # "about a thousandth"


def test_fast_read_out_moves_attention_about_twice_as_early_and_half_the_clock_does_at_twice_the_rate():
    figure = figure_of(clock)
    ways = ({}, {"lr_A": 0.04}, {"T": 16}, {"T": 64})
    once, twice, short, long = (figure.built.compute(figure.check(way), 0, 1).runs[0] for way in ways)
    for i in range(2):
        says("of 64 tokens takes {} times as many steps", long["half_step"][i] / short["half_step"][i])
    assert 1.7 < once["half_step"][0] / once["half_step"][1] < 2.3
    np.testing.assert_allclose(np.divide(once["half_clock"], twice["half_clock"]), 2, rtol=0.1)


def test_signs_less_their_mean_raise_every_other_position():
    figure = figure_of(deaf)
    looks = np.reshape(figure.built.compute(figure.check({"less": 1}), 0, 1).runs[0]["sign_looks"], (-1, 25))[-1]
    assert looks[1::2].min() > 3 * looks[0:24:2].max()


def test_sign_descent_finds_the_group_with_one_hot_positions_alone():
    """With the fast read-out: "does find the group" in the figure of six tasks, not with the encodings of chapter 4."""
    seeds, signs = range(2), (0.0, 0.0, 0.0)
    examples, rule = (
        GROUPS.sample(200, generators(seeds)),
        optim.per_field(v=optim.adam(0.04, *signs), W=optim.adam(0.003, *signs)),
    )
    for positions, found in ((None, False), (np.eye(6) * np.sqrt(3.5), True)):
        model = gs.GroupTransformer(GROUPS, positions)
        run = train(GivenBatches(model, [examples]), model.init(2), rule, 300)
        assert ((gs.mean_attention(run.params, model, examples.X) > grid.FOUND) == found).all()


def test_the_recorded_map():
    record = grid.recorded_grid()
    found = {key: np.array(kept["found"]) for key, kept in record.items() if "why" not in kept}
    assert grid.ATTENTION == (0.25, 1.0, 4.0)  # "to a quarter and to four times the usual ones"
    assert (len(ROWS), len(grid.OPTIMISERS), len(grid.SEEDS)) == (10, 6, 16)
    framed = [record[row, name] for row in ROWS if row.startswith("Groups") for name in DEAF]
    assert min(np.min(kept["right"]) for kept in framed) > 0.75
    assert max(np.max(kept["found"]) for kept in framed) <= 3
    for row, spec in ROWS.items():  # "in every run of every row but one"
        for optimiser in ("gradient descent", "momentum"):
            missed = 16 - found[row, optimiser][1, spec.readout.index(1.0)]
            assert missed in ((1, 2) if row == "Prompts, softmax" else (0,))
    lost = [found["Groups, linear", "gradient descent"][2], found["Groups, softmax", "gradient descent"][0]]
    assert np.max(lost) == 0  # "misses one row of Groups where attention learns four times as fast or as slowly"
    deaf_ = [found[row, name].max() for row in ROWS if row.startswith(("Groups", "Walks")) for name in DEAF]
    assert (len(deaf_), max(deaf_)) == (6, 3)  # "almost never"
    pairs = {name: (found["Places, softmax", name] > 8).sum() for name in (*DEAF, "gradient descent")}
    assert min(pairs["Adam"], pairs["sign descent"]) > pairs["gradient descent"]
