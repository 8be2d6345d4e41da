"""The recorded grid of starts: a piece of it is remade, counts add up, the figure shows it."""

import json

import numpy as np
import pytest

from hal.chapters.linear_block import figures, runs
from hal.chapters.linear_block.records import starts as records
from hal.chapters.linear_block.runs import starts
from lib.errors import InputError
from lib.portable.chances import share_interval


def test_a_piece_of_the_record_is_remade():
    setting = starts.Setting(2, 4, 2.0, 0.5)
    found, known = runs.ends_of_starts(setting, range(starts.SEEDS)), runs.recorded_starts()[setting]
    assert list(found) == list(starts.ENDS)
    for end in starts.ENDS:
        np.testing.assert_allclose(found[end], known[end], atol=2)  # a start on the watershed may fall either way
    assert min(found["trap"][:3]) > 4


def test_starts_and_runs_are_apart():
    setting = starts.Setting(2, 4, 2.0, 0.5)
    both, one, two = (runs.ends_of_starts(setting, seeds, 800) for seeds in ([3, 4], [3], [4]))
    assert all(np.array_equal(both[end], np.add(one[end], two[end])) for end in starts.ENDS)


def test_the_record_is_whole():
    for ends in runs.recorded_starts().values():
        assert np.sum([ends[end] for end in starts.ENDS], axis=0).tolist() == [starts.SEEDS] * len(starts.STARTS)


def test_a_record_goes_on_where_it_was(tmp_path, monkeypatch):
    path = tmp_path / "starts.json"
    monkeypatch.setattr(starts, "ends_of_starts", lambda setting, seeds: {"best": [len(seeds)] * 4})
    monkeypatch.setattr(starts, "GRID", starts.GRID[:2])
    assert records.record(path) == "2 settings"
    monkeypatch.undo()
    with pytest.raises(InputError, match=r"path: expected a whole record \(`.*` goes on with it\)"):
        runs.recorded_starts(path)
    monkeypatch.setattr(starts, "ends_of_starts", lambda setting, seeds: {"best": [7] * 4})
    assert records.record(path) == "81 settings"
    found = runs.recorded_starts(path)
    assert [found[one]["best"][0] for one in starts.GRID[:3]] == [24, 24, 7]
    assert "provenance" in json.loads(path.read_text())
    with pytest.raises(InputError, match="the recorded starts"):
        runs.recorded_starts(tmp_path / "none.json")


def test_the_figure_shows_shares_and_intervals():
    found, fig = runs.recorded_starts(), figures.which_starts()
    for i, ax in enumerate(fig.axes):
        dots = sorted(y for line in ax.lines if line.get_linestyle() == "None" for y in line.get_ydata())
        assert dots == sorted(ends["best"][i] / 24 for ends in found.values())
        bars = sorted(tuple(bar[:, 1]) for bars in ax.collections for bar in bars.get_segments())
        assert bars == sorted(share_interval(float(ends["best"][i]), 24.0) for ends in found.values())
