"""Finished points on disk, written whole or not at all, under what produced them (see `keys`).

A folder of the cache is named by a hash of what the run really uses; a file in it holds some points with their results
and a digest of both, so that a damaged file, or one of another folder, is reported and computed again.
"""

import contextlib
import hashlib
import json
import os
import pickle
import time
import uuid
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import InputError, require
from lib.sweep.vectorise import Results

__all__ = ["Cache", "text_of"]

STORED_EVERY = 1.0  # seconds: a file for each point would be slow to find again


class Cache:
    """Finished points of one run in a directory; `found` holds those that are there, by their text."""

    def __init__(self, directory: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        named = isinstance(directory, str | os.PathLike) and os.fspath(directory) and "\0" not in os.fspath(directory)
        require(named, "cache", "a directory such as 'runs'", f"{directory!r}")
        self._key = hashlib.sha256(json.dumps(["format 4", about], sort_keys=True).encode()).digest()
        self.folder = Path(directory) / self._key.hex()[:32]
        self.found: dict[str, Results] = {}
        self._waiting: dict[str, Results] = {}
        self._stored, self._stored_at, self._full = 0, time.monotonic(), False
        for path in sorted(self.folder.glob("*.points")):
            try:
                content = path.read_bytes()
                require(content[:32] == self._digest(content[32:]), "file", "what this cache wrote", "something else")
                self.found.update(pickle.loads(content[32:]))
            except (OSError, InputError) as error:
                warnings.warn(f"{path} cannot be read ({error}); computing it again", RuntimeWarning, stacklevel=3)
                if isinstance(error, InputError):
                    with contextlib.suppress(OSError):  # a directory that is read-only: it is reported again
                        path.replace(path.with_suffix(".damaged"))

    def open(self) -> None:
        """Make the directory, before any work; refused if it cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            probe = self.folder / f"{uuid.uuid4().hex}.tmp"
            probe.touch()
            probe.unlink()
        except OSError as error:
            wanted = "a directory that can be written, since points are missing"
            raise InputError(f"cache: expected {wanted}, got {self.folder.parent} ({error})") from error

    def add(self, text: str, result: Results) -> None:
        """Take a finished point, and store what waits once a second has passed."""
        self._waiting[text] = result
        if time.monotonic() - self._stored_at >= STORED_EVERY:
            self.flush()

    def flush(self) -> None:
        """Store what waits; if the disk refuses, a warning says so once, and it is tried again with what follows."""
        content = pickle.dumps(self._waiting)
        path = self.folder / f"{uuid.uuid4().hex}.points"
        partial = path.with_suffix(".tmp")
        try:
            if self._waiting:
                partial.write_bytes(self._digest(content) + content)
                partial.replace(path)
            self._stored, self._waiting = self._stored + len(self._waiting), {}
        except OSError as error:
            told = (
                f"{self.folder} cannot be written ({error}): {self._stored} points of this sweep are stored, and what "
            )
            if not self._full:
                warnings.warn(f"{told}follows is in memory alone until it can", RuntimeWarning, stacklevel=4)
            self._full = True
        finally:
            self._stored_at = time.monotonic()
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)

    def _digest(self, content: bytes) -> bytes:
        return hashlib.sha256(self._key + content).digest()


def text_of(point: Mapping[str, Any]) -> str:
    """A point as text, the same for the same settings and no others; refused if a setting has none."""
    return json.dumps({str(name): _plain(str(name), value) for name, value in point.items()}, sort_keys=True)


def _plain(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        return {"array": str(value.dtype), "values": _plain(name, value.tolist())}
    if type(value) is tuple:
        return {"tuple": [_plain(name, v) for v in value]}
    if type(value) is list:
        return [_plain(name, v) for v in value]
    if type(value) is dict and all(type(key) is str for key in value):
        return {"dict": {key: _plain(name, v) for key, v in value.items()}}
    wanted = "a number, text, or a list, tuple, array or dict of them when cached"
    require(value is None or type(value) in (bool, int, float, str), name, wanted, type(value).__name__)
    return value
