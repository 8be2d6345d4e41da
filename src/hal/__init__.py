"""How Attention Learns, the book: chapters, figures, claims and the site, made of the library `lib`.

`from hal import claims, show`: every statement of the book as a check, and the figure of a notebook's cell. Both are
loaded when they are first asked for, so that `import hal` is light. Whatever any part refuses, an argument, a record or
a file of a chapter, raises `lib.errors.InputError`, whose message names it and says what was expected.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import lib
from hal import absent as _absent

_absent.beside(lib, Path(__file__).parent)
if "IPython" in sys.modules:
    _absent.in_notebooks(sys.modules["IPython"].get_ipython())

if TYPE_CHECKING:
    from hal import claims
    from hal.figure import show

__all__ = ["claims", "show"]


def __getattr__(name: str) -> Any:
    if name == "claims":
        return import_module("hal.claims")
    if name == "show":
        return import_module("hal.figure").show
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
