"""The paper's statements beyond its bound on correlations: languages are as asked, the record is remade and shown."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.scan_snap import figures
from hal.chapters.scan_snap.runs import weak
from hal.chapters.scan_snap.runs.dynamics import both, start_inputs
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory


@pytest.fixture(scope="module")
def record():
    return weak.recorded_statements()


@pytest.mark.parametrize("kind", weak.KINDS)
@pytest.mark.parametrize("strength", [0.25, 12.0])
def test_classes_correlate_as_asked(kind, strength):
    """The largest eigenvalue, from the inner products of classes one by one."""
    task = weak.language(kind, strength, 3)
    unit = [law / np.sqrt(law @ law) for law in task.P]
    E = np.array([[0.0 if a is b else a @ b for b in unit] for a in unit])
    assert np.abs(np.linalg.eigvals(E)).max() == pytest.approx(strength / 5, rel=1e-6)
    assert (task.common.sum(), task.distinct.sum()) == (weak.KINDS[kind], 25)
    assert (np.ptp(task.P[:, task.common], axis=0).max() < 1e-12) == (kind == "equal")
    holds = theory.assumption_2(theory.correlations(start_inputs(task)), weak.M).holds
    assert not (holds and strength > 1)


def test_a_statement_is_counted_token_by_token():
    P = np.array([[0.5, 0.3, 0.2, 0.0, 0.0], [0.4, 0.0, 0.0, 0.1, 0.5]])
    task = ss.Task(P, np.zeros(2, int), 10, None)
    assert weak.held(task, np.array([-1.0, 2.0, 1.0, 1.0, 3.0])) == (1.0, 1.0, 1.0)
    assert weak.held(task, np.array([1.0, -2.0, -1.0, 1.0, 3.0])) == (0.5, 0.5, 0.0)


def test_signs_are_those_of_a_finer_integration():
    """Inside the bound logits move by millionths of a nat; the fraction stays when the flow is made of finer pieces."""
    task = weak.language("one", 0.25, 8401)
    end = weak.LATE * weak.K * np.log(weak.M)
    rough, fine = (both(task, 1.0, 1.0, times).joint[-1, 0] for times in ([end], np.linspace(end / 40, end, 40)))
    np.testing.assert_allclose(rough, fine, atol=1e-3 * np.abs(fine).max())
    assert weak.held(task, rough) == weak.held(task, fine)


@pytest.mark.parametrize(("kind", "strength"), [("equal", 3.0), ("one", 0.5)])
def test_a_piece_is_remade(record, kind, strength):
    again, at = weak.cell(kind, strength), weak.STRENGTHS.index(strength)
    for name, values in again.items():
        np.testing.assert_allclose(values, record[kind][name][at], rtol=2e-3)


def test_the_figure_shows_what_the_record_holds(record):
    for ax, kind in zip(figures.beyond_weak().axes, ("one", "ten"), strict=True):
        lines = [line for line in ax.lines if line.get_marker() == "o"]
        assert len(lines) == len(ax.collections) == 3
        for line, band, name in zip(lines, ax.collections, ("common", "distinct", "order"), strict=True):
            mean, low, high = weak.interval(record[kind][name])
            np.testing.assert_allclose(line.get_ydata(), mean)
            there = band.get_paths()[0].vertices
            ends = there[np.isclose(there[:, 0], weak.STRENGTHS[5]), 1]
            np.testing.assert_allclose([ends.min(), ends.max()], [low[5], high[5]])
        np.testing.assert_allclose(ax.lines[0].get_xdata(), 1.0)
        np.testing.assert_allclose(ax.lines[-1].get_ydata(), 1.0)
    plt.close("all")


def test_an_interval_covers_the_mean_as_often_as_it_says():
    runs = np.random.default_rng(1).normal(size=(400, 16))
    _, low, high = weak.interval(runs)
    assert ((low < 0) & (high > 0)).mean() == pytest.approx(0.92, abs=0.04)


@pytest.mark.parametrize(
    ("kind", "strength", "words"),
    [("none", 1.0, "kind: .*equal, one, ten"), ("ten", 19.9, "strength: .*below"), ("one", 0.0, "strength: .*above 0")],
)
def test_refusals(kind, strength, words):
    with pytest.raises(InputError, match=words):
        weak.language(kind, strength, 0)
