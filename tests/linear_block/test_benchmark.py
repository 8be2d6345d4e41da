"""The benchmark of `linear_block` compares like with like: all agree at a tiny size. Nothing is timed."""

import numpy as np
import pytest


def test_the_block_as_written_follows_the_same_path(bench):
    rivals = bench.Rivals(steps=4, batch=8)
    assert rivals.difference(3) <= bench.SAME
    mine, longer = rivals.ours(3), rivals.literal(4)
    assert (
        max(np.abs(W[0] - other).max() for W, other in zip(mine, longer, strict=True)) > 1e-3
    )  # one step more is seen


def test_drawn_prompts_have_the_closed_risk(bench):
    risks = bench.Risks(pilot=20_000)
    assert risks.drawn().mean() == pytest.approx(risks.closed(), rel=0.06)
    assert 1000 < risks.prompts() < 1_000_000


def test_the_tables_say_who_took_how_long(bench):
    report = {"milliseconds": {"ours": 0.5, "literal": 2.0}, "risk_milliseconds": {"closed": 0.1, "drawn": 50.0}}
    step, risk = bench.tables(report)
    assert [row[1:] for row in step["rows"]] == [["0.5 ms", "1"], ["2 ms", "4"]]
    assert [row[1:] for row in risk["rows"]] == [["0.1 ms", "1"], ["50 ms", "500"]]
