"""Which source files a result depends on: given modules, and all that they import, however far.

Used by the key of a sweep's cache, by the build and by the ledger. The syntax trees are read; nothing is imported.
Followed are the modules of this library and those of a researcher's own folders on `sys.path`; installed packages count
by name and version, Python's own library not at all. What `import_module` loads under a name that is not written out is
not seen.
"""

import ast
import hashlib
import importlib.machinery
import importlib.util
import os
import site
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from lib.errors import require

__all__ = ["Module", "absolute", "digest", "find", "follow", "imported_modules", "is_own", "source_files", "version"]

_ENDINGS = (f"{os.sep}__init__.py", ".py", *importlib.machinery.EXTENSION_SUFFIXES)


class Module(NamedTuple):
    """Where a module is."""

    file: Path | None  # None for a folder without __init__.py
    folders: tuple[str, ...]  # where its submodules are; empty unless it is a package
    library: bool  # installed, so that its version says what it is


def source_files(modules: Iterable[str], without: Iterable[str] = ()) -> list[Path]:
    """The files of modules and of everything they import, see `follow`, in the order of the modules' names."""
    return [path for _, path in sorted(follow(modules, without)[0].items())]


def digest(files: Iterable[Path]) -> str:
    """A hash of files: their bytes, line ends aside, and their names within their packages, wherever these are."""
    hashed = hashlib.sha256()
    for label, path in sorted((_label(path), path) for path in files):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        hashed.update(f"{label} {len(content)}\n".encode() + content)
    return hashed.hexdigest()


def find(name: str) -> Module | None:
    """Where a module is, by its dotted name; of an installed package's module the package.

    None for modules of Python itself, for `__main__`, and for what cannot be found.
    """
    top, *rest = name.split(".")
    found = _top(top)
    for leaf in rest:
        if found is None or found.library:
            break
        found = _child(found.folders, leaf)
    return found


def is_own(name: str) -> bool:
    """Whether a module is a source that is followed, or a notebook: neither installed nor Python's own."""
    module = find(name)
    return name == "__main__" or (module is not None and not module.library)


@cache
def version(library: str) -> str:
    """The version of an installed package by the name it is imported under; "unknown" if it has none."""
    import importlib.metadata  # here: slow to load, and needed for a cache alone

    try:
        return importlib.metadata.version(library)
    except importlib.metadata.PackageNotFoundError:
        owners = importlib.metadata.packages_distributions().get(library, [])
        return " ".join(sorted({importlib.metadata.version(owner) for owner in owners})) or "unknown"


def imported_modules(text: str | bytes, package: str = "") -> list[str]:
    """What Python source of a package imports; `from a import b` gives "a" and "a.b", as b may be a module."""
    return list(dict.fromkeys(_imports(ast.parse(text), package)))


def follow(modules: Iterable[str], without: Iterable[str] = ()) -> tuple[dict[str, Path], set[str]]:
    """By module the files of modules and of all that they import, also inside functions, with the packages above each.

    Args:
        modules: dotted names, for example "lib.train"; refused if there is no such module.
        without: modules or packages to leave out with all below them, and what only they import.

    Returns:
        The files, and the installed packages that these modules import.
    """
    files: dict[str, Path] = {}
    installed: set[str] = set()
    given, left_out, seen = list(modules), tuple(without), set[str]()
    for name in given:
        known = find(name) is not None or name.partition(".")[0] in sys.stdlib_module_names
        require(known, "modules", "names of modules that can be found", name)
    while given:
        name = given.pop()
        module = None if any(name == other or name.startswith(f"{other}.") for other in left_out) else find(name)
        if name in seen or module is None:
            continue
        seen.add(name)
        if module.library:
            installed.add(name.partition(".")[0])
            continue
        if "." in name:
            given.append(name.rpartition(".")[0])  # Python runs the packages above first
        if module.file is not None:
            files[name] = module.file
            if module.file.suffix == ".py":
                given += _imported_by(module.file.read_bytes(), name if module.folders else name.rpartition(".")[0])
    return files, installed


@lru_cache(maxsize=4096)
def _imported_by(content: bytes, package: str) -> tuple[str, ...]:
    try:
        return tuple(imported_modules(content, package))
    except (SyntaxError, ValueError):  # Python cannot import it either
        return ()


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute("." * node.level + (node.module or ""), package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")
        elif isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", None))
            name = getattr(node.args[0], "value", None)
            if called in ("import_module", "__import__") and isinstance(name, str):
                yield absolute(name, package)


def absolute(name: str, package: str) -> str:
    """The full name of "..a" seen from a package."""
    return importlib.util.resolve_name(name, package) if package and name.startswith(".") else name


@cache
def _installed_under() -> tuple[str, ...]:
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    return tuple(
        os.path.join(path, "") for path in (*paths, *[site.getusersitepackages()] * bool(site.ENABLE_USER_SITE))
    )


def _top(name: str) -> Module | None:
    if name in sys.stdlib_module_names or name == "__main__":
        return None
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # ValueError: loaded in a way that left no spec
        spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None:
        return None
    folders = tuple(spec.submodule_search_locations or ())
    file = Path(spec.origin) if spec.has_location and spec.origin else None
    installed = str(file or next(iter(folders), "")).startswith(_installed_under())
    return Module(file, folders, installed and name != "lib")  # this library is source wherever it is installed


def _child(folders: tuple[str, ...], leaf: str) -> Module | None:
    for path in (os.path.join(folder, leaf) for folder in folders):
        for ending in _ENDINGS:
            if os.path.isfile(path + ending):
                return Module(Path(path + ending), (path,) if ending == _ENDINGS[0] else (), False)
    spaces = tuple(path for folder in folders if os.path.isdir(path := os.path.join(folder, leaf)))
    return Module(None, spaces, False) if spaces else None


def _label(path: Path) -> str:
    """A file's path from the outermost package that holds it."""
    root = path.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    return path.relative_to(root).as_posix()
