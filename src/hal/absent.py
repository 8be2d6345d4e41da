"""What a notebook says where something that it can do without is not installed, or hidden.

Torch is the reference of some cells and nothing that a chapter rests on: without it they say one line, and the others
run. `lib` is a short name: a folder of the reader's that has it too would be found first, and every import would fail
with words about something else.
"""

from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

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


def of_torch(error: BaseException | None) -> bool:
    """Whether an error says that torch is not installed."""
    return isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == "torch"


def say(shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: int | None = None) -> None:
    """Print one line where torch is missing, and what IPython prints of any other error."""
    if of_torch(error):
        print(SAYS)
    else:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def forgive(result: Any) -> None:
    """Let a cell that missed torch count as done, so that the cells below it run too."""
    if of_torch(result.error_in_exec):
        result.error_in_exec = None


def in_notebooks(shell: Any) -> None:
    """Let the cells of a notebook that need torch say so where there is none; each ends where it needs it.

    Args:
        shell: the running IPython, or None.
    """
    if shell is not None and find_spec("torch") is None and forgive not in shell.events.callbacks["post_run_cell"]:
        shell.set_custom_exc((ModuleNotFoundError,), say)
        shell.events.register("post_run_cell", forgive)
