"""Stored points: what is found again, damaged files, failures, and interrupts."""

import errno
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lib.sweep.runner
from lib import keys
from lib.errors import InputError
from lib.sweep import sweep
from tests.core.sweep_runs import POINTS, SEEDS, counting, files, plain, same, stored, walk


def test_a_repeated_sweep_is_free_and_a_larger_one_computes_what_is_new(tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    first = sweep(walk, POINTS[:4], SEEDS, cache=tmp_path)
    assert len(computed) == stored(tmp_path) == 12
    again = sweep(walk, POINTS[:4], SEEDS, cache=tmp_path)
    assert len(computed) == 12
    np.testing.assert_equal(again.results, first.results)
    same(sweep(walk, POINTS, [*SEEDS, 9], cache=tmp_path))
    assert len(computed) == 24


@pytest.mark.parametrize(
    ("run", "first", "second", "count"),
    [
        (walk, {"T": 3}, {"lr": np.float64(0.5), "T": np.int64(3)}, 1),
        (walk, {"T": 3}, {"T": 3, "lr": 0.25}, 2),
        (plain, {"a": 1, "b": 2.0}, {"b": 2.0, "a": 1}, 1),
        (plain, {"a": 1, "b": 1.0}, {"a": 1}, 2),  # a default of a plain run is not filled in
    ],
)
def test_points_are_the_same_by_their_settings(run, first, second, count, tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    for point in (first, second):
        sweep(run, [point], [np.int64(0)], cache=tmp_path)
    assert len(computed) == count
    monkeypatch.setattr(keys, "_version", lambda library: "9")  # another NumPy
    sweep(run, [second], [0], cache=tmp_path)
    assert len(computed) == count + 1


def flip(path):
    """One byte is another."""
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 3] ^= 0xFF
    path.write_bytes(bytes(raw))


def swap(path):
    """The file of another run stands in its place."""
    sweep(plain, [{"a": 1}], [0], cache=path.parents[1])
    (other,) = (one for one in files(path.parents[1]) if one.parent != path.parent)
    path.write_bytes(other.read_bytes())


@pytest.mark.parametrize("damage", [flip, swap])
def test_a_damaged_file_is_reported_and_computed_again(damage, tmp_path, monkeypatch):
    sweep(walk, POINTS, [0], cache=tmp_path)
    victim = files(tmp_path)[0]  # one of two calls
    damage(victim)
    computed = counting(monkeypatch)
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match=f"{victim.name} cannot be read .*computing again what it held"):
            same(sweep(walk, POINTS, [0], cache=tmp_path))
        assert len(computed) == 3


def test_any_names_and_kinds_of_arrays_survive_the_store(tmp_path):
    given = {"a/b c": np.array([1 + 2j, np.nan]), "header": np.float32(0.5), "text": "SGD", "empty": np.zeros((0, 4))}
    for _ in range(2):
        (found,) = sweep(lambda seed: given, [{}], [0], cache=tmp_path).results
        np.testing.assert_equal(found, given)
        assert [value.dtype for value in found.values()] == [np.asarray(value).dtype for value in given.values()]


def read_only(*args, **kwargs):
    raise OSError(errno.EROFS, "read-only")


def test_a_read_only_cache_is_refused_before_any_work_unless_it_holds_every_point(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cache: expected a directory that can be written, since points are missing"):
        sweep(walk, POINTS, SEEDS, cache=tmp_path / "file" / "store")
    sweep(walk, POINTS, SEEDS, cache=tmp_path)
    computed = counting(monkeypatch)
    for name in ("mkdir", "write_bytes", "unlink", "replace"):
        monkeypatch.setattr(Path, name, read_only)
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    monkeypatch.undo()
    monkeypatch.setattr(lib.sweep.runner.tempfile, "TemporaryFile", read_only)
    with pytest.raises(InputError, match=r"since points are missing.*read-only"):
        sweep(walk, POINTS, [9], cache=tmp_path)
    assert computed == []


def test_a_full_disk_is_said_with_the_number_that_is_stored_and_the_next_call_goes_on(tmp_path, monkeypatch):
    write, writes = Path.write_bytes, itertools.count()

    def full(path, content):
        write(path, content[:100] if (n := next(writes)) else content)  # what a full disk leaves behind
        if n:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.warns(RuntimeWarning, match="cannot be written .*No space left.*: 4 points of this sweep are") as seen:
        same(sweep(walk, POINTS, SEEDS, cache=tmp_path, chunk=4))
    assert len(seen) == 1
    assert stored(tmp_path) == 4
    monkeypatch.setattr(Path, "write_bytes", write)
    computed = counting(monkeypatch)
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    assert len(computed) == 14
    assert sum(path.is_file() for path in tmp_path.rglob("*.tmp")) == 0


def test_two_sweeps_on_one_cache_at_a_time(tmp_path):
    points = [{"a": a} for a in range(200)]
    command = "from tests.core.sweep_runs import plain\nfrom lib.sweep import sweep\n"
    command += f"sweep(plain, [{{'a': a}} for a in range(200) if a != 13], [0, 1], cache={str(tmp_path)!r})"
    other = subprocess.Popen([sys.executable, "-c", command])
    first = sweep(plain, points, [0, 1], cache=tmp_path)
    assert other.wait() == 0
    for result in (first, sweep(plain, points, [0, 1], cache=tmp_path)):
        assert result.failures == {"RuntimeError: unlucky": 2}
        np.testing.assert_array_equal(result.select(a=7)["y"], [plain(7, 0)["y"], plain(7, 1)["y"]])


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failed_point_is_seen_retried_and_harms_no_other(n_jobs, tmp_path, monkeypatch):
    points = [*POINTS, {"T": 3, "lr": 13.0}]
    result = sweep(walk, points, SEEDS, cache=tmp_path, n_jobs=n_jobs)
    assert [p["lr"] for p, _ in result.failed] == [13.0] * 3
    assert all(text == "RuntimeError: unlucky, in a call of 1" for _, text in result.failed)
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    computed = counting(monkeypatch)
    assert len(sweep(walk, points, SEEDS, cache=tmp_path).failed) == 3
    assert [p["lr"] for p in computed] == [13.0] * 3  # tried again, and nothing else


def test_an_interrupt_keeps_what_is_finished_and_no_half_of_a_file(tmp_path, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        sweep(plain, [{"a": 1}, {"a": 3}, {"a": -1}, {"a": 2}], [0], cache=tmp_path)
    assert stored(tmp_path) == 2
    computed = counting(monkeypatch)
    same(sweep(plain, [{"a": 1}, {"a": 3}, {"a": 2}], [0], cache=tmp_path), plain)
    assert len(computed) == 1

    def interrupt(path, *_):
        path.open("ab").close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sweep(walk, POINTS, [0], cache=tmp_path / "other")
    assert [path for path in (tmp_path / "other").rglob("*") if path.is_file()] == []
