"""The table of the tasks, from the rows of the chapters: each cell a sentence with its claim and its figure.

Chapter `atlas`. Source: the chapters' own rows; nothing is said twice.
"""

from html import escape
from pathlib import Path

import hal.chapters
from hal.chapters import written
from hal.chapters.row import COLUMNS, TAKEN_HOME, Entry, read
from hal.claims.ledger import CLAIM
from hal.tables import words_html

__all__ = ["SixTasks", "six_tasks"]

#: What the atlas calls the task of a chapter.
TASKS = {
    "scb": "Places", "scan_snap": "Sentences", "one_nn": "Neighbours", "group_sparse": "Groups",
    "random_walk": "Walks", "linear_block": "Prompts",
}  # fmt: skip
#: One question at a time, the one chosen; all of them in print.
STYLE = (
    "<style>@media screen { "
    + "".join(f"#six-{one}:not(:checked) ~ table .six-{one} {{ display: none; }} " for one in TAKEN_HOME)
    + "} .six-tasks label { margin: 0 1.2rem 0 0.3rem; cursor: pointer; }</style>"
)


class SixTasks:
    """A line for each chapter, a column for each question that its box answers, of which a page shows one at a time."""

    def __init__(self, own: str = "atlas") -> None:
        folder = Path(hal.chapters.__file__).parent
        slugs = [row.slug for row in written() if row.slug != own and (folder / row.slug / "row.json").is_file()]
        self.rows: dict[str, dict[str, Entry]] = {slug: read(slug) for slug in slugs}

    def __repr__(self) -> str:
        lines = []
        for column in TAKEN_HOME:
            lines += [COLUMNS[column], *(f"  {slug}: {row[column].text}" for slug, row in self.rows.items())]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        titles = {row.slug: row.title for row in written()}
        chosen = "".join(
            f'<input type="radio" name="six-tasks" id="six-{one}"{" checked" * (one == TAKEN_HOME[0])}>'
            f'<label for="six-{one}">{escape(COLUMNS[one])}</label>'
            for one in TAKEN_HOME
        )
        head = "".join(f'<th scope="col" class="six-{column}">{escape(COLUMNS[column])}</th>' for column in TAKEN_HOME)
        lines = "".join(
            f'<tr><th scope="row">{TASKS[slug]}<br><a href="{slug}.html">{escape(titles[slug])}</a></th>'
            + "".join(
                f'<td class="six-{column}">{words_html(row[column].text)} '
                f'<a href="{slug}.html#{anchor(slug, row[column].figure)}">Figure</a> '
                f'<span class="{CLAIM}">({row[column].claim})</span></td>'
                for column in TAKEN_HOME
            )
            + "</tr>"
            for slug, row in self.rows.items()
        )
        body = f'<table class="table"><thead><tr><td></td>{head}</tr></thead><tbody>{lines}</tbody></table>'
        return f'{STYLE}<div class="six-tasks">{chosen}{body}</div>'


def anchor(slug: str, label: str) -> str:
    """Where a page has a figure: under its name if it computes, under the name as Sphinx writes it if it is still."""
    name = label.removeprefix(f"{slug}-")
    computes = (Path(hal.chapters.__file__).parent / slug / "figures" / f"{name}.py").is_file()
    return label if computes else label.replace("_", "-")


def six_tasks() -> SixTasks:
    """The table, as HTML in a page and as text in a terminal."""
    return SixTasks()
