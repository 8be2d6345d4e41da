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
    task, kind = task_of(point), point["kind"]
    alone, both = kind == 2, kind == 3
    least = best_attention(task).risk if alone else theory.best_risk(task)
    whole = whole_runs(shown)
    ends, keyed = np.array([[run["risk"][-1], run["labels"][-1]] for run in whole]).T
    assert ends.min() >= least * (1 - 1e-9)
    held, own = keyed > 0.1, [bool(np.isfinite(run["over"]).all()) for run in whole]
    half = [[reached(run["steps"], run[name]) for run in whole] for name in ("mean", "examples")]
    if both and len(set(own)) == 2:
        assert said(text, "blocks end at a mean risk of") == pytest.approx(np.mean(ends[own]), abs=0.00051)
        assert said(text, "attention alone at") == pytest.approx(np.mean(ends[np.invert(own)]), abs=0.00051)
    elif both:
        assert "has one of its two models so far" in text
    elif "in the trap" in text:
        assert said(text, "at a mean risk of") == pytest.approx(np.mean(ends[held]), abs=0.00051)
        assert f"{sum(held)} of {len(ends)} runs end in the trap" in text
        assert theory.trap_criterion(task) > 1
    elif alone:
        assert said(text, "at a mean risk of") == pytest.approx(np.mean(ends), abs=0.00051)
    elif "do not use the examples yet" in text:
        assert f"{sum(np.isnan(half[1]))} of {len(ends)} runs" in text
    elif "half learned" in text:
        mean, examples = np.mean(half, axis=1)
        assert ("has flipped" in text) == (examples < mean)
        first, second = ("The examples are half learned after", "the mean after") if examples < mean else (
            "The mean is half learned after", "the examples after")  # fmt: skip
        assert [said(text, first), said(text, second)] == pytest.approx(sorted([mean, examples]), abs=0.51)
    else:
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


def check_step(text, shown, point):
    x, block = np.array(shown.theory["prompt.x"]), point["block"]
    task, S = lb.power_task(d=1, M=point["M"], sigma=0.5, norm=2.0), float(np.mean(x**2))
    used = task.but(Psi=[[5.0]], mean=[0.0]) if block == 1 else task
    gain = float(theory.best_step(used)[0, 0]) if block < 3 else point["M"] / 8 * theory.best_step(task.but(M=8))[0, 0]
    assert ("in the trap" in text.lower() or "The trap" in text) == (block == 2)
    assert ("starts at zero" in text) == (block == 1)
    if block == 2:
        np.testing.assert_allclose(shown.theory["bowl.at"][:2], 2.0)
        return
    assert shown.theory["bowl.at"][0] == (0.0 if block == 1 else 2.0)
    assert ("bowl is flat" in text) == (S < 0.005 and block == 0)
    if block == 0:
        assert said(text, "The gain is") == pytest.approx(gain, abs=0.0051)
    if S >= 0.005:
        assert ("beyond it" in text) == (gain * S > 1 and block < 3)
        assert said(text, "zero. One step goes" if block == 1 else "ne step goes") == pytest.approx(
            100 * gain * S, abs=0.51
        )


def check_plane(text, shown, point):
    task = lb.power_task(d=5, M=20, sigma=0.7, norm=point["norm"])
    u = np.full(5, 5**-0.5)
    beta, Gamma, lost = point["start"] * u, point["gain"] * np.outer(u, u), None
    along = []
    for k in range(401):
        if not theory.step_risk(task, beta, Gamma) <= 1e6:
            lost = k
            break
        if 0 <= beta @ u <= 7 + 1e-9 and 0 <= (gain := u @ Gamma @ u) <= 1.4:
            along.append(gain)
        slope_beta, slope_Gamma = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + point["start_lr"] * slope_beta, Gamma + point["gain_lr"] * slope_Gamma
    assert ("diverges" in text) == (lost is not None)
    if lost is not None:
        assert said(text, "diverges after") == lost
        return
    best = float(theory.best_step(task)[0, 0])
    over = max(along) - max(along[0], along[-1])
    if abs(over - 0.02) > 2e-3:
        assert ("does not overshoot" in text) == (over <= 0.02)
    assert f"{best:.2f}" in text
    if "rises to" in text:
        assert said(text, "rises to") == pytest.approx(max(along), abs=0.0061)
    if "then the start" in text:  # "1." stands before "2."
        assert np.less(*(list(shown.theory["way.x"]).index(shown.theory[f"way.{one}_x"][0]) for one in ("turn", "mid")))


def check_matrices(text, shown, point):
    task, mlp = lb.power_task(d=3, M=20, sigma=0.5, norm=1.0), point["mlp"] == 1
    built, found = (np.reshape(shown.theory[f"shown.{name}"], (6, 4)) for name in ("built", "cells"))
    value, score = np.append(-task.mean, 1.0), theory.best_step(task)
    factor = (np.linalg.norm(score) / np.linalg.norm(value)) ** 0.5
    known = np.full((6, 4), np.nan)
    known[0, :3], known[1], known[2:5, :3], known[5, :3] = task.mean, factor * value, score / factor, 0.0
    np.testing.assert_allclose(built, known, atol=1e-9)
    assert ("within 0.01" in text, "stays empty" in text) == (mlp, not mlp)
    assert np.nanmax(np.abs(found - known)) < 0.01 if mlp else not found[0, :3].any()


def check_wait(text, shown, point):
    task, u, took = lb.power_task(d=3, M=point["M"], sigma=0.5, norm=1.5), np.full(3, 3**-0.5), {}
    for k in (0, 1):
        state = textbook.start(Settings(norm=1.5, lr=0.02, steps=9000, scale=0.02 * 2**k, **point), 0)
        at, best = [0, 0], theory.best_step(task)[0, 0]
        while not all(at):
            textbook.step(state)
            now = state.block.alpha @ u / 1.5, state.block.c * (u @ np.array(state.block.Q) @ u) / best
            at = [when or (state.step if share >= 0.5 else 0) for when, share in zip(at, now, strict=True)]
        assert at == [shown.theory[f"waits.{name}"][k] for name in ("mean", "examples")]
        took[k] = at[1]
    assert said(text, "the examples take") == pytest.approx(took[0] / took[1], abs=0.051)
    assert ("theory says 4" in text) == (point["adam"] == 0)


def check_price(text, shown, point):
    task = lb.power_task(d=8, M=point["M"], sigma=1.0, norm=point["norm"])
    alone = best_attention(task).risk if point["norm"] > 0 else theory.best_risk(task)
    price = alone - theory.best_risk(task)
    if abs(price - 0.005) > 5e-4:
        assert ("nothing to start from" in text) == (price < 0.005)
    if "the risk is" in text:
        assert said(text, "the risk is") == pytest.approx(price, abs=0.0051)
        bound = point["norm"] ** 2 / (point["M"] + 1)
        assert said(text, "higher,") == pytest.approx(shown.facts["risks.price"] / bound, abs=0.051)
    else:
        assert said(text, "costs less than") == 0.005


SMALLS = {
    "price": Small(check_price),
    "step": Small(check_step),
    "plane": Small(check_plane),
    "matrices": Small(check_matrices),
    "wait": Small(check_wait),
}
