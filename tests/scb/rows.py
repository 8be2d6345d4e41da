"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.stats import binomtest

from hal.chapters.scb.figures import stages
from hal.chapters.scb.runs.beyond import first_reach
from lib.models import scb
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_ring import skewed_law
from lib.models.scb.textbook_transfer import OneStep
from lib.theory import scb as theory
from tests.rows import Figure, Small, Textbook, middle, said, whole_runs

REFUSED = [
    (dict(T=1), "T: expected a context of at least 2 tokens, got 1"),
    (dict(T=4, Q=5), "Q: expected at least 1 position, at most T, got 5"),
    (dict(N=1), "N: expected at least 2 tokens, got 1"),
    (dict(c=0.0), "c: expected a strength from 0.01 to 1"),
    (dict(skew=-1.0), "skew: expected a number from 0 to 10"),
    (dict(lr=float("nan")), "lr: expected a number of at least 0"),
    (dict(threshold=-0.1), "threshold: expected a number of at least 0"),
    (dict(batch=0), "batch: expected at least 1 sample, got 0"),
    (dict(stage2=-1), "stage1, stage2, stage3: expected at least 0 steps each, got -1"),
]
DIVERGES = dict(T=16, lr=30.0, batch=2, stage1=200)


def short(rng, work=30_000, most_T=2048, three=True):
    """Settings over the full ranges, extremes among them, cut so that a run costs so many inner operations."""
    T, N = round(2 * (most_T / 2) ** rng.uniform()), int(rng.integers(2, 13))
    B = max(1, min(round(256 ** rng.uniform()), (work // T - 4 * N) // 3))
    steps = max(2, min(120, work // (T * (3 * B + 4 * N))))
    ends = [0, int(rng.integers(0, steps + 1)), int(rng.integers(0, steps + 1)), steps]
    one, two, last = np.diff(sorted(ends)).tolist() if rng.uniform() < 0.5 else (steps, 0, 0)
    extreme = rng.uniform(size=3) < 0.1
    return Settings(
        T, N, int(rng.integers(1, 1 + min(8, T))),
        c=1.0 if extreme[0] else float(rng.uniform(0.01, 1)), skew=0.0 if extreme[1] else float(rng.uniform(0, 3)),
        lr=0.0 if extreme[2] else float(10 ** rng.uniform(-3, 1.5)), batch=B,
        threshold=float(rng.choice([0.0, 1e-4, 1e-2])), stage1=one, stage2=two, stage3=last if three else 0,
        start_V=float(rng.choice([0.0, rng.uniform(-2, 2)])), start_A=float(rng.choice([0.0, rng.uniform(-2, 2)])),
    )  # fmt: skip


def one_step(rng):
    T, N = round(2 * 20 ** rng.uniform()), int(rng.integers(3, 9))
    rho, skew = (float(rng.choice(ends)) for ends in ([-1.0, 0.0, 1.0, rng.uniform(-1, 1)], [0.0, rng.uniform(0, 2)]))
    return OneStep(T, skewed_law(N, skew), int(rng.integers(1, 1 + min(6, T))), float(rng.uniform(0.01, 1)), rho, 1024)


TEXTBOOKS = {
    "textbook": Textbook(short, REFUSED, DIVERGES),
    "textbook_sign": Textbook(short, REFUSED[:1], DIVERGES),
    "textbook_stages": Textbook(lambda rng: short(rng, 20_000, 64), REFUSED[:1], DIVERGES),
    "textbook_pair": Textbook(lambda rng: short(rng, 20_000, three=False), REFUSED[:1], DIVERGES),
    "textbook_transfer": Textbook(
        one_step,
        [
            (dict(mu=[0.5, 0.5]), "N: expected at least 3 tokens, got 2"),
            (dict(mu=[0.5, 0.5, 0.0]), "mu: expected chances above 0, got 0"),
            (dict(rho=1.5), "rho: expected a correlation from -1 to 1, got 1.5"),
            (dict(samples=10), "samples: expected at least 1024 samples, got 10"),
            (dict(T=4, Q=5), "Q: expected at least 1 position, at most T, got 5"),
        ],
        None,
    ),
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


def check_flow(text, shown, point):
    runs = whole_runs(shown)
    turned = sum(run["alpha_A"][-1] < 0 for run in runs)
    several = f"All {turned} runs" if turned == len(runs) else f"{turned} of {len(runs)}"
    said = "No run is mirrored" if not turned else "One of" if turned == 1 else several
    assert ("Negative signals" in text) == (turned > 0)
    assert said in text
    level = np.concatenate([first_reach(np.array(r["steps"]), np.array([r["alpha_V"]]), 0.1) for r in runs])
    if "The signal reaches 0.1 at step" in text:
        assert numbers(text)[1] == pytest.approx(np.nanmedian(level), abs=0.51)
    d = float(theory.drift_number(constants(point).K_Q, point["T"]))
    if point["start_V"] or point["start_A"]:
        assert "From this start" in text
    elif d > 0.2:
        assert "no quiet phase" in text
    else:
        tau = np.log(0.2 / d) / point["lr"]
        assert f"step {tau:,.0f}" in text or f"says {tau:,.0f}" in text
        assert ("too small" in text) == (tau > shown.theory["flow.steps"][-1])


def check_stages(text, shown, point):
    chosen = stages.settings(**point)
    assert f"Stage 2 begins at step {chosen.stage1:,};" in text
    for name, letter in (("distance_V", "‖V − P‖"), ("distance_A", "‖A − Q‖")):
        said = re.search(re.escape(letter) + r" = ([\d.,]+\d)", text)
        assert float(said[1].replace(",", "")) == pytest.approx(middle(shown, name), abs=0.0051)
    before = [np.searchsorted(run["steps"], chosen.stage1 + chosen.stage2) - 1 for run in whole_runs(shown)]
    signal = np.median([abs(run["alpha_A"][i]) for run, i in zip(whole_runs(shown), before, strict=True)])
    if "hardly nearer" not in text:
        assert signal > 0.1
    assert ("threshold is 0" in text) == (point["lam"] == 0)


def check_prox(text, shown, point):
    sgd, other = middle(shown, "sgd_A"), middle(shown, "prox_A")
    winner = "the threshold wins" if other < sgd else "SGD wins"
    if point["lam"] == 0:
        assert "both are plain SGD" in text
        assert sgd == other
    else:
        assert winner in text
    assert numbers(text)[0 if point["lam"] else 1] == pytest.approx(sgd, abs=0.00051)
    if "wiped out" in text:
        assert other > 0.9 * np.sqrt(float(constants(point).K_Q))


def check_sign(text, shown, point):
    upright = [run["alpha_V"][-1] > 0 for run in whole_runs(shown)]
    task = constants(point)
    law = float(theory.sign_probability(point["batch"], point["lr"], task.s2, point["T"]))
    assert f"the law says {100 * law:.0f} %" in text
    assert text.startswith(f"{sum(upright)} of {len(upright)} runs take the true sign")
    interval = binomtest(sum(upright), len(upright)).proportion_ci(method="wilson")
    assert f"({100 * interval.low:.0f} to {100 * interval.high:.0f} %" in text
    assert ("less than the law" in text) == (interval.high < law)
    assert ("more than the law" in text) == (interval.low > law)
    lost = len(shown.runs) - len(upright)
    assert ("diverged and" in text) == (lost > 0)


def check_transfer(text, shown, point):
    found = [run["found"][-1] == 1 for run in shown.runs]
    said = {0: "None of", 1: "One of", len(found): f"All {len(found)}"}.get(sum(found), f"{sum(found)} of")
    assert text.startswith(said)
    task = constants(point)
    if point["rho"] == 0:
        assert "Without correlation" in text
    else:
        q_min = make_task(point).Q
        law = theory.one_step_batch(point["rho"], task.s2, point["T"], task.mu_min, q_min[q_min > 0].min())
        assert f"asks for {float(law):,.0f}" in text
        if 0.2 * float(task.K_Q) * point["T"] > 1:
            dearer = float(theory.stage1_samples(task.s2, point["T"], task.K_Q)) <= float(law)
            assert ("for only" in text) == dearer
    assert ("negative" in text) == (point["rho"] < 0)


FIGURES = {
    "flow": Figure({"T": 16, "lr": 0.2}, check_flow),
    "stages": Figure({"T": 37, "lr": 0.06, "batch": 5}, check_stages),  # no run diverges here, nor below
    "prox": Figure({"T": 24, "lr": 0.05, "batch": 7}, check_prox, waiting="no pair has finished yet"),
    "sign": Figure({"T": 24, "lr": 0.1, "batch": 4}, check_sign),
    "transfer": Figure({"T": 8}, check_transfer, lost=False, smaller={"LARGEST": 2048}),
}


def check_lookup(text, shown, point):
    arrows, true = (np.array(shown.theory[f"gradient.{name}"]) for name in ("arrows", "true"))
    if point["start_V"] == 0:
        assert "zero at every position, for every sample" in text
        assert not arrows.any()
    elif point["batch"] == 1:
        after, token = re.match(r"The label was (.), and V expects \1 after (.):", text).groups()
        kinds = np.array(shown.theory["gradient.kinds"])
        assert "abcd".index(after) == shown.theory["gradient.label"][0]
        lengths = {"abcd"[int(kind)]: arrows[kinds == kind] for kind in set(kinds)}
        for alike in lengths.values():
            np.testing.assert_allclose(alike, alike[0], rtol=1e-12, atol=1e-15)
        assert max(lengths, key=lambda one: lengths[one][0]) == token
        assert lengths[token][0] > 0
    else:
        assert said(text, "weaker true position gets") == pytest.approx(arrows[true != 0].min(), rel=0.006)
        assert said(text, "tallest of the others") == pytest.approx(arrows[true == 0].max(), rel=0.006)


SMALLS = {"lookup": Small(check_lookup)}
