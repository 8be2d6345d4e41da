"""The JavaScript of the figures: modules with imports that one can see, joined into what each host loads."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from hal.figure import assets
from hal.figure.assets import joined
from lib.errors import InputError

HOSTS = {
    "page": assets.script(),
    "figure": assets.computing_module({}),
    "parts": assets.computing_module({}, assets.PARTS),
    "sample": assets.sample_module("() => ({})"),
}


A, B, ONE = 'import { a } from "./b.js";\n', 'import { b } from "./c.js";\n', "export const a = 1;\n"
CIRCLE = {"b": B + ONE, "c": f"{A}export const b = 1;\n"}


@pytest.mark.parametrize(
    ("modules", "entry", "message"),
    [
        ({}, A, "the entry: expected modules that exist, got b.js"),
        ({"b": "const a = 1;\n"}, A, "the entry: expected a name that b.js exports, got 'a'"),
        (CIRCLE, A, "c.js: expected imports that make no circle, got b.js -> c.js"),
        ({"b": ONE}, f"{A}function a() {{}}\n", "a: expected one module that defines it, got b.js and the entry"),
        ({"b": ONE}, 'import { a as c } from "./b.js";\n', r"the entry: expected import \{ a, b \} from"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_file_and_name(tmp_path, modules, entry, message):
    for name, text in modules.items():
        (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        joined(tmp_path, entry)


@pytest.mark.parametrize("host", HOSTS)
def test_what_a_host_loads_defines_every_name_once(host, tmp_path):
    vendored = (assets.HERE / "vendor" / "d3.min.js").read_text(encoding="utf-8").partition("\nexport")[0]
    path, config = tmp_path / "host.mjs", tmp_path / "rules.json"
    path.write_text(HOSTS[host].replace(vendored, "const d3 = {};"), encoding="utf-8")
    rules = {"no-undef": "error", "no-redeclare": "error"}
    config.write_text(json.dumps({"env": {"browser": True, "es2024": True}, "rules": rules}))
    linter = shutil.which("oxlint", path=str(sys.prefix) + "/bin")
    assert linter, "no oxlint beside this Python; get it with: pip install -c constraints.txt -e '.[dev]'"
    done = subprocess.run([linter, "-c", str(config), "--format=unix", str(path)], capture_output=True, text=True)
    assert [line for line in done.stdout.splitlines() if "[Error" in line] == []
    assert len(re.findall(r"^(?:import|export) ", HOSTS[host], re.M)) == (0 if host == "page" else 1)


def test_modules_of_python_import_in_no_circle_not_even_for_types():
    asked = {}
    for path in assets.HERE.rglob("*.py"):
        name = ".".join(path.relative_to(assets.HERE).with_suffix("").parts).removesuffix(".__init__")
        asked[name] = set(re.findall(r"^ *from hal\.figure\.([\w.]+) import", path.read_text(), re.M))
    asked.pop("__init__")
    while free := {name for name, needs in asked.items() if not needs & asked.keys()}:
        asked = {name: needs for name, needs in asked.items() if name not in free}
    assert asked == {}
