"""Shared by all tests: one thread for linear algebra, and seeded randomness."""

import os
import sys
from pathlib import Path

# before NumPy is loaded: with several threads a sum may be cut differently, and the bit-for-bit laws would not be fair
if "numpy" not in sys.modules:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
# processes that a test starts find the tests' own runs and toys as it does: `tests.core.sweep_runs`
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))

import numpy as np
import pytest

from tests.browser import built, chromium, serve, site, tab  # noqa: F401 - fixtures of all browser tests


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    assert os.environ.get("OMP_NUM_THREADS") == "1", "run the tests with OMP_NUM_THREADS=1"


@pytest.fixture
def rng():
    """A fresh generator, the same for every test."""
    return np.random.default_rng(20240607)
