"""Every module that is declared portable by its place is: the textbooks, the theory of pages, the core itself."""

import importlib

import pytest

from lib import portable
from tests.packages import LIB, name_of

NOT_TRANSLATED = {"__init__", "lifting", "primitives", "python", "textbooks"}  # what portable code is made of
DECLARED = [
    *(path for path in (LIB / "portable").glob("*.py") if path.stem not in NOT_TRANSLATED),
    *LIB.glob("models/*/textbook*.py"),
    *LIB.glob("theory/*/portable*.py"),
]


def test_some_are_declared():
    assert {"numbers", "textbook", "portable"} <= {path.stem for path in DECLARED}


@pytest.mark.parametrize("path", DECLARED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_portable(path):
    module = importlib.import_module(name_of(path))
    portable.check(module)
