"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import expit, logit, ndtr

from hal.chapters.group_sparse.models import Pair, PairTransformer
from hal.chapters.group_sparse.models.textbook_two import Two
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.train import GivenBatches, flow, train
from tests.rows import Figure, Small, Textbook, as_said, each, middle, whole_runs

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
    weights = np.full(D, (1 - s) / (D - 1))
    weights[1] = s
    wrong = np.arccos(s / np.linalg.norm(weights)) / np.pi
    on, percent = said(text, r"With ([\d.]+)% of the attention on group 2, .* wrong on ([\d.]+)% of test examples")
    assert on == as_said(100 * s, percent=True)
    assert percent == as_said(100 * wrong, percent=True)


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


def needed(s, noise, across, still, rate, gamma=0.2, places=240, signs=41):
    """Examples of the new task until 5% are wrong at a margin, by the law on a grid of its own."""
    g, (nodes, weights) = (np.arange(places) + 0.5) * 4.8 / places, np.polynomial.hermite_e.hermegauss(signs)
    half = np.exp(-(g**2) / 2)
    share, along = np.outer(half / half.sum(), weights / weights.sum()), gamma + g[:, None]
    a = B = bias = 0.0
    w = s * s + noise
    for seen in range(1, 8000):
        p = expit(-(a * s * along + np.sqrt(B * w + bias + a * a * noise) * nodes))
        push, slope, square = ((share * x).sum() for x in (p * along, p * (1 - p), p * p))
        a, B, bias = (
            a + rate * (s * push - a * noise * slope),
            B + rate * w * (rate * across * square - 2 * B * slope),
            bias + rate * still * (rate * still * square - 2 * bias * slope),
        )
        spread = np.sqrt(B * w + bias + a * a * noise)
        if (half / half.sum()) @ ndtr(-a * s * along[:, 0] / spread) <= 0.05:
            return seen
    raise AssertionError("more than 8,000 examples")


def check_area(text, shown, point):
    D, d = point["D"], point["d"]
    length, noise = d + (D + 1) / 2, 0.1**2 / (D - 1)
    layer = needed(0.9, noise, d - 1, (D + 1) / 2 * (0.9**2 + noise), 3.2 / length)
    linear = needed(1.0, 0.0, d * D - 1, 0.0, 3.2 / (d * D))
    told = said(text, r"The layer needs ([\d,]+) examples, logistic regression ([\d,]+):")
    assert told == pytest.approx([layer, linear], rel=0.04, abs=1.1)
    assert ("worth nothing" in text) or f"at D = {D}, d = {d}." in text
    if "worth nothing" in text:
        assert linear / layer < 1.1
    else:
        assert linear / layer > 0.9
        assert said(text, r"([\d.]+) times as many") == pytest.approx(
            [linear / layer], rel=0.12 if linear < 60 else 0.05
        )


def check_limit(text, shown, point):
    """The outputs by the library's model on the run's own examples."""
    start = textbook.start(Settings(6, 2, 60, point["lr"], 30), int(shown.theory["outputs.seed"][0]))
    given = gs.Examples(np.array(start.tokens).reshape(1, 60, 6, -1)[..., :2], np.array(start.y)[None])
    model = gs.GroupTransformer(gs.Task(D=6, d=2), np.sqrt(3.5) * np.eye(6))
    batches = GivenBatches(model, [given])
    trained = train(batches, model.init(1), optim.sgd(point["lr"]), point["t"]).params
    above = 100 * (model.output(trained, given.X) > 0).mean()
    times, share = said(text, r"is ([\d.]+) times the limit\. After .* ([\d.]+)% of the outputs")
    assert times == pytest.approx(point["lr"] * 42 / 16, abs=0.0051)
    assert share == pytest.approx(max(above, 100 - above), abs=2.2)
    assert ("After the first step" in text) == (point["t"] == 1)
    if point["t"] > 1:
        assert f"After {point['t']} steps" in text
    drawn = model.output(trained, given.X).mean()
    assert shown.theory["outputs.mean"][point["t"]] == pytest.approx(drawn, abs=0.01 + 1e-3 * abs(drawn))


def check_cures(text, shown, point):
    """Three ways to train by the library, on the same examples and encodings."""
    start = textbook.start(Settings(6, 2, 200, 1.0, 100), int(shown.theory["found.seed"][0]))
    examples = [
        gs.Examples(np.array(tokens).reshape(1, len(y), 6, -1)[..., :2], np.array(y)[None])
        for tokens, y in ((start.tokens, start.y), (start.fresh, start.fresh_y))
    ]
    task = gs.Task(D=6, d=2)
    model = gs.GroupTransformer(task, np.sqrt(3.5) * np.eye(6)) if point["unit"] else gs.GroupTransformer(task)
    attention, right = [], []
    for rule in (optim.sgd(0.3), optim.sgd(1.0), optim.adam(point["rate"])):
        trained = train(GivenBatches(model, [examples[0]]), model.init(1), rule, 100).params
        attention.append(gs.mean_attention(trained, model, examples[0].X)[0])
        right.append([gs.accuracy(model.output(trained, one.X), one.y)[0] for one in examples])
    told = said(text, r"puts ([\d.]+) of .* on new examples is ([\d.]+)\.")
    assert told == pytest.approx([attention[2], right[2][1]], abs=0.012)


FIGURES = {
    "selection": Figure({"D": 3, "n": 27, "lr": 0.37}, check_selection, False),
    "wrong": Figure({"D": 5, "d": 3, "n": 33}, check_wrong, False),
}

SMALLS = {
    "area": Small(check_area),
    "cures": Small(check_cures),
    "limit": Small(check_limit),
    "plane": Small(check_plane),
    "sees": Small(check_sees),
}
