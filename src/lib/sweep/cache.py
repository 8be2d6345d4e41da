"""Results on disk, one file a point: written whole or not at all, found again by what produced them.

Used by `lib.sweep`. The key is a hash of the source of `lib`, the experiment's name, the settings with the seed, and
the version of NumPy; a changed line of the library therefore starts afresh.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import json
import os
import uuid
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, require

HEADER = "header"


class Cache:
    """Finished points in a directory.

    Args:
        directory: made if missing.
        run: the experiment whose points these are.

    Raises:
        InputError: if the directory cannot be written, or `run` has no name or captures variables, so that a key made
            of source and settings would not tell two results apart.
    """

    def __init__(self, directory: str | os.PathLike[str], run: Callable[..., Any]) -> None:
        self.directory = Path(directory)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            probe = self.directory / f".{uuid.uuid4().hex}.tmp"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise InputError(f"cache: expected a directory that can be written, got {directory} ({error})") from error
        self._about = _describe(run)

    def path(self, point: Mapping[str, Any]) -> Path:
        """The file of a point (settings and seed)."""
        return self.directory / f"{hashlib.sha256(self._header(point).encode()).hexdigest()}.npz"

    def load(self, point: Mapping[str, Any]) -> dict[str, NDArray[Any]] | None:
        """The stored arrays of a point, or None if there are none; a damaged file is reported and counts as none."""
        path = self.path(point)
        try:
            # read first: a damaged zip file makes np.load leave the file open
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
                header = json.loads(str(stored[HEADER]))
                if json.dumps(header["key"], sort_keys=True) != self._header(point):
                    raise ValueError("it belongs to other settings")
                return {name: stored[f"a{i}"] for i, name in enumerate(header["names"])}
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever a damaged file makes zipfile, json or numpy say
            warnings.warn(f"{path} cannot be read ({error}); computing it again", RuntimeWarning, stacklevel=2)
            return None

    def save(self, point: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
        """Store the arrays of a point; readers see the whole file or none."""
        header = json.dumps({"key": json.loads(self._header(point)), "names": list(arrays)})
        path = self.path(point)
        partial = path.with_name(f".{path.stem}.{uuid.uuid4().hex}.tmp")
        try:
            with partial.open("wb") as file:
                # numbered members: a result may have any name, a zip member or an argument of savez may not
                members: dict[str, Any] = {f"a{i}": values for i, values in enumerate(arrays.values())}
                np.savez(file, allow_pickle=False, **{HEADER: np.array(header), **members})
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)

    def _header(self, point: Mapping[str, Any]) -> str:
        plain = {str(name): _plain(str(name), value) for name, value in point.items()}
        return json.dumps({**self._about, "point": plain}, sort_keys=True)


def source_hash() -> str:
    """A hash of every Python file of the library, names included."""
    root = Path(__file__).parent.parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()


def _describe(run: Any) -> dict[str, str]:
    function = inspect.unwrap(run)
    require(hasattr(function, "__qualname__"), "run", "a named function when cached", type(run).__name__)
    captured = getattr(function, "__closure__", None)
    require(not captured, "run", "a function that captures no variables when cached", function.__qualname__)
    about = {
        "lib": source_hash(),
        "run": f"{function.__module__}.{function.__qualname__}",
        "numpy": np.__version__,
    }
    if function.__module__.split(".")[0] != "lib":
        # defined in a notebook or script: its own source counts too (the functions it calls there do not)
        try:
            about["source"] = inspect.getsource(function)
        except (OSError, TypeError):
            raise InputError("run: expected a function whose source can be read, when cached; got none") from None
    return about


def _plain(name: str, value: Any) -> Any:
    """A setting as JSON, the same for equal values."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        return {"dtype": str(value.dtype), "values": _plain(name, value.tolist())}
    if isinstance(value, list | tuple):
        return [_plain(name, v) for v in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise InputError(f"{name}: expected a number, text, or a list of them when cached, got {type(value).__name__}")
