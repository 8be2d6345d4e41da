"""The numbers of the atlas's text, each computed; those of claims are of the record, which other tests compare."""

import functools

import numpy as np

from hal.chapters.atlas import theory
from hal.chapters.atlas.figures import clock, six
from hal.chapters.atlas.models import groups, prompts
from hal.chapters.atlas.models.tasks import levels
from hal.chapters.atlas.runs import grid
from hal.chapters.atlas.runs.rows import ROWS
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
DISTINCT = float((TASK.P * TASK.distinct)[0].sum())


@functools.cache
def runs_of(module, count, **moved):
    """Runs of a figure."""
    figure = figure_of(module)
    return figure.built.compute(figure.check(moved), 0, count).runs


def run_of(module, **moved):
    """The first of them."""
    return runs_of(module, 1, **moved)[0]


def left(name):
    """Per cent of a run's error where its attention has moved."""
    run = run_of(clock)
    return [100 * np.interp(0.3, run[f"{name}_signal"], run[f"{name}_left"])]


TABLE = [
    ("Yet both areas are near {}.", float(theory.half_clock(clock.LEVEL, 0.02))),
    ("it has gone {}% of the way from uniform", 100 * clock.LEVEL),
    ("In Prompts it is {}% of the way, as in Places.", 100 * levels()[4]),
    ("The factor {} is attention's learning rate", clock.SLIDERS["lr_A"].default),
    ("when the clock reads $0.3/0.02={}$.", float(theory.half_clock(clock.LEVEL, 0.02))),
    ("arrive within {}% of each other in Places", 100 * (six.CLOSE - 1)),
    ("In Sentences the level is {}, because attention starts at {} there.", [levels()[3], DISTINCT]),
    ("{}% of the fast run's error is still left, and {}% of the slow", lambda: left("fast") + left("slow")),
    ("Theory gives {} in Places and {} in", [clock.LEVEL / 0.02, (levels()[4] - prompts.START) / (2 * 0.02)]),
    ("has to reach {}, which takes", clock.LEVEL / 0.04),
    ("At $0.45/0.05={}$.", float(theory.half_clock(0.45, 0.05))),
]


def test_what_is_said_of_five_tasks_is_what_they_do():
    """Places, Groups, Walks, Sentences, Prompts, of the figure as it opens and with Adam."""
    plain, adam = (
        [np.reshape(run_of(six, optimiser=k)[f"half_{name}"], (5, 2)) for name in ("step", "clock")] for k in (0, 2)
    )
    close = abs(np.log(plain[1][:, 1] / plain[1][:, 0])) < np.log(six.CLOSE)
    assert close.tolist() == [True, True, True, False, True]
    assert max(plain[0][1:3, 1] / plain[0][1:3, 0]) < 2  # "not even twice as early"
    steps, found = adam
    agree, told = (abs(np.log(x[:, 1] / x[:, 0])) < np.log(six.CLOSE) for x in (steps, found))
    assert agree.tolist() == [True, False, False, False, True]  # "In Places and Prompts, the two runs nearly agree"
    assert not told.any()  # C3 fails
    assert np.isnan(steps[1:3]).sum(axis=1).tolist() == [1, 2]  # lost runs of Groups, of Walks
    assert max(run_of(six, optimiser=2)["walks1"]) < 0.05
    assert six.apart(*run_of(six, readout=2.0)["half_clock"][2:4]) > six.CLOSE  # "of Groups no longer meet"
    ends = [groups.begin(groups.Rates(0, rate, 1.0), groups.draw(0)) for rate in (8.0, 0.5)]
    for run in ends:
        while run.now.seen < clock.LEVEL:
            groups.advance(run)
    assert np.corrcoef(ends[0].model.v, ends[1].model.v)[0, 1] < 0.8  # "changes its pattern"


@PROSE.rows(TABLE)
def test_number_in_text_is_what_is_computed(row):
    says(*row)


def test_numbers_in_words_that_claims_measure():
    assert 0.0005 < measured("ATL-7", "share that is heard of the gradient") < 0.002  # "about a thousandth"


def test_fast_read_out_moves_attention_about_twice_as_early_and_half_the_clock_does_at_twice_the_rate():
    once, twice = run_of(clock), run_of(clock, lr_A=0.04)
    assert 1.7 < once["half_step"][0] / once["half_step"][1] < 2.3
    np.testing.assert_allclose(np.divide(once["half_clock"], twice["half_clock"]), 2, rtol=0.1)
    np.testing.assert_allclose(np.divide(twice["half_step"], once["half_step"]), 0.7, atol=0.05)


def test_sign_descent_finds_the_group_with_one_hot_positions_alone():
    """With the fast read-out: "one run of Groups" reaches the line, but not with the encodings of chapter 4."""
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
    found = {key: np.array(kept["found"]) for key, kept in grid.recorded_grid().items()}
    usual = {key: table[1, ROWS[key[0]].readout.index(1.0)] for key, table in found.items()}
    assert {usual[task, name] for task in ROWS for name in ("gradient descent", "momentum")} == {16}
    assert {usual[task, name] for task in ROWS if task not in ("Groups", "Walks") for name in DEAF} == {16}
    assert max(found["Walks", name].max() for name in DEAF) == 0  # "Neither Adam nor sign descent ever"
    assert (GROUPS.d, GROUPS.D) == (4, 6)  # "four of the ten entries", "other six"
