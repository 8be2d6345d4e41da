"""Real text: the model against loops in float64, and the recorded runs."""

import math

import numpy as np
import pytest
import torch

from hal.chapters.scan_snap.models import text as model
from hal.chapters.scan_snap.runs import corpora
from hal.chapters.scan_snap.runs.text import short_run, text_runs
from hal.results import path_of
from lib.errors import InputError
from lib.sampling import generators

RESULTS = path_of("scan_snap", "text")


def some(runs=1, vocabulary=11, width=6, window=7, batch=3):
    """Parameters far from uniform attention, and a batch for each run."""
    start = model.random_start(vocabulary, width, generators(range(runs), 2))
    params = model.TextParams(start.E * 10, start.W_Q * 3, start.W_K * 3, start.W_V, start.U)
    tokens = np.random.default_rng(1).integers(0, vocabulary, size=300)
    return params, model.TextModel(tokens, window).sample(batch, generators(range(runs)))


def by_loops(params, windows, r=0):
    """Loss and attention of run r, query by query, in float64."""
    E, W_Q, W_K, W_V, U = (x[r] for x in params)
    losses, every = [], []
    for window in windows:
        x, T = [E[i] for i in window[:-1]], len(window) - 1
        maps = np.zeros((T, T))
        for q in range(1, T):
            scores = [x[q] @ W_Q @ (x[k] @ W_K) / math.sqrt(E.shape[1]) for k in range(q)]
            weights = [math.exp(s - max(scores)) for s in scores]
            maps[q, :q] = np.array(weights) / sum(weights)
            head = sum(a * (x[k] @ W_V) for k, a in enumerate(maps[q, :q]))
            whole = x[q] + head / math.sqrt(np.mean(head**2))
            logits = whole / math.sqrt(np.mean(whole**2)) @ U
            losses.append(math.log(sum(math.exp(v) for v in logits)) - logits[window[q + 1]])
        every.append(maps)
    return float(np.mean(losses)), np.stack(every)


def test_forward_equals_loops():
    params, batch = some(runs=2)
    loss, _ = model.TextModel(np.arange(11), 7).loss_and_gradient(params, batch)
    for r in range(2):
        expected, maps = by_loops(params, batch[r], r)
        assert loss[r] == pytest.approx(expected, abs=1e-5)
        np.testing.assert_allclose(model.attention(params, batch[r])[r], maps, atol=1e-5)
        shares = maps[:, 1:]  # (B, T - 1, T)
        entropy = -(shares * np.log(np.maximum(shares, 1e-300))).sum(-1).mean()
        np.testing.assert_allclose(model.evaluate(params, batch[r])[r], [expected, entropy], atol=1e-5)


@pytest.mark.parametrize("field", model.TextParams._fields)
def test_gradient_equals_differences_of_the_loops(field):
    params, batch = some()
    _, gradient = model.TextModel(np.arange(11), 7).loss_and_gradient(params, batch)
    value, slope = getattr(params, field), getattr(gradient, field)
    for seed in range(3):
        way, h = np.random.default_rng(seed).standard_normal(value.shape), 1e-4
        up, down = (by_loops(params._replace(**{field: value + s * h * way}), batch[0])[0] for s in (1, -1))
        assert np.sum(slope * way) == pytest.approx((up - down) / (2 * h), rel=2e-3, abs=1e-4)


def test_a_run_among_many_equals_the_run_alone():
    points = [{"eta": eta, "steps": 4, "records": 2} for eta in (0.5, 5.0)]
    threads = torch.get_num_threads()
    many = short_run.many(points)
    for point, one in zip(points, many, strict=True):
        alone = short_run(**point)
        assert set(alone) == set(one)
        for name in one:
            np.testing.assert_array_equal(one[name], alone[name])
    assert torch.get_num_threads() == threads
    np.testing.assert_array_equal(many[0]["loss"][0], many[1]["loss"][0])  # one start for all rates
    assert many[0]["loss"][2] != many[1]["loss"][2]
    assert short_run(**points[0], seed=1)["loss"][0] != many[0]["loss"][0]


def test_refusals():
    params, batch = some()
    for wrong, name in (
        (lambda: model.TextModel(np.zeros((2, 50), dtype=int)), "tokens"),
        (lambda: model.TextModel(np.zeros(50)), "tokens"),
        (lambda: model.TextModel(np.arange(9), 1), "window"),
        (lambda: model.uniform_entropy(1), "window"),
        (lambda: model.random_start(1, 4, generators([0])), "vocabulary"),
        (lambda: model.random_start(5, 0, generators([0])), "width"),
        (lambda: model.evaluate(params, batch[0] + 11), "windows"),
        (lambda: model.attention(params, batch), "windows"),
        (lambda: model.TextModel(np.arange(11), 7).loss_and_gradient(params, batch[0]), "batch"),
        (lambda: short_run(eta=-1.0), "eta"),
        (lambda: short_run(eta=np.nan), "eta"),
        (lambda: short_run(records=0), "records"),
        (lambda: text_runs("no/such/file.json"), "path"),
    ):
        with pytest.raises(InputError, match=f"^{name}:"):
            wrong()


def test_the_recorded_runs_are_what_the_code_gives():
    found = text_runs(RESULTS)
    assert RESULTS.stat().st_size < 100_000
    group = found["runs"]["kjv"]
    steps = group["steps"]
    assert (steps[0], steps[-1]) == (0, found["provenance"]["settings"]["steps"])
    h, s = list(group["eta"]).index(1.0), 0
    again = short_run(eta=1.0, steps=int(steps[1]), records=1, seed=int(group["seeds"][s]))
    # another processor rounds otherwise, and a rate of 1 is already lively
    np.testing.assert_allclose(again["loss"], group["loss"][h, s, :2], atol=0.05)
    np.testing.assert_allclose(again["entropy"], group["entropy"][h, s, :2], atol=1e-3)
    kjv, about = corpora.load(), found["provenance"]["corpus"]
    assert (about["training tokens"], about["validation tokens"]) == (len(kjv.train), len(kjv.validation))
