"""Which tests a run takes: all of them, or the fast tier, which a contributor and each push wait for.

The fast tier has every unit test and example, of each law (a function with a case for each chapter or figure) and of
the slow tests an eighth in turn, and everything of the chapters that a change touches. What is `deep` waits for the
whole tier. A change is what differs from the newest commit that is at least twelve hours older than the last one, by
the dates of the commits themselves; whose turn it is follows from the number of commits, so that eight in a row try
everything.
"""

import json
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

EVERY = 8  # the fast tier takes one of so many cases, or of 12 where a law says so
TURNS = 24  # a multiple of both
MANY = 2  # more chapters than these are a change of everything
HOURS = 12
SHARED = "shared"
TIMES = Path(__file__).with_name("times.json")
SLUGS = tuple(path.stem for path in sorted((TIMES.parents[1] / "book").glob("*.ipynb")))
SLUG = re.compile(rf"(?<![a-z_])({'|'.join(SLUGS)})(?![a-z_])")


class Choice(NamedTuple):
    """What the fast tier takes beside all that is quick."""

    turn: int  # whose turn it is, from 0 to `TURNS` - 1
    touched: frozenset[str]  # slugs of chapters to take whole; `SHARED`: each law takes a case of every chapter too
    why: str  # where this choice comes from


class Case(NamedTuple):
    """A collected test: its node id, and of its markers what counts here (`deep`; of a law its number of slices)."""

    nodeid: str
    deep: bool = False
    law: int = 0


def git(root: Path, *words: str) -> str:
    """What git says, without the last line end; OSError or CalledProcessError where there is none to ask."""
    found = subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True, text=True)
    return found.stdout.rstrip("\n")


def chapters_of(files: Iterable[str]) -> frozenset[str]:
    """The chapters that these files belong to, `SHARED` for code of all; words for people alone belong to none."""
    found = set()
    for file in files:
        slugs = set(SLUG.findall(file))
        found |= slugs or ({SHARED} if "/" in file or not file.endswith(".md") else set())
    return frozenset(found)


def choose(root: Path) -> Choice:
    """The choice for the commit that is checked out, with what is not committed; without history always the same."""
    fixed = frozenset({SHARED})
    try:
        if Path(git(root, "rev-parse", "--show-toplevel")).resolve() != root.resolve():
            return Choice(0, fixed, "no history of its own: always the same slice")
        if git(root, "rev-parse", "--is-shallow-repository") == "true":
            return Choice(0, fixed, "a clone without history: always the same slice")
        head, date, count = *git(root, "log", "-1", "--format=%h %ct").split(), git(root, "rev-list", "--count", "HEAD")
        base = git(root, "rev-list", "-1", f"--before={int(date) - HOURS * 3600}", "HEAD")
        if not base:
            return Choice(int(count) % TURNS, fixed, f"commit {head}, none is {HOURS} hours older")
        files = git(root, "diff", "--name-only", base).splitlines()
        files += git(root, "ls-files", "--others", "--exclude-standard").splitlines()
    except (OSError, subprocess.CalledProcessError):
        return Choice(0, fixed, "no git to ask: always the same slice")
    touched = chapters_of(files)
    why = f"commit {head}, against {base[:8]}"
    if len(touched - fixed) > MANY:
        return Choice(int(count) % TURNS, fixed, f"{why}: {len(touched - fixed)} chapters, so a slice of each")
    return Choice(int(count) % TURNS, touched, why)


def slow_functions() -> frozenset[str]:
    """Node ids, without cases, of the tests that took more than a second when `make times` was last run."""
    return frozenset(json.loads(TIMES.read_text(encoding="utf-8"))) if TIMES.is_file() else frozenset()


def fast(cases: Sequence[Case], choice: Choice, slow: frozenset[str]) -> list[bool]:
    """Whether the fast tier takes each of these tests."""
    of_law: Counter[str] = Counter()
    of_chapter: Counter[tuple[str, str]] = Counter()
    slow_ones = 0
    taken = []
    for case in cases:
        function = case.nodeid.partition("[")[0]
        slugs = set(SLUG.findall(case.nodeid))
        first = False
        for slug in slugs:
            first |= case.law == EVERY and not of_chapter[function, slug]
            of_chapter[function, slug] += 1
        if case.law:
            number = of_law[function] + crc32(function.encode())
            of_law[function] += 1
            in_turn = number % case.law == choice.turn % case.law
        elif function in slow:
            slow_ones += 1
            in_turn = slow_ones % EVERY == choice.turn % EVERY
        else:
            in_turn = True
        whole = bool(slugs & choice.touched) and case.law in (0, EVERY)
        taken.append(not case.deep and (in_turn or whole or (first and SHARED in choice.touched)))
    return taken


def shard(nodeids: Sequence[str], part: int, parts: int) -> list[bool]:
    """Whether each of these tests belongs to one of several parts; a file is in one of them."""
    return [crc32(nodeid.partition("::")[0].encode()) % parts == part % parts for nodeid in nodeids]
