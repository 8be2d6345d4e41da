"""Stored points: what is found again, damaged files, other formats, failures, and interrupts."""

import errno
import os
import subprocess
import sys

import numpy as np
import pytest

import lib.sweep.cache
from lib.errors import InputError
from lib.sweep import plan, sources, sweep, vectorised
from tests.core.sweep_runs import DEFAULTS, POINTS, SEEDS, counting, files, plain, same, stored, walk

# --- the store


def test_a_repeated_sweep_is_free_and_a_larger_one_computes_what_is_new(tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    first = sweep(walk, POINTS[:4], SEEDS, cache=tmp_path)
    assert len(computed) == stored(tmp_path) == 12
    again = sweep(walk, POINTS[:4], SEEDS, cache=tmp_path)
    assert len(computed) == 12
    for a, b in zip(first.results, again.results, strict=True):
        assert a.keys() == b.keys()
        for name in a:
            np.testing.assert_array_equal(a[name], b[name])
            assert a[name].dtype == b[name].dtype
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


@vectorised("T", "kind", defaults=DEFAULTS)
def other(points):
    return [{"x": np.zeros(3)} for _ in points]


@pytest.mark.parametrize(
    ("run", "point", "seed", "patch"),
    [
        (walk, {"T": 3, "lr": 0.25}, 0, None),
        (walk, {"T": 3}, 1, None),
        (other, {"T": 3}, 0, None),
        (walk, {"T": 3}, 0, (sources, "digest", lambda files: "another")),
        (walk, {"T": 3}, 0, (sources, "version", lambda library: "9")),
    ],
    ids=["setting", "seed", "run", "sources", "version of numpy"],
)
def test_what_changes_the_key(run, point, seed, patch, tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    sweep(walk, [{"T": 3}], [0], cache=tmp_path)
    if patch:
        monkeypatch.setattr(*patch)
    sweep(run, [point], [seed], cache=tmp_path)
    assert len(computed) == 2


def damage_cut(path):
    path.write_bytes(path.read_bytes()[:-40])


def damage_flip(path):
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 3] ^= 0xFF
    path.write_bytes(bytes(raw))


def damage_swap(path):
    sweep(plain, [{"a": 1}], [0], cache=path.parents[1])
    other = next(p for p in files(path.parents[1]) if p.parent != path.parent)
    path.write_bytes(other.read_bytes())


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("hello"),
    "cut": damage_cut,
    "flipped": damage_flip,
    "of another run": damage_swap,
    "another file format": lambda path: np.savez(path, x=np.ones(3)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_reported_and_computed_again(damage, tmp_path, monkeypatch):
    sweep(walk, POINTS, [0], cache=tmp_path)
    victim = files(tmp_path)[1]
    DAMAGES[damage](victim)
    computed = counting(monkeypatch)
    with pytest.warns(RuntimeWarning, match=f"{victim.name} cannot be read .*computing it again"):
        same(sweep(walk, POINTS, [0], cache=tmp_path))
    assert len(computed) == 3  # those of its shape
    assert victim.with_suffix(".damaged").is_file()
    same(sweep(walk, POINTS, [0], cache=tmp_path))  # set aside: no warning, or this test fails
    assert len(computed) == 3


def test_any_names_and_kinds_of_arrays_survive_the_store(tmp_path):
    first = sweep(odd_results, [{}], [0], cache=tmp_path)
    again = sweep(odd_results, [{}], [0], cache=tmp_path)
    for name, values in odd_results(0).items():
        for result in (first, again):
            np.testing.assert_array_equal(result.results[0][name], values)
            assert result.results[0][name].dtype == np.asarray(values).dtype
    assert list(again.results[0]) == list(odd_results(0))


def odd_results(seed):
    return {
        "file": np.arange(3, dtype=np.int32),
        "a/b c": np.array([1 + 2j, np.nan]),
        "header": np.float32(0.5),
        "text": "SGD",
        "yes": True,
        "empty": np.zeros((0, 4)),
    }


def test_a_directory_that_cannot_be_written_is_refused_before_any_work(tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    (tmp_path / "file").write_text("")
    for directory in (tmp_path / "file", tmp_path / "file" / "store"):
        with pytest.raises(InputError, match="cache: expected a directory"):
            sweep(walk, POINTS, SEEDS, cache=directory)
    monkeypatch.setattr(lib.sweep.cache.Path, "touch", read_only)
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
    for name in ("touch", "mkdir", "write_bytes", "unlink"):
        monkeypatch.setattr(lib.sweep.cache.Path, name, read_only)
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    assert computed == []


def test_a_full_disk_is_said_once_and_the_sweep_ends_well(tmp_path, monkeypatch):
    write = lib.sweep.cache.Path.write_bytes

    def full(path, content):
        write(path, content[:100])  # what a full disk leaves behind
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(lib.sweep.cache.Path, "write_bytes", full)
    with pytest.warns(RuntimeWarning, match="v3-.* cannot be written .*No space left.*in memory alone") as seen:
        same(sweep(walk, POINTS, SEEDS, cache=tmp_path, chunk=2))
    assert len(seen) == 1
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    monkeypatch.setattr(lib.sweep.cache.Path, "write_bytes", write)
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    assert stored(tmp_path) == len(POINTS) * len(SEEDS)


def test_a_directory_or_another_s_file_in_a_result_s_place(tmp_path, monkeypatch):
    sweep(walk, POINTS, [0], cache=tmp_path)
    victim, other = files(tmp_path)
    victim.unlink()
    victim.mkdir()
    with pytest.warns(RuntimeWarning, match=f"{victim.name} cannot be read .*directory.*computing it again"):
        same(sweep(walk, POINTS, [0], cache=tmp_path))
    victim.rmdir()
    read = lib.sweep.cache.Path.read_bytes
    (others,) = {path for path in files(tmp_path) if path != other}

    def refuse(path):
        if path == others:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    monkeypatch.setattr(lib.sweep.cache.Path, "read_bytes", refuse)
    with pytest.warns(RuntimeWarning, match="Permission denied"):
        same(sweep(walk, POINTS, [0], cache=tmp_path))
    assert others.is_file()  # it is not ours to set aside


def test_results_beyond_what_memory_holds_are_read_as_they_are_needed(tmp_path, monkeypatch):
    monkeypatch.setattr(lib.sweep.cache, "IN_MEMORY", 1000)
    for _ in range(2):
        result = sweep(walk, POINTS, SEEDS, cache=tmp_path, chunk=4)
        same(result)
        held = [type(one).__name__ for one in result.results._held]
        assert set(held) == {"Block", "_Stored"}
        np.testing.assert_array_equal(result.select(T=5)["x"], sweep(walk, POINTS[3:], SEEDS)["x"])


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


def test_settings_without_a_key_are_refused_when_cached(tmp_path):
    with pytest.raises(
        InputError, match="a: expected a number, text, or a list, tuple, array or dict of them when cached, got b"
    ):
        sweep(plain, [{"a": sum}], [1], cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("ending", "number"), [("npz", 1), ("v9.npz", 9)])
def test_results_of_another_format_are_left_alone_and_computed_again(ending, number, tmp_path):
    old = tmp_path / f"{'ab' * 32}.{ending}"
    old.write_bytes(b"of another version")
    (tmp_path / "mine.npz").write_bytes(b"no result of a sweep")
    with pytest.warns(
        RuntimeWarning, match=rf"results in format {number} of .*1 files.* computed again, the files stay"
    ) as seen:
        same(sweep(walk, POINTS, [0], cache=tmp_path))
    assert seen[0].filename == __file__
    assert old.read_bytes() == b"of another version"
    assert stored(tmp_path) == len(POINTS)
    old.unlink()
    same(sweep(walk, POINTS, [0], cache=tmp_path))


# --- failures and interrupts


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_failed_point_is_seen_retried_and_harms_no_other(n_jobs, tmp_path, monkeypatch):
    points = [*POINTS, {"T": 3, "lr": 13.0}]
    result = sweep(walk, points, SEEDS, cache=tmp_path, n_jobs=n_jobs)
    assert [p["lr"] for p, _ in result.failed] == [13.0] * 3
    assert all(text == "RuntimeError: unlucky, in a call of 1" for _, text in result.failed)
    assert result.ok.sum() == 18
    same(sweep(walk, POINTS, SEEDS, cache=tmp_path))
    computed = counting(monkeypatch)
    assert len(sweep(walk, points, SEEDS, cache=tmp_path).failed) == 3
    assert [p["lr"] for p in computed] == [13.0] * 3  # tried again, and nothing else


def test_a_result_that_is_not_arrays_is_a_failure():
    def listing(seed):
        return [1, 2]

    def objects(seed):
        return {"x": object()}

    assert "expected a dict of arrays, got list" in sweep(listing, [{}], [0]).failed[0][1]
    assert "expected an array of numbers or text, got Python objects" in sweep(objects, [{}], [0]).failed[0][1]


def test_an_interrupt_keeps_what_is_finished_and_nothing_half_written(tmp_path, monkeypatch):
    monkeypatch.setattr(plan, "SECONDS", 0)
    monkeypatch.setattr(plan, "SHARE", 0)  # one call a task
    reached = []
    random = np.random.default_rng

    def interrupted(seed):
        reached.append(seed)
        if len(reached) == 5:
            raise KeyboardInterrupt
        return random(seed)

    monkeypatch.setattr(np.random, "default_rng", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep(walk, POINTS, [0], cache=tmp_path, chunk=2)
    # chunks of 2 and 1 were done; the fifth point was in the third
    assert stored(tmp_path) == 3
    monkeypatch.setattr(np.random, "default_rng", random)
    computed = counting(monkeypatch)
    same(sweep(walk, POINTS, [0], cache=tmp_path))
    assert len(computed) == 3


def test_an_interrupt_of_a_plain_run(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        sweep(plain, [{"a": 1}, {"a": -1}, {"a": 2}], [0], cache=tmp_path)
    assert stored(tmp_path) == 1


def interrupt_before_renaming(source, target):
    raise KeyboardInterrupt


def interrupt_in_the_middle(path, content):
    path.open("wb").close()
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("module", "name", "interrupt"),
    [(lib.sweep.cache.Path, "write_bytes", interrupt_in_the_middle), (os, "replace", interrupt_before_renaming)],
    ids=["half written", "before it is renamed"],
)
def test_an_interrupt_while_writing_leaves_no_file(module, name, interrupt, tmp_path, monkeypatch):
    monkeypatch.setattr(module, name, interrupt)
    with pytest.raises(KeyboardInterrupt):
        sweep(walk, POINTS, [0], cache=tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
