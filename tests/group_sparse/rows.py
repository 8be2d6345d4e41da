"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import expit, logit

from hal.chapters.group_sparse.models import Pair, PairTransformer
from hal.chapters.group_sparse.models.textbook_two import Two
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.train import GivenBatches, flow, train
from tests.rows import Figure, Small, Textbook, each, middle, whole_runs

SIZES = each(D=1, d=0)
REFUSED = [*SIZES, *each(n=0, lr=-0.1, sigma=0.0, flips=0.5, steps=-1, others=0.0)]


def short(rng):
    """Settings over the full ranges, extremes among them; the more groups, the fewer steps."""
    D, extreme = int(rng.integers(2, 9)), rng.uniform(size=3) < 0.1
    return Settings(
        D, int(rng.integers(1, 9)), n=round(20 ** rng.uniform()), steps=int(rng.integers(1, 2 + 24 // D**2)),
        lr=0.0 if extreme[0] else float(10 ** rng.uniform(-2, 1)), sigma=float(2 ** rng.uniform(-1, 1)),
        flips=0.0 if extreme[1] else float(rng.uniform(0, 0.49)),
        others=float(4 ** rng.uniform(-1, 1)),
    )  # fmt: skip


def two(rng):
    """Settings of two layers, of half as many steps."""
    one = short(rng)
    return Two(one.D, one.d, one.n, one.lr, float(10 ** rng.uniform(-2, 1)), int(rng.integers(2)), 1 + one.steps // 2)


TEXTBOOKS = {
    "textbook": Textbook(short, REFUSED, dict(D=4, d=2, n=20, lr=1e13, flips=0.3, steps=5)),
    "textbook_two": Textbook(two, [*SIZES, *each(n=0, steps=-1)], dict(D=4, d=2, n=20, large=1e13, steps=9)),
}


def population(D, sigma, time):
    """Attention and loss of the library's flow of two scalars."""
    pair = PairTransformer(D, sigma)
    found = flow(pair, None, [time], pair.rates)
    return float(pair.attention(found.params)[-1]), float(found.loss[-1])


def said(text, pattern):
    """The numbers that the sentence has where the pattern has groups."""
    text = text.replace("about 0", "0")
    found = re.search(pattern, text)
    assert found, (pattern, text)
    return [float(one.replace(",", "").replace("−", "-")) for one in found.groups()]


def crossed(run, name, level):
    """The step at which a reading first reaches a level, by interpolation on a fine grid; NaN if it does not."""
    at, values = np.array(run["steps"]), np.array(run[name])
    over = np.flatnonzero((values[1:] >= level) & (values[:-1] < level))
    if not over.size:
        return np.nan
    return float(np.interp(level, values[over[0] : over[0] + 2], at[over[0] : over[0] + 2]))


def check_selection(text, shown, point):
    flowed = population(point["D"], point["sigma"], point["lr"] * shown.runs[0]["steps"][-1])[0]
    if point["flips"] == 0 and point["others"] == 1:
        assert shown.theory["flow.last"][0] == pytest.approx(flowed, abs=0.015)
    runs = whole_runs(shown)
    half = [crossed(run, "attention", 0.5 + 1e-9) for run in runs]
    turned = [crossed(run, "cosine", 0.9) for run in runs]
    known = [np.isfinite(one).any() for one in (turned, half)]
    wanted = [np.nanmedian(one) if any(np.isfinite(one)) else np.nan for one in (turned, half)]
    if all(known):
        assert ("Value vector first" in text) == (wanted[0] < wanted[1])
        if wanted[0] < wanted[1]:
            values = said(text, r"reaches 0\.9 at step ([\d,]+), attention passes 0\.5 at step ([\d,]+)\.")
        else:
            values = said(text, r"passes 0\.5 at step ([\d,]+); the cosine with v\* reaches 0\.9 at step ([\d,]+)")[
                ::-1
            ]
        assert values == pytest.approx(wanted, abs=0.51)
    elif known[0]:
        turned = said(text, r"reaches 0\.9 at step ([\d,]+).*; attention does not")
        assert turned == pytest.approx(wanted[:1], abs=0.51)
        assert ("but ends at" in text) == (middle(shown, "cosine") <= 0.8)
        if "but ends at" in text:
            assert said(text, r"but ends at (−?[\d.]+);") == pytest.approx([middle(shown, "cosine")], abs=0.0051)
    assert ("does not reach 0.9" in text) == (not known[0])
    test = middle(shown, "test")
    gap = np.median([run["accuracy"][-1] - run["test"][-1] for run in runs])
    clean = point["flips"] == 0
    trained = middle(shown, "accuracy")
    assert ("memorises" in text) == (gap > 0.1 and clean and trained > 0.9)
    assert ("of its own examples" in text) == (gap > 0.1 and clean and trained <= 0.9)
    if "of its own examples" in text:
        assert said(text, r"fits ([\d.]+) of its own examples") == pytest.approx([trained], abs=0.0051)
    told = said(text, r"(?:on correct ones the accuracy|on new examples) is ([\d.]+)\.")
    assert told == pytest.approx([test], abs=0.0051)
    chance = f"is wrong with probability {np.floor(100 * point['flips'] + 0.5):.0f}%"
    assert (chance in text) == (100 * point["flips"] > 0.5 and "memorises" not in text)


def check_wrong(text, shown, point):
    """Medians of both layers' last records."""
    first, second = (middle(shown, name) for name in ("at_left", "at_right"))
    told = said(text, r"Right on new examples: ([\d.]+)% and ([\d.]+)%\.")
    assert told == pytest.approx([100 * middle(shown, name) for name in ("new_left", "new_right")], abs=0.51)
    if min(abs(first - 0.5), abs(second - 0.5)) > 1e-6:
        assert ("Both layers look" in text) == (min(first, second) > 0.5)
        assert ("Neither layer looks" in text) == (max(first, second) <= 0.5)
        assert ("Only the first layer" in text) == (first > 0.5 >= second)
        assert ("Only the second layer" in text) == (second > 0.5 >= first)


def check_sees(text, shown, point):
    """The angle between what the label reads and what the best line through the mean reads."""
    s, D = point["s"], point["D"]

    def wrong(s):
        weights = np.full(D, (1 - s) / (D - 1))
        weights[1] = s
        return 100 * np.arccos(s / np.linalg.norm(weights)) / np.pi

    told = said(text, r"wrong on ([\d.]+)% of new examples; with even attention on ([\d.]+)%")
    assert told == pytest.approx([wrong(s), wrong(1 / D)], abs=0.51)


def check_plane(text, shown, point):
    """By the library's gradient of the two scalars, whose loss is in closed form, and another integrator."""
    D = 6
    pair = PairTransformer(D)

    def speed(_, place):
        grad = pair.loss_and_gradient(Pair(place[:1], place[1:]), None)[1]
        return [-grad.alpha[0], -pair.rates["b"] * grad.b[0]]

    gap = logit(point["s"]) + np.log(D - 1)
    path = solve_ivp(speed, (0, 200), [point["alpha"], gap], "LSODA", rtol=1e-8, atol=1e-10, dense_output=True)
    times = np.concatenate([[0], np.geomspace(1e-3, 200, 4000)])
    s = expit(path.sol(times)[1] - np.log(D - 1))
    fall = point["s"] - s.min()
    if abs(fall - 0.002) > 2e-4:
        assert ("it falls to" in text) == (fall > 0.002)
    if "falls to" in text:
        assert said(text, r"falls to (\d+\.\d+)")[0] == pytest.approx(s.min(), rel=0.012)
    assert ("does not reach" in text) == (not s.max() >= 0.9)
    if "at ηt =" in text:
        assert said(text, r"at ηt = (\d+(?:\.\d+)?)")[0] == pytest.approx(times[(s >= 0.9).argmax()], rel=0.015)


def check_area(text, shown, point):
    D, d = point["D"], point["d"]
    told = said(text, r"learns ([\d,]+) numbers, the layer ([\d,]+): (\d+) for group 2, and (\d+) for")
    assert told == [D * d, D + d, d, D]


def layer_of(shown, name, optimisers, steps, positions=None):
    """The library's layer, its parameters step by step for each optimiser, the run's own examples and new ones."""
    start = textbook.start(Settings(6, 2, 200, 1.0, steps), int(shown.theory[f"{name}.seed"][0]))
    given, fresh = (
        gs.Examples(np.array(tokens).reshape(1, len(y), 6, -1)[..., :2], np.array(y)[None])
        for tokens, y in ((start.tokens, start.y), (start.fresh, start.fresh_y))
    )
    model = gs.GroupTransformer(gs.Task(D=6, d=2), positions)
    record = {"v": lambda params: params.v, "W": lambda params: params.W}
    every = range(steps + 1)
    runs = [train(GivenBatches(model, [given]), None, one, steps, record=record, record_at=every) for one in optimisers]
    return model, [[gs.Params(run["v"][:, t], run["W"][:, t]) for t in every] for run in runs], given, fresh


UNIT = np.sqrt(3.5) * np.eye(6)


def check_limit(text, shown, point):
    """The strips, by the library's model."""
    model, (run,), given, _ = layer_of(shown, "swing", [optim.sgd(point["lr"])], 40, UNIT)
    on = [gs.mean_attention(params, model, given.X)[0] for params in run]
    means = [[model.output(params, given.X)[given.y == sign].mean() for params in run] for sign in (1, -1)]
    for name, known in zip(("attention", "plus", "minus"), (on, *means), strict=True):
        np.testing.assert_allclose(shown.theory[f"swing.{name}"], known, rtol=1e-3, atol=0.01, err_msg=name)
    assert said(text, r"is ([\d.]+) times the limit") == pytest.approx([point["lr"] * 42 / 16], abs=0.051)
    assert said(text, r"ends at ([\d.]+)\.") == pytest.approx(on[-1:], abs=0.012)
    if abs(min(on) - 0.15) > 0.01:
        assert ("falls to" in text) == (min(on) < 0.15)
    if "falls to" in text:
        assert said(text, r"falls to ([\d.]+),") == pytest.approx([min(on)], abs=0.012)


def check_looks(text, shown, point):
    """Both rows and what is read, by the library's model."""
    model, (run,), _, fresh = layer_of(shown, "found", [optim.sgd(point["lr"])], 100, UNIT)
    S, reads = model.attention(run[-1], fresh.X)[0], run[-1].v[0, 2:] * np.sqrt(3.5)
    rows = [S[fresh.y[0] == sign].mean(axis=(0, 2)) for sign in (1, -1)]
    np.testing.assert_allclose(shown.theory["found.looks"], np.hstack(rows), atol=0.01)
    np.testing.assert_allclose(shown.theory["found.reads"], reads, atol=0.05)
    alone = np.mean(np.einsum("nij,i->n", S, reads) * fresh.y[0] > 0)
    told = said(text, r"new examples: ([\d.]+)%; by the page numbers alone: ([\d.]+)%")
    assert told == pytest.approx([100 * gs.accuracy(model.output(run[-1], fresh.X), fresh.y)[0], 100 * alone], abs=1.1)


def check_cures(text, shown, point):
    """Three ways to train by the library, on the same examples and encodings."""
    rules = optim.sgd(0.3), optim.sgd(1.0), optim.adam(point["rate"])
    model, runs, given, fresh = layer_of(shown, "found", rules, 100, UNIT if point["unit"] else None)
    told = said(text, r"puts ([\d.]+) of .* on new examples is ([\d.]+)\.")
    ends = runs[2][-1]
    right = gs.accuracy(model.output(ends, fresh.X), fresh.y)[0]
    assert told == pytest.approx([gs.mean_attention(ends, model, given.X)[0], right], abs=0.012)


FIGURES = {
    "selection": Figure({"D": 3, "n": 27, "lr": 0.37}, check_selection, False),
    "wrong": Figure({"D": 5, "d": 3, "n": 33}, check_wrong, False),
}

SMALLS = {
    "area": Small(check_area),
    "cures": Small(check_cures),
    "limit": Small(check_limit),
    "looks": Small(check_looks),
    "plane": Small(check_plane),
    "sees": Small(check_sees),
}
