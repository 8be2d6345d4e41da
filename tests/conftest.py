"""Shared by all tests: one thread for linear algebra, and seeded randomness."""

import os
import sys

# before NumPy is loaded: with several threads a sum may be cut differently, and the bit-for-bit laws would not be fair
if "numpy" not in sys.modules:
    os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pytest
from browser import chromium, serve, site  # noqa: F401 - fixtures of all browser tests


@pytest.fixture(scope="session", autouse=True)
def one_thread():
    assert os.environ.get("OMP_NUM_THREADS") == "1", "run the tests with OMP_NUM_THREADS=1"


@pytest.fixture
def rng():
    """A fresh generator, the same for every test."""
    return np.random.default_rng(20240607)
