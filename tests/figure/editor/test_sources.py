"""What a page's editor is told of a figure: bare modules, which are the same program on the same lines."""

import json
import re

import pytest

from hal.figure import figure_of
from hal.figure.editor import sources
from lib.portable.engine import Engine
from tests.portable.test_translator import asking
from tests.rows import figures


@pytest.mark.law
@pytest.mark.parametrize("name", figures())
def test_sources_that_a_figure_brings_for_its_editor_are_the_same_program(name, monkeypatch):
    spec = figure_of(figures()[name][0]).spec()
    told = json.loads(sources.model(spec, ()))
    monkeypatch.setattr(sources, "_bare", lambda source, idle: source)
    whole = json.loads(sources.model(spec, ()))["sources"]
    assert told["sources"].keys() == whole.keys()
    lines = [[text.count("\n") for text in texts.values()] for texts in (told["sources"], whole)]
    assert lines[0] == lines[1]
    assert told["sources"][told["book"]] == whole[told["book"]]
    assert any(text != whole[one] for one, text in told["sources"].items())
    ask = f"said({json.dumps(told['root'])}, true)"
    bare, full = (Engine(asking(texts)).value(ask) for texts in (told["sources"], whole))
    for module, code in bare["ok"].items():  # it has fewer functions, and those that it has are the same
        kept, every = (
            re.split(r"\n(?=function )", text.rpartition("\nreturn {")[0]) for text in (code, full["ok"][module])
        )
        assert set(kept) <= set(every), module
