"""A second family of engines: JavaScriptCore, that of Safari, as Debian's program `jsc`; one script a process."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.portable.engine import SHOW, numbers_shown


def jsc_or_skip() -> str:
    """Path of `jsc`; without one the test is skipped, or fails when REQUIRE_BROWSER=1."""
    path = shutil.which("jsc")
    if path is None:
        say = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
        say("no JavaScriptCore on this machine; get it with: apt-get install libjavascriptcoregtk-4.0-bin")
    return path


def in_webkit(folder: Path, script: str, value: str) -> object:
    """What a script leaves behind in JavaScriptCore, every bit of it.

    Args:
        folder: for the script's file.
        script: a translated program and what else is to be run.
        value: expression of the result: numbers, arrays, records, `undefined` as None.
    """
    path = folder / "script.js"
    path.write_text(f"{script}{SHOW}print($show({value}) ?? null);\n", encoding="utf-8")
    done = subprocess.run([jsc_or_skip(), str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return numbers_shown(done.stdout)
