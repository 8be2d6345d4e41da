"""The benchmark of `random_walk` compares like with like: all agree at a tiny size. Nothing is timed."""

import numpy as np


def test_whole_matrices_follow_the_minimal_numbers(bench):
    rivals = bench.Rivals(walks=12, M=120)
    assert rivals.difference() <= bench.SAME
    mine, longer = rivals.ours(4), rivals.ordinary(5)
    assert np.abs(mine.V - longer.V).max() > 1e-3  # control: one step more is seen
    held = rivals.megabytes()
    assert held["dense"] > 100 * held["minimal"] * 120 / 1000


def test_the_table_says_who_took_how_long(bench):
    report = {
        "milliseconds": {"minimal": 0.5, "dense": 40.0, "ordinary": 100.0},
        "megabytes": {"minimal": 0.2, "dense": 242.0},
    }
    (table,) = bench.tables(report)
    assert [row[1:] for row in table["rows"]] == [
        ["0.5 ms", "0.2 MB", "1"],
        ["40 ms", "242 MB", "80"],
        ["100 ms", "242 MB", "200"],
    ]
