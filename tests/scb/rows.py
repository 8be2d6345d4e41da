"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ndtr
from scipy.stats import binomtest

from hal.chapters.scb.runs import samples, skip
from hal.chapters.scb.runs.beyond import first_reach
from hal.explorer.sentences import digits
from lib.models import scb
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_random import RandomStart
from lib.models.scb.textbook_ring import skewed_law
from lib.models.scb.textbook_transfer import OneStep
from lib.models.scb.textbook_watch import Watched
from lib.theory import scb as theory
from tests.rows import Figure, Small, Textbook, as_said, middle, said, whole_runs

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


def short(rng, work=30_000, most_T=2048):
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
        threshold=float(rng.choice([0.0, 1e-4, 1e-2])), stage1=one, stage2=two, stage3=last,
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
    "textbook_pair": Textbook(lambda rng: short(rng, 20_000, 64), REFUSED[:1], DIVERGES),
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


def watched(rng):
    """Settings to watch: any law of the tokens."""
    s = short(rng, 20_000, 64)
    mu = rng.uniform(0.1, 1, s.N)
    return Watched(s.T, (mu / mu.sum()).tolist(), s.Q, s.c, s.lr, s.batch, s.stage1)


TEXTBOOKS["textbook_watch"] = Textbook(watched, REFUSED[:2], dict(T=16, lr=30.0, batch=2, steps=200))


def random_start(rng):
    """A random start of any size, the paper's among them."""
    s = short(rng, 20_000, 64)
    size_V, size_A = (float(rng.choice([0.0, 10 ** rng.uniform(-3, 0)])) for _ in range(2))
    return RandomStart(s.T, s.N, s.Q, s.c, s.lr, s.batch, max(2, s.stage1), size_V, size_A)


TEXTBOOKS["textbook_random"] = Textbook(random_start, REFUSED[:2], dict(T=16, lr=30.0, batch=2, steps=200))


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
    pairs = [(run["alpha_V"][-1], run["alpha_A"][-1]) for run in runs]
    turned = sum(max(pair) < 0 and min(pair) <= -0.1 for pair in pairs)
    several = f"{turned} of {len(runs)} runs are mirrored"
    single = f"The first run is {'' if turned else 'not '}mirrored" if len(runs) == 1 else "One of"
    count = single if turned == 1 or len(runs) == 1 else several if turned else "No run is mirrored"
    if len(shown.runs) > len(runs):
        count = f"Of the runs that did not diverge {turned} of {len(runs)} are mirrored"
    assert count in text
    level = np.concatenate([first_reach(np.array(r["steps"]), np.array([r["alpha_V"]]), 0.1) for r in runs])
    out = np.isfinite(level).sum()
    if "The signal reaches 0.1 at step" in text:
        assert out == len(runs)
        assert numbers(text)[1] == pytest.approx(np.median(level), abs=0.51)
    if "the median of them" in text:
        assert numbers(text)[1:3] == [out, len(runs)]
        assert numbers(text)[3] == pytest.approx(np.nanmedian(level), abs=0.51)
    if "has no quiet phase here." in text:
        assert f"in {out} of {len(runs)} runs" in text
    assert ("No run reaches" in text) <= (out == 0)
    task = make_task(point)
    d = float(theory.drift_number(task.K_Q, point["T"]))
    if point["start_V"] or point["start_A"]:
        assert "This start is not zero" in text
    elif d > 0.2:
        assert "no quiet phase" in text
    else:
        most = int(1.5 * np.log(0.2 / d) / point["lr"] + 10 / point["lr"])
        path = theory.population_run(task.K_P, task.K_Q, point["T"], point["lr"], most)
        tau = np.interp(
            0.1, path.alpha_V[: (path.alpha_V > 0.1).argmax() + 1], path.steps[: (path.alpha_V > 0.1).argmax() + 1]
        )
        assert f"step {tau:,.0f}" in text or f"says {tau:,.0f}" in text or f"at {tau:,.0f}." in text
        assert ("The runs end at" in text) == (tau > shown.theory["flow.steps"][-1])


def check_stages(text, shown, point):
    sgd, other = middle(shown, "sgd_before"), middle(shown, "prox_before")
    ends = middle(shown, "sgd_A"), middle(shown, "prox_A")
    assert ("No dashed curve" in text) == bool(np.isnan(shown.theory["closure.distance_A"][0]))
    winner = "too close to tell" if abs(other - sgd) < 0.01 else "the threshold wins" if other < sgd else "SGD wins"
    if point["lam"] == 0:
        assert "both are one run" in text
        assert sgd == other
        assert ends[0] == ends[1]
        told = re.search(r"At the end it is (about )?([\d.]+) for both\.", text)
        assert told, text
        assert float(told[2]) == pytest.approx(ends[0], abs=0.00051)
        assert numbers(text)[1] == pytest.approx(sgd, abs=0.00051)
    else:
        assert winner in text
        assert numbers(text)[:2] == pytest.approx([sgd, other], abs=0.00051)
        told = re.search(r"At the end it is (about )?([\d.]+) and (about )?([\d.]+)\.", text)
        assert told, text
        assert [float(told[2]), float(told[4])] == pytest.approx(ends, abs=0.00051)
    turned = sum(run["mirrored"][0] for run in whole_runs(shown))
    many = f"{turned:.0f} of" if turned > 1 else "One of" if len(whole_runs(shown)) > 1 else "The SGD run is"
    assert (f"{many}" in text and "measured upright" in text) == (turned > 0)
    uniform = np.sqrt(float(constants(point).K_Q))
    assert ("wiped out" in text) == (sgd < 0.95 * uniform <= other <= 1.05 * uniform)
    if "wiped out" in text:
        assert said(text, "uniform attention is at") == pytest.approx(uniform, abs=0.00051)


def check_sign(text, shown, point):
    upright = [run["alpha_V"][-1] > 0 for run in whole_runs(shown)]
    task = constants(point)
    law = float(theory.sign_probability(point["batch"], point["lr"], task.s2, point["T"]))
    assert f"theory says {100 * law:.0f}%" in text
    interval = binomtest(sum(upright), len(upright)).proportion_ci(method="wilson")
    if len(upright) > 1:
        assert text.startswith(f"{sum(upright)} of {len(upright)} runs take the true sign")
        assert (
            f"true sign, {100 * np.mean(upright):.0f}% ({100 * interval.low:.0f} to {100 * interval.high:.0f}%" in text
        )
    elif len(shown.runs) > 1:
        assert text.startswith(f"Of the runs that did not diverge {sum(upright)} of 1 takes the true sign")
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


def check_transfer(text, shown, point):
    found = [run["found"][-1] == 1 for run in shown.runs]
    every = "Both runs" if len(found) == 2 else f"All {len(found)}"
    count = {0: "None of", len(found): every, 1: "One of"}.get(sum(found), f"{sum(found)} of")
    assert len(found) == 1 or text.startswith(count)
    if any(found):
        missed = [np.flatnonzero(np.array([1, *run["found"]]) == 0).max(initial=0) for run in shown.runs]
        stays = zip(shown.runs, missed, strict=True)
        enough = np.median([run["steps"][last] for run, last in stays if run["found"][-1]])
        assert said(text, "from") == pytest.approx(enough, abs=0.51)
    task = constants(point)
    if point["rho"] == 0:
        assert "Without correlation" in text
    else:
        law = shown.theory["batches.law"][0]  # owned by test_figures.py
        told = re.search(r"Theory asks for (\S+)[,;] ", text)
        assert told[1] == digits(law) if np.isfinite(law) else "no batch of less than" in text
        growth = np.log(0.2 * float(task.K_Q) * point["T"])
        scratch = shown.theory["batches.scratch"][0]  # owned by tests/scb/test_portable_theory.py
        assert ("less than Stage 1" in text) == bool(law < scratch)
        assert ("for only" in text) == bool(scratch <= law < np.inf and growth >= 1)
        short = np.isfinite(law) and not law < scratch and not growth >= 1
        assert ("hardly a quiet phase" in text) == short
    assert ("negative" in text) == (point["rho"] < 0)


def check_run(text, shown, point):
    """The end of the run by its own last picture, and theory's step by the recursion of the signals."""
    (run,), task = whole_runs(shown), make_task(point)
    held, left, signal = run["on_true"][-1], 100 * run["loss"][-1], run["alpha_V"][-1]
    uniform = point["Q"] / point["T"]
    turned = held < 0 and signal < 0
    assert ("mirrored" in text) == turned
    assert ("hardly looked" in text) == (not turned and held < 2 * uniform)
    assert said(text, "add up to") == as_said(held)
    if "hardly" in text:
        assert said(text, "uniform attention to") == as_said(uniform)
    else:
        assert float(re.search(r"and ([\d.,]+)% of the excess", text)[1].replace(",", "")) == as_said(
            left, percent=True
        )
    d = float(theory.drift_number(task.K_Q, point["T"]))
    if d > 0.2:
        assert "no quiet phase" in text
    else:
        path = theory.population_run(task.K_P, task.K_Q, point["T"], point["lr"], round(14 / point["lr"]))
        above = int((path.alpha_V > 0.1).argmax()) + 1
        assert f"step {np.interp(0.1, path.alpha_V[:above], path.steps[:above]):,.0f}." in text


def check_shrink(text, shown, point):
    """The distances by the runs' own last readings; the end without noise by the library's recursion."""
    runs = whole_runs(shown)
    task, lam = make_task({"T": point["T"]}), point["lam"]
    at = theory.attention_coordinate_variance(task.P, task.Q, task.mu, task.P, task.Q, point["batch"])
    step = np.sqrt(at.mean()) / float(task.K_P)

    def held(level):
        """Mean square of an entry with the density of noise, descent and threshold, by quadrature."""
        a = np.linspace(0, 12 * step * np.sqrt(0.01), 20_001)
        density = np.exp(-(a**2 + 2 * a * level) / (2 * 0.01 * step**2))
        density[0] /= 2  # the trapezoid rule
        return float((density * a**2).sum() / density.sum())

    best = brentq(lambda level: task.T * held(level) - level, 1e-5, 1.0)
    assert said(text, "η is") == pytest.approx(lam / best, rel=0.001, abs=0.0056)
    assert said(text, "λ =") == as_said(lam)
    for name, words in (("prox_A", "‖A − Q‖ ends at"), ("sgd_A", "without threshold at")):
        root = np.sqrt(np.mean([run[name][-1] ** 2 for run in runs]))
        assert said(text, words) == pytest.approx(root, abs=0.0052)
    begun = round(1.2 * float(theory.escape_time(0.2, 0.02, task.K_Q, task.T)))
    path = theory.prox_population_run(
        (0.6, 0.4), task.T, 0.02, lambda step: 0.0 if step < begun else lam * 0.02, begun + 400, record_at=[begun + 400]
    )
    square = np.square(path.useful[-1] - [0.6, 0.4]).sum() + (task.T - 2) * path.useless[-1] ** 2
    assert said(text, "Without noise it would end at") == pytest.approx(np.sqrt(square), abs=0.0062)


def check_starts(text, shown, point):
    """The chance by the spread of many starts of the library, and the noise of the sign law."""
    runs = whole_runs(shown)
    up = [run["alpha_V"][-1] > 0 for run in runs]
    own = [(run["alpha_V"][-1] > 0) == (run["alpha_V"][0] + run["alpha_A"][0] > 0) for run in runs]
    task = make_task({"T": point["T"]})
    unit = float(task.K_Q) * task.T
    spread = np.hypot(point["size_V"] / 3, point["size_A"] / unit / np.sqrt(4 * float(task.K_Q))) * unit
    noise = constants({"T": point["T"]}).s2 * point["lr"] * task.T / (2 * point["batch"])
    law = float(ndtr(1 / np.sqrt(spread**2 + noise)))
    assert f"theory says {100 * law:.0f}%" in text
    if len(up) > 1:
        assert text.startswith(f"{sum(up)} of {len(up)} runs take the true sign, {100 * np.mean(up):.0f}%")
        interval = binomtest(sum(up), len(up)).proportion_ci(method="wilson")
        assert f"({100 * interval.low:.0f} to {100 * interval.high:.0f}%" in text
    assert ("keep the sign that they began with" in text) == (len(up) > 1 and spread**2 >= noise)
    if "keep the sign" in text:
        assert f"{sum(own)} of {len(own)} keep" in text
    lost = len(shown.runs) - len(runs)
    assert ("diverged and" in text) == (lost > 0 and len(runs) != 1) or len(runs) == 1


FIGURES = {
    "flow": Figure({"T": 16, "lr": 0.2}, check_flow),
    # no run diverges here, nor below
    "stages": Figure({"T": 24, "lr": 0.05, "batch": 7}, check_stages, waiting="no pair has finished yet"),
    "sign": Figure({"T": 24, "lr": 0.1, "batch": 4}, check_sign),
    "run": Figure({"T": 16, "lr": 0.2, "batch": 8}, check_run),
    "transfer": Figure({"T": 8}, check_transfer, lost=False),
    "shrink": Figure({"T": 64, "batch": 16}, check_shrink, lost=False, waiting="no pair has finished yet"),
    "starts": Figure({"T": 24, "lr": 0.1, "batch": 4}, check_starts),
}


def check_writes(text, shown, point):
    """Frequencies and attention as drawn, and the layer trained again by the library's chance of its own law."""
    heights, weights, answer = (np.array(shown.theory[f"text.{name}"]) for name in ("heights", "weights", "answer"))
    assert heights.sum() == pytest.approx(1)
    np.testing.assert_allclose(heights * point["written"], np.round(heights * point["written"]), atol=1e-6)
    assert weights.sum() == pytest.approx(1)
    assert said(text, "add up to") == pytest.approx(weights[answer > 0].sum(), abs=0.0051 + 0.051)
    letter = "abc"[int(heights.argmax())]
    if point["written"] == 1:
        assert f"The one token that it wrote is {letter};" in text
    else:
        assert said(text, "tokens that it wrote") == pytest.approx(100 * heights.max(), abs=0.51)
        assert f"% are {letter}, the commonest" in text
        assert f"Of {point['written']:,} tokens" in text


def check_lookup(text, shown, point):
    arrows, true = (np.array(shown.theory[f"gradient.{name}"]) for name in ("arrows", "true"))
    if point["start_V"] == 0:
        assert "zero at every position, for every sample" in text
        assert not arrows.any()
    elif point["batch"] == 1:
        found = re.match(r"The label was (.), and V expects \1 after (.):", text)
        assert found, text
        after, token = found.groups()
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


def check_valley(text, shown, point):
    """By integration in continuous time to the same eta t = 60, and the library's loss of whole matrices."""
    task = make_task({"T": point["T"]})
    d = float(theory.drift_number(task.K_Q, task.T))
    start = (point["start_V"], point["start_A"])
    path = solve_ivp(lambda _, z: theory.velocity(*z, d), (0, 60), start, "LSODA", rtol=1e-9, atol=1e-12)
    x, y = path.y[:, -1]

    def fraction(x, y):
        V, A = task.mu[:, None] + x * (task.P - task.mu[:, None]), 1 / task.T + y * (task.Q - 1 / task.T)
        zero = (np.tile(task.mu[:, None], task.N), np.full_like(task.Q, 1 / task.T))
        least = theory.irreducible_loss(task.mu, task.P, task.Q)
        over = [theory.population_loss(*one, task.mu, task.P, task.Q) - least for one in ((V, A), zero)]
        return float(over[0] / over[1])

    assert ("on its way" in text) == (x * y < 0.9)
    if "on its way" in text:
        return
    assert f"in the {'true' if x > 0 else 'mirrored'} valley" in text
    left = 100 * fraction(x, y)
    if "less than" in text:
        assert left < 1.03
        assert x > 0
    else:
        assert said(text, "valley, with") == pytest.approx(left, rel=0.03, abs=0.51 if left > 9.9 else 0)
    if x < 0:
        assert said(text, "the exact mirror leaves") == as_said(100 * fraction(-1, -1), percent=True)


def check_quiet(text, shown, point):
    """By the library's recursion, whose loss is that of the whole matrices."""
    task = make_task({"T": point["T"]})
    if 0.2 * float(task.K_Q) * task.T <= 1:
        assert "no quiet phase" in text
        return
    path = theory.population_run(task.K_P, task.K_Q, task.T, point["lr"], round(12 / point["lr"]))
    above = int((path.alpha_V > 0.1).argmax()) + 1
    tau = np.interp(0.1, path.alpha_V[:above], path.steps[:above])
    left = np.interp(tau, path.steps, path.excess_loss) / path.excess_loss[0]
    assert said(text, "at step") == pytest.approx(tau, abs=0.51)
    assert said(text, "fallen by") == pytest.approx(100 * (1 - left), rel=0.0051)


def check_pulls(text, shown, point):
    """The expected gradients of the whole matrices, on the two lines."""
    task, (x, y) = make_task({"T": 64}), (point["start_V"], point["start_A"])
    V, A = task.mu[:, None] + x * (task.P - task.mu[:, None]), 1 / 64 + y * (task.Q - 1 / 64)
    slope_V = theory.expected_gradient_V(V, A, task.mu, task.P, task.Q)
    slope_A = theory.expected_gradient_A(V, A, task.mu, task.P, task.Q)
    moved = theory.signal_coordinates(V - slope_V / task.K_Q, A - slope_A / task.K_P, task.mu, task.P, task.Q)
    by_V, by_A = float(moved.alpha_V) - x, float(moved.alpha_A) - y
    if x == y == 1:
        assert "nothing moves" in text
        assert [by_V, by_A] == pytest.approx([0, 0], abs=1e-12)
    elif x == y == 0:
        assert "A does not move at all" in text
        assert [by_A, said(text, "moves V, by")] == pytest.approx([0, by_V], abs=1e-4)
    else:
        assert said(text, "V moves by") == pytest.approx(by_V, rel=0.0051, abs=1e-12)
        assert said(text, "and A by") == pytest.approx(by_A, rel=0.0051, abs=1e-12)


def check_net(text, shown, point):
    """From the row that is drawn."""
    row, true = (np.array(shown.theory[f"row.{name}"]) for name in ("attention", "true"))
    left = np.sign(row) * np.maximum(np.abs(row) - point["band"], 0)
    parts = {"noise": true == 0, "signal": true > 0}
    energy = {name: [np.sum(one[where] ** 2) for one in (row, left)] for name, where in parts.items()}
    if point["band"] == 0:
        ratio = energy["noise"][0] / energy["signal"][0]
        assert ("yet together" in text) == (ratio >= 1)
        assert said(text, "others is") == pytest.approx(np.abs(row[true == 0]).max(), rel=0.0051)
        assert said(text, "true one") == pytest.approx(row[true > 0].min(), rel=0.0051)
        assert said(text, "others weigh") == pytest.approx(ratio, rel=0.0051)
        return
    caught, lost = (100 * (1 - after / before) for before, after in energy.values())
    assert said(text, "noise and") == as_said(lost, percent=True)
    assert ("all of the noise" in text) == (caught == 100)
    assert ("more than 99.9%" in text) == (99.9 < caught < 100)
    if caught <= 99.9:
        assert said(text, "removes") == as_said(caught, percent=caught < 99)
        assert said(text, "others left:") == (left[true == 0] != 0).sum()


def check_sample(text, shown, point):
    """From the letters and arcs that are drawn, by the library's transition."""
    tokens, weights = (np.array(shown.theory[f"mix.{name}"]) for name in ("tokens", "weights"))
    here, changed = int(re.search(r"position (\d+)", text)[1]) - 1, "abcd".index(re.search(r"become (.)", text)[1])
    assert here == point["place"] - 1
    assert tokens[here] == changed
    old = tokens.copy()
    old[here] = (changed - 1) % 4
    assert f" {'abcd'[int(old[here])]} has become" in text
    P = scb.ring_transition(np.full(4, 0.25), 0.8)
    before, after = ((P[:, one.astype(int)] * weights).sum(axis=1) for one in (old, tokens))
    assert ("nothing moves" in text) == (weights[here] == 0) == bool(np.allclose(before, after))
    if weights[here]:
        grows = int(np.argmax(after - before))
        told = re.search(r"and (.) goes from (\d+)% to (\d+)%", text)
        assert told[1] == "abcd"[grows]
        assert [float(told[2]), float(told[3])] == pytest.approx([100 * before[grows], 100 * after[grows]], abs=0.51)


def check_model(text, shown, point):
    """From the letters and true arcs that are drawn, by the library's flow."""
    tokens, true = (np.array(shown.theory[f"guess.{name}"]) for name in ("tokens", "true"))
    P, K_Q = scb.ring_transition(np.full(4, 0.25), 0.8), 0.52 - 1 / 24
    path = theory.population_run(0.5, K_Q, 24, 0.02, max(point["step"], 1))
    alpha_V, alpha_A = ((one[-1] if point["step"] else 0.0) for one in (path.alpha_V, path.alpha_A))
    attention = (1 - alpha_A) / 24 + alpha_A * true
    label = P[:, tokens.astype(int)] @ true
    guess = (0.25 + alpha_V * (P - 0.25))[:, tokens.astype(int)] @ attention
    best = "abcd".index(re.search(r"gives (.) ", text)[1])
    assert label[best] == pytest.approx(label.max())
    assert said(text, "At step") == point["step"]
    told = [float(one) for one in re.findall(r"(\d+)%", text)]
    assert told == pytest.approx([100 * guess[best], 100 * label[best]], abs=0.51)


def check_count(text, shown, point):
    """From the statistics of all rows: ranks by sorting. The statistics have their owner in test_smalls.py."""
    every, support = (np.reshape(shown.theory[f"counts.{name}"], (4, -1)) for name in ("every", "support"))
    highest = np.sort(every, axis=1)[:, -2:-1]
    named = int(((every >= highest) & (support == 1)).sum())
    assert said(text, "With") == point["samples"]
    assert ("all eight" in text) == (named == 8)
    assert named == 8 or said(text, "names") == named
    task = scb.ring_task(point["T"], 4, 0.75, scb.even_weights(2))
    path = theory.population_run(task.K_P, task.K_Q, point["T"], 0.02, 500)
    left = np.interp(0.1, path.alpha_V, np.arange(501))
    assert ("plateau" in text) == (0.2 * task.K_Q * point["T"] > 1)
    assert "plateau" not in text or said(text, "training takes") == pytest.approx(32 * left, abs=1)


def check_needed(text, shown, point):
    """From the record: the larger power of finding positions is of both kinds of attention."""
    name, over = samples.OPTIMISERS[point["optimiser"]], "TNQ"[point["over"]]
    assert text.startswith(f"By {'the ' * (name == 'soft threshold')}{name}, little else costs")

    def power(goal, attention):
        sizes, found = samples.along(over, goal, name, attention)
        there = np.isfinite(found[:, 0])
        return np.polyfit(np.log(np.array(sizes)[there]), np.log(found[there, 0]), 1)[0]

    wanted = [power("little else", kind) for kind in samples.ATTENTION]
    wanted.append(max(power("where", kind) for kind in samples.ATTENTION))
    told = [float(one.replace("−", "-")) for one in re.findall(rf"{over}\^(−?\d\.\d\d)", text)]
    assert told == pytest.approx(wanted, abs=0.0051)


def saved(point):
    """Of a cell of the map, from the record: samples of the step of each run in order, and of Stage 1; NaN if none."""
    T, N = (32, 64, 128, 256, 512, 1024)[point["T"] - 1], (3, 4, 6, 8)[point["N"]]
    if N != 4 and T == 1024:
        return np.full(16, np.nan), np.nan, np.nan
    rho = (1.0, 0.8, 0.57, 0.4, 0.28, 0.2, 0.14, 0.1)[point["rho"] - 1]
    step = np.array(skip.recorded_steps()[T, N, rho]["samples"], dtype=float)
    scratch = samples.recorded_samples()[T, N, 2, "gradient descent", "linear"]
    ratio = skip.worth(T, N, 0)
    return np.sort(np.where(step > 0, step, np.inf)), samples.goal_samples(scratch, "where, true sign", 0)[0], ratio


def check_saves(text, shown, point):
    step, scratch, ratio = saved(point)
    if np.isnan(scratch):
        assert text.startswith("Not measured")
        return
    assert said(text, "from scratch") == scratch
    assert said(text, "One step takes more than" if step[11] == np.inf else "One step takes") == min(step[11], 16384)
    assert said(text, "saves from ρ =") == pytest.approx(skip.least_correlation(ratio)[0], abs=0.0051)


SMALLS = {
    "count": Small(check_count), "lookup": Small(check_lookup), "model": Small(check_model),
    "needed": Small(check_needed), "net": Small(check_net), "pulls": Small(check_pulls),
    "quiet": Small(check_quiet), "saves": Small(check_saves), "sample": Small(check_sample),
    "valley": Small(check_valley), "writes": Small(check_writes),
}  # fmt: skip
