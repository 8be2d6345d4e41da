"""What pytest runs of all tests (`--tier`, see tests/tiers.py), and what the notebooks need beside them."""

import json
import os
import signal
from collections import defaultdict
from pathlib import Path

import pytest

from tests import tiers

# Where the build left the slow runs of the notebooks, for the same sources (hal.remember): inherited by kernels.
os.environ.setdefault("LIB_REMEMBER", str(Path(__file__).parent / ".cache" / "remembered"))


def pytest_addoption(parser):
    """The options of `make test`."""
    group = parser.getgroup("tiers of this book")
    group.addoption("--tier", choices=["fast", "whole"], default="whole", help="fast: what make test takes")
    group.addoption("--turn", type=int, help=f"fast tier: a number below {tiers.TURNS}, in place of the commit's")
    group.addoption("--touched", help=f"fast tier: chapters to take whole, and {tiers.SHARED}; comma between them")
    group.addoption("--shard", metavar="K/N", help="the K-th of N parts of all files")
    group.addoption("--times", metavar="FILE", help="write the functions that took more than a second")


def pytest_configure(config):
    """A checkout that cannot be written is refused; the fast tier is chosen, once for all workers."""
    if not os.access(config.rootpath, os.W_OK):
        raise pytest.UsageError(f"tests: expected a folder that can be written, got {config.rootpath}")
    given = config.option
    given.why = getattr(given, "why", "as asked")
    if given.tier == "fast" and (given.turn is None or given.touched is None):
        choice = tiers.choose(config.rootpath)
        given.why = choice.why
        given.turn = choice.turn if given.turn is None else given.turn
        given.touched = ",".join(sorted(choice.touched)) if given.touched is None else given.touched
    if unknown := set((given.touched or "").split(",")) - {"", tiers.SHARED, *tiers.SLUGS}:
        raise pytest.UsageError(f"--touched: expected of {', '.join(tiers.SLUGS)}, {tiers.SHARED}, got {unknown}")
    if config.option.times and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Times(Path(config.option.times)))


def pytest_report_header(config):
    """One line: what is chosen, and how to choose it again."""
    given = config.option
    if given.tier == "fast":
        again = f"pytest --tier fast --turn {given.turn} --touched {given.touched or ','}"
        return f"fast tier ({given.why}); again: {again}"
    return None


def pytest_collection_modifyitems(config, items: list[pytest.Item]) -> None:
    """Leaves out what the tier or the shard does not take. What nbval itself warns of is not ours."""
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker(pytest.mark.filterwarnings("default"))
    given = config.option
    taken = [True] * len(items)
    if given.tier == "fast":
        choice = tiers.Choice(given.turn, frozenset(given.touched.split(",")) - {""}, given.why)
        taken = tiers.fast([case_of(item) for item in items], choice, tiers.slow_functions())
    if given.shard:
        part, parts = map(int, given.shard.split("/"))
        of_shard = tiers.shard([item.nodeid for item in items], part, parts)
        taken = [one and other for one, other in zip(taken, of_shard, strict=True)]
    left = [item for item, keep in zip(items, taken, strict=True) if not keep]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item, keep in zip(items, taken, strict=True) if keep]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """A second try of a test that hung has the limit again, which pytest-timeout sets for all tries together."""
    if getattr(item, "execution_count", 1) > 1 and hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, float(item.config.getvalue("timeout") or item.config.getini("timeout")))


def case_of(item: pytest.Item) -> tiers.Case:
    """What the choice looks at."""
    law = item.get_closest_marker("law")
    every = law.kwargs.get("every", tiers.EVERY) if law else 0
    return tiers.Case(item.nodeid, item.get_closest_marker("deep") is not None, every)


class Times:
    """Writes how long the slow functions took, in seconds of their longest case, without what they share."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.longest: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report):
        """Keeps the longest call of each function."""
        function, _, _ = report.nodeid.partition("[")
        if report.when == "call" and ".ipynb" not in function:
            self.longest[function] = max(self.longest[function], report.duration)

    def pytest_sessionfinish(self):
        """Writes the file."""
        slow = {name: round(seconds, 1) for name, seconds in sorted(self.longest.items()) if seconds > 1}
        self.file.write_text(json.dumps(slow, indent=0) + "\n", encoding="utf-8")
