"""Which files of the project a module needs: all that it imports, wherever the import stands, and nothing else."""

import sys

import pytest

from hal import sources
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
