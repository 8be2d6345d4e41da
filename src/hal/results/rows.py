"""Records of many settings: written after each, going on where they were, and read when they are whole."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from hal.results import provenance, read, write
from lib.errors import require


def record_rows(
    path: Path,
    command: str,
    settings: Sequence[Mapping[str, Any]],
    run: Callable[[Mapping[str, Any]], Mapping[str, Any]],
) -> str:
    """Run every setting that the file does not hold yet.

    Args:
        path: the JSON file; its "runs" are rows with "setting", "seconds" (of the processor) and what the run returned.
        command: that makes it, for its provenance.
        settings: what names a row.
        run: setting -> what to keep of it.

    Returns:
        How many settings the file holds.
    """
    found: list[dict[str, Any]] = json.loads(path.read_text())["runs"] if path.is_file() else []
    order = [dict(setting) for setting in settings]
    path.parent.mkdir(parents=True, exist_ok=True)
    for setting, named in zip(settings, order, strict=True):
        if named in [row["setting"] for row in found]:
            continue
        begun = process_time()
        kept = run(setting)
        found.append({"setting": named, "seconds": round(process_time() - begun, 1), **kept})
        found.sort(key=lambda row: order.index(row["setting"]))
        book = {"runs": found, "provenance": provenance(command)}
        write(path, json.dumps(book, separators=(",", ":")).replace('},{"setting"', '},\n{"setting"'))
        print(f"{path.name}: {len(found)} of {len(order)} settings", flush=True)
    return f"{len(found)} settings"


def recorded_rows(
    path: str | Path, what: str, command: str, settings: Sequence[Mapping[str, Any]]
) -> dict[tuple, dict[str, Any]]:
    """The rows of a record by the values of their settings.

    Args:
        path: the JSON file.
        what: what it holds, for the error: "the recorded starts".
        command: that makes it.
        settings: all that it must hold.
    """
    found = {tuple(row["setting"].values()): row for row in read(path, what, command)["runs"]}
    whole = set(found) == {tuple(one.values()) for one in settings}
    require(whole, "path", f"a whole record (`{command}` goes on with it)", path)
    return found
