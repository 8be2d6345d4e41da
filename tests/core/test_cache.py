"""Stored points: what is found again, damaged files, other formats, failures, and interrupts."""

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


def test_defaults_written_out_are_the_same_point(tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    sweep(walk, [{"T": 3}], [0], cache=tmp_path)
    sweep(walk, [{"lr": np.float64(0.5), "T": np.int64(3)}], [np.int64(0)], cache=tmp_path)
    assert len(computed) == 1
    sweep(plain, [{"a": 1, "b": 2.0}], [0], cache=tmp_path)
    sweep(plain, [{"b": 2.0, "a": 1}], [0], cache=tmp_path)
    assert len(computed) == 2


@pytest.mark.parametrize(
    ("point", "seed", "patch"),
    [
        ({"T": 3, "lr": 0.25}, 0, None),
        ({"T": 3}, 1, None),
        ({"T": 3}, 0, (keys, "_version", lambda library: "9")),
    ],
    ids=["setting", "seed", "version of numpy"],
)
def test_what_changes_the_key(point, seed, patch, tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    sweep(walk, [{"T": 3}], [0], cache=tmp_path)
    if patch:
        monkeypatch.setattr(*patch)
    sweep(walk, [point], [seed], cache=tmp_path)
    assert len(computed) == 2


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


@pytest.mark.parametrize("damage", [flip, swap, lambda path: path.write_text("hello")], ids=["flip", "swap", "text"])
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


def test_a_directory_that_cannot_be_written_is_refused_before_any_work(tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    (tmp_path / "file").write_text("")
    for directory in (tmp_path / "file", tmp_path / "file" / "store"):
        with pytest.raises(InputError, match="cache: expected a directory that can be written"):
            sweep(walk, POINTS, SEEDS, cache=directory)
    monkeypatch.setattr(lib.sweep.runner.tempfile, "TemporaryFile", read_only)
    with pytest.raises(
        InputError, match=r"cache: expected a directory that can be written, since points are missing.*read-only"
    ):
        sweep(walk, POINTS, SEEDS, cache=tmp_path)
    assert computed == []


def read_only(*args, **kwargs):
    raise OSError(errno.EROFS, "read-only")


def test_a_read_only_cache_that_holds_every_point_is_read(tmp_path, monkeypatch):
    sweep(walk, POINTS, SEEDS, cache=tmp_path)
    computed = counting(monkeypatch)
    for name in ("mkdir", "write_bytes", "unlink", "replace"):
        monkeypatch.setattr(Path, name, read_only)
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
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
    again = sweep(plain, points, [0, 1], cache=tmp_path)
    for result in (first, again):
        assert result.failures == {"RuntimeError: unlucky": 2}
        np.testing.assert_array_equal(result.select(a=7)["y"], [plain(7, 0)["y"], plain(7, 1)["y"]])


# --- failures and interrupts


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failed_point_is_seen_retried_and_harms_no_other(n_jobs, tmp_path, monkeypatch):
    points = [*POINTS, {"T": 3, "lr": 13.0}]
    result = sweep(walk, points, SEEDS, cache=tmp_path, n_jobs=n_jobs)
    assert [p["lr"] for p, _ in result.failed] == [13.0] * 3
    assert all(text == "RuntimeError: unlucky, in a call of 1" for _, text in result.failed)
    assert len(result.points) - len(result.failed) == 18
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    computed = counting(monkeypatch)
    assert len(sweep(walk, points, SEEDS, cache=tmp_path).failed) == 3
    assert [p["lr"] for p in computed] == [13.0] * 3  # tried again, and nothing else


def test_an_interrupt_keeps_what_is_finished(tmp_path, monkeypatch):
    with pytest.raises(KeyboardInterrupt):
        sweep(plain, [{"a": 1}, {"a": 3}, {"a": -1}, {"a": 2}], [0], cache=tmp_path)
    assert stored(tmp_path) == 2
    computed = counting(monkeypatch)
    same(sweep(plain, [{"a": 1}, {"a": 3}, {"a": 2}], [0], cache=tmp_path), plain)
    assert len(computed) == 1


@pytest.mark.parametrize("name", ["write_bytes", "replace"])
def test_an_interrupt_while_writing_leaves_no_file(name, tmp_path, monkeypatch):
    def interrupt(path, *_):
        path.open("ab").close()
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, name, interrupt)
    with pytest.raises(KeyboardInterrupt):
        sweep(walk, POINTS, [0], cache=tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
