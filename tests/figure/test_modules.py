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
from lib.portable.engine import Engine
from tests.figure.engine import engine

SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted((assets.HERE / "js").glob("*.js"))}
HOSTS = {
    "page": assets.script(),
    "figure": assets.computing_module({}),
    "parts": assets.computing_module({}, assets.PARTS),
    "sample": assets.sample_module("() => ({})"),
}


@pytest.fixture
def folder(tmp_path):
    """write(name=text, ...): a folder of modules."""

    def write(**modules):
        for name, text in modules.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_each_module_stands_once_and_behind_those_that_it_needs(folder):
    made = folder(
        b='// B.\n\nimport { one } from "./c.js";\n\nexport const two = one + 1;\nconst own = 5;\nexport { own };\n',
        c="export const one = 1;\n",
        d='import { one } from "./c.js";\nimport { two } from "./b.js";\n\nexport const sum = () => one + two;\n',
    )
    entry = 'import { sum } from "./d.js";\nimport { own, two } from "./b.js";\nconst found = [sum(), two, own];\n'
    text = joined(made, entry)
    assert "import" not in text
    assert "export" not in text
    assert text.count("const one = 1;") == 1
    context = Engine()
    context.eval(text)
    assert context.value("found") == [3, 2, 5]


FORM = r'expected import \{ a, b \} from "./file.js"; and export before a function'
A, B, ONE = 'import { a } from "./b.js";\n', 'import { b } from "./c.js";\n', "export const a = 1;\n"


@pytest.mark.parametrize(
    ("modules", "entry", "message"),
    [
        ({}, A, "the entry: expected modules that exist, got b.js"),
        ({"b": "const a = 1;\n"}, A, "the entry: expected a name that b.js exports, got 'a'"),
        ({"b": B + ONE, "c": "const b = 1;\n"}, A, "b.js: expected a name that c.js exports, got 'b'"),
        (
            {"b": B + ONE, "c": f"{A}export const b = 1;\n"},
            A,
            "c.js: expected imports that make no circle, got b.js -> c.js",
        ),
        ({"b": ONE}, f"{A}function a() {{}}\n", "a: expected one module that defines it, got b.js and the entry"),
        (
            {"b": f"{ONE}class Same {{}}\n", "c": "export const b = 1;\nlet Same = 2;\n"},
            A + B,
            "Same: .*got b.js and c.js",
        ),
        ({"b": ONE}, 'import b from "./b.js";\n', f"the entry: {FORM}.*got import b from"),
        ({"b": ONE}, 'import { a as c } from "./b.js";\n', f"the entry: {FORM}"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_file_and_name(folder, modules, entry, message):
    with pytest.raises(InputError, match=message):
        joined(folder(**modules), entry)


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


def test_no_module_and_no_export_is_left_over():
    taken = {
        (file, name)
        for text in SOURCES.values()
        for names, file in re.findall(r'^import \{ (.+) \} from "\./(.+)";', text, re.M)
        for name in names.split(", ")
    }
    taken |= {
        ("page.js", "start"),
        ("notebook.js", "renderFigure"),
        ("interactive_sample.js", "renderSample"),
        ("interactive_sample.js", "wakeSamples"),
        ("built.js", "built"),  # a figure without a page
        ("built.js", "makeBuilt"),
    }
    taken |= {(f"{kind}.js", assets.maker(kind)) for kind in (*assets.PARTS, *assets.ASKED)}
    given = {
        (file, name)
        for file, text in SOURCES.items()
        for name in re.findall(r"^export (?:async )?(?:function|const) (\w+)", text, re.M)
    }
    assert taken == given


def test_what_goes_into_a_worker_as_text_stands_alone():
    context = Engine()
    texts = [engine("trainer").eval(f"{name}.toString()") for name in ("makeTrainer", "makeProgram")]
    context.eval("globalThis.performance = { now: () => 0 }; const sent = [], queue = [];" + "\n".join(texts))
    run = "start: () => ({ n: 0 }), step: (s) => (s.n += 1), done: (s) => s.n > 2, read: (s) => ({ n: [s.n] })"
    context.eval(f'const program = makeProgram([["m", () => ({{ {run} }})]]).toString();')
    context.eval("const trainer = makeTrainer(eval(`(${program})`)().m, (m) => sent.push(m), (f) => queue.push(f));")
    context.eval(
        "trainer.start({ id: 1, settings: {}, seed: 0, run: 0, runs: 1 }); while (queue.length) queue.shift()();"
    )
    assert context.value("sent") == [{"job": 1, "run": 0, "readings": {"n": [3]}, "finished": True}]


@pytest.mark.parametrize("kind", [*assets.PARTS, *assets.ASKED])
def test_what_travels_apart_is_made_from_what_the_page_has(kind):
    """Its text is a function of the names that it takes, all of which the page's script hands over."""
    text = assets.part(kind)
    wanted = set(text.partition(" => ")[0].strip("({ })").split(", "))
    handed = set(re.search(r"^const KIT = \{ (.*) \};$", assets.script(), re.M)[1].split(", "))
    assert wanted <= handed
    assert f"function {assets.maker(kind)}(" not in assets.script()
    assert Engine().eval(f"typeof ({text})({{}})") == "function"
    assert not re.search(r"^(?:import|export) ", text, re.M)
