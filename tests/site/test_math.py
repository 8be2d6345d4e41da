"""Formulas set at build time: what KaTeX gets, what a page gets, what an author hears."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from hal.site.formulas import Katex, display_tex
from lib.errors import InputError
from tests.packages import ROOT
from tests.site.sphinx_page import build

MACROS = json.loads((ROOT / "assets" / "macros.json").read_text())


@pytest.fixture(scope="module")
def katex():
    return Katex(MACROS)


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("a = b", "a = b"),
        ("a &= b \\\\ c &= d", r"\begin{split}a &= b \\ c &= d\end{split}"),
        ("a = b\n\nc = d", r"\begin{aligned}a = b\\c = d\end{aligned}"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1\\2\end{pmatrix}"),
        (r"x=\begin{cases}\begin{array}{c}1\\2\end{array}\\3\end{cases}", None),
        (r"\begin{align}a&=b\\c&=d\end{align}", r"\begin{align*}a&=b\\c&=d\end{align*}"),
        (r"\begin{gather*}a\\b\end{gather*}", r"\begin{gather*}a\\b\end{gather*}"),
    ],
)
def test_display_conventions(katex, text, tex):
    assert display_tex(text) == (text if tex is None else tex)
    assert "<math" in katex.html(display_tex(text), display=True)


def test_a_macro_made_in_one_formula_stays_there(katex):
    katex.html(r"\gdef\here{1}\here", display=False)
    with pytest.raises(InputError, match="here"):
        katex.html(r"\here", display=False)


@pytest.mark.parametrize("tex", [r"\nosuch{x}", r"\frac{1}", "é + x", r"a_{b"])
def test_what_cannot_be_set_is_refused(katex, tex):
    with pytest.raises(InputError, match="tex: expected a formula that KaTeX can set, got"):
        katex.html(tex, display=True)


CONF = """
extensions = ["myst_parser", "hal.site.formulas"]
myst_enable_extensions = ["amsmath", "dollarmath"]
html_math_renderer, html_theme, katex_macros, suppress_warnings = "katex", "basic", "macros.json", ["config.cache"]
"""
FILES = {"conf.py": CONF, "macros.json": json.dumps(MACROS)}


def test_page(tmp_path):
    text = (
        "# Page\n\nOne $x<1$.\n\n$$ a = \\E b $$ (eq-a)\n\n\\begin{align}c&=d\\\\e&=f\\end{align}\n\nSee {eq}`eq-a`.\n"
    )
    status, said, page = build(tmp_path, {**FILES, "index.md": text}, "index.html")
    assert (status, said) == (0, "")
    assert page.count('class="katex"') == 3
    assert re.findall(r'<span class="eqno">\((\d)\)', page) == ["1", "2"]  # Sphinx's numbers, none of KaTeX's own
    assert 'href="#equation-eq-a"' in page
    assert "mathjax" not in " ".join(re.findall(r"<script[^>]*>", page)).lower()
    assert "_static/katex/katex.min.css" in page


def test_a_bad_formula_is_an_error_with_its_line(tmp_path):
    text = "# Page\n\nFine $x$.\n\nBad $\\nosuch$.\n"
    status, said, page = build(tmp_path, {**FILES, "index.md": text}, "index.html")
    assert status == 1
    assert re.search(r"index\.md:5: .*nosuch", said)
    assert '<code class="katex-error">\\nosuch</code>' in page


#: Elements of MathML that have so many children, never more or fewer (MathML Core, sections 3.3.2 and 3.4).
CHILDREN = {"mfrac": 2, "mroot": 2, "msub": 2, "msup": 2, "munder": 2, "mover": 2, "msubsup": 3, "munderover": 3}
MATH = re.compile("<math.*?</math>", re.S)


def wrong_elements(html: str) -> Iterator[str]:
    """Elements with another number of children than they may have, as text."""
    for found in MATH.findall(html):
        for element in ET.fromstring(found).iter():
            name = element.tag.rpartition("}")[2]
            if len(element) != CHILDREN.get(name, len(element)):
                yield ET.tostring(element, encoding="unicode")


@pytest.mark.browser
def test_mathml_of_every_page_parses(site):
    pages = list(site.rglob("*.html"))
    wrong = {str(page.relative_to(site)): list(wrong_elements(page.read_text(encoding="utf-8"))) for page in pages}
    assert not {name: found for name, found in wrong.items() if found}
    assert sum(len(MATH.findall(page.read_text(encoding="utf-8"))) for page in pages) > 1000
