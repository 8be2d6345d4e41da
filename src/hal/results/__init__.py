"""Records: what claims, benchmarks, budgets and runs too large for a page left, with the command that makes them anew.

They lie beside this file, one folder a chapter, as data of the package: `path_of("scb", "claims")`.
"""

import contextlib
import json
import platform
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import InputError, require

__all__ = ["FOLDER", "path_of", "provenance", "read", "write"]

FOLDER = Path(str(files(__name__)))


def path_of(part: str, name: str, folder: Path = FOLDER) -> Path:
    """The file of a record, "claims" of the part "scb" or "site", which need not exist yet."""
    return folder / part / f"{name}.json"


def read(path: Path | str, what: str, command: str) -> Any:
    """The content of a record.

    Args:
        path: the JSON file.
        what, command: what it holds and how it is made, for the error: "the recorded runs of Figure 6".
    """
    path = Path(path)
    require(path.is_file(), "path", f"{what} (`{command}` makes it)", path)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: expected {what} as JSON (`{command}` makes it), got {error}") from None


def write(path: Path, text: str) -> None:
    """Write a record, JSON as text, in one piece: whoever reads meanwhile, or after an interruption, finds the old one.

    Raises:
        OSError: if the file cannot be written; nothing is changed then.
    """
    temporary = path.with_suffix(".tmp")
    try:
        temporary.write_text(text + "\n", encoding="utf-8")
        temporary.replace(path)
    finally:
        with contextlib.suppress(OSError):  # a folder that cannot be written says so where the file was to be
            temporary.unlink(missing_ok=True)


def provenance(command: str) -> dict[str, Any]:
    """Which command made a record, when, and with which versions."""
    return {
        "command": command,
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
