"""Each mutant on a copy of the repository: the tests that run its function, then, apart, the claims that do."""

from __future__ import annotations

import compileall
import math
import queue
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Any

from benchmarks.mutants import child
from benchmarks.mutants.forks import fork
from benchmarks.mutants.places import LIBRARY, Mutant, apply
from benchmarks.mutants.watchers import Watcher


@contextmanager
def copy_of(root: Path) -> Iterator[Path]:
    """A copy of the repository's files, in a folder that goes afterwards.

    Its bytecode is checked against the text of the sources, whatever their time stamps say: none hides a mutant.
    """
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy = Path(folder).resolve()
        given = ["git", "ls-files", "-co", "--exclude-standard"]
        names = subprocess.run(given, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
        for name in names:
            if (root / name).is_file():
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, copy / name)
        compileall.compile_dir(copy / "src", quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        yield copy


def look_for(mutant: Mutant, copy: Path, watchers: Sequence[Watcher], budget: float = math.inf) -> str:
    """Who notices a mutant first: a test, a claim; "" if none does. What needs longer than its limit has noticed.

    Args:
        mutant: applied to the copy, and taken back.
        copy: of the repository, as it is.
        watchers: tests or claims, not both; those that see the mutant run, the cheapest and most particular first.
        budget: processor seconds after which no further test or claim is begun.

    Raises:
        RuntimeError: if the process could not tell.
    """
    seeing = sorted((one for one in watchers if one.sees(mutant)), key=lambda one: one.price(mutant))
    if not seeing:
        return ""
    path = copy / LIBRARY / mutant.file
    whole = path.read_text()
    path.write_text(apply(whole, mutant))
    try:
        patience = 60.0 + 40.0 * max(one.seconds for one in seeing)  # of the clock: for what waits and does not count
        answer = fork(child.hunt, copy, [(one.unit, one.limit) for one in seeing], budget, patience=patience)
    finally:
        path.write_text(whole)
    what, name = answer.last
    if what == "at":  # its last word before it was stopped, or died
        return f"{name} (did not come to an end)"
    if what not in ("killed", "lives"):
        raise RuntimeError(f"{mutant.key}: expected a process that says what it found, got {answer}")
    return str(name)


def hunt(
    mutants: Sequence[Mutant],
    root: Path,
    watchers: Mapping[str, Sequence[Watcher]],
    jobs: int,
    budget: float = math.inf,
) -> Iterator[dict[str, Any]]:
    """What was found for each mutant, as plain data, in the order in which they are done.

    Args:
        mutants: to look for.
        root: of the repository, which is not changed.
        watchers: by kind: "tests", "claims" or both, which are run apart.
        jobs: mutants at a time.
        budget: processor seconds for a mutant and a kind, after which no further test or claim is begun.
    """
    with copy_of(root) as first:
        copies: queue.Queue[Path] = queue.Queue()
        for i in range(jobs):
            copies.put(shutil.copytree(first, first / ".copies" / str(i), ignore=shutil.ignore_patterns(".copies")))

        def one(mutant: Mutant) -> dict[str, Any]:
            copy = copies.get()
            try:
                by = {kind: look_for(mutant, copy, some, budget) for kind, some in watchers.items()}
            finally:
                copies.put(copy)
            asked = {f"{kind} asked": sum(each.sees(mutant) for each in some) for kind, some in watchers.items()}
            what = {"key": mutant.key, "file": mutant.file, "operator": mutant.operator, "line": mutant.line}
            return what | by | asked

        with ThreadPoolExecutor(jobs) as pool:
            for done in as_completed([pool.submit(one, mutant) for mutant in mutants]):
                yield done.result()
