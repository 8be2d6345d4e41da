"""Sphinx extension: the pages of the library, written into book/api before Sphinx looks for pages.

The core has the pages of `CORE`; every written chapter has one each for its model, its theory and its runs. A page
shows what a package's `__all__` names, then those of its modules that the package hides. `_toc.yml` lists all with one
`glob`; the folder is not under version control.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from inspect import isclass, isfunction
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

from lib import chapters

FOLDER = Path("book", "api")
#: File -> title, what the page is about, packages and modules. Files are listed in the order of their names.
CORE = {
    "0-claims": ("Claims", "What a claim of the book is, and the ledger of them.", ["lib.claims"]),
    "0-explorer": (
        "Explorers",
        "Interactive figures of a function of plain settings.",
        ["lib.explorer", *(f"lib.explorer.{name}" for name in ("charts", "clouds", "scenes"))],
    ),
    "0-optimisers": ("Optimisers", "Optimisers as values, for every chapter.", ["lib.optim"]),
    "0-shared": (
        "Shared parts",
        "Sampling, attention, errors, records, colours.",
        ["lib.sampling", "lib.attention", "lib.errors", "lib.results", "lib.palette", "lib.chapters"],
    ),
    "0-sweeps": ("Sweeps", "Many settings and seeds, on one machine or many.", ["lib.sweep"]),
    "0-portable": ("Portable code", "Plain Python that also runs in the page.", ["lib.portable"]),
    "0-training": (
        "Training",
        "The one loop for any problem and any optimiser; gradient flow, and equations in the logarithm of time.",
        ["lib.train", "lib.integrate"],
    ),
}
CHAPTER = {
    "model": ("model", "What chapter {number} trains, and how its data are drawn.", "lib.models.{slug}"),
    "runs": (
        "runs",
        "The runs that the chapter, its claims and its explorers share.",
        "lib.chapters.{slug}.runs",
    ),
    "theory": ("theory", "What the paper predicts, and what follows from it.", "lib.theory.{slug}"),
}


def pages() -> dict[str, str]:
    """Name of every page -> its Markdown."""
    found = {name: page(title, says, packages) for name, (title, says, packages) in CORE.items()}
    for row in chapters.written():
        for part, (word, says, package) in CHAPTER.items():
            text = page(f"{row.title}: {word}", says.format(number=row.number), [package.format(slug=row.slug)])
            found[f"{row.number}-{row.slug}-{part}"] = text
    return found


def page(title: str, says: str, packages: Sequence[str]) -> str:
    """The Markdown of one page.

    Args:
        title: its heading.
        says: one sentence below it.
        packages: dotted names of packages or modules, a section each.
    """
    text = f"# {title}\n\n{says}\n"
    for package in packages:
        for name in [package, *hidden(import_module(package))]:
            options = "   :members:\n" + ("   :imported-members:\n" if hasattr(import_module(name), "__all__") else "")
            text += f"\n## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n{options}```\n"
    return text


def hidden(package: ModuleType) -> list[str]:
    """Modules of a package whose public functions and classes it does not pass on: they are shown by themselves."""
    passed_on = {id(vars(package)[name]) for name in getattr(package, "__all__", ()) if name in vars(package)}
    found = []
    for module in iter_modules(getattr(package, "__path__", ())):
        if module.name.startswith("_") or module.ispkg:
            continue
        inside = import_module(f"{package.__name__}.{module.name}")
        own = [
            thing
            for name, thing in vars(inside).items()
            if (isfunction(thing) or isclass(thing)) and thing.__module__ == inside.__name__ and name[0] != "_"
        ]
        if own and not passed_on & set(map(id, own)):
            found.append(inside.__name__)
    return found


def write(app: Sphinx) -> None:
    """Write the pages that are new or changed, and delete those of chapters that are gone."""
    folder, wanted = Path(app.srcdir) / FOLDER, pages()
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.md"):
        if path.stem not in wanted:
            path.unlink()
    for name, text in wanted.items():
        path = folder / f"{name}.md"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension; called by Sphinx."""
    app.connect("builder-inited", write, priority=400)  # before autosummary reads the pages
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
