"""Curves of the chapter's still figures that no run hands them, computed another way; the rest are runs' numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import brentq

from hal.chapters.scan_snap import figures, runs
from hal.chapters.scan_snap.runs.reference import reference_of
from lib.models import scan_snap as ss
from lib.models.scan_snap.textbook_flow import Settings
from lib.theory import scan_snap as theory
from lib.theory.scan_snap.portable_reference import reference_path


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def gap(t, K, M, lr_Y):
    """The clock's gap by bisection of its equation, e^x + (M - 1) x = 1 + M lr_Y t / K."""
    return brentq(lambda x: np.exp(x) + (M - 1) * x - 1 - M * lr_Y * t / K, 0, 1 + np.log(1 + M * lr_Y * t / K))


def test_the_clock():
    rates = (0.1, 0.3, 2.0, 5.0)
    figure = figures.clock(M=(20, 700), rates=rates, steps=30)
    for column, M in enumerate((20, 700)):
        above, below = (axes.lines for axes in (figure.axes[column], figure.axes[2 + column]))
        for i, lr in enumerate(rates):
            x = [0.0]
            for _ in range(30):
                x.append(x[-1] + M * lr / (M - 1 + np.exp(x[-1])))
            smooth = [gap(k, 1, M, lr) for k in range(31)]
            np.testing.assert_allclose(above[2 * i].get_ydata(), x, rtol=1e-12)
            np.testing.assert_allclose(above[2 * i + 1].get_ydata(), smooth, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(below[i].get_ydata(), (np.array(x) - smooth) / (2 * lr), rtol=1e-6, atol=1e-9)


def integrated(t, K, M, lr_Y, lr_Z, C0):
    """The fall D of the reduced system, from its equation."""
    return theory.reduced_run(t, K, M, lr_Y, lr_Z, C0).B


def test_figures_3_and_9():
    axes = figures.growth_factors(rates=(0.4, 1.0, 3.0, 9.0), K=7, M=300, lr_Z=0.9, C0=0.5).axes
    for ax in axes:
        curves = [line for line in ax.lines if len(line.get_xdata()) > 2]
        for line, rate in zip(curves, (0.4, 1.0, 3.0, 9.0), strict=True):
            t = line.get_xdata()[::50]
            np.testing.assert_allclose(line.get_ydata()[::50], np.exp(2 * integrated(t, 7, 300, rate, 0.9, 0.5)), 1e-6)
    (most,) = (line.get_ydata()[0] for line in axes[1].lines if len(line.get_xdata()) == 2)
    assert most == pytest.approx(np.exp(2 * integrated([700.0], 7, 300, 0.4, 0.9, 1 / 7)[-1]), rel=1e-6)
    assert not [line for line in axes[0].lines if len(line.get_xdata()) == 2]
    axes = figures.fixed_ratio(cases=((3.0, 60),), rates=(0.1, 0.5, 4.0, 9.0), K=4).axes
    curves = [line for line in axes[0].lines if len(line.get_xdata()) > 1]
    for line, rate in zip(curves, (0.1, 0.5, 4.0, 9.0), strict=True):
        t = line.get_xdata()[::20]
        np.testing.assert_allclose(line.get_ydata()[::20], integrated(t, 4, 60, 3 * rate, rate, 1.0), rtol=1e-6)


def test_the_fall_over_the_overlap():
    found = runs.overlap_scan(np.array([0.1, 0.4]), time=5.0)
    lines = figures.overlap(found, np.array([-0.2, -0.3]), time=5.0, lr_Y=0.1, lr_Z=0.05).axes[0].lines
    drawn = {line.get_label(): line.get_ydata() for line in lines}
    t, flow = 5 * 2 * np.log(1000) / 0.1, Settings(2, 2, 1000, 1, 1.0, 5, 0.2)
    reduced = [integrated([t], 2, 1000, 0.1, 0.05, 1 / (2 * rho**2))[0] for rho in found.rho]
    np.testing.assert_allclose(drawn["reduced system, D"], reduced, rtol=1e-6)
    assert drawn["replaced gradient"].tolist() == [0.2, 0.3]
    for place, rho in enumerate(found.rho):
        kinds = reference_of(flow._replace(weight=ss.single_common_task(2, rho, 1000).P[0, 0] / least(rho)))
        z = reference_path(kinds, 0.1, 0.05, [t], 1e-8)[0][2]
        assert drawn["reference dynamics"][place] == pytest.approx(-z, rel=1e-4)
    assert (drawn["joint flow"] < drawn["reference dynamics"]).all()


def least(rho):
    """The most frequent distinct token's probability: weights are told in its units."""
    return ss.single_common_task(2, rho, 1000).P[0].max(where=np.arange(11) > 0, initial=0)


def test_memory_and_the_late_logits():
    task, rng = ss.base_task(L=None), np.random.default_rng(1)
    Z = rng.normal(size=(3, 2, task.C))
    own = np.flatnonzero(task.distinct[0])
    lost = (1 - np.exp(-2 * Z[:, 0, own])) / task.P[0, own] ** 2
    np.testing.assert_allclose(figures.lost_inverse_square(task, Z), lost, rtol=1e-12)
    run, shared = runs.late(first=100.0, decades=1), ss.base_task(queries="shared", M=34, L=None)
    joint, reference = figures.late(run, shared, lr=1.0).axes[0].lines
    kinds = reference_of(Settings(sharing=2))
    z = np.array(reference_path(kinds, 1.0, 1.0, list(run.times), 1e-9))[:, -2]
    np.testing.assert_allclose(reference.get_ydata(), z, rtol=1e-5)
    assert joint.get_ydata().tolist() == run.logit.tolist()
