"""The recorded sweeps: whole, remade in pieces, resumed bit for bit, fits that find what was put in, figures."""

import json

import numpy as np
import pytest

from hal.chapters.group_sparse.figures import counted
from hal.chapters.group_sparse.figures import edge as edge_figure
from hal.chapters.group_sparse.records import cost as cost_recorder
from hal.chapters.group_sparse.records import edge as edge_recorder
from hal.chapters.group_sparse.runs import cost, edge
from lib.errors import InputError
from lib.portable.random_numbers import generator
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable_downstream, portable_edge, portable_streams

SWEEPS = {
    "cost": (cost, cost_recorder, cost.recorded_cost),
    "edge": (edge, edge_recorder, edge.recorded_edge),
}


@pytest.mark.parametrize("name", SWEEPS)
def test_an_interruption_leaves_no_trace(name, tmp_path, monkeypatch):
    sweep, recorder, reader = SWEEPS[name]
    monkeypatch.setattr("hal.results.rows.process_time", lambda: 0.0)
    path, whole, seen = tmp_path / "half.json", tmp_path / "whole.json", []

    def made(setting):
        seen.append(setting)
        if len(seen) == 3:
            raise KeyboardInterrupt
        rng = np.random.default_rng(sweep.GRID.index(setting))
        return {"numbers": rng.normal(size=16).tolist()}

    monkeypatch.setattr(sweep, "cell", made)
    with pytest.raises(KeyboardInterrupt):
        recorder.record(path)
    with pytest.raises(InputError, match=r"path: expected a whole record \(`.*` goes on with it\)"):
        reader(path)
    assert recorder.record(path) == f"{len(sweep.GRID)} settings"
    recorder.record(whole)
    assert path.read_bytes() == whole.read_bytes()


def test_a_piece_of_the_costs_is_remade():
    setting = cost.Setting(4, 4, 0.2, 0.9, 0)
    again, kept = json.loads(json.dumps(cost.cell(setting))), cost.recorded_cost()[setting]
    for name in cost.LEARNERS:
        np.testing.assert_allclose(np.array(again[name], float), np.array(kept[name], float), rtol=0.02)
    assert again["lost"] == kept["lost"] == 0


def test_a_piece_of_the_edges_is_remade():
    setting = edge.Setting(6, 8)
    again, kept = edge.cell(setting), edge.recorded_edge()[setting]
    np.testing.assert_allclose(again["edge"], kept["edge"], rtol=0.01)
    assert (again["step"], again["pair"][1]) == (kept["step"], kept["pair"][1])


def test_the_fit_of_costs_finds_powers_that_were_put_in():
    made = {}
    for one in cost.GRID:
        size = cost.read(one)["layer"]
        made[one] = {"tuned": [3.0 * size**1.1 * one.gamma**-0.7]}
    found = cost.exponents(made, "tuned", draws=50)
    for name, power in (("size", 1.1), ("margin", -0.7)):
        np.testing.assert_allclose(found[name], power, atol=1e-9)


def test_two_ways_to_the_edge_agree_and_lie_above_eight():
    for D in (2, 3, 5, 9, 33, 200):
        both = theory.first_edge(D), portable_edge.first_edge(D)
        assert both[0] == pytest.approx(both[1], rel=1e-7)
        assert both[0] > 8
    for D in (100, 400):
        assert theory.first_edge(D) == pytest.approx(8 * (1 + 4 / (np.pi * D)), rel=4 / D**2)


def test_a_first_step_beyond_the_edge_raises_the_loss_of_drawn_examples():
    rng = np.random.default_rng(5)
    a = rng.normal(size=(400_000, 4))
    signal = np.sign(a[:, 1]) * a.sum(axis=1)
    for by, rises in ((0.97, False), (1.03, True)):
        alpha = by * theory.first_edge(4) / 4 / np.sqrt(2 * np.pi)
        assert (np.logaddexp(0, -alpha * signal).mean() > np.log(2)) == rises


def test_the_figures_show_what_the_records_hold():
    layer, linear = (panel.recorded for panel in counted.picture()[1:])
    rows = cost.recorded_cost()
    for points, name, law in ((layer, "tuned", "layer"), (linear, "linear", "linear")):
        for point in points:
            row = rows[cost.Setting(**point.settings, steps=0)]
            assert (point.x, point.y) == (row["law"][law], row[name][0])
    assert len(layer) >= 40
    edges = edge.recorded_edge()
    points = edge_figure.picture()[1].recorded
    assert len(points) == len(edges)
    for point, (one, row) in zip(points, edges.items(), strict=True):
        assert point.settings == {"D": one.D}
        assert point.y == pytest.approx(np.mean(row["edge"]))


def test_streams_of_the_page_need_what_the_library_s_do():
    setting = cost.Setting(4, 4, 0.2, 0.9, 0)
    kept, norm = cost.recorded_cost()[setting], cost.read(setting)
    layer = portable_downstream.layer_of(4, 4, 0.9, cost.RATE / norm["layer"])
    linear = portable_downstream.regression_of(16, cost.RATE / norm["linear"])
    for learner, name in ((layer, "frozen"), (linear, "linear")):
        found = portable_streams.counted(learner, 0.2, cost.LEVEL, 64, generator(3, 3))
        assert found[1] < found[0] < found[2]
        assert found[0] == pytest.approx(kept[name][0], rel=0.2)


def test_the_law_needs_as_many_examples_as_its_path_says():
    """At sizes and margins where the bias is stiff, too."""
    for D, d, gamma in ((13, 15, 0.05), (4, 2, 0.4)):
        learner = portable_downstream.layer_of(D, d, 0.9, cost.RATE / (d + (D + 1) / 2))
        n = portable_downstream.examples_until(learner, gamma, cost.LEVEL, 2000)
        before, after = portable_downstream.error_path(learner, gamma, [float(int(0.97 * n)), float(int(1.03 * n) + 1)])
        assert after < cost.LEVEL < before
    assert np.isnan(portable_downstream.examples_until(learner, gamma, cost.LEVEL, 5))
