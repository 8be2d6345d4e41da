"""What every benchmark needs: a clock, checks that print and add up, and a record with its provenance."""

from __future__ import annotations

import json
import os
import platform
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from hal import results


def seconds(work: Callable[[], Any]) -> float:
    """Processor time of one call: with one thread that is the time it takes on an idle machine."""
    start = time.process_time()
    work()
    return time.process_time() - start


class Checks:
    """Targets, printed as they are checked."""

    def __init__(self) -> None:
        self.passed: list[bool] = []

    def __call__(self, text: str, good: object) -> None:
        self.passed.append(bool(good))
        print(f"  {text:<84} {'pass' if good else 'FAIL'}", flush=True)

    def all(self) -> bool:
        return all(self.passed)


def write(path: Path, report: dict[str, Any], command: str, settings: dict[str, Any]) -> None:
    """Record a report as JSON, with where it comes from; its `tables` are what the performance page shows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    results.write(path, json.dumps({**report, "provenance": provenance(command, settings)}, indent=1))


def provenance(command: str, settings: dict[str, Any]) -> dict[str, Any]:
    """Where and when numbers were measured, and by which command."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "processor": processor(),
        "cores": os.cpu_count(),
        "threads": os.environ.get("OMP_NUM_THREADS"),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": sys.modules["torch"].__version__ if "torch" in sys.modules else None,
        "command": command,
        "settings": settings,
    }


def processor() -> str:
    """The processor's name, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
