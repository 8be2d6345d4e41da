"""Which tests and claims can notice a broken formula: those that run its function, measured once each.

A test file or a claim is measured again when a source that it imports, however far, has changed.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.mutants import child
from benchmarks.mutants.forks import fork
from benchmarks.mutants.places import LIBRARY, Mutant, formula_files
from hal import claims, results
from hal.chapters import written
from hal.claims.ledger import COMMAND
from lib.sweep.sources import digest, source_files

#: Tests of the repository, of claims (which are counted apart), and of this program. Those of what is drawn and built
#: are no watchers either.
NO_WATCHERS = ("tests/core/test_claims.py", "tests/core/test_mutants.py", "tests/core/test_repository.py")
MARGIN = 10.0  # processor seconds that any unit may take
UNMEASURED = 20.0  # processor seconds that a test file is taken to need where that was not measured
PATIENCE = 1200  # seconds of the clock for one unit, unbroken


class Watcher(NamedTuple):
    """A test file or a claim, and what it runs."""

    unit: str  # a path in the repository, or a claim's id
    seconds: float  # of processor time
    everything: bool  # of what it imports: what it runs could not be followed
    runs: frozenset[str]  # "file:function"; "file:" for what is outside functions, "file:*" for all of a source
    names: frozenset[str] = frozenset()  # words of a test's text

    def sees(self, mutant: Mutant) -> bool:
        """Whether it runs what is broken."""
        if self.everything or not mutant.where:
            return f"{mutant.file}:" in self.runs
        return not self.runs.isdisjoint({mutant.function, f"{mutant.file}:*"})

    def price(self, mutant: Mutant) -> float:
        """Processor seconds over the chance to notice.

        Who runs few functions notices that one of them is broken; so does a test whose text has its name.
        """
        named = {mutant.where.rpartition(".")[2], Path(mutant.file).stem} & self.names
        return (0.1 + self.seconds) * len(self.runs) / 100 ** len(named)

    @property
    def limit(self) -> float:
        """Processor seconds after which a mutant that it runs is taken to hang."""
        return MARGIN + 5.0 * self.seconds


def test_files(root: Path) -> list[str]:
    """The test files that import formulas, however far, and the formulas' modules that have examples in their text.

    All as paths in the repository.
    """
    folders = ("core", "portable", *(row.slug for row in written()))
    formulas = {root / LIBRARY / name for name in formula_files(root / LIBRARY)}
    tests = [path for name in folders for path in (root / "tests" / name).glob("test_*.py")]
    tests = [path for path in tests if formulas.intersection(source_files([f"tests.{path.parent.name}.{path.stem}"]))]
    modules = [path for path in formulas if ">>> " in path.read_text()]
    found = sorted(path.relative_to(root).as_posix() for path in [*tests, *modules])
    return [name for name in found if name not in NO_WATCHERS and not name.endswith("_browser.py")]


def claim_ids(longest: float = math.inf) -> list[str]:
    """The ids of all claims whose check and control take at most so many recorded processor seconds together."""
    ledgers = [results.read(results.path_of(row.slug, "claims"), "claims", COMMAND) for row in written()]
    seconds = {id: float(entry["seconds"]) for ledger in ledgers for id, entry in ledger["claims"].items()}
    return [claim.id for claim in claims.all() if seconds.get(claim.id, 0.0) <= longest]


def imported(tests: Sequence[str], root: Path) -> list[Watcher]:
    """Tests with all that they import, in place of what they run: nothing is measured."""
    found = []
    for unit in tests:
        files = [path.as_posix().partition(f"/{LIBRARY.as_posix()}/")[2] for path in source_files([_module(unit)])]
        runs = frozenset(f"{file}:" for file in files if file)
        found.append(Watcher(unit, UNMEASURED, True, runs, _words(unit, root)))
    return found


def measured(units: Sequence[str], root: Path, copy: Path, memory: Path) -> Iterator[tuple[str, Watcher | None]]:
    """Each unit with what it runs; None for one that fails on the unbroken copy.

    Args:
        units: test files and ids of claims.
        root: of the repository.
        copy: the unbroken copy.
        memory: a folder that keeps what was measured.
    """
    memory.mkdir(parents=True, exist_ok=True)
    for unit in units:
        kept = memory / f"{unit.replace('/', '.')}-{_state(unit, root)[:16]}.json"
        if not kept.exists():
            what, found = fork(child.watch, copy, unit, patience=PATIENCE).last
            if what != "watched":
                raise RuntimeError(f"{unit}: expected a process that says what it runs, got {what}")
            kept.write_text(json.dumps(found))
        found = json.loads(kept.read_text())
        yield (
            unit,
            Watcher(unit, found["seconds"], found["everything"], frozenset(found["runs"]), _words(unit, root))
            if found["passed"]
            else None,
        )


def _state(unit: str, root: Path) -> str:
    """A hash of all sources that a unit imports."""
    return digest(source_files([_module(unit)]))


def _words(unit: str, root: Path) -> frozenset[str]:
    """The words of a test file; a claim has none."""
    return frozenset(re.findall(r"\w+", (root / unit).read_text())) if unit.startswith("tests/") else frozenset()


def _module(unit: str) -> str:
    """The module that a test file is, or that a claim stands in."""
    if not unit.endswith(".py"):
        return claims.get(unit).function.__module__
    return unit.removeprefix("src/").removesuffix(".py").removesuffix("/__init__").replace("/", ".")
