"""The benchmark of `group_sparse` compares like with like: implementations agree at a tiny size. Nothing is timed."""

import numpy as np


def test_automatic_differentiation_follows_the_closed_gradient(bench):
    assert bench.same_path(40, 20) <= bench.SAME
    batch = bench.examples(40)
    ours, other = bench.dense(batch, 20), bench.automatic(batch, 19)
    assert np.abs(ours.v[0] - other.v.detach().numpy()).max() > 1e-4  # control: one step less is seen


def test_the_quadrature_has_the_loss_of_an_adaptive_integration(bench):
    assert bench.same_loss() <= bench.SAME_LOSS


def test_tables_say_who_took_how_long(bench):
    (step,) = bench.tables({"step": {"milliseconds": {"pair": 0.1, "six": 2.4, "dense": 3.9, "autograd": 4.5}}})
    assert [row[1:] for row in step["rows"]] == [["0.1 ms", "1"], ["2.4 ms", "24"], ["3.9 ms", "39"], ["4.5 ms", "45"]]
