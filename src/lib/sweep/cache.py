"""Results on disk, one file a point: written whole or not at all, found again by what produced them.

Used by `lib.sweep`. The key is a hash of what the run really uses (see `keys`), the settings and the seed; a changed
line that the run depends on therefore starts afresh, and any other does not.
"""

import hashlib
import io
import json
import os
import re
import uuid
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.errors import InputError, require
from lib.sweep.keys import describe_run

__all__ = ["Cache"]

HEADER = "header"
FORMAT = 2  # of keys and files; files of other formats stay where they are and are not read
_FILE = re.compile(r"[0-9a-f]{64}(\.v(?P<format>\d+))?\.npz")


class Cache:
    """Finished points of one experiment in a directory, made if missing.

    A directory with files of another format of this cache gives a warning; they are neither read nor touched.

    Raises:
        InputError: if the directory cannot be written, or `run` uses something that cannot be part of a key.
    """

    def __init__(self, directory: str | os.PathLike[str], run: Callable[..., Any]) -> None:
        wanted = "a directory such as 'runs'"
        require(isinstance(directory, str | os.PathLike), "cache", wanted, f"{directory!r}")
        self.directory = Path(directory)
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            probe = self.directory / f".{uuid.uuid4().hex}.tmp"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise InputError(f"cache: expected a directory that can be written, got {directory} ({error})") from error
        self._about = {"format": FORMAT, **describe_run(run)}
        self._look_for_other_formats()

    def path(self, point: Mapping[str, Any]) -> Path:
        """The file of a point (settings and seed)."""
        return self.directory / f"{hashlib.sha256(self._header(point).encode()).hexdigest()}.v{FORMAT}.npz"

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

    def _look_for_other_formats(self) -> None:
        with os.scandir(self.directory) as entries:
            formats = [int(found["format"] or 1) for entry in entries if (found := _FILE.fullmatch(entry.name))]
        others = [number for number in formats if number != FORMAT]
        if others:
            given = " and ".join(str(number) for number in sorted(set(others)))
            warnings.warn(
                f"{self.directory} holds {len(others)} results in format {given} of the cache, made by another version "
                f"of this library; this one reads and writes format {FORMAT}: their points are computed again, the "
                "files stay as they are (delete them if no version needs them)",
                RuntimeWarning,
                stacklevel=4,
            )


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
