"""The benchmark of the chapter whose tests ask for it; chapter 1's for all others."""

import sys
from importlib import import_module

import pytest

from tests.packages import ROOT


@pytest.fixture
def bench(request, monkeypatch):
    """`benchmarks/SLUG.py`, imported as it runs, beside its parts; nothing in it is timed by a test."""
    own = request.path.parent.name
    name = own if (ROOT / "benchmarks" / f"{own}.py").exists() else "scb"
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    yield import_module(name)
    for one in [one for one in sys.modules if one == name or one.split(".")[0] == "parts"]:
        del sys.modules[one]
