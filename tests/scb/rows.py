"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.stats import binomtest

from hal.chapters.scb.models.textbook_measures import skewed_law
from lib.models import scb
from lib.models.scb.textbook import Settings
from lib.theory import scb as theory
from tests.rows import Figure, Small, Textbook, as_said, each, middle, said, whole_runs

REFUSED = [*each(T=1, mu=[1.0], c=0.0, lr=float("nan"), threshold=-0.1, batch=0, stage2=-1, ratio=-1.0), dict(T=4, Q=5),
           dict(mu=[0.5, 0.5, 0.0])]  # fmt: skip
DIVERGES = dict(T=16, lr=30.0, batch=2, stage1=200)


def short(rng, work=30_000, most_T=2048):
    """Settings over the full ranges, extremes among them, cut so that a run costs so many inner operations."""
    T, N = round(2 * (most_T / 2) ** rng.uniform()), int(rng.integers(2, 13))
    B = max(1, min(round(256 ** rng.uniform()), (work // T - 4 * N) // 3))
    steps = max(2, min(120, work // (T * (3 * B + 4 * N))))
    ends = [0, int(rng.integers(0, steps + 1)), int(rng.integers(0, steps + 1)), steps]
    one, two, last = np.diff(sorted(ends)).tolist() if rng.uniform() < 0.5 else (steps, 0, 0)
    extreme = rng.uniform(size=3) < 0.1
    mu = rng.uniform(0.1, 1, N)
    skew = 0.0 if extreme[1] else float(rng.uniform(0, 3))
    return Settings(
        T=T, mu=skewed_law(N, skew) if rng.uniform() < 0.5 else (mu / mu.sum()).tolist(),
        Q=int(rng.integers(1, 1 + min(8, T))), c=1.0 if extreme[0] else float(rng.uniform(0.01, 1)),
        lr=0.0 if extreme[2] else float(10 ** rng.uniform(-3, 1.5)), batch=B,
        threshold=float(rng.choice([0.0, 1e-4, 1e-2])), stage1=one, stage2=two, stage3=last,
        start_V=float(rng.choice([0.0, rng.uniform(-2, 2)])), start_A=float(rng.choice([0.0, rng.uniform(-2, 2)])),
        ratio=float(rng.choice([1.0, 10 ** rng.uniform(-1, 1)])),
    )  # fmt: skip


TEXTBOOKS = {
    "textbook": Textbook(short, REFUSED, DIVERGES),
    "textbook_pair": Textbook(lambda rng: short(rng, 20_000, 64)._replace(stage3=0), REFUSED[:1], DIVERGES),
}


def make_task(point):
    T, N, c, weights = point["T"], point.get("N", 4), point.get("c", 0.75), scb.even_weights(point.get("Q", 2))
    if "mu" not in point:
        return scb.ring_task(T, N, c, weights, point.get("skew", 0.0))
    mu = np.array(point["mu"])
    return scb.Task(mu, scb.ring_transition(mu, c), scb.sparse_targets(T, weights, N, np.random.default_rng(0)))


def constants(point):
    task = make_task(point)
    return theory.constants(task.mu, task.P, task.Q)


def numbers(text):
    return [float(found.replace(",", "")) for found in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", text)]


def check_stages(text, shown, point):
    sgd, other = middle(shown, "sgd_A"), middle(shown, "prox_A")
    winner = "too close to tell" if abs(other - sgd) < 0.01 else "the threshold wins" if other < sgd else "SGD wins"
    if point["lam"] == 0:
        assert "both are one run" in text
        assert sgd == other
        assert numbers(text)[1] == pytest.approx(sgd, abs=0.00051)
    else:
        assert winner in text
        assert numbers(text)[:2] == pytest.approx([sgd, other], abs=0.00051)
    assert ("flipped before" in text) == any(run["mirrored"][0] for run in whole_runs(shown))
    uniform = np.sqrt(float(constants(point).K_Q))
    assert ("wiped out" in text) == (sgd < 0.95 * uniform <= other <= 1.05 * uniform)
    if "wiped out" in text:
        assert said(text, "uniform attention is at") == pytest.approx(uniform, abs=0.00051)


def check_sign(text, shown, point):
    upright = [run["alpha_V"][-1] + run["alpha_A"][-1] > 0 for run in whole_runs(shown)]
    task = constants(point)
    law = float(theory.sign_probability(point["batch"], point["lr"], task.s2, point["T"]))
    assert f"theory says {100 * law:.0f}%" in text
    interval = binomtest(sum(upright), len(upright)).proportion_ci(method="wilson")
    if len(upright) > 1:
        assert text.startswith(f"{sum(upright)} of {len(upright)} runs go to the true valley")
        assert (
            f"true valley, {100 * np.mean(upright):.0f}% ({100 * interval.low:.0f} to {100 * interval.high:.0f}%"
            in text
        )
    elif len(shown.runs) > 1:
        assert text.startswith(f"Of the runs that did not diverge {sum(upright)} of 1 goes to the true valley")
    assert ("less than theory" in text) == (interval.high < law)
    assert ("more than theory" in text) == (interval.low > law)
    loop = theory.noise_loop(
        theory.control_number(point["batch"], point["lr"], point["T"]),
        point["T"], point["N"], task.K_P, task.K_Q, task.tr_S2,
    )  # fmt: skip
    assert ("Noise feeds itself" in text) == (loop >= 0.5)
    lost = len(shown.runs) - len(upright)
    assert (f"{lost} more runs have" if lost > 1 else "One more run has" if lost else "theory") in text
    assert ("diverged and" in text) == (lost > 0)


def check_run(text, shown, point):
    """The end of the run by its own last picture, and where its curves pass 1% by its records."""
    (run,) = whole_runs(shown)
    held, signal = run["on_true"][-1], run["alpha_V"][-1]
    uniform = point["Q"] / point["T"]
    turned = held < 0 and signal < 0
    assert ("mirrored" in text) == turned
    assert ("still almost uniform" in text) == (not turned and held < 2 * uniform)
    assert said(text, "add up to") == as_said(held)
    if "still almost uniform" in text:
        assert said(text, "uniform attention to") == as_said(uniform)
    level = -0.01 if turned else 0.01
    passed = [run["steps"][(np.array(run[name]) / level >= 1).argmax()] for name in ("alpha_V", "alpha_A")]
    spacing = max(np.diff(run["steps"]))
    assert ("attention does not" in text) == (passed[1] == 0)
    assert passed[0] - spacing <= said(text, "passes -1% at step" if turned else "passes 1% at step") <= passed[0] + 0.5
    assert passed[1] == 0 or passed[1] - spacing - 0.5 <= said(text, "attention at step") <= passed[1] + 0.5


FIGURES = {
    # no run diverges here, nor below
    "stages": Figure({"T": 24, "lr": 0.05, "batch": 7}, check_stages, waiting="no pair has finished yet"),
    "sign": Figure({"T": 24, "lr": 0.1, "batch": 4}, check_sign),
    "run": Figure({"T": 16, "lr_V": 0.2, "lr_A": 0.2, "batch": 8}, check_run),
}


def check_quiet(text, shown, point):
    """By the library's recursion."""
    task = make_task({"T": point["T"]})
    path = theory.population_run(task.K_P, task.K_Q, task.T, 0.02, 50)
    if point["frozen"]:
        assert ("V stays empty" in text) == (point["frozen"] == 1)
        frozen_A = 1 - (1 - 0.02 * theory.drift_number(task.K_Q, task.T)) ** 50  # V has its drip alone
        assert point["frozen"] == 1 or said(text, "fills V to") == as_said(100 * float(frozen_A))
        return
    assert said(text, "V has learned") == as_said(100 * path.alpha_V[-1])
    assert said(text, "and attention") == as_said(100 * path.alpha_A[-1])


def check_sample(text, shown, point):
    """From the letters and arcs that are drawn, by the library's transition."""
    tokens, weights = (np.array(shown.theory[f"mix.{name}"]) for name in ("tokens", "weights"))
    if point["place"] == 0:
        assert max(shown.theory["mix.kinds"]) == 1
        thick, likeliest, thin = re.search(
            r"thick arc finds (.), so (.) is likeliest.*thin arc finds (.)", text
        ).groups()
        assert ["abcd"[int(tokens[place])] for place in np.argsort(-weights)[:2]] == [thick, thin]
        ranked = ["abcd"[i] for i in np.argsort(-np.array(shown.theory["mix.after"]))]
        assert likeliest == ranked[0]
        assert thick == thin or f"so {ranked[1]} comes second" in text
        return
    here, changed = int(re.search(r"position (\d+)", text)[1]) - 1, "abcd".index(re.search(r"become (.)", text)[1])
    assert here == point["place"] - 1
    assert tokens[here] == changed
    old = tokens.copy()
    old[here] = (changed - 1) % 4
    assert f" {'abcd'[int(old[here])]} has become" in text
    P = scb.ring_transition(np.full(4, 0.25), 0.75)
    before, after = ((P[:, one.astype(int)] * weights).sum(axis=1) for one in (old, tokens))
    assert ("nothing moves" in text) == (weights[here] == 0) == bool(np.allclose(before, after))
    if weights[here]:
        grows = int(np.argmax(after - before))
        told = re.search(r"and (.) goes from (\d+)% to (\d+)%", text)
        assert told[1] == "abcd"[grows]
        assert [float(told[2]), float(told[3])] == pytest.approx([100 * before[grows], 100 * after[grows]], abs=0.51)


def check_count(text, shown, point):
    """From the statistics of all rows: ranks by sorting. The statistics have their owner in test_smalls.py."""
    every, support = (np.reshape(shown.theory[f"counts.{name}"], (4, -1)) for name in ("every", "support"))
    highest = np.sort(every, axis=1)[:, -2:-1]
    named = int(((every >= highest) & (support == 1)).sum())
    assert said(text, "With") == point["samples"]
    assert ("all eight" in text) == (named == 8)
    assert named == 8 or said(text, "finds") == named
    task = scb.ring_task(point["T"], 4, 0.75, scb.even_weights(2))
    path = theory.population_run(task.K_P, task.K_Q, point["T"], 0.02, 500)
    left = np.interp(0.1, path.alpha_V, np.arange(501))
    assert ("plateau" in text) == (0.2 * task.K_Q * point["T"] > 1)
    assert "plateau" not in text or said(text, "training needs") == pytest.approx(32 * left, abs=1)


SMALLS = {
    "count": Small(check_count), "quiet": Small(check_quiet), "sample": Small(check_sample),
}  # fmt: skip
