"""What a notebook says where something that it can do without is not installed, or hidden.

Torch is the reference of some cells and nothing that a chapter rests on: without it they say one line, and the others
run. `lib` is a short name: a folder of the reader's that has it too would be found first, and every import would fail
with words about something else.
"""

import re
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

IMPORTS = re.compile(r"^\s*(?:import|from) torch\b", re.M)
SAYS = (
    "This cell needs torch, which is not installed: pip install torch --index-url https://download.pytorch.org/whl/cpu"
)


def beside(library: ModuleType, book: Path) -> None:
    """Make sure that a module `lib` is the one that came with the book.

    Args:
        library: what `import lib` found.
        book: the folder of the package `hal`.

    Raises:
        ImportError: if it is another one; says which, and what helps.
    """
    found = Path(getattr(library, "__file__", None) or next(iter(library.__path__)))
    own = found.parent if found.name == "__init__.py" else found
    if own.resolve() != (book.parent / "lib").resolve():
        raise ImportError(f"lib: expected the library of this book in {book.parent}, got {own}, which hides it: `lib` "
                          "is its name here; rename yours, or run from another folder")  # fmt: skip


def without_torch(lines: list[str]) -> list[str]:
    """The lines of a cell, or, if they import torch, the one line that says what it needs."""
    return [f"print({SAYS!r})\n"] if IMPORTS.search("".join(lines)) else lines


def in_notebooks(shell: Any) -> None:
    """Let the cells of a notebook that import torch say so where there is none.

    Args:
        shell: the running IPython, or None.
    """
    if shell is not None and find_spec("torch") is None and without_torch not in shell.input_transformers_post:
        shell.input_transformers_post.append(without_torch)
