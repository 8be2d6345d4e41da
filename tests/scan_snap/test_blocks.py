"""Many classes in Scan and Snap: products by blocks are the plain products, for every run and order of tokens."""

import dataclasses

import numpy as np
import pytest

from lib.models import scan_snap as ss
from lib.models.scan_snap import fast


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


def test_classes_that_no_sample_has_get_no_gradient(plain):
    task, params, batch = random_case(1, shared=True)
    kept = ss.Batch(*(x[:, batch.label[0] % 3 == 0] for x in batch))
    kept = ss.Batch(*(np.concatenate([x] * 4, axis=1) for x in kept))
    assert fast.has_blocks(task, kept.label.shape[1])
    found = ss.loss_and_gradient(params, kept, task)
    same(found, plain(params, kept, task))
    assert not found[1].Y[0, task.distinct[1]].any()


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
