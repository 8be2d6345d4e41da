"""Which files a module needs: all that it imports, wherever the import stands, and nothing else."""

import sys

import pytest

from lib.errors import InputError
from lib.sources import digest, find, follow, source_files, version
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
    "study/late.py": "import spaces.inner\n",
    "helpers.py": "from study.base import x, y\n",
    "spaces/inner.py": "",  # a folder without __init__.py
    "other.py": "",
}
NEEDED = {name for name in FILES if name not in ("study/parts/unused.py", "other.py")}


def written(folder):
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def study(tmp_path, monkeypatch):
    written(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def names(files, folder):
    return {path.relative_to(folder).as_posix() for path in files}


def test_imports_are_followed_wherever_they_stand_and_nothing_is_imported(study):
    before = set(sys.modules)
    assert names(source_files(["study.run"]), study) == NEEDED
    assert follow(["study.run"])[1] == {"numpy", "scipy"}
    assert set(sys.modules) == before


def test_what_is_left_out_is_not_followed(study):
    assert names(source_files(["study.run"], without=["study.parts", "helpers"]), study) == {
        *("study/__init__.py", "study/base.py", "study/run.py", "study/late.py", "spaces/inner.py"),
    }
    assert follow(["study.run"], without=["study.parts"])[1] == {"numpy"}


def test_the_digest_sees_contents_and_names_and_no_place(study, tmp_path_factory):
    first = digest(source_files(["study.run"]))
    assert digest(source_files(["study.run"])[::-1]) == first
    elsewhere = written(tmp_path_factory.mktemp("elsewhere"))
    assert digest(elsewhere / path.relative_to(study) for path in source_files(["study.run"])) == first
    (study / "study/parts/unused.py").write_text("x = 1\n")
    assert digest(source_files(["study.run"])) == first
    (study / "study/parts/losses.py").write_text(FILES["study/parts/losses.py"] + "import other\n")
    assert names(source_files(["study.run"]), study) == {*NEEDED, "other.py"}
    assert digest(source_files(["study.run"])) != first


def test_what_is_found_and_what_is_not():
    assert find("lib.sweep").file == LIB / "sweep" / "__init__.py"
    assert find("numpy.linalg").library
    assert find("json") is None
    assert find("__main__") is None
    assert source_files(["json"]) == []
    with pytest.raises(InputError, match=r"modules: expected names of modules that can be found, got lib\.nothing"):
        source_files(["lib.nothing"])
    assert version("numpy").count(".") == 2
    assert version("not_installed") == "unknown"
