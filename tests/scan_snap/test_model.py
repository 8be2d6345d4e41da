"""Scan and Snap's model, beside what claims check of it: runs in company, blocks, extremes, bad input."""

import dataclasses

import numpy as np
import pytest

from hal.chapters.scan_snap.models.tasks import partly_common_task, single_common_task
from hal.chapters.scan_snap.runs.figure6 import recall
from lib.models import scan_snap as ss
from lib.models.scan_snap import fast
from lib.optim import adam
from lib.train import train
from tests.refusals import refused


def random_params(task, runs, rng):
    return ss.Params(rng.normal(size=(runs, task.C, task.M)), rng.normal(size=(runs, task.Q, task.C)))


def gradient_of(params, task):
    return ss.loss_and_gradient(params, ss.population(task), task)


@pytest.mark.parametrize(("K", "batch", "spread"), [(6, 16, 1.0), (6, 16, 400.0), (12, 70, 1.0)])
def test_a_run_does_not_depend_on_its_company(K, batch, spread):
    """Nor where logits are wide apart, nor with blocks."""
    task = ss.base_task(K=K, queries=3, L=40)
    assert fast.has_blocks(task, batch) == (K > 6)
    params = random_params(task, 5, np.random.default_rng(3))
    params.Z[2, 0, 0] = spread
    whole = ss.sample(task, batch, np.random.default_rng(4).spawn(5))
    loss, grad = ss.loss_and_gradient(params, whole, task)
    for r in range(5):
        one = ss.Params(params.Y[[r]], params.Z[[r]])
        alone = ss.loss_and_gradient(one, ss.Batch(*(x[[r]] for x in whole)), task)
        assert loss[r] == alone[0][0]
        np.testing.assert_array_equal(grad.Y[r], alone[1].Y[0])
        np.testing.assert_array_equal(grad.Z[r], alone[1].Z[0])


@pytest.fixture
def plain(monkeypatch):
    """The same gradient without blocks."""

    def gradient(*args):
        with monkeypatch.context() as patch:
            patch.setattr(fast, "_MANY", 1000)
            return ss.loss_and_gradient(*args)

    return gradient


def random_case(runs, shared, K=12, queries=4):
    rng = np.random.default_rng(0)
    task = ss.base_task(K=K, common=3, distinct=4, queries=queries, L=30)
    params = ss.Params(rng.normal(size=(runs, task.C, task.M)), rng.normal(size=(runs, task.Q, task.C)))
    return task, params, ss.sample(task, 70, rng.spawn(1 if shared else runs))


def same(found, expected):
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-13)
    np.testing.assert_allclose(found[1].Y, expected[1].Y, atol=1e-15)
    np.testing.assert_allclose(found[1].Z, expected[1].Z, atol=1e-15)


@pytest.mark.parametrize(("K", "queries"), [(9, "own"), (12, 4), (20, "shared")])
@pytest.mark.parametrize("shared", [True, False])
def test_blocks_change_no_gradient(plain, shared, K, queries):
    task, params, batch = random_case(3, shared, K, queries)
    assert fast.has_blocks(task, 70)
    same(ss.loss_and_gradient(params, batch, task), plain(params, batch, task))


def test_tokens_in_another_order_have_no_blocks():
    task, params, batch = random_case(1, shared=True)
    order = np.random.default_rng(1).permutation(task.C)
    mixed = dataclasses.replace(task, P=task.P[:, order])
    assert mixed.starts is None
    assert task.starts.tolist() == [3 + 4 * n for n in range(13)]
    found = ss.loss_and_gradient(
        ss.Params(params.Y[:, order], params.Z[..., order]), batch._replace(counts=batch.counts[..., order]), mixed
    )
    expected = ss.loss_and_gradient(params, batch, task)
    same(found, (expected[0], ss.Params(expected[1].Y[:, order], expected[1].Z[..., order])))


def test_an_absent_token_with_a_huge_logit_changes_nothing():
    task = ss.base_task()
    rng = np.random.default_rng(5)
    params, batch = random_params(task, 1, rng), ss.sample(task, 8, [rng])
    batch.counts[:, :, 25] = 0
    expected, _ = ss.loss_and_gradient(params, batch, task)
    params.Z[..., 25] = 2000.0
    loss, grad = ss.loss_and_gradient(params, batch, task)
    assert loss[0] == pytest.approx(expected[0], rel=1e-12)
    assert np.isfinite(grad.Z).all()
    c = ss.attention(params, task)
    assert c[0, 0, 25] == 0
    assert c[0].sum(axis=-1) == pytest.approx(1)


def test_entropy_is_known_where_attention_on_the_class_underflows():
    task, params = ss.base_task(K=2, common=1, distinct=2), ss.zero_start(ss.base_task(K=2, common=1, distinct=2))
    params.Z[..., 0] = 5000.0  # the common token
    with np.errstate(all="raise", under="ignore"):
        p = task.P[0, task.distinct[0]] / task.P[0, task.distinct[0]].sum()
        assert ss.entropy(params, task)[0] == pytest.approx(-(p * np.log(p)).sum())
        c = ss.attention(params, task)
        assert c[0, :, 0].tolist() == [1, 1]
        assert np.isnan(ss.entropy_of(c, task)[0])


def test_recall_counts_distinct_tokens_above_a_threshold():
    task = ss.base_task(K=2, common=1, distinct=2, queries="shared")
    params = ss.zero_start(task)
    params.Z[0, 0, [1, 2]] = [5.0, -5.0]
    weight = np.exp(5) / (np.exp(5) + np.exp(-5) + task.M - 2)
    low = 1 / (np.exp(5) + np.exp(-5) + task.M - 2)
    found = recall(params, task, np.array([0.9 * low, 1.1 * low, 1.1 * weight]))
    np.testing.assert_allclose(found, [[0.75, 0.25, 0.0]])


test_bad_input_is_refused = refused(
    [
        (lambda: ss.Task(np.array([[0.5, 0.6], [0.5, 0.5]]), np.array([0, 0]), 2), "P .rows.: .*sum to 1"),
        (lambda: ss.Task(np.array([[1.5, -0.5], [0.5, 0.5]]), np.array([0, 0]), 2), "P .rows.: .*at least 0"),
        (lambda: ss.Task(np.array([[0.0, 0.0], [0.5, 0.5]]), np.array([0, 0]), 2), "P: .*none in class 0"),
        (lambda: ss.Task(np.array([[np.nan, 0.5], [0.5, 0.5]]), np.array([0, 0]), 2), "P .rows.: .*finite"),
        (lambda: ss.Task(np.eye(3), np.array([0, 1, 2]), 2), "M: .*at least K = 3, got 2"),
        (lambda: ss.Task(np.eye(2), np.array([0, 2]), 2), "query"),
        (lambda: ss.Task(np.eye(2), np.array([0, 1]), 2, L=0), "L: "),
        (lambda: ss.base_task(K=6, queries=4), "queries: .*divisor of K = 6"),
        (lambda: ss.base_task(K=2.5), "K: .*whole number of classes.*2.5"),
        (lambda: ss.base_task(distinct=0), "distinct: .*at least 1, got 0"),
        (lambda: single_common_task(2, 1.0, 10), "rho"),
        (lambda: partly_common_task(0.5), "kappa"),
        (lambda: ss.sample(ss.base_task(L=None), 3, [np.random.default_rng(0)]), "task: .*finite"),
        (lambda: train(ss.Transformer(ss.base_task(L=None)), None, adam(0.1), 1, 5), "batch: .*draws nothing, got 5"),
        (lambda: ss.Task(np.full((2, 2), 0.5), np.array([0, 0]), 2).leader, "task: .*distinct token in every class"),
        (lambda: ss.random_start(ss.base_task(), []), "rngs: .*at least one"),
        (lambda: ss.attention(ss.zero_start(ss.base_task(K=4)), ss.base_task()), r"Z: .*\(R, 2, 30\)"),
        (lambda: gradient_of(ss.zero_start(ss.base_task())._replace(Y=np.zeros((2, 30, 3))), ss.base_task()), "Y: "),
        (lambda: ss.output_weights(7, ss.base_task()), "Y: .*M = 34"),
    ]
)
