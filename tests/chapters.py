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
def moved(slug: str) -> dict[str, Computed]:
    """Every figure of a chapter that a reader can move, by name; interactive samples have no sliders and are none."""
    made = {Computed: figures(), Small: smalls()}
    return {
        name: kind(module)
        for kind, found in made.items()
        for name, (module, _) in found.items()
        if name.partition("-")[0] == slug
    }
