"""The page's translator is Python's: the same text, or the same refusal, of every module, case and mutant."""

import json
import subprocess

import pytest

from hal.chapters import written
from hal.engine import Engine
from hal.live import model, script
from lib.portable.translation import load, parts
from tests.chapters import explorers
from tests.live.mirror import (
    LIBRARY,
    NAME,
    agree,
    asking,
    by_page,
    by_python,
    cases,
    engine,
    library_sources,
    mutants,
)
from tests.packages import name_of
from tests.portable.test_declared import DECLARED
from tests.portable.test_webkit import jsc_or_skip

MUTANTS = 300
MODULES = sorted(name_of(path) for path in DECLARED)


@pytest.fixture(scope="module")
def page():
    return engine()


def by_library(name: str, checked: bool) -> dict[str, str]:
    known = {}
    load(name, known, checked)
    return parts(known, checked)


@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
@pytest.mark.parametrize("name", MODULES)
def test_every_module_is_the_same_text(page, name, checked):
    assert page.value(f"said({json.dumps(name)}, {json.dumps(checked)})") == {"ok": by_library(name, checked)}


def test_the_sources_that_a_page_brings_are_the_same_program(page):
    """Bare modules, on the same lines, whose translation is that of the library's files."""
    for row in written():
        for name, figure in explorers(row.slug).items():
            spec = figure.spec()
            if not spec["computes"]["textbook"]:
                continue
            told = json.loads(model(spec, ()))
            whole = {one: library_sources()[one] for one in told["sources"]}
            assert [len(text.split("\n")) for text in told["sources"].values()] == [
                len(text.split("\n")) for text in whole.values()
            ]
            assert told["sources"][told["book"]] == whole[told["book"]], name
            assert any(text != whole[one] for one, text in told["sources"].items()), name
            both = [
                Engine(asking(texts)).value(f"said({json.dumps(told['root'])}, true)")
                for texts in (told["sources"], whole)
            ]
            assert both[0] == both[1], name
            assert "ok" in both[0], name


@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_every_case_is_the_same(page, checked):
    for name, source in cases().items():
        assert by_page(page, source, checked) == by_python(source, checked), name


@pytest.mark.parametrize("block", range(4))
def test_mutants_are_the_same(page, block):
    said = [(source, by_page(page, source, block % 2 == 1)) for source in mutants(block, MUTANTS // 4)]
    translated = 0
    for source, page_said in said:
        python_said = by_python(source, block % 2 == 1)
        assert agree(page_said, python_said), (source, page_said, python_said)
        translated += "ok" in python_said
    assert translated > 0


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("`(0 - ${code})`", "`(-${code})`"),
        ('SIGNS = { Add: "+", Sub: "-"', 'SIGNS = { Add: "-", Sub: "+"'),
        ("return never || this.anyZero ? code", "return code || this.anyZero ? code"),
        ("this.assigned = before; // perhaps the loop never ran", ""),
    ],
)
def test_a_wrong_rule_is_noticed(right, wrong):
    """The control: a mirror with one rule broken says something else of some case."""
    rules = script()
    assert right in rules
    page = engine(rules.replace(right, wrong))
    assert any(by_page(page, source, False) != by_python(source, False) for source in cases().values())


def everything(checked: bool) -> tuple[str, dict[str, dict[str, object]]]:
    """A script whose `all` is what the page says of all modules and cases, and what Python says of them."""
    own = {f"case.{i}": source for i, source in enumerate(cases().values())}
    names = [*MODULES, *own]
    python = {name: {"ok": by_library(name, checked)} for name in MODULES}
    script = asking(library_sources())
    script += f"const cases = {json.dumps(list(own.values()))};\n"
    here, given = json.dumps(NAME), json.dumps(checked)
    script += (
        f"const all = {json.dumps(MODULES)}.map((name) => said(name, {given}));\n"
        f"for (const text of cases) all.push((sources[{here}] = text, said({here}, {given})));\n"
    )
    python |= {name: by_python(source, checked) for name, source in own.items()}
    return script, {name: python[name] for name in names}


@pytest.mark.browser
@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_in_webkit(tmp_path, checked):
    script, python = everything(checked)
    path = tmp_path / "all.js"
    path.write_text(f"{script}print(JSON.stringify(all));\n", encoding="utf-8")
    done = subprocess.run([jsc_or_skip(), str(path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    assert dict(zip(python, json.loads(done.stdout), strict=True)) == python


@pytest.mark.browser
@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
def test_in_chromium(chromium, checked):
    script, python = everything(checked)
    page = chromium.new_page()
    said = page.evaluate(f"() => {{ {script} return JSON.stringify(all); }}")
    page.close()
    assert dict(zip(python, json.loads(said), strict=True)) == python


@pytest.mark.parametrize("name", [name for name in MODULES if name.endswith(".textbook")])
def test_every_line_knows_where_it_was_written(page, name):
    """What a `return` of the page came from is a `return` of the text, at the line that the page would show."""
    page.eval(
        f"globalThis.made = live.translate({json.dumps(name)}, (m) => sources[m]).known.get({json.dumps(name)}); 0"
    )
    lines, origins = page.value("made.javascript.split('\\n')"), page.value("made.origins")
    assert len(origins) == len(lines)
    written = (LIBRARY.parent / f"{name.replace('.', '/')}.py").read_text(encoding="utf-8").split("\n")
    returns = [line for text, line in zip(lines, origins, strict=True) if text.strip().startswith("return ") and line]
    assert len(returns) > 3
    assert all(written[line - 1].strip().startswith("return") for line in returns)
