"""A record of many settings, written after each, that goes on where it was.

Chapter `linear_block`.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from hal.results import provenance, write


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
    found: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {"runs": []}
    done = [row["setting"] for row in found["runs"]]
    path.parent.mkdir(parents=True, exist_ok=True)
    for setting in settings:
        if dict(setting) in done:
            continue
        begun = process_time()
        kept = run(setting)
        new = {"setting": dict(setting), "seconds": round(process_time() - begun, 1), **kept}
        found = {"runs": [*found["runs"], new], "provenance": provenance(command)}
        write(path, json.dumps(found, separators=(",", ":")).replace('},{"setting"', '},\n{"setting"'))
    return f"{len(found['runs'])} settings"
