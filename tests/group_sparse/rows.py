"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest

from hal.chapters.group_sparse.models import PairTransformer
from hal.chapters.group_sparse.models.textbook_two import Two
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.theory.group_sparse import largest_rate
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
    wanted = [np.nanmedian(one) if any(np.isfinite(one)) else np.nan for one in (turned, half)]
    if np.isfinite(wanted).all():
        first = wanted[0] < wanted[1]
        words = (r"right at step ([\d,]+), attention passes one half at step ([\d,]+)\." if first
                 else r"passes one half at step ([\d,]+), the line is right at step ([\d,]+)")  # fmt: skip
        assert said(text, words)[:: 1 if first else -1] == pytest.approx(wanted, abs=0.51)
    elif np.isfinite(wanted[0]):
        assert said(text, r"right at step ([\d,]+); attention does not") == pytest.approx(wanted[:1], abs=0.51)
    assert ("does not become right" in text) == np.isnan(wanted[0])


def check_wrong(text, shown, point):
    """Medians of both layers' last records."""
    first, second = (middle(shown, name) for name in ("at_left", "at_right"))
    told = said(text, r"Right on new examples: ([\d.]+)% \(small rate\), ([\d.]+)% \(large rate\)\.")
    assert told == pytest.approx([100 * middle(shown, name) for name in ("new_left", "new_right")], abs=0.51)
    if min(abs(first - 0.5), abs(second - 0.5)) > 1e-6:
        assert ("Both layers look" in text) == (min(first, second) > 0.5)
        assert ("Neither layer looks" in text) == (max(first, second) <= 0.5)
        assert ("Only the first layer" in text) == (first > 0.5 >= second)
        assert ("Only the second layer" in text) == (second > 0.5 >= first)


def least_wrong(s, D):
    """How often, in per cent, the sign of a weighted mean of normal variables is not that of one of them: the angle
    between what the label reads and what the best line through the mean reads."""
    return 100 * np.arccos(s / np.sqrt(s * s + (1 - s) ** 2 / (D - 1))) / np.pi


def layers_of(seed, optimisers, positions=None, n=200, steps=100):
    """The library's layer after these steps of each optimiser, (model, parameters); the textbook's own examples, and
    the new ones."""
    start = textbook.start(Settings(6, 2, n, 1.0, 100), seed)
    given, fresh = (
        gs.Examples(np.array(tokens).reshape(1, len(y), 6, -1)[..., :2], np.array(y)[None])
        for tokens, y in ((start.tokens, start.y), (start.fresh, start.fresh_y))
    )
    model = gs.GroupTransformer(gs.Task(D=6, d=2), positions)
    return [(model, train(GivenBatches(model, [given]), None, one, steps).params) for one in optimisers], given, fresh


UNIT = np.sqrt(3.5) * np.eye(6)


def check_looks(text, shown, point):
    """The library's trained layer on the first new example with each label; the sentence."""
    rate = optim.sgd(0.3 if point["small"] else 1.0)
    (((model, params),), _, fresh) = layers_of(0, [rate], UNIT)
    X = fresh.X[:, [int(np.flatnonzero(fresh.y[0] == label)[0]) for label in (1, -1)]]
    S = model.attention(params, X)[0].mean(axis=-1)[:: -1 if point["swap"] else 1]
    votes = UNIT @ params.v[0, 2:] + X[0] @ params.v[0, :2]
    sums = (S * votes).sum(axis=1) if point["swap"] else model.output(params, X)[0] / 6
    for i, name in enumerate(("plus", "minus")):
        for what, found in ("attention", S[i]), ("votes", votes[i]), ("sum", sums[i : i + 1]):
            np.testing.assert_allclose(shown.theory[f"trained.{name}_{what}"], found, atol=1e-6)
    told = "right" if sums[0] > 0 > sums[1] else "wrong" if sums[0] < 0 < sums[1] else "+" if sums[0] > 0 else "−"
    assert text == f"Attention {'swapped' if point['swap'] else 'as trained'}: both answers are {told}."


def check_valley(text, shown, point):
    """The constant's gradient descent on the logistic loss of both labels, with the library's limit in its factor."""
    for k, lr in enumerate((0.3, point["lr"])):
        c = [0.8]
        for _ in range(3):
            c.append(c[-1] - lr * 8 / largest_rate(6) * (1 / (1 + np.exp(-c[-1])) - 0.5))
        np.testing.assert_allclose(shown.theory["valley.c"][4 * k : 4 * k + 4], c, atol=1e-9)
    assert ("higher" in text) == (abs(c[1]) > abs(c[0]))


FIGURES = {
    "selection": Figure({"D": 3, "n": 27, "lr": 0.37}, check_selection, False),
    "wrong": Figure({"D": 5, "d": 3, "n": 33}, check_wrong, False),
}

SMALLS = {
    "looks": Small(check_looks),
    "valley": Small(check_valley),
}
