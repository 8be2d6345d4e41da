"""What the landing page says of the chapters and of the book: from their own files, counted when the page is built.

A chapter's `card.json` has its question, the answer in a sentence, and the chapters that it builds on; it may be
missing.
"""

import json
import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pybtex.database import parse_file

from hal import chapters
from hal.chapters import Chapter
from lib.errors import require

PACE = 200  # words a minute
LOOK = 2  # minutes at a figure
FEW = 3  # authors that are all named


class Card(NamedTuple):
    """What a chapter's card says beside its row of the registry."""

    question: str
    answer: str
    after: tuple[str, ...]


def file_of(slug: str) -> Path:
    """Where a chapter's card stands."""
    return Path(chapters.__file__).parent / slug / "card.json"


def card(row: Chapter) -> Card:
    """A chapter's card; without its file the sentences of the registry."""
    path = file_of(row.slug)
    if not path.exists():
        return Card("", row.card, ())
    given = json.loads(path.read_text(encoding="utf-8"))
    require(set(given) == set(Card._fields), str(path), f"keys {', '.join(Card._fields)}", sorted(given))
    earlier = [other.slug for other in chapters.CHAPTERS if other.number < row.number]
    unknown = [slug for slug in given["after"] if slug not in earlier]
    require(not unknown, f"after of {path}", f"earlier chapters among {earlier}", unknown)
    return Card(given["question"], given["answer"], tuple(given["after"]))


def by_whom(row: Chapter, references: Path) -> str:
    """A chapter's paper, "Ren, Wang and Lee, *Learning …* (2024)"; of more than three authors the rest is counted.

    Args:
        row: the chapter.
        references: folder of the bibliographies.
    """
    entries = parse_file(str(references / f"{row.slug}.bib")).entries
    require(row.reference in entries, "reference", f"a key of {row.slug}.bib", row.reference)
    paper = entries[row.reference]
    names = [" ".join((*one.prelast_names, *one.last_names)) for one in paper.persons["author"]]
    if len(names) > FEW:
        names = [*names[:2], f"{len(names) - 2} others"]
    listed = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    title = re.sub("[{}]", "", paper.fields["title"])
    return f"{listed}, *{title}* ({paper.fields['year']})"


def minutes(notebook: Path) -> int:
    """Reading time: words in view at 200 a minute, formulas as words, and two minutes a figure; folds are not read."""
    cells: list[dict[str, Any]] = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    text = {
        kind: ["".join(one["source"]) for one in cells if one["cell_type"] == kind] for kind in ("markdown", "code")
    }
    words = sum(len(in_view(one).split()) for one in text["markdown"])
    figures = sum(len(re.findall(r"^show\(", one, re.M)) for one in text["code"])
    return math.ceil(words / PACE + LOOK * figures)


def in_view(text: str) -> str:
    """A markdown cell without what is folded in it: the blocks of `dropdown` with all inside."""
    kept, fold, depth = [], 0, 0  # fold: how deep the block begins that is folded, 0 outside
    for line in text.splitlines():
        fence = re.match(r"(:{3,})(\{[\w:-]+\})?", line)
        if fence and fence[2]:
            depth += 1
            fold = fold or (depth if fence[2] == "{dropdown}" else 0)
        if not fold:
            kept.append(line)
        if fence and not fence[2]:
            fold = 0 if fold == depth else fold
            depth -= 1
    return "\n".join(kept)


def cited(path: Path) -> dict[str, Any]:
    """CITATION.cff, whose `authors` have a `name`, or `given-names` and `family-names`; `names` lists them."""
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    names = [one.get("name") or f"{one['given-names']} {one['family-names']}" for one in found["authors"]]
    return {**found, "names": names}


def bibtex(found: dict[str, Any]) -> str:
    """The entry that cites the book."""
    date = str(found.get("date-released", ""))
    fields = {
        "author": " and ".join(f"{{{name}}}" if " of " in name else name for name in found["names"]),
        "title": f"{{{found['title']}}}", "year": date[:4], "version": str(found["version"]),
        "url": found["repository-code"],
    }  # fmt: skip
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join(["@software{how_attention_learns,", *lines, "}"])
