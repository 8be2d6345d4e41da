"""How pytest spreads the work over the cores (make test), and what the notebooks need beside the tests."""

import pytest

# Files whose tests share something costly, a book, a JupyterLab or a copy of the repository: one worker runs all of
# such a file, as it does the cells of a notebook, which share a kernel. Every other test goes wherever one is free.
TOGETHER = (
    "tests/explorer/test_computed_browser.py",
    "tests/explorer/test_explorer_browser.py",
    "tests/explorer/test_explorer_live.py",
    "tests/site/test_new_chapter.py",
)


def unit_of(nodeid: str) -> str:
    """What is run in one piece by one worker: a notebook, a file of `TOGETHER`, or a single test."""
    file = nodeid.partition("::")[0]
    return file if file in TOGETHER or file.endswith(".ipynb") else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """The scheduler of pytest-xdist, biggest pieces first; its marks for groups do nothing since pytest 9.2."""
    from xdist.scheduler import LoadScopeScheduling

    class Pieces(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return unit_of(nodeid)

    return Pieces(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What a kernel warns of is in the output of its cells; what nbval warns of is not ours."""
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker(pytest.mark.filterwarnings("default"))
