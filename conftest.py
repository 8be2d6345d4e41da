"""How pytest spreads the work over the cores (make test), and what the notebooks need beside the tests."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest

# Where the build left the dear runs of the notebooks, for the same sources (hal.remember): inherited by kernels.
os.environ.setdefault("LIB_REMEMBER", str(Path(__file__).parent / ".cache" / "remembered"))

# Files whose tests share something costly, a book, a JupyterLab or a copy of the repository: one worker runs all of
# such a file, as it does the cells of a notebook, which share a kernel. Every other test goes wherever one is free.
TOGETHER = (
    "tests/explorer/test_computed_browser.py",
    "tests/explorer/test_computing_pair.py",
    "tests/explorer/test_notebook.py",
    "tests/explorer/test_page_browser.py",
    "tests/explorer/test_shell_browser.py",
    "tests/random_walk/test_figures_browser.py",
    "tests/site/test_new_chapter.py",
)
# Files whose tests of one page of the site, of one chapter or of one figure share the page that is open.
SHARED = {
    "tests/site/test_site.py": re.compile(r"\[(.+?\.html)"),
    "tests/site/test_chapters.py": re.compile(r"\[([a-z_0-9]+)-"),
    "tests/explorer/test_honest_digits.py": re.compile(r"\[([a-z_0-9]+-[a-z]+)"),
}
TRIES = 2  # of a test whose process was stopped while it ran
AGAIN = "stopped by the limit of pyproject.toml, or its process died; it runs again in a new process"


def pytest_configure(config):
    """A checkout that cannot be written is refused at once: tests build small books in it and keep what they ran."""
    if not os.access(config.rootpath, os.W_OK):
        raise pytest.UsageError(f"tests: expected a folder that can be written, got {config.rootpath}")


def unit_of(nodeid: str) -> str:
    """What one worker runs in one piece: a notebook, a file of `TOGETHER`, what shares a page, or a single test."""
    file = nodeid.partition("::")[0]
    if file in SHARED and (page := SHARED[file].search(nodeid)):
        return f"{file}[{page[1]}]"
    return file if file in TOGETHER or file.endswith(".ipynb") else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One more than there are cores: a worker often waits, for a page to load or a notebook's kernel to start."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """The scheduler of pytest-xdist, biggest pieces first; its marks for groups do nothing since pytest 9.2.

    A test that stands still (a browser that never answers, a kernel that never starts) is stopped by the limit, with
    the stacks of its threads, and its process with it. It runs once more, and the summary says so; then it has failed.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Pieces(LoadScopeScheduling):
        def __init__(self, config, log):
            super().__init__(config, log)
            self.stopped = Counter()

        def _split_scope(self, nodeid):
            return unit_of(nodeid)

        def remove_node(self, node):
            work = self.assigned_work.pop(node)
            left = [(unit, nodeid) for unit, tests in work.items() for nodeid, done in tests.items() if not done]
            if not left:
                return None
            unit, running = left[0]
            self.stopped[running] += 1
            work[unit][running] = self.stopped[running] >= TRIES  # done with it: xdist itself would try without end
            self.workqueue.update({unit: tests for unit, tests in work.items() if not all(tests.values())})
            for other in self.assigned_work:
                self._reschedule(other)
            return running

        def _reschedule(self, node):
            if node in self.registered_collections:  # a new process asks again once it knows its tests
                super()._reschedule(node)

    return Pieces(config, log)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem, report, sched):
    """A stopped test that gets another try is no failure yet; the summary names it."""
    if sched.stopped[crashitem] < TRIES:
        report.outcome = "skipped"
        report.longrepr = (crashitem.partition("::")[0], 0, f"{crashitem}: {AGAIN}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What shares something in a row. What a kernel warns of is in its cells' output; what nbval says is not ours."""
    first: dict[str, int] = {}
    place = {item: first.setdefault(unit_of(item.nodeid), i) for i, item in enumerate(items)}
    items.sort(key=place.__getitem__)
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker(pytest.mark.filterwarnings("default"))
