"""The benchmark of `one_nn` compares like with like: all implementations agree at a tiny size. Nothing is timed."""

import numpy as np

from lib.models import one_nn as model
from lib.sampling import generators


def test_token_matrices_follow_the_two_numbers(bench):
    assert bench.same_path(30, 16) <= bench.SAME
    other = bench.slow.Dense(bench.D, bench.N, bench.SIGMA)
    for x, query in bench.samples(29, 16):
        other.step(x, query, bench.LR)
    assert np.abs(other.xi - bench.ours(30, 16)).max() > 1e-4  # control: one step less is seen


def test_points_have_the_inner_products_asked_for(bench):
    z = model.draw_products(4, (5, 20), generators([0])[0])
    x, query = bench.slow.points_of(z, 4, np.random.default_rng(0))
    for points in (x, query):
        np.testing.assert_allclose(np.linalg.norm(points, axis=-1), 1, atol=1e-9)
    np.testing.assert_allclose(np.einsum("bnd,bd->bn", x, query), z.T, atol=1e-14)


def test_automatic_differentiation_gives_the_written_out_slopes(bench):
    rows = model.ReducedPair(3, 4).sample(30, generators([0]))
    other = bench.slow.Autograd(*bench.slow.points_of(rows.z[0], 3, np.random.default_rng(0)))
    loss, slope = model.pair_loss_and_gradient(model.Pair(np.array([2.0]), np.array([1.0])), rows)
    np.testing.assert_allclose(other.gradient(2.0, 1.0), [loss[0], slope.xi1[0], slope.xi2[0]], atol=1e-14)


def test_tables_say_who_took_how_long(bench):
    step, gradient = bench.tables(
        {
            "step": {"milliseconds": {"ours": 0.1, "dense": 0.5, "drawing": 0.4, "full": 0.8}},
            "gradient": {"milliseconds": {"ours": 4.0, "autograd": 300.0}},
            "flow": {"seconds": 0.42},
        }
    )
    assert [row[1:] for row in step["rows"]] == [["0.1 ms", "", "1"], ["0.8 ms", "", "8"], ["0.9 ms", "0.5 ms", "9"]]
    assert [row[1:] for row in gradient["rows"]] == [["4 ms", "1"], ["300 ms", "75"]]
    assert "takes 0.42 s" in step["note"]
