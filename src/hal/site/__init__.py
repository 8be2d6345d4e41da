"""What only the build needs. `hal.site` in the list of Sphinx extensions sets up all of it; nothing of lib imports it.

Each of `PARTS` is an extension of its own with one idea, which its first line says; `budgets`, `editing` and `weights`
are the limits of what is built.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hal import chapters

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PARTS = (
    "assets",
    "embeds",
    "execution",
    "explorers",
    "seo",
    "formulas",
    "gone",
    "landing",
    "ledger",
    "library",
    "mentions",
    "phrases",
    "policy",
    "search",
    "sections",
    "tidy",
)


def _check(app: Sphinx) -> None:
    """Stop before anything is built if the registry promises a chapter that is not there."""
    chapters.check(Path(app.srcdir))


def setup(app: Sphinx) -> dict[str, Any]:
    """Set up all parts; called by Sphinx."""
    app.connect("builder-inited", _check, priority=100)
    for part in PARTS:
        app.setup_extension(f"{__name__}.{part}")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
