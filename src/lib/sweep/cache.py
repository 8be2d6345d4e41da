"""Results on disk, one file for each block of points: written whole or not at all, found again by what produced them.

Used by `lib.sweep`. A folder of the cache is named by a hash of what the run really uses (see `keys`); a file in it
says which settings and seeds it holds. A changed line that the run depends on therefore starts afresh, and any other
does not.
"""

import contextlib
import hashlib
import io
import json
import os
import re
import time
import uuid
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lib.errors import InputError, require
from lib.sweep.blocks import Block, Held, flat, joined

__all__ = ["Cache", "text_of"]

FORMAT = 3  # of keys and files; what is of other formats stays where it is and is not read
STORED_EVERY, TOGETHER = 5.0, 1024  # seconds, or points: then what waits is stored
IN_MEMORY = 64_000_000  # bytes of results that a sweep holds; what is beyond is read when it is needed
_NAME = re.compile(r"[0-9a-f]{64}(\.v(?P<file>\d+))?\.npz|v(?P<folder>\d+)-[0-9a-f]{32}")


class Cache:
    """Finished points of one experiment in a directory, made when the first is stored.

    A directory with results of another format gives a warning; they are neither read nor touched.

    Raises:
        InputError: if the directory cannot be read.
    """

    def __init__(self, directory: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        wanted = "a directory such as 'runs'"
        named = isinstance(directory, str | os.PathLike) and os.fspath(directory) and "\0" not in os.fspath(directory)
        require(named, "cache", wanted, f"{directory!r}")
        self.directory = Path(directory)
        self._about = json.loads(json.dumps({"format": FORMAT, **about}))
        digest = hashlib.sha256(json.dumps(self._about, sort_keys=True).encode()).hexdigest()
        self.folder = self.directory / f"v{FORMAT}-{digest[:32]}"
        self._held = 0  # bytes
        self._full = False  # whether the disk refused a block
        self._waiting: dict[Any, list[tuple[list[int], list[str], Block]]] = {}  # by layout
        self._stored_at = time.monotonic()
        self._look_for_other_formats()

    def blocks(self, wanted: Mapping[str, int]) -> Iterator[tuple[list[int], Held]]:
        """The stored blocks that hold wanted points (text -> index): indices, and a block of just those rows.

        A damaged file is reported, set aside under another name, and counts as none.
        """
        missing = dict(wanted)
        for path in sorted(self.folder / name for name in _names(self.folder) if name.endswith(".npz")):
            try:
                texts, block = _read(path, self._about)
            except Exception as error:  # whatever a damaged file makes zipfile, json or numpy say
                warnings.warn(f"{path} cannot be read ({error}); computing it again", RuntimeWarning, stacklevel=3)
                if not isinstance(error, OSError):
                    _set_aside(path)
                continue
            rows = [row for row, text in enumerate(texts) if text in missing]
            if rows:
                yield [missing.pop(texts[row]) for row in rows], self._keep(path, rows, block)

    def open(self) -> None:
        """Make the directory, before any work.

        Raises:
            InputError: if it cannot be written.
        """
        probe = self.folder / f".{uuid.uuid4().hex}.tmp"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            probe.touch()
            probe.unlink()
        except OSError as error:
            wanted = "a directory that can be written, since points are missing"
            raise InputError(f"cache: expected {wanted}, got {self.directory} ({error})") from error

    def add(self, indices: Sequence[int], texts: Sequence[str], block: Block) -> list[tuple[list[int], Held]]:
        """Take a block of points; give back, with their indices, the blocks that are stored by now.

        Small blocks are stored together, after some seconds: one file for each would be slow to find again.
        """
        waiting = self._waiting.setdefault(block.layout, [])
        waiting.append((list(indices), list(texts), block))
        if time.monotonic() - self._stored_at < STORED_EVERY and sum(len(one[0]) for one in waiting) < TOGETHER:
            return []
        return self.flush()

    def flush(self) -> list[tuple[list[int], Held]]:
        """Store what waits, a file for each layout."""
        found: list[tuple[list[int], Held]] = []
        for layout in list(self._waiting):
            indices, texts, blocks = zip(*self._waiting.pop(layout), strict=True)
            found.append((flat(indices), self._save(flat(texts), joined(blocks))))
        self._stored_at = time.monotonic()
        return found

    def _save(self, texts: list[str], block: Block) -> Held:
        """Store a block of points; readers see the whole file or none.

        If the disk refuses, a warning says so once and the block stays in memory alone.
        """
        header = {"key": self._about, "points": texts, "names": list(block.columns)}
        # numbered members: a result may have any name, a zip member or an argument of savez may not
        members: dict[str, Any] = {f"a{i}": values for i, values in enumerate(block.columns.values())}
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, header=np.array(json.dumps(header)), **members, **block.made)
        path = self.folder / f"{uuid.uuid4().hex}.npz"
        partial = path.with_name(f".{path.stem}.tmp")
        try:
            partial.write_bytes(content.getbuffer())
            os.replace(partial, path)
        except OSError as error:
            if not self._full:
                self._full = True
                warnings.warn(
                    f"{self.folder} cannot be written ({error}); the sweep goes on, and what it computes now is kept "
                    "in memory alone",
                    RuntimeWarning,
                    stacklevel=4,
                )
            return block
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
        return self._keep(path, range(len(texts)), block)

    def _keep(self, path: Path, rows: Sequence[int], block: Block) -> Held:
        """A block in memory while there is room, else where to read it."""
        if len(rows) < len(block.made["at"]):
            block = block.take(list(rows))
        self._held += block.size
        return block if self._held <= IN_MEMORY else _Stored(path, tuple(rows))

    def _look_for_other_formats(self) -> None:
        found = [match for name in _names(self.directory) if (match := _NAME.fullmatch(name))]
        if others := [number for one in found if (number := int(one["folder"] or one["file"] or 1)) != FORMAT]:
            given = " and ".join(map(str, sorted(set(others))))
            warnings.warn(
                f"{self.directory} holds results in format {given} of the cache ({len(others)} files or folders), made "
                f"by another version of this library; this one reads and writes format {FORMAT}: their points are "
                "computed again, the files stay as they are (delete them if no version needs them)",
                RuntimeWarning,
                stacklevel=4,
            )


class _Stored(NamedTuple):
    """Some rows of a file."""

    path: Path
    rows: tuple[int, ...]

    def load(self) -> Block:
        """The rows, read unless they were among the last."""
        return _rows(self)


@lru_cache(maxsize=2)
def _rows(stored: _Stored) -> Block:
    _, block = _read(stored.path)
    return block.take(list(stored.rows))


def text_of(point: Mapping[str, Any]) -> str:
    """A point as text, the same for the same settings and no others.

    Raises:
        InputError: if a setting has none.
    """
    return json.dumps({str(name): _plain(str(name), value) for name, value in point.items()}, sort_keys=True)


def _read(path: Path, about: Mapping[str, Any] | None = None) -> tuple[list[str], Block]:
    # read first: a damaged zip file makes np.load leave the file open
    with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
        header = json.loads(str(stored["header"]))
        if about is not None and header["key"] != about:
            raise ValueError("it belongs to another run")
        columns = {name: stored[f"a{i}"] for i, name in enumerate(header["names"])}
        block = Block(columns, {name: stored[name] for name in ("seconds", "at", "host", "process")})
    if any(len(values) != len(header["points"]) for part in block for values in part.values()):
        raise ValueError("it has more points than results")
    return header["points"], block


def _names(folder: Path) -> list[str]:
    """What a folder holds; nothing if it is not there."""
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError(f"cache: expected a directory that can be read, got {folder} ({error})") from error


def _set_aside(path: Path) -> None:
    with contextlib.suppress(OSError):  # a directory that is read-only: it is reported again
        os.replace(path, path.with_suffix(".damaged"))


def _plain(name: str, value: Any) -> Any:
    """A setting as JSON, the same for equal values of one kind."""
    if isinstance(value, np.ndarray):
        return {"array": str(value.dtype), "values": _plain(name, value.tolist())}
    if type(value) is tuple:
        return {"tuple": [_plain(name, v) for v in value]}
    if type(value) is list:
        return [_plain(name, v) for v in value]
    if type(value) is dict and all(type(key) is str for key in value):
        return {"dict": {key: _plain(name, v) for key, v in value.items()}}
    if value is None or type(value) in (bool, int, float, str):
        return value
    wanted = "a number, text, or a list, tuple, array or dict of them when cached"
    raise InputError(f"{name}: expected {wanted}, got {type(value).__name__}")
