"""Sphinx extension: the pages of the library, written into book/api before Sphinx looks for pages.

The core has the pages of `CORE`; every written chapter has those of `CHAPTER`. A page shows what a package's `__all__`
names, then those of its modules that the package hides. Of each function and class the signature and the first
sentences stand there; the rest unfolds, so that a page is a few screens long. `_toc.yml` lists all with one `glob`,
which the sidebar keeps folded; the folder is not under version control.
"""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import FunctionType, ModuleType
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from hal import chapters
from hal.site.tidy import rewrite_pages
from lib.sweep import Vectorised

FOLDER = Path("book", "api")
#: Modules of `lib.portable` that say how plain Python runs in the page, and those that are mathematics.
PLAIN = "engine optimisers ordinary primitives python records"
_OBJECTS = (
    "cell_grid corner_area free_columns inked_words level_bands linked_vessels node_ring point_plane thin_stems "
    "token_arcs unit_arrows"
)
SCENES = " ".join(f"objects.{name}" for name in _OBJECTS.split())
MATHEMATICS = "chances explicit linear numbers quadrature random_numbers small tokens vectors"
#: File -> title, what the page is about, packages and modules. Files are listed in the order of their names.
CORE = {
    "0-claims": ("Claims", "What a claim of the book is, and the ledger of them.", ["hal.claims"]),
    "0-explorer": (
        "Explorers",
        "Figures that compute: a module of plain names in, a figure with sliders out.",
        ["hal.figure:offered", *(f"hal.figure.{name}" for name in f"charts clouds scenes {SCENES}".split())],
    ),
    "0-explorer-inside": ("Explorers, inside", "How they reach a page or a kernel.", ["hal.figure:hidden"]),
    "0-optimisers": ("Optimisers", "Optimisers as values, for every chapter.", ["lib.optim"]),
    "0-shared": (
        "Shared parts",
        "Sampling, attention, errors, records, colours.",
        [
            "lib.sampling",
            "lib.attention",
            "lib.errors",
            "hal.results",
            "hal.palette",
            "hal.chapters",
            "hal.remember",
            "hal.sources",
        ],
    ),
    "0-sweeps": (
        "Sweeps",
        "Many settings and seeds, on one machine or many.",
        ["lib.sweep", "lib.keys", "lib.models.experiments"],
    ),
    "0-portable": (
        "Portable code",
        "Plain Python that also runs in the page.",
        ["lib.portable:offered", *(f"lib.portable.{name}" for name in PLAIN.split())],
    ),
    "0-portable-mathematics": (
        "Portable mathematics",
        "Numbers, vectors, random draws, integrators: the same bits in the page as in Python.",
        [f"lib.portable.{name}" for name in MATHEMATICS.split()],
    ),
    "0-training": (
        "Training",
        "The one loop for any problem and any optimiser; gradient flow, and equations in the logarithm of time.",
        ["lib.train", "lib.integrate"],
    ),
}
#: Part of a page's name -> the word in its title, what it is about, the package.
CHAPTER = {
    "model": ("model", "What chapter {number} trains, and how its data are drawn.", "lib.models.{slug}:numpy"),
    "model-textbook": ("textbook", "The model in plain Python, as it runs in the page.", "lib.models.{slug}:portable"),
    "runs": (
        "runs",
        "The runs that the chapter, its claims and its explorers share.",
        "hal.chapters.{slug}.runs:first",
    ),
    "runs-apart": ("runs of one section", "Runs that single sections need.", "hal.chapters.{slug}.runs:rest"),
    "runs-further": ("further runs of one section", "More of them.", "hal.chapters.{slug}.runs:further"),
    "theory": ("theory", "What the paper predicts, and what follows from it.", "lib.theory.{slug}:numpy"),
    "theory-portable": ("theory in the page", "Theory in plain Python.", "lib.theory.{slug}:portable"),
}
#: What every run has (`lib.portable.textbooks`): shown of a chapter's `textbook`, not again of each module beside it.
PROTOCOL = ("start", "step", "done", "steps_of", "parameters", "gradient", "count_step", "measure", "at_end")
#: How the names of modules in plain Python begin.
PORTABLE = ("textbook", "portable")
#: How a list of pages below another begins in the sidebar.
LIST = '<details><summary><span class="toctree-toggle"'
MANY = 10  # modules that a package hides: more have a page for themselves, more than twice as many have two


def pages() -> dict[str, str]:
    """Name of every page -> its Markdown."""
    found = {name: page(title, says, packages) for name, (title, says, packages) in CORE.items()}
    for row in chapters.written():
        for part, (word, says, package) in CHAPTER.items():
            if find_spec(package.format(slug=row.slug).partition(":")[0]) and modules(package.format(slug=row.slug)):
                text = page(f"{row.title}: {word}", says.format(number=row.number), [package.format(slug=row.slug)])
                found[f"{row.number}-{row.slug}-{part}"] = text
    return found


def page(title: str, says: str, packages: Sequence[str]) -> str:
    """The Markdown of one page.

    Args:
        title: its heading.
        says: one sentence below it.
        packages: what `modules` takes, each.
    """
    text = f"# {title}\n\n{says}\n"
    for name in [name for package in packages for name in modules(package)]:
        options = "   :members:\n" + ("   :imported-members:\n" if hasattr(import_module(name), "__all__") else "")
        if name.rpartition(".")[2].startswith("textbook_"):
            options += f"   :exclude-members: {', '.join(PROTOCOL)}\n"
        text += f"\n## {name}\n\n```{{eval-rst}}\n.. automodule:: {name}\n{options}```\n"
    return text


def modules(package: str) -> list[str]:
    """What a page shows of a package, by dotted names: a section each.

    Args:
        package: dotted name, for the package and the modules that it hides; with `:offered` the package alone, with
            `:hidden` those modules alone, with `:portable` those of them in plain Python, with `:numpy` all else; with
            `:first` the package and its modules if these are few, with `:rest` and `:further` those of more than
            `MANY`.
    """
    name, _, part = package.partition(":")
    inside = hidden(import_module(name))
    plain = [one for one in inside if one.rpartition(".")[2].startswith(PORTABLE)]
    rest = [name, *(one for one in inside if one not in plain)]
    parts = {"": [name, *inside], "offered": [name], "hidden": inside, "portable": plain, "numpy": rest}
    apart = inside if len(inside) > MANY else []
    cut = len(apart) if len(apart) <= 2 * MANY else -(-len(apart) // 2)
    first = [name] if apart else [name, *inside]
    return {**parts, "first": first, "rest": apart[:cut], "further": apart[cut:]}[part]


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
            if isinstance(thing, FunctionType | type | Vectorised)
            and thing.__module__ == inside.__name__
            and name[0] != "_"
        ]
        if own and not passed_on & set(map(id, own)):
            found.append(inside.__name__)
    return found


def fold(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Leave of every function and class its signature and its first paragraph, which unfolds the rest."""
    if app.builder.format != "html" or Path(docname).parent != FOLDER:
        return
    entries = list(doctree.findall(addnodes.desc))
    for entry in [node for node in entries if not isinstance(node.parent, addnodes.desc_content)]:
        content = next(iter(entry.findall(addnodes.desc_content)))
        first, rest = content.children[:1], content.children[1:]
        if rest and isinstance(first[0], nodes.paragraph):
            words = nodes.inline("", "", *[child.deepcopy() for child in first[0].children])
            start, end = '<details class="lib-more"><summary>', "</details>"
            content.children = []
            content += [_raw(start), words, _raw("</summary>"), *rest, _raw(end)]


def collapse(app: Sphinx, exception: Exception | None) -> None:
    """Fold their list in the sidebar on these pages too, where the theme has it open."""
    if exception is None and app.builder.format == "html":
        rewrite_pages(app, lambda path, page: page.replace(LIST.replace("<details", '<details open="open"'), LIST))


def _raw(html: str) -> nodes.raw:
    return nodes.raw("", html, format="html")


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
    app.connect("doctree-resolved", fold)
    app.connect("build-finished", collapse)
    app.connect("builder-inited", write, priority=400)  # before autosummary reads the pages
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
