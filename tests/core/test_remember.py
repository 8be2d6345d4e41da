"""Results that a build leaves for its tests: found again for the same sources and arguments, and for no others."""

import importlib

import pytest

from hal.remember import REMEMBER

TEXT = """
import sys
from kept_steps import step
from hal.remember import remembered
calls = sys.kept_calls = []  # what a run writes into a global of its own would be part of its key
def note(x): sys.kept_calls.append(x)
@remembered
def run(x, times=2):
    note(x)
    return {"x": [step(x)] * times}
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A module with a remembered function, the folder of its files, and where results are kept."""
    (tmp_path / "kept_steps.py").write_text("def step(x): return x + 1\n")
    (tmp_path / "kept_study.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(REMEMBER, str(tmp_path / "kept" / "here"))
    import kept_steps
    import kept_study

    importlib.reload(kept_steps)
    return importlib.reload(kept_study), tmp_path


def test_the_same_call_is_computed_once_however_it_is_written(study):
    module, folder = study
    assert module.run(1) == module.run(x=1) == module.run(1, times=2) == {"x": [2, 2]}
    assert module.calls == [1]
    assert module.run(2) == module.run(1, 2) | {"x": [3, 3]}
    assert module.run(1, 3) == {"x": [2, 2, 2]}
    assert module.calls == [1, 2, 1]
    assert len(list((folder / "kept" / "here").iterdir())) == 3


def test_changed_sources_are_computed_anew_and_take_the_place(study):
    module, folder = study
    module.run(1)
    (folder / "kept_steps.py").write_text("def step(x): return x + 20\n")
    import kept_steps

    importlib.reload(kept_steps)
    assert importlib.reload(module).run(1) == {"x": [21, 21]}
    (folder / "kept_study.py").write_text(TEXT.replace("note(x)\n", "note(x)\n    times += 1\n"))
    assert importlib.reload(module).run(1) == {"x": [21, 21, 21]}
    assert len(list((folder / "kept" / "here").iterdir())) == 1


@pytest.mark.parametrize("folder", [None, "kept_study.py/below"], ids=["a reader's call", "a folder that cannot be"])
def test_what_is_not_kept_is_computed_again(folder, study, monkeypatch):
    module, here = study
    monkeypatch.delenv(REMEMBER) if folder is None else monkeypatch.setenv(REMEMBER, str(here / folder))
    assert module.run(1) == module.run(1) == {"x": [2, 2]}
    assert module.calls == [1, 1]
    assert not (here / "kept").exists()
