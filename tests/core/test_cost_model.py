"""The forecast of a recorded sweep, after a fifth of it: which settings it tries, and costs that were put in."""

import itertools
import json

import numpy as np
import pytest

from hal.results.forecast import LEAST, first, forecast
from hal.results.rows import record_rows
from lib.errors import InputError


@pytest.mark.parametrize("settings", [1, 3, 6, 7, 29, 124, 1000])
def test_a_fifth_is_tried_and_all_over_the_sweep(settings):
    tried = first(settings)
    assert tried == sorted(set(tried))
    assert len(tried) == min(settings, max(LEAST, -(-settings // 5)))
    assert 0 <= tried[0] <= tried[-1] < settings
    assert max(np.diff([-1, *tried, settings])) <= 2 * settings / len(tried) + 1


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_sizes_and_kinds_that_were_put_in_are_found(noise):
    rng = np.random.default_rng(0)
    grid = itertools.product((2, 4, 8), ("plain", "Adam"), (8, 16, 32, 64, 128, 256, 512))
    settings = [{"B": B, "rule": rule, "T": T} for B, rule, T in grid]
    cost = [1e-3 * s["T"] ** 2.5 * s["B"] * (3 if s["rule"] == "Adam" else 1) for s in settings]
    cost = np.array(cost) * np.exp(noise * rng.standard_normal(len(settings)))
    told = forecast(settings, cost[first(len(settings))])
    assert told == pytest.approx(cost.sum(), rel=0.25)
    assert told * 2 != pytest.approx(cost.sum(), rel=0.25)
    assert cost[first(len(settings))].mean() * len(settings) < 0.6 * cost.sum()  # what the plain mean would say


def test_a_sweep_of_one_kind_costs_its_mean():
    settings = [{"seed": 3}] * 10
    assert forecast(settings, [2.0] * len(first(10))) == pytest.approx(20.0)


def test_a_sweep_says_what_it_will_take_before_it_goes_on_and_its_table_is_in_order(tmp_path, capsys):
    settings, path, said = [{"n": n} for n in range(1, 41)], tmp_path / "rows.json", []

    def run(one):
        said.append(capsys.readouterr().out)
        return {"made": one["n"]}

    assert record_rows(path, "a command", settings, run) == "40 settings"
    tried = len(first(40))
    assert [bool(text) for text in said] == [i == tried for i in range(40)]
    assert said[tried].startswith("rows.json: 40 settings will take some ")
    assert [row["setting"] for row in json.loads(path.read_text())["runs"]] == settings


def test_refusals():
    with pytest.raises(InputError, match=r"seconds: expected 6, one for each setting that is tried, got \(2,\)"):
        forecast([{"n": n} for n in range(10)], [1.0, 2.0])
    with pytest.raises(InputError, match=r"seconds: expected no negative ones, got -1"):
        forecast([{"n": n} for n in range(10)], [-1.0] * 6)
