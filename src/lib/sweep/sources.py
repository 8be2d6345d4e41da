"""Which source files a result depends on: given modules, and all that they import, however far.

Used by the key of a sweep's cache and by the build, to decide which notebooks run again. The syntax trees are read;
nothing is imported. Followed are the modules of this library and those of a researcher's own folders on `sys.path`;
installed packages count by name and version, Python's own library not at all. What `import_module` loads under a name
that is not written out is not seen.
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

from lib.errors import InputError

__all__ = [
    "Module", "absolute", "digest", "find", "follow", "imported_modules", "is_own", "source_files", "version",
]  # fmt: skip

_OWN = __name__.partition(".")[0]  # this library is source wherever it is installed
_ENDINGS = (f"{os.sep}__init__.py", ".py", *importlib.machinery.EXTENSION_SUFFIXES)


class Module(NamedTuple):
    """Where a module is."""

    file: Path | None  # None for a folder without __init__.py
    folders: tuple[str, ...]  # where its submodules are; empty unless it is a package
    library: bool  # installed, so that its version says what it is


def source_files(modules: Iterable[str], without: Iterable[str] = ()) -> list[Path]:
    """The files of modules and of everything they import, also inside functions, with the packages above each.

    Args:
        modules: dotted names, for example "lib.train".
        without: modules or packages to leave out with all below them, and what only they import.

    Raises:
        InputError: if one of `modules` cannot be found.
    """
    files, _ = follow(modules, without)
    return [files[name] for name in sorted(files)]


def digest(files: Iterable[Path]) -> str:
    """A hash of files: their bytes, line ends aside, and their names within their packages, wherever these are."""
    hashed = hashlib.sha256()
    for label, path in sorted((_label(path), path) for path in files):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        hashed.update(f"{label} {len(content)}\n".encode() + content)
    return hashed.hexdigest()


def find(name: str) -> Module | None:
    """Where a module is; None for modules of Python itself, for `__main__`, and for what cannot be found.

    Args:
        name: dotted name. For a module of an installed package the package is returned.
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
    """What Python source of a package imports; `from a import b` gives "a" and "a.b", as b may be a module.

    Raises:
        SyntaxError: if the text is not Python.
    """
    return list(dict.fromkeys(_imports(ast.parse(text), package)))


def follow(modules: Iterable[str], without: Iterable[str] = ()) -> tuple[dict[str, Path], set[str]]:
    """The files of `source_files`, by module, and the installed packages that these modules import.

    Raises:
        InputError: if one of `modules` cannot be found.
    """
    files: dict[str, Path] = {}
    installed: set[str] = set()
    given = list(modules)
    for name in given:
        if find(name) is None and name.partition(".")[0] not in sys.stdlib_module_names:
            raise InputError(f"modules: expected names of modules that can be found, got {name}")
    left_out = tuple(without)
    seen: set[str] = set()
    while given:
        name = given.pop()
        if name in seen or any(name == other or name.startswith(f"{other}.") for other in left_out):
            continue
        seen.add(name)
        module = find(name)
        if module is None:
            continue
        top, _, _ = name.partition(".")
        if module.library:
            installed.add(top)
            continue
        if "." in name:
            given.append(name.rpartition(".")[0])  # Python runs the packages above first
        if module.file is not None:
            files[name] = module.file
            if module.file.suffix == ".py":
                package = name if module.folders else name.rpartition(".")[0]
                given.extend(_imported_by(module.file.read_bytes(), package))
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
    leaf = name.lstrip(".")
    level = len(name) - len(leaf)
    if level == 0:
        return name
    above = package.split(".")[: len(package.split(".")) - level + 1]
    return ".".join(above + ([leaf] if leaf else []))


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
    where = str(file) if file else next(iter(folders), "")
    return Module(file, folders, name != _OWN and where.startswith(_installed_under()))


def _child(folders: tuple[str, ...], leaf: str) -> Module | None:
    for folder in folders:
        path = os.path.join(folder, leaf)
        for ending in _ENDINGS:
            if os.path.isfile(path + ending):
                return Module(Path(path + ending), (path,) if ending == _ENDINGS[0] else (), False)
    spaces = tuple(path for folder in folders if os.path.isdir(path := os.path.join(folder, leaf)))
    return Module(None, spaces, False) if spaces else None


@cache
def _installed_under() -> tuple[str, ...]:
    paths = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    if site.ENABLE_USER_SITE:
        paths.add(site.getusersitepackages())
    return tuple(os.path.join(path, "") for path in paths)


def _label(path: Path) -> str:
    """A file's path from the outermost package that holds it."""
    root = path.parent
    while (root / "__init__.py").is_file():
        root = root.parent
    return path.relative_to(root).as_posix()
