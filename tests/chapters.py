"""The chapters of the book and what their notebooks make."""

import json
from pathlib import Path

from lib.explorer import Explorer

BOOK = Path(__file__).parent.parent / "book"


def chapters() -> list[Path]:
    """The notebooks of the book."""
    return sorted(BOOK.glob("*.ipynb"))


def explorers(path: Path) -> dict[str, Explorer]:
    """The explorers of a chapter, made by its own cells: the set-up cell, then each cell that is one Explorer."""
    names, found = {}, {}
    for cell in json.loads(path.read_text())["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            continue
        if "setup" in cell["metadata"].get("tags", []):
            exec(source, names)
        elif source.startswith("Explorer("):
            explorer = eval(source, names)
            assert isinstance(explorer, Explorer)
            found[explorer.name] = explorer
    return found
