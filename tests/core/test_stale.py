"""Stored points: found again, damaged files, failures, interrupts; no old or foreign number, here and in workers."""

import errno
import importlib
import itertools
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lib.sweep.runner
from lib import keys, optim
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


SOME = [{"a": a} for a in (1, 2, 3, 4)]
STUDY = """
import functools
import edited_steps
from edited_steps import step

SCALE = 1
WEIGHTS = edited_steps.weights()
memo = {}

def run(a, seed):
    return {"y": SCALE * WEIGHTS[0] * step(a)}

def remembering(a, seed):
    memo[a] = seed
    return {"y": step(a)}

def by_attribute(a, seed):
    return {"y": edited_steps.step(a)}

def hidden(a, seed):
    return {"y": globals()["SCALE"] * a}

def late(a, seed):
    from edited_steps import step
    return {"y": step(a)}

@functools.cache
def kept(a, seed):
    return {"y": step(a)}
"""
STEPS = "def step(a): return a\ndef weights(): return [1.0]\n"


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Two modules, as a researcher has them beside a notebook; write(name, text) edits one."""

    def write(name, text):
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()

    write("edited_steps", STEPS)
    write("edited_study", STUDY)
    # a file of the same size, edited within the same second, would be taken from Python's own cache
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    yield importlib.import_module("edited_study"), importlib.import_module("edited_steps"), write
    for name in ("edited_study", "edited_steps"):
        del sys.modules[name]
        keys._first_seen.pop(name, None)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "cached"), [("run", True), ("run", False), ("by_attribute", True), ("late", True)])
def test_workers_compute_what_is_loaded_here_after_a_reload(name, cached, study, tmp_path):
    module, steps, write = study
    cache = tmp_path / "store" if cached else None
    assert sweep(getattr(module, name), SOME, [0], cache, n_jobs=2)["y"].tolist() == [1, 2, 3, 4]
    write("edited_steps", STEPS.replace("return a", "return 10 * a"))
    importlib.reload(steps)
    importlib.reload(module)
    for n_jobs in (2, 1):
        assert sweep(getattr(module, name), SOME, [0], cache, n_jobs)["y"].tolist() == [10, 20, 30, 40]


@pytest.mark.parametrize(("name", "change"), [("run", ("return a", "return 10 * a")), ("kept", ("[1.0]", "[2.0, 0]"))])
def test_an_edit_that_is_not_loaded_is_refused(name, change, study, tmp_path):
    module, _, write = study
    run = getattr(module, name)
    before = sweep(run, SOME, [0], tmp_path / "store")["y"]
    write("edited_steps", STEPS.replace(*change))
    with pytest.raises(InputError, match=r"reload\(edited_steps\).* got edited_steps, loaded before"):
        sweep(run, SOME, [0], tmp_path / "store")
    write("edited_steps", STEPS)
    np.testing.assert_array_equal(sweep(run, SOME, [0], tmp_path / "store")["y"], before)


def test_what_was_imported_by_name_before_a_reload_is_refused(study, tmp_path):
    module, steps, write = study
    write("edited_steps", STEPS.replace("return a", "return 10 * a"))
    importlib.reload(steps)
    for given in ({"cache": tmp_path / "store"}, {"n_jobs": 2}):
        with pytest.raises(InputError, match=r"as their files say .*, got edited_steps, loaded before"):
            sweep(module.run, SOME, [0], **given)


def double(a):
    return 2 * a


PATCHES = {
    "a number": ("run", "study", "SCALE", 2),
    "a function": ("run", "study", "step", double),
    "a function of another module": ("by_attribute", "steps", "step", double),
    "behind globals()": ("hidden", "study", "SCALE", 2),
    "in place": ("run", "study", "WEIGHTS", [2.0]),
}


@pytest.mark.parametrize("patch", PATCHES)
def test_a_patched_module_is_found_here_and_refused_by_workers(patch, study, tmp_path, monkeypatch):
    name, where, attribute, value = PATCHES[patch]
    module = study[0] if where == "study" else study[1]
    run = getattr(study[0], name)
    assert sweep(run, SOME, [0], tmp_path / "store")["y"].tolist() == [1, 2, 3, 4]
    if patch == "in place":
        module.WEIGHTS[:] = value
    else:
        monkeypatch.setattr(module, attribute, value)
    assert sweep(run, SOME, [0], tmp_path / "store")["y"].tolist() == [2, 4, 6, 8]
    with pytest.raises(InputError, match=r"expected workers that have .*, got other code"):
        sweep(run, [{"a": 5}], [0], tmp_path / "store", n_jobs=2)
    monkeypatch.undo()


def test_a_memory_of_a_module_is_computed_with_again_and_functools_cache_is_not(study, tmp_path):
    module, *_ = study
    for name, count in (("kept", 4), ("remembering", 8)):
        for _ in range(2):
            assert sweep(getattr(module, name), SOME, [0], tmp_path / name)["y"].tolist() == [1, 2, 3, 4]
        assert stored(tmp_path / name) == count
    with pytest.raises(InputError, match=r"expected workers that have what is loaded here .*, got other code"):
        sweep(module.remembering, SOME, [0], n_jobs=2)


def test_settings_that_a_run_can_tell_apart_have_files_of_their_own(tmp_path):
    def run(a, seed):
        return {"y": f"{type(a).__name__} {a!r}"}

    values = [1, 1.0, True, "1", [1], (1,), {"b": 1}, np.array([1]), np.array([1], np.int8), None, -0.0, 0.0, [[1], 2]]
    values += [{"array": "int64", "values": [1]}]
    for a in values:
        assert sweep(run, [{"a": a}], [0], tmp_path)["y"] == run(a, 0)["y"]
    assert stored(tmp_path) == len(values)


@pytest.mark.parametrize("setting", [object(), [double], optim])
def test_settings_that_are_more_than_data_are_refused_when_cached(setting, tmp_path):
    def run(a, seed):
        return {"y": 1}

    assert sweep(run, [{"a": setting}], [0])["y"] == 1
    with pytest.raises(InputError, match="when cached, got"):
        sweep(run, [{"a": setting}], [0], tmp_path)
