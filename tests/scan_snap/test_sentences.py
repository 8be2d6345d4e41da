"""What the chapter's figures say at random positions of all their sliders; `rows` knows what must be true of it."""

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import attention, fate, growth, ratio, snap
from hal.chapters.scan_snap.runs.dynamics import flow
from hal.explorer import Computed
from hal.explorer.sentences import say
from lib.models import scan_snap as ss
from lib.models.scan_snap.textbook_ratios import RATIOS, valley
from lib.theory.scan_snap.portable_curves import two_digits
from tests.rows import said
from tests.scan_snap.rows import FIGURES


def anywhere(figure, rng, **kept):
    """Settings over all sliders of a figure, in the logarithm where they are so drawn; some at an end, some at home."""
    point = {}
    for name, control in figure.controls_by_name.items():
        low, high, where = control.low, control.high, rng.uniform()
        if control.slider.names:
            point[name] = control.stops[int(rng.integers(len(control.stops)))]
            continue
        inside = low * (high / low) ** rng.uniform() if control.log else rng.uniform(low, high)
        value = low if where < 0.15 else high if where < 0.3 else control.default if where < 0.4 else inside
        point[name] = round(value) if control.integer else float(value)
    return point | kept


def spoken(module, row, count, seed, most=1, also=(), **limits):
    """The sentences at some settings, each checked; `limits` are ranges of sliders that cost time.

    Settings `also` are for branches that a few random ones may miss.
    """
    figure, rng, texts = Computed(module), np.random.default_rng(seed), []
    for point in (*({} for _ in range(count)), *also):
        limited = {name: int(rng.integers(*ends)) for name, ends in limits.items()}
        runs = most if point else int(rng.integers(1, most + 1))
        point = figure.default | point if point else anywhere(figure, rng, **limited)
        shown = figure.compute(point, seed=int(rng.integers(100)), runs=runs)
        texts.append(say(figure.reading, shown.facts))
        FIGURES[row].check(texts[-1], shown, point)
    return " ".join(texts)


def test_of_attention(monkeypatch):
    monkeypatch.setattr(attention, "BATCH", 8)
    middle = {"T": 40, "optimiser": 2, "lr_Y": 0.3, "lr_Z": 0.3}
    text = spoken(attention, "attention", 20, 1, most=3, also=[middle], T=(8, 20))
    for branch in ("nothing to leave", "less than 0.1% left", "the most frequent leads, at", "of ten, from the rarest",
                   "leads in 0 of 3 runs", "of that fall comes before", "stays above 0.1", "medians of 2"):  # fmt: skip
        assert branch in text


def test_of_snap():
    late = {"M": 511, "K": 14, "common": 52, "lr_Y": 6.42, "shared": 1}
    text = spoken(snap, "snap", 24, 2, also=[{"lr_Y": 0.1}, late])
    for branch in ("nothing moves", ", before t_0′", "about t_0′", "between", "about t_0 ", ", after t_0 "):
        assert branch in text
    corner = Computed(snap).compute({"M": 20, "K": 2, "lr_Y": 20.0, "lr_Z": 20.0, "common": 60}, runs=1)
    assert "The reference is fastest by step 0.32." in say(Computed(snap).reading, corner.facts)
    assert corner.facts["peak"] > 0.32  # the joint flow never is that early: this is its earliest corner


def test_of_growth():
    assert "These data obey" in spoken(growth, "growth", 12, 3, K=(2, 4))


def test_of_fate():
    text = spoken(fate, "fate", 20, 4, also=[{"common": 10}])
    for branch in ("is above", "is below", "joint flow it turns", "joint flow it does not turn", "reference it turns",
                   "reference it does not turn", "mirror image"):  # fmt: skip
        assert branch in text
    figure = Computed(fate)
    needed = figure.compute({}, runs=0).facts["reference.needed"]
    for kappa in (needed - 0.02, needed - 0.005, needed + 0.005, needed + 0.02):
        facts = figure.compute({"kappa": kappa}, runs=0).facts
        near = abs(kappa - facts["reference.needed"]) < 0.01  # the token itself is part of the overlap
        assert ("hardly moves" in say(figure.reading, facts)) == near


def test_of_ratio(monkeypatch):
    monkeypatch.setattr(ratio, "BATCH", 4)
    limits = dict(T=(8, 24), queries=(1, 4))
    alike = {"T": 14, "lr_Z": 0.05, "steps": 4}
    text = spoken(ratio, "ratio", 12, 5, most=4, also=[alike], **limits)
    text += spoken(ratio, "ratio", 8, 6, steps=(1, 6), **limits)
    for branch in ("all ratios are equal", "all ratios end within", "sparsest at ratio ", "sparsest at ratios",
                   "sequences all end within", "the end of the axis", " near "):  # fmt: skip
        assert branch in text


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_attention_is_fastest_when_the_whole_model_s_is(seed):
    """At twelve records a decade and to two digits; the model's at sixty."""
    rng, figure = np.random.default_rng(seed), Computed(snap)
    point = anywhere(figure, rng, K=int(rng.integers(2, 5)), common=int(rng.integers(1, 60)), lr_Z=1.0)
    text = say(figure.reading, figure.compute(point, runs=1).facts)
    task = ss.base_task(point["K"], point["common"], 10, "shared" if point["shared"] else "own", point["M"], None)
    t = np.geomspace(0.3, 1e5, 331)
    speed = np.linalg.norm(flow(task, point["lr_Y"], 1.0, t, tolerance=1e-6).speed[:, 0], axis=-1)
    assert said(text, "The joint flow is fastest near step") == pytest.approx(t[speed.argmax()], rel=0.08)


def test_the_least_of_seven():
    found = valley([2.0, 1.5, 1.9, 1.6, 1.7, 1.8, 2.1])
    assert (found["best"], found["second"]) == ([RATIOS[1]], [RATIOS[3]])
    assert [found[name][0] for name in ("least", "ahead", "range")] == pytest.approx([1.5, 0.1, 0.6])
    assert np.isnan([values[0] for values in valley([float("nan")] * 7).values()]).all()


def test_two_digits():
    shown = [two_digits(x) for x in (0.0349, 0.996, 7.0, 12.34, 99.4, 99.6, 40_700.0)]
    assert shown == pytest.approx([0.035, 1.0, 7.0, 12.0, 99.0, 100.0, 41_000.0], rel=1e-12)
    assert np.isnan(two_digits(float("nan")))
