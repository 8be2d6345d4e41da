"""Which source files of this project a result depends on: given modules, and all that they import, however far.

Used by the build and by the ledger. The syntax trees are read; no module is imported. What `import_module` loads under
a name that is not written out is not seen.
"""

import ast
import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import resolve_name
from pathlib import Path

import lib
from lib.errors import require

__all__ = ["digest", "file_of", "follow", "imported_modules"]

FOLDERS = {"lib": Path(lib.__file__).parent, "hal": Path(__file__).parent}


def digest(files: Mapping[str, Path]) -> str:
    """A hash of files: their bytes, line ends aside, and the names under which they are given."""
    hashed = hashlib.sha256()
    for name, path in sorted(files.items()):
        content = path.read_bytes().replace(b"\r\n", b"\n")
        hashed.update(f"{name} {len(content)}\n".encode() + content)
    return hashed.hexdigest()


def file_of(name: str) -> Path | None:
    """The file of a module of this project, by its dotted name; None for any other."""
    top, *rest = name.split(".")
    path = FOLDERS[top].joinpath(*rest) if top in FOLDERS else None
    places = (path / "__init__.py", path.with_suffix(".py")) if path else ()
    return next((one for one in places if one.is_file()), None)


def follow(modules: Iterable[str], without: Iterable[str] = ()) -> dict[str, Path]:
    """By name the files of modules and of all that they import, also inside functions, with the packages above each.

    Args:
        modules: dotted names, for example "lib.train"; refused if there is no such module.
        without: modules or packages to leave out with all below them, and what only they import.
    """
    files: dict[str, Path] = {}
    given = list(modules)
    for name in given:
        require(file_of(name), "modules", "modules of this project", name)
    while given:
        name = given.pop()
        path = None if any(name == one or name.startswith(f"{one}.") for one in without) else file_of(name)
        if path is not None and name not in files:
            files[name] = path
            package = name if path.name == "__init__.py" else name.rpartition(".")[0]
            given += [name.rpartition(".")[0], *imported_modules(path.read_bytes(), package)]
    return dict(sorted(files.items()))


@lru_cache(maxsize=4096)
def imported_modules(text: str | bytes, package: str = "") -> tuple[str, ...]:
    """What Python source of a package may import; `from a import b` gives "a" and "a.b", as b may be a module."""
    found: dict[str, None] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name: None for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            found |= {base: None} | {f"{base}.{alias.name}": None for alias in node.names}
        elif isinstance(node, ast.Call) and node.args:
            called = getattr(node.func, "attr", getattr(node.func, "id", None))
            name = getattr(node.args[0], "value", None)
            if called in ("import_module", "__import__") and isinstance(name, str) and (package or name[0] != "."):
                found[resolve_name(name, package)] = None
    return tuple(found)
