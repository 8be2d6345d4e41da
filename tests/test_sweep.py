"""Sweeps: every way of computing gives the single runs bit for bit; the store; failures; interrupts; the result."""

import os
import pickle
import subprocess
import sys

import joblib
import numpy as np
import pytest
from sweep_runs import DEFAULTS, plain, walk

import lib.cache
import lib.sweep
from lib.errors import InputError
from lib.sweep import SweepResult, sweep, vectorised

POINTS = [{"T": T, "lr": lr} for T in (3, 5) for lr in (0.1, 0.2, 0.3)]
SEEDS = [0, 4, 2]


def same(result: SweepResult, run=walk):
    """Every point equals the single run, bit for bit."""
    assert not result.failed
    for point, arrays in zip(result.points, result.results, strict=True):
        alone = run(**point)
        assert arrays.keys() == alone.keys()
        for name in alone.keys() - {"calls", "pid"}:
            np.testing.assert_array_equal(arrays[name], alone[name])


# --- vectorised


def test_many_points_equal_single_points_in_the_order_given():
    points = [{"T": 5, "seed": 3}, {"T": 3, "lr": 0.1}, {"T": 5, "lr": 0.2, "seed": 1}, {}]
    results = walk.many(points)
    assert [int(r["calls"]) for r in results] == [2, 1, 2, 1]  # one call a shape
    for point, result in zip(points, results, strict=True):
        np.testing.assert_array_equal(result["x"], walk(**point)["x"])
    assert isinstance(results[0]["last"], np.ndarray)


def test_a_vectorised_run_describes_itself():
    assert walk.shape_settings == ("T", "kind")
    assert walk.defaults == {"seed": 0, **DEFAULTS}
    assert walk.__name__ == "walk"
    assert walk.__doc__.startswith("A noisy decay")
    assert repr(walk) == "walk(seed=0, T=4, lr=0.5, kind='plain')"
    assert pickle.loads(pickle.dumps(walk)) is walk


def test_vectorised_refuses():
    with pytest.raises(InputError, match="settings: expected names among seed, T, lr, kind, got Q"):
        walk(Q=2)
    with pytest.raises(InputError, match="got Q"):
        walk.many([{}, {"Q": 2}])
    with pytest.raises(InputError, match="shape_settings: expected names that have a default, got N"):
        vectorised("N", defaults={"T": 1})(lambda points: [])
    for bad in (lambda points: [], lambda points: None, lambda points: [1.0]):
        with pytest.raises(InputError, match=r"expected a (list of 1 results|dict of arrays a point)"):
            vectorised(defaults={})(bad)()


# --- the law


@pytest.mark.parametrize("chunk", [1, 2, 32])
def test_sweep_equals_single_runs(chunk):
    result = sweep(walk, POINTS, SEEDS, chunk=chunk)
    assert [p["seed"] for p in result.points[:4]] == [0, 4, 2, 0]  # seeds innermost
    assert [(p["T"], p["lr"]) for p in result.points[::3]] == [(p["T"], p["lr"]) for p in POINTS]
    assert max(result["calls"]) == min(chunk, 9)
    same(result)


def test_sweep_of_a_plain_function():
    result = sweep(plain, [{"a": 1}, {"a": 2, "b": 0.5}], SEEDS)
    same(result, plain)
    assert result["y"].shape == (6, 3)


@pytest.mark.parametrize("run", [walk, plain], ids=["vectorised", "plain"])
def test_processes_equal_single_runs(run, tmp_path):
    points = POINTS if run is walk else [{"a": a} for a in range(4)]
    result = sweep(run, points, SEEDS, n_jobs=2, cache=tmp_path)
    same(result, run)
    if run is walk:
        assert os.getpid() not in result["pid"]
        assert max(result["calls"]) == 5  # nine points of a shape, cut for two processes and no further
    same(sweep(run, points, SEEDS, cache=tmp_path), run)


def test_a_parallel_config_around_the_sweep_decides():
    with joblib.parallel_config("loky", n_jobs=2):
        result = sweep(walk, POINTS, SEEDS)
    same(result)
    assert os.getpid() not in result["pid"]
    assert set(sweep(walk, POINTS, SEEDS)["pid"]) == {os.getpid()}


def test_nested_vectorised_run_in_processes():
    @vectorised("T", defaults={"T": 3})
    def nested(points):
        return [{"x": np.arange(p["T"]) + p["seed"]} for p in points]

    same(sweep(nested, [{"T": 3}, {"T": 4}], SEEDS, n_jobs=2), nested)


@pytest.mark.parametrize("run", [walk, plain], ids=["vectorised", "plain"])
def test_dask_equals_single_runs(run, tmp_path):
    distributed = pytest.importorskip("distributed", reason="dask.distributed is an extra")
    points = POINTS if run is walk else [{"a": a} for a in (1, 2)]
    bad = {"lr": 13.0} if run is walk else {"a": 13}
    with (
        distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as client,
        joblib.parallel_config("dask", wait_for_workers_timeout=20),
    ):
        result = sweep(run, points, SEEDS, cache=tmp_path)
        broken = sweep(run, [*points, bad], SEEDS[:1])
        # the work was done by the cluster, not here
        assert client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.transition_log)) > 0
    same(result, run)
    assert len(broken.failed) == 1
    assert broken.ok.sum() == len(points)


# --- the store


def counting(monkeypatch):
    """Count the points computed by sweeps in this process."""
    computed = []
    work = lib.sweep._work

    def spy(run, indices, points):
        computed.extend(points)
        return work(run, indices, points)

    monkeypatch.setattr(lib.sweep, "_work", spy)
    return computed


def test_a_repeated_sweep_is_free_and_a_larger_one_computes_what_is_new(tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    first = sweep(walk, POINTS[:4], SEEDS, cache=tmp_path)
    assert len(computed) == len(list(tmp_path.iterdir())) == 12
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
        (walk, {"T": 3}, 0, (lib.cache, "source_hash", lambda: "another")),
        (walk, {"T": 3}, 0, (np, "__version__", "9")),
    ],
    ids=["setting", "seed", "run", "source of lib", "version of numpy"],
)
def test_what_changes_the_key(run, point, seed, patch, tmp_path, monkeypatch):
    computed = counting(monkeypatch)
    sweep(walk, [{"T": 3}], [0], cache=tmp_path)
    if patch:
        monkeypatch.setattr(*patch)
    sweep(run, [point], [seed], cache=tmp_path)
    assert len(computed) == 2


def test_the_source_hash_sees_every_file(tmp_path, monkeypatch):
    package = tmp_path / "lib"
    (package / "models").mkdir(parents=True)
    (package / "cache.py").write_text("")
    (package / "models" / "m.py").write_text("x = 1\n")
    monkeypatch.setattr(lib.cache, "__file__", str(package / "cache.py"))
    seen = {lib.cache.source_hash()}
    (package / "models" / "m.py").write_text("x = 2\n")
    seen.add(lib.cache.source_hash())
    (package / "models" / "m.py").rename(package / "models" / "n.py")
    seen.add(lib.cache.source_hash())
    assert len(seen) == 3
    (package / "models" / "notes.txt").write_text("not code")
    assert lib.cache.source_hash() in seen


def damage_cut(path):
    path.write_bytes(path.read_bytes()[:-40])


def damage_flip(path):
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 3] ^= 0xFF
    path.write_bytes(bytes(raw))


def damage_swap(path):
    other = next(p for p in path.parent.iterdir() if p != path)
    path.write_bytes(other.read_bytes())


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("hello"),
    "cut": damage_cut,
    "flipped": damage_flip,
    "of another point": damage_swap,
    "another file format": lambda path: np.savez(path, x=np.ones(3)),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_reported_and_computed_again(damage, tmp_path, monkeypatch):
    sweep(walk, POINTS, [0], cache=tmp_path)
    victim = sorted(tmp_path.iterdir())[2]
    DAMAGES[damage](victim)
    computed = counting(monkeypatch)
    with pytest.warns(RuntimeWarning, match=f"{victim.name} cannot be read .*computing it again"):
        same(sweep(walk, POINTS, [0], cache=tmp_path))
    assert len(computed) == 1
    same(sweep(walk, POINTS, [0], cache=tmp_path))  # mended: no warning, or this test fails
    assert len(computed) == 1


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
    with pytest.raises(InputError, match="cache: expected a directory that can be written"):
        sweep(walk, POINTS, SEEDS, cache=tmp_path / "file" / "store")

    def full(*args, **kwargs):
        raise PermissionError("read-only")

    monkeypatch.setattr(lib.cache.Path, "touch", full)
    with pytest.raises(InputError, match="read-only"):
        sweep(walk, POINTS, SEEDS, cache=tmp_path)
    assert computed == []


def test_runs_and_settings_without_a_key_are_refused_when_cached(tmp_path):
    factor = 2.0

    def captures(seed):
        return {"x": factor * seed}

    sweep(captures, [{}], [1])  # fine without a store
    with pytest.raises(InputError, match="run: expected a function that captures no variables"):
        sweep(captures, [{}], [1], cache=tmp_path)
    with pytest.raises(InputError, match="a: expected a number, text, or a list of them when cached, got builtin"):
        sweep(plain, [{"a": sum}], [1], cache=tmp_path)
    namespace: dict = {}
    exec("def hidden(seed):\n    return {'x': seed}", namespace | {"__name__": "x"}, namespace)
    with pytest.raises(InputError, match="run: expected a function whose source can be read"):
        sweep(namespace["hidden"], [{}], [1], cache=tmp_path)


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
    assert len(list(tmp_path.iterdir())) == 3
    monkeypatch.setattr(np.random, "default_rng", random)
    computed = counting(monkeypatch)
    same(sweep(walk, POINTS, [0], cache=tmp_path))
    assert len(computed) == 3


def test_an_interrupt_of_a_plain_run(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        sweep(plain, [{"a": 1}, {"a": -1}, {"a": 2}], [0], cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == 1


def interrupt_before_renaming(source, target):
    raise KeyboardInterrupt


def interrupt_in_the_middle(file, **arrays):
    file.write(b"PK half a file")
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("module", "name", "interrupt"),
    [(np, "savez", interrupt_in_the_middle), (os, "replace", interrupt_before_renaming)],
    ids=["half written", "before it is renamed"],
)
def test_an_interrupt_while_writing_leaves_no_file(module, name, interrupt, tmp_path, monkeypatch):
    monkeypatch.setattr(module, name, interrupt)
    with pytest.raises(KeyboardInterrupt):
        sweep(walk, POINTS, [0], cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


# --- the result


def test_arrays_are_stacked_where_shapes_agree():
    result = sweep(walk, POINTS, SEEDS)
    assert set(result.arrays) == {"last", "calls", "pid"}
    assert result["last"].shape == (18,)
    with pytest.raises(InputError, match=r"x: expected one shape over all points .*\(3,\), \(5,\)"):
        result["x"]
    with pytest.raises(InputError, match=r"name: expected one of .*, got z"):
        result["z"]
    narrow = result.select(T=5, seed=[4, 2])
    assert narrow["x"].shape == (6, 5)
    assert {p["seed"] for p in narrow.points} == {2, 4}
    np.testing.assert_array_equal(narrow.select(lr=0.2, seed=4)["x"][0], walk(T=5, lr=0.2, seed=4)["x"])
    for wrong, message in (({"T": 7}, r"T: expected a value among \[3, 5\], got 7"), ({"Q": 1}, "Q: expected a value")):
        with pytest.raises(InputError, match=message):
            result.select(**wrong)


def test_failed_points_are_rows_of_nan_and_say_so_in_the_table():
    result = sweep(plain, [{"a": 1}, {"a": 13}], [0, 1])
    assert np.isnan(result["y"][2:]).all()
    assert np.isfinite(result["y"][:2]).all()
    np.testing.assert_array_equal(result["whole"], [1, 1, np.nan, np.nan])
    table = result.table()
    assert table[0] == {"a": 1, "seed": 0, "whole": 1, "failed": None}
    assert table[3] == {"a": 13, "seed": 1, "failed": "RuntimeError: unlucky"}
    assert [text for _, text in result.select(a=13, seed=1).failed] == ["RuntimeError: unlucky"]
    assert result.select(a=1).failed == []
    with pytest.raises(InputError, match=r"none \(all failed\)"):
        result.select(a=13)["y"]


# --- progress and refusals


@pytest.mark.parametrize(("progress", "shown"), [(True, True), (False, False), (None, False)])
def test_progress_is_shown_when_asked_for(progress, shown, capsys):
    sweep(walk, POINTS, SEEDS, progress=progress)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert ("18" in captured.err) == shown


REFUSED = {
    "unknown setting": ({"points": [{"Q": 1}]}, "settings: .*got Q"),
    "unknown setting of a plain run": ({"run": plain, "points": [{"Q": 1}]}, r"points\[0\]: .*'Q'"),
    "missing setting of a plain run": ({"run": plain, "points": [{}]}, r"points\[0\]: .*missing"),
    "no run": ({"run": 3}, "run: expected a function, got int"),
    "no points": ({"points": []}, "points: expected at least one"),
    "no seeds": ({"seeds": []}, "seeds: expected at least one"),
    "negative seed": ({"seeds": [-1]}, "seeds: .*got -1"),
    "broken seed": ({"seeds": [0.5]}, "seeds: .*got 0.5"),
    "seed twice": ({"seeds": [1, 1]}, "seeds: expected different"),
    "seed in a point": ({"points": [{"seed": 1}]}, r"points\[0\]: expected settings without 'seed'"),
    "point twice": ({"points": [{"T": 4}, {"lr": 0.5}]}, "points: expected each point once"),
    "no processes": ({"n_jobs": 0}, "n_jobs: "),
    "broken processes": ({"n_jobs": 1.5}, "n_jobs: "),
    "chunk": ({"chunk": 0}, "chunk: "),
}


@pytest.mark.parametrize(("change", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_refused_before_any_work(change, message, monkeypatch):
    computed = counting(monkeypatch)
    with pytest.raises(InputError, match=message):
        sweep(**({"run": walk, "points": POINTS, "seeds": SEEDS} | change))
    assert computed == []


def test_importing_the_library_is_light():
    code = (
        "import sys, lib, lib.sweep, lib.train, lib.optim, lib.palette; "
        "print([m for m in ('torch', 'matplotlib', 'ipywidgets', 'joblib', 'tqdm') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=True)
    assert done.stdout.strip() == "[]"
