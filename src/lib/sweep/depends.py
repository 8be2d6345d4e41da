"""Data files and variables of the environment that a run reads, so that its results are kept under what they hold."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lib.errors import require

__all__ = ["fingerprints", "places"]


def places(depends: Iterable[str | os.PathLike[str]]) -> dict[str, Path | None]:
    """What `depends` names: the text as given -> an absolute path, or None for a variable, `"$NAME"`.

    Raises:
        InputError: if it is no list of texts and paths, or a file does not exist.
    """
    wanted = "a list of files, folders and variables of the environment, such as ['data.csv', '$SCALE']"
    require(isinstance(depends, Iterable) and not isinstance(depends, str), "depends", wanted, repr(depends))
    found: dict[str, Path | None] = {}
    for i, one in enumerate(depends):
        require(isinstance(one, str | os.PathLike), f"depends[{i}]", "a path or '$NAME'", repr(one))
        text = os.fspath(one)
        path = None if text.startswith("$") else Path(text).absolute()
        require(path is None or path.exists(), f"depends[{i}]", "a file that exists", repr(text))
        found[text] = path
    return found


def fingerprints(named: Mapping[str, Path | None]) -> dict[str, str | None]:
    """Text -> hash of the file's bytes, or of all files below a folder; the value of a variable; None if not there."""
    return {text: os.environ.get(text[1:]) if path is None else _hash(path) for text, path in named.items()}


def _hash(path: Path) -> str | None:
    hashed: Any = hashlib.sha256()
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    try:
        for file in files:
            content = file.read_bytes()
            hashed.update(f"{file.relative_to(path).as_posix()} {len(content)}\n".encode() + content)
    except OSError:
        return None
    return str(hashed.hexdigest())
