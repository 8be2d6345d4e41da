"""The chart module as one script: every name is defined once and used, wherever its parts are put together.

Each host takes the parts of the figure and adds its own; that each whole is complete says that no part of the figure
uses a host's, and no host another's.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lib.explorer import assets

RULES = {"no-undef": "error", "no-redeclare": "error", "no-unused-vars": "error"}


def complaints(folder, name, text, rules=RULES):
    """What oxlint says of a script that may use the charting library and what browsers have."""
    linter = shutil.which("oxlint", path=str(Path(sys.executable).parent))
    assert linter, "no oxlint beside this Python; get it with: pip install -r requirements.txt -c constraints.txt"
    vendored = (assets.HERE / "vendor" / "d3.min.js").read_text(encoding="utf-8")
    (folder / name).write_text(text.replace(vendored, ""), encoding="utf-8")
    config = {"categories": {"correctness": "off"}, "env": {"browser": True, "es2024": True}, "rules": rules}
    (folder / "rules.json").write_text(json.dumps({**config, "globals": {"d3": "readonly"}}))
    command = [linter, "-c", str(folder / "rules.json"), "--format=unix", str(folder / name)]
    done = subprocess.run(command, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if "[Error" in line]


def test_the_page_s_script_defines_and_uses_every_name(tmp_path):
    assert complaints(tmp_path, "page.js", assets.script()) == []


def test_the_module_of_a_sample_to_poke_defines_every_name(tmp_path):
    rules = {"no-undef": "error", "no-redeclare": "error"}  # of the small tools it has more than it uses
    assert complaints(tmp_path, "poke.mjs", assets.poke_module("() => ({})"), rules) == []


def test_the_computing_widget_s_module_too(tmp_path):
    assert complaints(tmp_path, "computing.mjs", assets.computing_module({})) == []


def test_the_live_widget_s_module_defines_every_name(tmp_path):
    # Sentences that only computing figures say are in it, unused.
    rules = {name: RULES[name] for name in ("no-undef", "no-redeclare")}
    assert complaints(tmp_path, "live.mjs", assets.module(), rules) == []


@pytest.mark.parametrize("line", ["clmap(1, 2, 3);", "function nobody() {}", "var clamp = 1;"])
def test_a_slip_is_found(tmp_path, line):
    broken = assets.script().replace("listenToPhrases(wake);", f"listenToPhrases(wake);\n{line}")
    assert len(complaints(tmp_path, "page.js", broken)) == 1
