"""The chapters of the book and what their notebooks make."""

from importlib import import_module
from pathlib import Path

from lib.explorer import Explorer

BOOK = Path(__file__).parent.parent / "book"


def chapters() -> list[Path]:
    """The notebooks of the book."""
    return sorted(BOOK.glob("*.ipynb"))


def explorers(slug: str) -> dict[str, Explorer]:
    """The explorers of a chapter by name, in the order of its modules."""
    package = import_module(f"lib.chapters.{slug}.explorers")
    found = [getattr(package, name).explorer() for name in package.__all__]
    return {explorer.name: explorer for explorer in found}
