"""What runs in a process of its own: tests and claims on a copy of the library, broken or not.

The process is a fork of one that has the large packages and nothing of this library, so that it costs little and cannot
know an unbroken module. Its parent is told through a pipe what is run and what failed. Its processor time is limited
afresh for every test file and every claim, so that a mutant that never ends is stopped and a busy machine stops none.
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

Start = Callable[[str], None]  # told of each unit before it is run

#: What every test and claim imports, loaded once before all forks.
PRELOADED = ["numpy", "scipy.integrate", "scipy.stats", "scipy.optimize", "matplotlib", "joblib", "pytest", "torch"]
MEMORY = 16 * 2**30  # bytes of address space: a formula that asks for more is refused, and so noticed
COLLECTING = 120  # processor seconds for the imports of tests
TOGETHER = 3  # test files that are imported, then run
PYTEST = (
    "-x",
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "pytest_timeout",
    "-m",
    "not browser",
    "--import-mode=importlib",
    "--doctest-modules",
)


def hunt(copy: Path, units: Sequence[tuple[str, float]], budget: float, pipe: Connection) -> None:
    """Run units until the first fails; the pipe gets ("at", unit) for each, then ("killed", by) or ("lives", "").

    Args:
        copy: the root of the copy of the repository.
        units: tests or claims, not both: test files as paths in the repository, claims as their ids; each with the
            processor seconds that it may take.
        budget: processor seconds after which no further unit is begun.
        pipe: to the parent.
    """
    _settle(copy)
    limits = dict(units)

    def left() -> bool:
        return _used() < budget

    pipe.send(("at", next(iter(limits))))  # an import may not come to an end either
    _limit(resource.RLIMIT_CPU, COLLECTING)

    def start(unit: str) -> None:
        pipe.send(("at", unit))
        _limit(resource.RLIMIT_CPU, int(_used() + limits[unit]) + 1)

    names, by = list(limits), ""
    if any(name.endswith(".py") for name in names):
        while names and left() and not by:
            by, names = _failed_test(names[:TOGETHER], start), names[TOGETHER:]
    else:
        by = _failed_claim(names, start, left)
    _check_origin(copy)
    pipe.send(("killed", by) if by else ("lives", ""))


def watch(copy: Path, unit: str, pipe: Connection) -> None:
    """Run one unit on the unbroken copy; the pipe gets its processor seconds, what it runs, and whether it passed.

    What it runs is a list of "file:function" below the library, with the files that it imports as "file:" (their
    formulas outside functions), and those whose source it reads as "file:*"; "everything" if it starts processes,
    which cannot be followed.
    """
    _settle(copy)
    library = str(copy / "src" / "lib") + os.sep
    called: set[CodeType] = set()
    started: list[str] = []
    read: set[str] = set()
    tests = unit.startswith("tests/")  # examples in documentation are read to be run

    def note(frame: FrameType, event: str, value: object) -> None:
        called.add(frame.f_code)

    def hear(event: str, given: tuple[Any, ...]) -> None:
        if event in ("subprocess.Popen", "os.fork", "os.posix_spawn"):
            started.append(event)
        elif tests and event == "open" and str(given[0]).startswith(library) and not _importing():
            read.add(str(given[0]))

    def follow(unit: str) -> None:
        sys.addaudithook(hear)
        threading.settrace(note)
        sys.settrace(note)

    first = _failed_test([unit], _free, follow) if unit.endswith(".py") else _failed_claim([unit], follow)
    sys.settrace(None)
    seconds = _used()
    _check_origin(copy)
    runs = {
        f"{code.co_filename.removeprefix(library)}:{_outermost(code)}" for code in called if _is_below(code, library)
    }
    files = {str(getattr(module, "__file__", None)) for module in list(sys.modules.values())}
    runs |= {f"{file.removeprefix(library)}:" for file in files if file.startswith(library)}
    runs |= {f"{file.removeprefix(library)}:*" for file in read}
    found = {"passed": not first, "seconds": seconds, "everything": bool(started), "runs": sorted(runs)}
    pipe.send(("watched", found))


def _settle(copy: Path) -> None:
    """See the copy and nothing of the repository that this program was started in; say nothing."""
    os.setpgid(0, 0)  # ended with all that it starts
    root = str(Path(__file__).parents[2])
    os.chdir(copy)
    own = [str(copy), str(copy / "src")]
    sys.path[:] = own + [
        path for path in sys.path if path and not os.path.realpath(path).startswith(root + os.sep + "src")
    ]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # none of them is needed, and all take long to load
    os.environ["PYTHONPATH"] = os.pathsep.join(reversed(own))
    sys.dont_write_bytecode = True
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nowhere, stream)
    _limit(resource.RLIMIT_AS, MEMORY)


def _used() -> float:
    """Processor seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _limit(kind: int, soft: int) -> None:
    _, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _check_origin(copy: Path) -> None:
    lib = sys.modules.get("lib")
    if lib is not None and not str(lib.__file__).startswith(str(copy)):
        raise RuntimeError(f"expected the library of {copy}, got {lib.__file__}")


def _free(unit: str) -> None:
    """Start a unit without a limit."""


def _failed_test(files: Sequence[str], start: Start, collect: Start = _free) -> str:
    """The first test that fails in these files, "" if none does; `collect` is called before they are imported."""
    import pytest

    class Reports:
        """Tells the start of each file, keeps the first failure."""

        file, failed = "", ""

        def pytest_collection(self) -> None:
            collect(files[0])

        def pytest_runtest_logstart(self, nodeid: str) -> None:
            file = nodeid.partition("::")[0]
            if file != self.file:
                self.file = file
                start(file)

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.failed and not self.failed:
                self.failed = report.nodeid

        def pytest_collectreport(self, report: Any) -> None:
            if report.failed and not self.failed:
                self.failed = f"{report.nodeid} (cannot be imported)"

    reports = Reports()
    code = pytest.main(["-o", "addopts=", *PYTEST, *files], plugins=[reports])
    if code not in (0, 1, 2):
        return reports.failed or f"pytest ended with {code}"
    return reports.failed


def _failed_claim(ids: Sequence[str], start: Start, left: Callable[[], bool] = lambda: True) -> str:
    """The first of these claims without its verdict, or whose control comes out as its check; "" if there is none.

    All checks first, then the controls: nearly every broken formula that a claim notices fails a check. Ends as well
    when no time is left.
    """
    warnings.simplefilter("ignore")  # of overflow and the like, which a broken formula may well bring
    good: dict[str, bool] = {}
    for control in (False, True):
        for id in ids:
            if not left():
                return ""
            start(id)
            try:
                from hal import claims

                claim = claims.get(id)
                if control and claim.control().good == good[id]:
                    return f"{id} (control)"
                if not control:
                    check = claim.check()
                    if check.verdict != claim.verdict:
                        return id
                    good[id] = check.good
            except Exception:  # a broken formula may raise anything; each of them is noticed
                return id
    return ""


def _outermost(code: CodeType) -> str:
    return code.co_qualname.partition(".<locals>")[0]


def _is_below(code: CodeType, library: str) -> bool:
    return code.co_filename.startswith(library) and not code.co_name.startswith("<module")


def _importing() -> bool:
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if "importlib._bootstrap" in frame.f_code.co_filename:
            return True
        frame = frame.f_back
    return False
