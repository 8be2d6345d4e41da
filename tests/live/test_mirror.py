"""The page's translator is Python's: the same text, or the same refusal, of every module, case and mutant."""

import json
import subprocess

import pytest

from hal.explorer import figure_of
from hal.live import model, script
from lib.portable.engine import Engine
from lib.portable.translation import load, parts
from tests.live.mirror import (
    LIBRARY,
    MODULES,
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
from tests.portable.test_webkit import jsc_or_skip
from tests.rows import figures

MUTANTS = 300


@pytest.fixture(scope="module")
def page():
    return engine()


def by_library(name: str, checked: bool) -> dict[str, str]:
    known = {}
    load(name, known, checked)
    return parts(known, checked)


@pytest.mark.law
@pytest.mark.parametrize("name", MODULES)
def test_module_is_translated_to_the_same_text_by_python_and_the_page(page, name):
    for checked in (False, True):
        assert page.value(f"said({json.dumps(name)}, {json.dumps(checked)})") == {"ok": by_library(name, checked)}


@pytest.mark.law
@pytest.mark.parametrize("name", figures())
def test_sources_that_a_figure_brings_for_its_editor_are_the_same_program(name):
    """Bare modules, on the same lines, whose translation is that of the library's files."""
    told = json.loads(model(figure_of(figures()[name][0]).spec(), ()))
    whole = {one: library_sources()[one] for one in told["sources"]}
    lines = [[text.count("\n") for text in texts.values()] for texts in (told["sources"], whole)]
    assert lines[0] == lines[1]
    assert told["sources"][told["book"]] == whole[told["book"]]
    assert any(text != whole[one] for one, text in told["sources"].items())
    ask = f"said({json.dumps(told['root'])}, true)"
    bare, full = (Engine(asking(texts)).value(ask) for texts in (told["sources"], whole))
    assert bare == full
    assert "ok" in bare


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


@pytest.mark.browser
def test_safari_translates_every_module_and_case_as_python_does(tmp_path):
    texts = {f"case.{i}": source for i, source in enumerate(cases().values())}
    asked, python = [], []
    for checked in (False, True):
        asked += [[name, checked] for name in [*MODULES, *texts]]
        python += [{"ok": by_library(name, checked)} for name in MODULES]
        python += [by_python(source, checked) for source in texts.values()]
    path = tmp_path / "all.js"
    path.write_text(
        f"{asking(library_sources())}const here = {NAME!r}, cases = {json.dumps(texts)};\n"
        "const ask = (name, checked) => said(cases[name] ? (sources[here] = cases[name], here) : name, checked);\n"
        f"print(JSON.stringify({json.dumps(asked)}.map(([name, checked]) => ask(name, checked))));\n",
        encoding="utf-8",
    )
    done = subprocess.run([jsc_or_skip(), str(path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    for one, page_said, python_said in zip(asked, json.loads(done.stdout), python, strict=True):
        assert page_said == python_said, one


@pytest.mark.law
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
