"""The written chapters of the book, from the registry, and what their notebooks make."""

import functools
from pathlib import Path

from hal.chapters import written
from hal.figure import Computed, Small
from tests.packages import ROOT
from tests.rows import figures, smalls

BOOK = ROOT / "book"


def chapters() -> list[Path]:
    """The notebooks of the book, in its order."""
    return [BOOK / f"{row.slug}.ipynb" for row in written()]


@functools.cache
def explorers(slug: str) -> dict[str, Computed]:
    """The figures of a chapter that compute, by name; interactive samples have no sliders and are none."""
    return {name: Computed(module) for name, (module, _) in figures().items() if name.partition("-")[0] == slug}


@functools.cache
def moved(slug: str) -> dict[str, Computed]:
    """Every figure of a chapter that a reader can move, by name: those that compute, and the small ones."""
    small = {name: Small(module) for name, (module, _) in smalls().items() if name.partition("-")[0] == slug}
    return {**explorers(slug), **small}
