"""`python -m hal.chapters.new SLUG "Title"`: write a tiny complete chapter, to be replaced piece by piece.

It is whole: a textbook that the page trains and a fast problem that `train` does, a theory in closed form, a figure
with probe, tour and phrase, a claim with its control, a claim that the page computes what the library does, a notebook,
tests, a benchmark, notation and a reference. Beside its own places it changes two shared texts: its row in the registry
(`hal/chapters/__init__.py`) and its line in `_toc.yml`. What is refused raises `InputError`.
"""

import argparse
import ast
import keyword
import os
import re
import subprocess
import sys
from pathlib import Path

from hal.chapters import CHAPTERS, Chapter
from lib.errors import InputError, require

TEMPLATE = Path(__file__).parent / "_template"
ROOT = Path(__file__).parents[3]
REGISTRY, CONTENTS = "src/hal/chapters/__init__.py", "_toc.yml"


def new_row(slug: str, title: str | None = None, prefix: str | None = None) -> Chapter:
    """The row of a chapter that is about to be written; an announced chapter keeps its own.

    Args:
        slug: lower-case letters, digits and underscores, beginning with a letter; no written chapter's.
        title: as on its card; may be left out for an announced chapter.
        prefix: of the ids of its claims, capital letters and digits; default the initials of the slug's words.
    """
    plain = re.fullmatch(r"[a-z][a-z0-9_]*", slug) and not keyword.iskeyword(slug)
    require(plain, "slug", "a name of lower-case letters, digits and underscores", repr(slug))
    announced = next((row for row in CHAPTERS if row.slug == slug), None)
    if announced is not None:
        require(not announced.written, "slug", "one that no written chapter has", repr(slug))
        require(title in (None, announced.title), "title", f"{announced.title!r}, as announced, or none", repr(title))
        require(prefix in (None, announced.prefix), "prefix", f"{announced.prefix!r}, as announced, or none", prefix)
        return announced._replace(written=True)
    if not title or any(sign in title for sign in '"\\\n'):
        raise InputError(f"title: expected a few words without quotes or backslashes, got {title!r}")
    short = prefix or ("".join(word[0] for word in slug.split("_") if word) if "_" in slug else slug).upper()
    require(re.fullmatch(r"[A-Z][A-Z0-9]*", short), "prefix", "capital letters and digits", repr(short))
    taken = [row.prefix for row in CHAPTERS]
    require(short not in taken, "prefix", f"another than {', '.join(taken)} (give one with --prefix)", repr(short))
    number = max(row.number for row in CHAPTERS) + 1
    return Chapter(slug, number, title, "To be said in one to three sentences.", short, "", f"robbins1951{slug}")


def write(row: Chapter, root: Path = ROOT) -> list[Path]:
    """Write the chapter's files, its row (from `new_row`) and its line below the root of the repository.

    Returns:
        The files that were written, then the two that were changed. If one exists already, the reference of an
        announced chapter aside, nothing is written.
    """
    words = {"@slug@": row.slug, "@title@": row.title, "@prefix@": row.prefix, "@reference@": row.reference}
    files = {}
    for source in sorted(TEMPLATE.rglob("*.in")):
        name = source.relative_to(TEMPLATE).as_posix().removesuffix(".in").replace("SLUG", row.slug)
        files[root / name] = _filled(source.read_text(encoding="utf-8"), words)
    if any(announced.slug == row.slug for announced in CHAPTERS):  # its reference stands since it was announced
        files.pop(root / f"book/references/{row.slug}.bib", None)
    there = [path.relative_to(root).as_posix() for path in files if path.exists()]
    require(not there, "slug", "a chapter that has no files yet", ", ".join(there))
    registry, contents = root / REGISTRY, root / CONTENTS
    files[registry] = _with_row(registry.read_text(encoding="utf-8"), row)
    files[contents] = _with_line(contents.read_text(encoding="utf-8"), row.slug)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def record(row: Chapter, root: Path = ROOT) -> None:
    """Run the new chapter's claims with their controls, then its benchmark, and record what they found."""
    environment = {**os.environ, "PYTHONPATH": str(root / "src"), "OMP_NUM_THREADS": "1"}
    claims = [f"{row.prefix}-{number}" for number in (1, 2)]
    for command in (["-m", "hal.claims", *claims], [f"benchmarks/{row.slug}.py", "--record"]):
        subprocess.run([sys.executable, *command], cwd=root, check=True, env=environment)


def _filled(text: str, words: dict[str, str]) -> str:
    for place, word in words.items():
        text = text.replace(place, word)
    return text


def _with_row(text: str, row: Chapter) -> str:
    """The registry with the row: at the end, or in place of the announcement."""
    table = next(
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "CHAPTERS"
    )
    assert isinstance(table, ast.Tuple)
    lines = text.splitlines(keepends=True)
    for call in table.elts:
        assert isinstance(call, ast.Call)
        named = {word.arg: word for word in call.keywords}
        if ast.literal_eval(named["slug"].value) == row.slug:
            del lines[named["written"].lineno - 1]
            return "".join(lines)
    written = {name: value for name, value in row._asdict().items() if name != "written"}
    fields = "".join(
        f"        {name}={value},\n" if isinstance(value, int) else f'        {name}="{value}",\n'
        for name, value in written.items()
    )
    last = table.end_lineno
    assert last is not None
    lines.insert(last - 1, f"    Chapter(\n{fields}    ),\n")
    return "".join(lines)


def _with_line(text: str, slug: str) -> str:
    """The contents with the chapter as the last of the part "Chapters"."""
    lines = text.splitlines(keepends=True)
    start = lines.index("- caption: Chapters\n")
    end = next((i for i in range(start + 1, len(lines)) if lines[i].startswith("- caption")), len(lines))
    lines.insert(end, f"  - file: book/{slug}\n")
    return "".join(lines)


def main() -> None:
    """Write a chapter and say what to do next."""
    parser = argparse.ArgumentParser(description="Write a tiny complete chapter.")
    parser.add_argument("slug", help="lower-case letters, digits and underscores: one_nn")
    parser.add_argument("title", nargs="?", help="the title on its card; an announced chapter has one")
    parser.add_argument("--prefix", help="of the ids of its claims: NN")
    given = parser.parse_args()
    try:
        row = new_row(given.slug, given.title, given.prefix)
        written = write(row)
    except (InputError, OSError) as error:
        parser.error(str(error))
    record(row)
    for path in written:
        print(path.relative_to(ROOT))
    print(f"next: replace its parts by those of your paper; `make book` and `pytest tests/{row.slug}` are green now")


if __name__ == "__main__":
    main()
