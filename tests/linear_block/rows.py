"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import numpy as np
import pytest

from hal.chapters.linear_block.theory.attention import best_attention
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import Settings
from lib.theory import linear_block as theory
from tests.rows import Figure, Small, Textbook, each, said, whole_runs


def drawn(rng):
    """A task, extremes among them, and how a short run is trained."""
    return Settings(
        mlp=int(rng.integers(0, 3)), d=int(rng.integers(1, 5)), M=int(rng.integers(2, 10)),
        sigma=float(rng.choice([0.0, rng.uniform(0, 3)])), norm=float(rng.choice([0.0, rng.uniform(0, 6)])),
        decay=float(rng.choice([0.0, rng.uniform(0, 2)])), near=int(rng.integers(0, 2)),
        tilt=float(rng.choice([0.0, rng.uniform(-3, 3)])),
        scale=float(rng.choice([0.0, rng.uniform(0, 0.7)])), lr=float(rng.choice([0.0, 10 ** rng.uniform(-3, 0.5)])),
        adam=int(rng.integers(0, 2)), steps=int(rng.choice([1, 7, 60, 61, 75])),
    )  # fmt: skip


TEXTBOOKS = {
    "textbook": Textbook(
        drawn,
        [*each(lr=-1.0, steps=-1, scale=-1.0, d=0, M=0, sigma=-1.0, norm=-1.0, decay=-1.0), dict(lr=float("nan"))],
        dict(mlp=0, norm=4.0, lr=3.0, adam=0, steps=200),
    ),
}


def task_of(point):
    task = lb.power_task(point["d"], point["M"], point["sigma"], point["norm"], point["decay"])
    way = np.arange(1, task.d + 1) ** point.get("tilt", 0.0)
    return task.but(mean=point["norm"] * way / np.linalg.norm(way))


def check_training(text, shown, point):
    task, bare = task_of(point), point["kind"] == 2
    least = best_attention(task).risk if bare else theory.best_risk(task)
    (run,) = whole_runs(shown)
    end, keyed = run["risk"][-1], run["labels"][-1] > 0.1
    assert end >= least * (1 - 1e-9)
    mean, examples = (reached(run["steps"], run[name]) for name in ("mean", "examples"))
    assert ("in the trap" in text) == (not bare and keyed and theory.trap_criterion(task) > 1)
    if "at a risk of" in text:
        assert said(text, "at a risk of") == pytest.approx(end, abs=0.00051)
    elif "half learned" in text:
        assert ("has flipped" in text) == (examples < mean)
        first, second = ("The examples are half learned at step", "the mean at step") if examples < mean else (
            "The mean is half learned at step", "the examples at step")  # fmt: skip
        assert [said(text, first), said(text, second)] == pytest.approx(sorted([mean, examples]), abs=0.51)
    else:
        assert np.isnan(mean if "the best is" in text else examples)
    if "the best is" in text:
        assert said(text, "the best is") == pytest.approx(least, abs=0.00051)


def reached(steps, values):
    """The step at which a value first passes 50 from below, on a straight line between records, or NaN."""
    sizes = np.abs(values)
    for i in range(1, len(sizes)):
        if sizes[i] >= 50 > sizes[i - 1]:
            return np.interp(50, sizes[i - 1 : i + 1], steps[i - 1 : i + 1])
    return np.nan


FIGURES = {
    "training": Figure(
        {"M": 7, "d": 2, "norm": 1.3, "tilt": 0.8, "sigma": 0.7, "scale": 0.17}, check_training
    ),
}  # fmt: skip


def check_plane(text, shown, point):
    task, u = lb.power_task(d=3, M=20, sigma=0.5, norm=1.5), np.full(3, 3**-0.5)
    best = u @ theory.best_step(task) @ u
    beta, Gamma, way = 0.015 * point["start"] * u, 0.01 * point["gain"] * best * np.outer(u, u), []
    for _ in shown.theory["way.x"]:
        way.append((100 * (beta @ u) / 1.5, 100 * (u @ Gamma @ u) / best))
        slope_beta, slope_Gamma = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + 0.02 * slope_beta, Gamma + 0.02 * slope_Gamma
    np.testing.assert_allclose(np.transpose(way), [shown.theory["way.x"], shown.theory["way.y"]], atol=1)
    assert np.allclose(way[-1], 100, atol=2)  # the path is finished
    if "of the mean" in text:
        learned = next(x for x, y in zip(*(shown.theory[f"way.{one}"] for one in "xy"), strict=True) if y >= 99)
        assert said(text, "it has learned") == pytest.approx(learned, abs=0.51)
    state = textbook.start(Settings(norm=1.5, scale=0.05, lr=0.02, adam=0), 0)
    for k in range(300):
        for _ in range(5 * (k > 0)):
            textbook.step(state)
        place = [np.dot(state.block.alpha, u) / 1.5, state.block.c * (u @ np.array(state.block.Q) @ u) / best]
        known = 100 * np.maximum(place, 0)
        np.testing.assert_allclose([shown.theory[f"block.{one}"][k] for one in "xy"], known, atol=1e-7)


def check_wait(text, shown, point):
    task, u, took = lb.power_task(d=3, M=20, sigma=0.5, norm=1.5), np.full(3, 3**-0.5), []
    best = theory.best_step(task)[0, 0]
    for adam, scale in ((0, 0.02), (0, 0.04), (1, 0.16)):
        state = textbook.start(Settings(norm=1.5, steps=9000, scale=scale, adam=adam, **point), 0)
        while state.block.c * (u @ np.array(state.block.Q) @ u) < best / 2:
            textbook.step(state)
        took.append(state.step)
    wait = np.array(shown.theory["waits.wait"])
    assert list(wait[[0, 2, 13]]) == took
    assert [said(text, "half learned at step"), said(text, "0.02 at step")] == [wait[2], wait[0]]
    assert said(text, f"{wait[0]:,.0f}:") == pytest.approx(wait[0] / wait[2], abs=0.051)
    assert 3 < wait[0] / wait[2] < 4  # over 3 times
    assert wait[7:].max() < 0.06 * wait[0]
    off = np.abs(wait[:7] - shown.theory["waits.law"][::-4]).max()
    assert off < 0.05 * wait[0]  # the line meets each dot: one is 6% of the axis wide


def check_price(text, shown, point):
    task = lb.power_task(d=8, M=point["M"], sigma=1.0, norm=8.0)
    price = best_attention(task).risk - theory.best_risk(task)
    assert said(text, "adds") == pytest.approx(price, abs=0.051)
    assert said(text, "at least") == pytest.approx(64 / (point["M"] + 1), abs=0.051)
    assert price > 64 / (point["M"] + 1)  # the theorem
    assert np.all(np.diff(shown.theory["risks.attention"]) > -1e-9)


SMALLS = {
    "price": Small(check_price),
    "plane": Small(check_plane),
    "wait": Small(check_wait),
}
