"""The written chapters of the book, from the registry, and what their notebooks make."""

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules

from lib.chapters import written
from lib.explorer import Computed, Explorer

BOOK = Path(__file__).parent.parent / "book"


def chapters() -> list[Path]:
    """The notebooks of the book, in its order."""
    return [BOOK / f"{row.slug}.ipynb" for row in written()]


def explorers(slug: str) -> dict[str, Explorer | Computed]:
    """The explorers of a chapter by name, in the order of its modules; samples to poke have no sliders and are none."""
    package = import_module(f"lib.chapters.{slug}.explorers")
    names = sorted(module.name for module in iter_modules(package.__path__) if module.name[0] != "_")
    found = [import_module(f"{package.__name__}.{name}").explorer() for name in names]
    return {explorer.name: explorer for explorer in found if isinstance(explorer, Explorer | Computed)}


def short_settings(slug: str) -> dict[str, dict[str, float]]:
    """Settings at which the explorers of a chapter train for a short time, tests/SLUG/short_runs.py, if it has any."""
    name = f"tests.{slug}.short_runs"
    return import_module(name).SHORT if find_spec(name) else {}


def short_runs(name: str) -> dict[str, float]:
    """Those of one explorer, by its name; none for its default."""
    slug, _, own = name.partition("-")
    return short_settings(slug).get(own, {})
