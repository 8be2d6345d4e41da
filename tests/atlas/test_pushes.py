"""Two pushes in Sentences: they are the library's gradient, the record is whole and remade, the figure shows it."""

from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.atlas import figures
from hal.chapters.atlas.runs import pushes
from lib.models import scan_snap as ss
from lib.sampling import generators

TASK = ss.base_task()
KNOWN = {version: k for k, version in enumerate(pushes.VERSIONS)}


@pytest.fixture(scope="module")
def record():
    return pushes.recorded_clocks()


@pytest.fixture(scope="module")
def some():
    """A decoder and logits that no run has, and sequences."""
    rng, start = np.random.default_rng(2), ss.zero_start(TASK, 3)
    Y = rng.normal(size=start.Y.shape)
    Y -= (Y @ ss.output_weights(Y.shape[-1], TASK))[..., None] / TASK.M  # rows of the whole decoder keep the sum 0
    return start._replace(Y=Y, Z=0.3 * rng.normal(size=start.Z.shape)), ss.sample(TASK, 300, generators([5]))


def risen(params, down, task):
    """The log-odds of the distinct mass after a tiny step, less those before, over its length; mean over classes."""
    tiny = 1e-6

    def odds(p):
        own = (ss.attention(p, task) * task.distinct).sum(axis=-1)
        return np.log(own / (1 - own)).mean(axis=1)

    return (odds(params._replace(Z=params.Z - tiny * down)) - odds(params)) / tiny


def test_pushes_of_the_real_decoder_are_the_library_s_gradient(some):
    params, tests = some
    found = pushes.pushes(params, TASK, tests)
    endless = replace(TASK, L=None)
    _, slope = ss.loss_and_gradient(params, ss.population(endless), endless)
    np.testing.assert_allclose(found[:, KNOWN["decoder", "infinite"]], risen(params, slope.Z, TASK), rtol=1e-4)
    _, slope = ss.loss_and_gradient(params, tests, TASK)
    many = np.bincount(tests.label[0], minlength=2) / tests.label.size  # the draws are not quite halves
    down = slope.Z / (2 * many)[:, None]
    np.testing.assert_allclose(found[:, KNOWN["decoder", "finite"]], risen(params, down, TASK), rtol=1e-4)


def test_attention_s_shapes_are_the_decoder_s_before_attention_moves():
    """A decoder trained a little on infinitely long sequences, with attention at rest: both shapes agree."""
    endless = replace(TASK, L=None)
    params = ss.zero_start(endless)
    for _ in range(10):
        _, slope = ss.loss_and_gradient(params, ss.population(endless), endless)
        params = params._replace(Y=params.Y - slope.Y)
    found = pushes.pushes(params, TASK, ss.sample(TASK, 50, generators([1])))[0]
    assert found[KNOWN["attention", "infinite"]] == pytest.approx(found[KNOWN["decoder", "infinite"]], rel=1e-9)


def test_without_what_is_said_alike_the_push_is_larger(some):
    params, tests = some
    whole, half, none = (pushes.pushes(params, TASK, tests, alike) for alike in (1.0, 0.5, 0.0))
    np.testing.assert_allclose(half, (whole + none) / 2, atol=1e-12)


def test_what_is_asked():
    first = 5.5 / 15.5
    assert pushes.asked(TASK) == pytest.approx(np.log(0.45 / 0.55 * (1 - first) / first))


def test_a_piece_is_remade(record):
    step, clock, _ = record
    again = pushes.clocks(pushes.SEEDS[:2], 2.0, steps=60)
    np.testing.assert_allclose(again[0], step[pushes.TIMES.index(2.0), :2], atol=0.01)
    np.testing.assert_allclose(again[1:], clock[:, pushes.TIMES.index(2.0), :2], atol=1e-3)


def test_the_figure_shows_what_the_record_holds(record):
    (ax,) = figures.two_pushes().axes
    lines = [line for line in ax.lines if line.get_marker() == "o"]
    for line, band, version in zip(lines, ax.collections, record[1], strict=True):
        np.testing.assert_allclose(line.get_ydata(), np.nanmedian(version, axis=1))
        there = band.get_paths()[0].vertices
        ends = there[np.isclose(there[:, 0], 0.25), 1]
        np.testing.assert_allclose([ends.min(), ends.max()], [np.nanmin(version[1]), np.nanmax(version[1])])
    plt.close("all")
