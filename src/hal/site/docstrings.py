"""Sphinx extension: docstrings of the library are plain English with plain formulas, and appear as they are written."""

import re
from typing import Any

from sphinx.application import Sphinx


def escape_plain(line: str) -> str:
    r"""A line of a docstring whose signs are only text.

    Bars and stars are escaped, `x` becomes literal, and what stands in literals or doctests is left alone.
    """
    if line.lstrip().startswith((">>>", "...", "..")):
        return line
    pieces = re.split(r"(:[\w:]+:`[^`]+`|``[^`]+``|`[^`]+`)", line)
    for i, piece in enumerate(pieces):
        if i % 2 == 0:
            pieces[i] = re.sub(r"([|*])|(?<=\w)(_)(?!\w)", r"\\\1\2", piece)
        elif not piece.startswith((":", "``")):
            pieces[i] = f"`{piece}`"
    return "".join(pieces)


def _plain(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    lines[:] = map(escape_plain, lines)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", _plain, priority=100)  # before napoleon writes its markup
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
