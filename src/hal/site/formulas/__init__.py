r"""Sphinx extension: formulas are set at build time, so a page needs no script for its mathematics.

KaTeX (vendored: the script beside this file, what readers get in `assets/katex`, with VENDOR.md) runs inside the
build in V8. Readers get HTML for the eyes, MathML for screen readers, one style sheet and the fonts a page
uses. Nothing moves after loading, formulas print, and they are there with JavaScript off. A formula that KaTeX cannot
set is a build warning with its page and line (an error under `-W`).

Configuration (`_config.yml`, `sphinx: config:`): `html_math_renderer: katex` and `katex_macros`, the path of
one JSON file with macros for the whole book, `{"\\E": "\\mathbb{E}"}`.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape, unescape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

from hal.tables import FORMULA
from lib.errors import InputError
from lib.portable.engine import Engine, ScriptError

SCRIPT = Path(__file__).with_name("katex.min.js")
SHORT = 24  # letters of the TeX of a formula that need not break
#: KaTeX numbers these itself with a page counter; Sphinx numbers equations through the book, so stars go on.
NUMBERED = re.compile(r"\\(begin|end)\{(equation|align|alignat|gather)\}")
#: A named operator with the sign that applies it: KaTeX writes both into a subscript as they are, which has one place.
APPLIED = re.compile("<mi[^>]*>[^<]+</mi><mo>\u2061</mo>")
#: A formula that `hal.tables.words_html` wrote.
WRITTEN = re.compile(rf'<span class="{FORMULA}">\$([^$]+)\$</span>')
_log = logging.getLogger(__name__)


class Katex:
    """KaTeX in an engine of its own: one for a whole build.

    Args:
        macros: control sequence -> its expansion, `{"\\E": "\\mathbb{E}"}`.
    """

    def __init__(self, macros: Mapping[str, str] | None = None) -> None:
        self._macros = dict(macros or {})
        self._engine = Engine(SCRIPT.read_text(encoding="utf-8"))

    def html(self, tex: str, *, display: bool) -> str:
        r"""The HTML and MathML of one formula, given without delimiters."""
        # Macros stand in each call: a \gdef in one formula must not reach another.
        options = {"displayMode": display, "throwOnError": True, "strict": "error", "output": "htmlAndMathml"}
        given = json.dumps({**options, "macros": self._macros})
        try:
            found = str(self._engine.eval(f"katex.renderToString({json.dumps(tex)}, {given})"))
        except ScriptError as error:
            reason = str(error).removeprefix("ParseError: ")
            raise InputError(f"tex: expected a formula that KaTeX can set, got {tex!r}: {reason}") from None
        return APPLIED.sub(r"<mrow>\g<0></mrow>", found)


def display_tex(text: str) -> str:
    r"""The TeX of a math block or an amsmath environment as KaTeX takes it, with Sphinx's own conventions applied.

    Sphinx aligns blank-line-separated equations under each other, and lets a bare `\\` break a line.
    """
    starred = NUMBERED.sub(r"\\\1{\2*}", text.strip())
    if starred.startswith(r"\begin{") and starred != text.strip():
        return starred
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    parts = [rf"\begin{{split}}{part}\end{{split}}" if _breaks(part) else part for part in parts]
    return parts[0] if len(parts) == 1 else r"\begin{aligned}" + r"\\".join(parts) + r"\end{aligned}"


def _breaks(part: str) -> bool:
    """Say whether a line break stands outside every environment."""
    outside = part
    while (
        shorter := re.sub(r"\\begin\{([^{}]+)\}(?:(?!\\begin\{).)*?\\end\{\1\}", "", outside, flags=re.S)
    ) != outside:
        outside = shorter
    return r"\\" in outside


@cache
def _engine(macro_file: str) -> Katex:
    macros = json.loads(Path(macro_file).read_text(encoding="utf-8")) if macro_file else {}
    return Katex(macros)


@cache
def _set(macro_file: str, tex: str, display: bool) -> str:
    return _engine(macro_file).html(tex, display=display)


def _html(self: Any, node: nodes.Element, tex: str, display: bool) -> str:
    """Set one formula; report a bad one with its page and line and show its source."""
    config = self.builder.config
    macro_file = str(Path(self.builder.srcdir, config.katex_macros)) if config.katex_macros else ""
    try:
        return _set(macro_file, tex, display)
    except InputError as error:
        _log.warning(str(error), location=node, type="katex")
        return f'<code class="katex-error">{escape(tex)}</code>'


def spoken(app: Sphinx, tex: str) -> str:
    """A formula as its MathML has it, letter after letter; its TeX where KaTeX cannot set it."""
    macro_file = str(Path(app.srcdir, app.config.katex_macros)) if app.config.katex_macros else ""
    try:
        found = _set(macro_file, display_tex(tex), False)
    except InputError:
        return tex
    return unescape(re.sub("<[^>]*>", "", found[: found.index("<annotation")]))


def keep_points(app: Sphinx, doctree: nodes.document, name: str) -> None:
    """Keep the comma or point after a short formula on its line: browsers would break before it."""
    for formula in list(doctree.findall(nodes.math)):
        place = formula.parent.index(formula)
        after = formula.parent.children[place + 1 : place + 2]
        found = re.match(r"[,.;:?!)’]+", str(after[0])) if after and isinstance(after[0], nodes.Text) else None
        if found and len(formula.astext()) <= SHORT:
            kept = nodes.inline("", "", formula.deepcopy(), nodes.Text(found[0]), classes=["hal-tight"])
            formula.parent.children[place : place + 2] = []
            formula.parent.insert(place, [kept, nodes.Text(str(after[0])[found.end() :])])


def visit_inline(self: Any, node: nodes.math) -> None:
    """Write a formula inside a line."""
    self.body.append(self.starttag(node, "span", "", CLASS="math notranslate nohighlight"))
    self.body.append(_html(self, node, node.astext(), display=False) + "</span>")
    raise nodes.SkipNode


def visit_block(self: Any, node: nodes.math_block) -> None:
    """Write a displayed formula with the number and the link that Sphinx gave it."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({get_node_equation_number(self, node)})')
        self.add_permalink_ref(node, "Link to this equation")
        self.body.append("</span>")
    self.body.append(_html(self, node, display_tex(node.astext()), display=True) + "</div>\n")
    raise nodes.SkipNode


def set_in_html(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Set the formulas of tables that are HTML already (`hal.tables.words_html`)."""
    if app.builder.format != "html":
        return
    config = app.config
    macro_file = str(Path(app.srcdir, config.katex_macros)) if config.katex_macros else ""
    for raw in [node for node in doctree.findall(nodes.raw) if WRITTEN.search(node.astext())]:

        def set_one(found: re.Match[str], raw: nodes.raw = raw) -> str:
            try:
                return f'<span class="math notranslate">{_set(macro_file, unescape(found[1]), False)}</span>'
            except InputError as error:
                _log.warning(str(error), location=raw, type="katex")
                return f'<code class="katex-error">{found[1]}</code>'

        raw.replace_self(nodes.raw("", WRITTEN.sub(set_one, raw.astext()), **raw.attributes))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the renderer `katex`; called by Sphinx."""
    app.add_config_value("katex_macros", "", "html", types=[str])
    app.add_html_math_renderer("katex", (visit_inline, None), (visit_block, None))
    app.add_css_file("katex/katex.min.css")
    app.connect("doctree-resolved", keep_points)
    app.connect("doctree-resolved", set_in_html, priority=800)  # after tables that are made then
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
