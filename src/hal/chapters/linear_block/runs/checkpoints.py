"""Checkpoints of Table 1, each written in one piece.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at its own scale.
"""

from pathlib import Path
from typing import Any

from lib.errors import InputError, require

__all__ = ["find", "keep"]


def keep(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint; the one that stood there stays until this one is whole."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.new")
    torch.save(content, temporary)
    temporary.replace(path)


def find(path: Path, mine: dict[str, Any]) -> dict[str, Any] | None:
    """The checkpoint, or None if there is none."""
    import torch

    if not path.is_file():
        return None
    try:
        # to the processor: Adam moves to the device what belongs there, and generators take their states from here
        found = torch.load(path, map_location="cpu", weights_only=True)
        theirs = found["settings"]
    except Exception as error:  # whatever torch finds wrong with a file: it has many kinds of errors for it
        raise InputError(f"checkpoint: expected a checkpoint of this command, got {path}: {error}") from error
    other = {name: theirs.get(name) for name, value in mine.items() if theirs.get(name) != value}
    require(not other, "checkpoint", f"one with { ({name: mine[name] for name in other}) } (or another folder)", other)
    return dict(found)
