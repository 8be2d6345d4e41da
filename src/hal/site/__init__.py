"""What only the build needs. `hal.site` in the list of Sphinx extensions sets up all of it; nothing of lib imports it.

Each module is an extension of its own with one idea: the data of explorers, their pages for other sites, the execution
of notebooks, formulas, the landing page, the ledger, budgets, what editing costs, benchmarks, sweeps and what the
recorded ones took, weights of pages, docstrings, the pages of the library, mentions of claims, phrases
that set explorers, the search, and sections that each chapter has on shared pages; what catalogues read of a page, what
a page may load and run, and what a released site has beside its pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hal import chapters

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PARTS = (
    "assets",
    "benchmarks",
    "budgets",
    "citation",
    "docstrings",
    "editing",
    "embeds",
    "execution",
    "explorers",
    "findable",
    "formulas",
    "landing",
    "ledger",
    "library",
    "mentions",
    "papers",
    "phrases",
    "policy",
    "recorded",
    "search",
    "sections",
    "sweeps",
    "tidy",
    "weights",
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
