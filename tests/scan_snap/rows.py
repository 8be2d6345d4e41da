"""The rows of the chapter in the tests over the registry: its textbooks and its figures."""

import re

import numpy as np
import pytest

from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.models.textbook_flow import Settings as FlowSettings
from hal.chapters.scan_snap.runs import adam_text
from hal.chapters.scan_snap.runs.dynamics import flow
from hal.chapters.scan_snap.runs.text import text_runs
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.models.scan_snap.textbook import Settings
from lib.theory import scan_snap as theory
from tests.rows import Figure, Small, Textbook, as_said, each, said, whole_runs
from tests.scan_snap.computed import recorded_words


def short(rng):
    """Settings over the full ranges, extremes among them, cut so that a run costs some thousand inner operations."""
    queries = int(rng.integers(1, 4))
    K = queries * int(rng.integers(1 if queries > 1 else 2, 4))
    common, distinct = int(rng.choice([0, 1, 5, 10, 40])), int(rng.choice([1, 3, 10]))
    T = int(rng.choice([0, 2, round(8 * 128 ** rng.uniform())]))
    batch = max(1, min(128, 300 // max(T, 1)))
    cost = (batch if T else K) * (T + (common + distinct) * K)
    extreme = rng.uniform(size=2) < 0.1
    most = 5.0 if rng.uniform() < 0.2 else 2.0
    return Settings(
        T, K, queries, common, distinct,
        M=K if extreme[0] else K + round(10 ** rng.uniform(0, most)),
        lr_Y=0.0 if extreme[1] else float(10 ** rng.uniform(-3, 14 if rng.uniform() < 0.5 else 2)),
        lr_Z=float(10 ** rng.uniform(-3, 2)),
        optimiser=int(rng.integers(3)),
        batch=batch,
        spread=float(rng.choice([0.0, 1.0])) if most < 3 else 0.0,
        steps=max(1, min(60, 6_000 // cost)),
        weights=rng.uniform(0.01, 3, distinct).tolist() if rng.uniform() < 0.3 else [],
    )  # fmt: skip


def some_task(rng, points=12):
    """A task of the library and the settings of the flow for the same, over the ranges of the sliders."""
    lr_Y, lr_Z = (10 ** rng.uniform(-1.3, 1, 2)).tolist()
    rates = dict(lr_Y=lr_Y, lr_Z=lr_Z, first=0.3, last=float(10 ** rng.uniform(1, 5)), points=points)
    M, kind = 20 + round(1e5 ** rng.uniform()), int(rng.integers(2))
    if kind == 0:
        K, sharing = [(2, 1), (2, 2), (4, 2), (6, 1), (5, 5)][int(rng.integers(5))]
        common, distinct = int(rng.integers(0, 30)), int(rng.integers(2, 11))
        task = ss.base_task(K, common, distinct, K // sharing, M, None)
        return task, FlowSettings(K, sharing, M, common, 1.0, distinct, 0.1, **rates)
    K, rho = int(rng.integers(2, 9)), float(rng.uniform(0.05, 0.6))
    weight = float(np.sqrt(rho / (1 - rho)) * np.linalg.norm(np.linspace(0.2, 1, 5)))  # overlap rho
    return single_common_task(K, rho, M), FlowSettings(K, K, M, 1, weight, 5, 0.2, **rates)


def short_flow(rng):
    """A flow with five records, some hundred evaluations; some at the ends of ranges: no attention, M = K, rates far
    apart."""
    settings = some_task(rng)[1]
    changed = [{}, {}, {"lr_Z": 0.0}, {"M": settings.K}, {"lr_Y": 0.05, "lr_Z": 20.0}, {"lr_Y": 20.0, "lr_Z": 0.05}]
    return settings._replace(last=300.0, points=5, **changed[int(rng.integers(len(changed)))])


REFUSED = [
    *each(T=1, common=-1, distinct=0, M=1, optimiser=3, batch=0, steps=-1),
    *each(lr_Y=float("nan"), lr_Z=-0.1, spread=float("inf")),
    dict(K=1, queries=1),
    dict(K=4, queries=3),
    *each(weights=[1.0]),
    dict(distinct=2, weights=[1.0, 0.0]),
]
REFUSED_FLOWS = [
    *each(K=1, common=-1, weight=0.0, distinct=0, lowest=0.0, first=0.0, last=0.1, points=1),
    *each(lr_Y=0.0, lr_Z=-1.0),
    dict(K=4, sharing=3),
    dict(K=5, M=4),
]
TEXTBOOKS = {
    "textbook": Textbook(short, REFUSED, dict(T=16, lr_Y=1e12, batch=2, steps=20)),
    "textbook_flow": Textbook(short_flow, REFUSED_FLOWS, None),
}


def check_attention(text, shown, point):
    kept = whole_runs(shown)
    mass = np.array([run["common_mass"] for run in kept])
    assert ("nothing to turn away" in text) == (point["common"] == 0)
    if point["common"]:
        first, last = 100 * np.median(mass[:, [0, -1]], axis=0)
        assert said(text, "before training it was") == pytest.approx(first, abs=0.51)
        assert said(text, "Common words end with") == pytest.approx(last, abs=0.51)
    ends, times = np.pad(mass, ((0, 0), (1, 1)), "edge"), np.pad(np.array(kept[0]["steps"]), 1, "edge")
    speed = (ends[:, :-2] - ends[:, 2:]) / (times[2:] - times[:-2])
    told = bool(((mass[:, 0] - mass[:, -1] >= 0.02) & (speed[:, -1] >= 0)).all())
    assert ("peak rate" in text) == told
    if told:
        at_end = 100 * np.median(speed[:, -1] / speed.max(axis=1))
        assert said(text, "they are losing it at") == pytest.approx(at_end, abs=0.51)


FIGURES = {"attention": Figure({"T": 9, "common": 3}, check_attention, lost=False)}


def water(point):
    """dz/dt in nats per 1,000 steps of a common word, if there is one, and of each distinct one, by the flow of the
    whole model."""
    common, t = point["common"], np.array([point["t"] / 2, point["t"]])
    task = ss.base_task(2, common, 10, "own", common + 24, None)
    joint = flow(task, 1.0, 1.0, t, tolerance=1e-8)
    f = theory.decoder_inputs(task.P, joint.params.Z, task.query)[-1, 0]
    outputs, Y = ss.output_weights(joint.params.Y.shape[-1], task), joint.params.Y[-1]
    g = Y @ (np.eye(len(outputs))[0] - softmax(f @ Y + np.log(outputs)))
    own = np.flatnonzero(task.distinct[0])
    assert (g[f > 0] > -1e-12).all()  # "no benefit is ever negative"
    return 1000 * (f * (g - f * (f @ g)) / 2)[[0, *own] if common else own]


def check_water(text, shown, point):
    gains = water(point)
    assert ("nothing moves" in text) == (point["common"] == 0)
    if point["common"] == 0 or "Hardly" in text:
        np.testing.assert_allclose(gains, 0, atol=0.306 if point["common"] else 1e-6)
        return
    assert abs(gains).max() > 0.294
    np.testing.assert_allclose(shown.theory["gains.speeds"], gains, rtol=0.02, atol=0.001)
    assert said(text, "Each step lowers a common word’s score by") == as_said(-gains[0], spread=0.02)
    best = np.argsort(gains[1:])[::-1][:2] + 1
    told, side = re.search(r"the (?:(second|third|fourth|fifth) )?(rarest|most frequent) word", text).groups()
    place = 1 + [None, "second", "third", "fourth", "fifth"].index(told)
    named = place if side == "rarest" else 11 - place
    assert named == best[0] or (named == best[1] and gains[best[1]] > 0.999 * gains[best[0]])  # a tie, to a thousandth


def check_verse(text, shown, point):
    last = {
        name: text_runs()["runs"][name]["entropy"].mean(axis=1)[point["rate"], -1] for name in ("kjv", "kjv shuffled")
    }
    assert said(text, "In the end") == pytest.approx(np.exp(last["kjv"]), abs=0.051)
    assert said(text, "on the Bible,") == pytest.approx(np.exp(last["kjv shuffled"]), abs=0.051)


def joshua_of(who):
    """Attention on the 22 words of Joshua 1:1 before “the son” and which of them are not frequent, from the record."""
    words = adam_text.verse()[0][9:]
    kept = recorded_words()[("both", "attention")[who - 1], adam_text.RATE]["logits"]
    z = dict(zip(adam_text.known_words(), kept, strict=True))
    often = adam_text.windows().words[:20]
    return softmax(np.array([z[word] * (who > 0) for word in words])), np.array([word not in often for word in words])


def check_joshua(text, shown, point):
    assert ("Before training" in text) == (point["who"] == 0)
    assert said(text, "“joshua” has") == pytest.approx(100 * joshua_of(2 * point["who"])[0][-1], abs=0.51)
    if point["who"]:
        assert said(text, "learns slowly,") == pytest.approx(100 * joshua_of(1)[0][-1], abs=0.51)


SMALLS = {
    "joshua": Small(check_joshua),
    "verse": Small(check_verse),
    "water": Small(check_water),
}
