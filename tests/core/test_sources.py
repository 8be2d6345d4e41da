"""What a result depends on: the files that a module needs, and results that a build leaves for its tests."""

import importlib
import sys

import pytest

from hal import sources
from hal.remember import REMEMBER
from hal.sources import digest, file_of, follow
from lib.errors import InputError
from tests.packages import LIB

FILES = {
    "study/__init__.py": "from study import base\n",
    "study/base.py": "",
    "study/run.py": "import numpy\nfrom .parts import step\nfrom . import late as z\ndef f():\n    import helpers\n",
    "study/parts/__init__.py": "from ..shared import *\n",
    "study/parts/step.py": "from importlib import import_module\nloss = import_module('.losses', __package__)\n",
    "study/parts/losses.py": "import json, scipy.special\ntry:\n    import absent\nexcept ImportError: x = 1\n",
    "study/parts/unused.py": "import torch\n",
    "study/shared.py": "import study.run\n",  # a circle
    "study/late.py": "import helpers.inner\n",
    "helpers/__init__.py": "from study.base import x, y\n",
    "helpers/inner.py": "",
}


def written(folder):
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def test_imports_are_followed_wherever_they_stand_and_nothing_is_imported(tmp_path, tmp_path_factory, monkeypatch):
    monkeypatch.setattr(sources, "FOLDERS", {name: written(tmp_path) / name for name in ("study", "helpers")})
    before = set(sys.modules)
    found = follow(["study.run"])
    assert {path.relative_to(tmp_path).as_posix() for path in found.values()} == {*FILES} - {"study/parts/unused.py"}
    assert set(sys.modules) == before
    assert set(follow(["study.run"], without=["study.parts", "helpers"])) == {
        *("study", "study.base", "study.run", "study.late")
    }
    first, elsewhere = digest(found), written(tmp_path_factory.mktemp("elsewhere"))
    assert digest({name: elsewhere / path.relative_to(tmp_path) for name, path in found.items()}) == first
    (tmp_path / "study/parts/unused.py").write_text("x = 1\n")
    assert digest(follow(["study.run"])) == first
    (tmp_path / "study/parts/losses.py").write_text("x = 1\n")
    assert digest(follow(["study.run"])) != first


def test_modules_of_the_project_alone_are_found():
    assert file_of("lib.sweep") == LIB / "sweep" / "__init__.py"
    assert [file_of(name) for name in ("numpy.linalg", "json", "__main__", "lib.sweep.sweep")] == [None] * 4
    with pytest.raises(InputError, match=r"modules: expected modules of this project, got lib\.nothing"):
        follow(["lib.nothing"])


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
