"""The site's scripts are short, and say what the sources say: words, numbers, licences."""

import pytest

from hal.site.scripts import shortened, write_script
from lib.portable.engine import Engine

pytest.importorskip("minify", reason="the minifier has no build for this processor: scripts stay as they are")

TOY = """/*! licence */(() => {
"use strict";
// a remark
const tenth = 0.1 + 0.2, tau = 6.283185307179586, tiny = 5e-324, large = 9007199254740993, text = "tau  //  5";
const told = { tenth, tau, tiny, large, text, third: 1 / 3, minus: -0.0, signs: [1, -0].map((x) => 1 / x) };
globalThis.told = JSON.stringify(told, (key, x) => (typeof x === "number" ? x.toString(2) : x));
})();
"""


def told(text):
    engine = Engine(text)
    return engine.value("told")


def test_a_short_script_says_the_same_to_the_last_bit():
    short = shortened(TOY)
    assert told(short) == told(TOY)
    assert told(short) != told(TOY.replace("0.1 + 0.2", "0.3"))
    assert short.startswith("/*! licence */")
    assert "remark" not in short
    assert len(short) < 0.8 * len(TOY)
    assert shortened(short) == short


def test_what_is_no_script_is_refused():
    with pytest.raises(ValueError, match="unexpected"):
        shortened("const = 1;")


def test_a_place_without_the_minifier_has_the_same_script_at_length(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    write_script(tmp_path / "toy.js", TOY)
    assert (tmp_path / "toy.js").read_text(encoding="utf-8") == TOY
