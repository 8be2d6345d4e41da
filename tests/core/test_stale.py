"""No old or foreign number: after an edit, a reload, a patch or other settings, here and in workers."""

import importlib
import sys

import numpy as np
import pytest

from lib import keys, optim
from lib.errors import InputError
from lib.sweep import sweep
from tests.core.sweep_runs import stored

POINTS = [{"a": a} for a in (1, 2, 3, 4)]
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
    assert sweep(getattr(module, name), POINTS, [0], cache, n_jobs=2)["y"].tolist() == [1, 2, 3, 4]
    write("edited_steps", STEPS.replace("return a", "return 10 * a"))
    importlib.reload(steps)
    importlib.reload(module)
    for n_jobs in (2, 1):
        assert sweep(getattr(module, name), POINTS, [0], cache, n_jobs)["y"].tolist() == [10, 20, 30, 40]


@pytest.mark.parametrize(("name", "change"), [("run", ("return a", "return 10 * a")), ("kept", ("[1.0]", "[2.0, 0]"))])
def test_an_edit_that_is_not_loaded_is_refused(name, change, study, tmp_path):
    module, _, write = study
    run = getattr(module, name)
    before = sweep(run, POINTS, [0], tmp_path / "store")["y"]
    write("edited_steps", STEPS.replace(*change))
    with pytest.raises(InputError, match=r"reload\(edited_steps\).* got edited_steps, loaded before"):
        sweep(run, POINTS, [0], tmp_path / "store")
    write("edited_steps", STEPS)
    np.testing.assert_array_equal(sweep(run, POINTS, [0], tmp_path / "store")["y"], before)


def test_what_was_imported_by_name_before_a_reload_is_refused(study, tmp_path):
    module, steps, write = study
    write("edited_steps", STEPS.replace("return a", "return 10 * a"))
    importlib.reload(steps)
    for given in ({"cache": tmp_path / "store"}, {"n_jobs": 2}):
        with pytest.raises(InputError, match=r"as their files say .*, got edited_steps, loaded before"):
            sweep(module.run, POINTS, [0], **given)


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
    assert sweep(run, POINTS, [0], tmp_path / "store")["y"].tolist() == [1, 2, 3, 4]
    if patch == "in place":
        module.WEIGHTS[:] = value
    else:
        monkeypatch.setattr(module, attribute, value)
    assert sweep(run, POINTS, [0], tmp_path / "store")["y"].tolist() == [2, 4, 6, 8]
    with pytest.raises(InputError, match=r"expected workers that have .*, got other code"):
        sweep(run, [{"a": 5}], [0], tmp_path / "store", n_jobs=2)
    monkeypatch.undo()


def test_a_memory_of_a_module_is_computed_with_again_and_functools_cache_is_not(study, tmp_path):
    module, *_ = study
    for name, count in (("kept", 4), ("remembering", 8)):
        for _ in range(2):
            assert sweep(getattr(module, name), POINTS, [0], tmp_path / name)["y"].tolist() == [1, 2, 3, 4]
        assert stored(tmp_path / name) == count
    with pytest.raises(InputError, match=r"expected workers that have what is loaded here .*, got other code"):
        sweep(module.remembering, POINTS, [0], n_jobs=2)


# --- settings


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
