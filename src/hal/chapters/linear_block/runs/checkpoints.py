"""Checkpoints of Table 1: the last two are kept, and where the last cannot be read the one before is taken, and said.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at its own scale.
"""

import warnings
from pathlib import Path
from typing import Any

from lib.errors import InputError, require

__all__ = ["find", "keep"]


def _before(path: Path) -> Path:
    return path.with_name(f"{path.name}.before")


def keep(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint in one piece; the one that stood there becomes the one before."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.new")
    torch.save(content, temporary)
    if path.is_file():
        path.replace(_before(path))
    temporary.replace(path)


def find(path: Path, mine: dict[str, Any]) -> dict[str, Any] | None:
    """The last checkpoint that can be read, or None if there is none."""
    wrong: _Unreadable | None = None
    for one in (path, _before(path)):
        if one.is_file():
            try:
                found = _loaded(one, mine)
            except _Unreadable as error:
                wrong = wrong or error
                continue
            if wrong:
                warnings.warn(f"{wrong}; going on from {one}", stacklevel=3)
            return found
    if wrong:
        raise wrong
    return None


class _Unreadable(InputError):
    """A file that is no checkpoint, or no whole one."""


def _loaded(path: Path, mine: dict[str, Any]) -> dict[str, Any]:
    import torch

    try:
        # to the processor: Adam moves to the device what belongs there, and generators take their states from here
        found = torch.load(path, map_location="cpu", weights_only=True)
        theirs = found["settings"]
    except Exception as error:  # whatever torch finds wrong with a file: it has many kinds of errors for it
        raise _Unreadable(f"checkpoint: expected a checkpoint of this command, got {path}: {error}") from error
    other = {name: theirs.get(name) for name, value in mine.items() if theirs.get(name) != value}
    require(not other, "checkpoint", f"one with { ({name: mine[name] for name in other}) } (or another folder)", other)
    return dict(found)
