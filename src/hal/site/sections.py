"""Sections of a page that a directive makes: a heading that the contents list and that links can reach."""

from typing import Any

from docutils import nodes
from docutils.statemachine import StringList


def section(state: Any, heading: str, *content: nodes.Node) -> nodes.section:
    """Return a section of the page.

    Args:
        state: of the directive that makes it.
        heading: plain text; its anchor is made of it.
        content: what stands in it.
    """
    made = nodes.section("", nodes.title("", heading), *content, names=[nodes.fully_normalize_name(heading)])
    state.document.note_implicit_target(made, made)
    return made


def parsed(state: Any, text: str, source: str) -> list[nodes.Node]:
    """Return Markdown as nodes of the page.

    Args:
        state: of the directive that shows it.
        text: MyST Markdown without headings.
        source: the file it comes from, for warnings.
    """
    box = nodes.Element()
    box.document = state.document
    state.nested_parse(StringList(text.splitlines(), source=source), 0, box)
    return list(box.children)
