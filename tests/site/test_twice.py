"""One commit gives the same bytes: a small book twice, the whole site without a trace of where it was built.

The whole book and its release are compared by `make twice`, which takes minutes.
"""

import shutil

import pytest

from tests.figure.toy_book import SECOND, build, make_book
from tests.packages import ROOT, script

twice = script("twice")

#: A line at a time, in an order that does not hang on the seed of hashes.
CELL = "for word in ('one', 'two', 'three', 'four', 'five'):\n    print(word, flush=True)"


@pytest.fixture
def trees(tmp_path):
    """Two folders of one file each, the same."""
    for name in ("a", "b"):
        (tmp_path / name / "sub").mkdir(parents=True)
        (tmp_path / name / "sub" / "page.html").write_bytes(b"<p>one</p>")
    return tmp_path / "a", tmp_path / "b"


def test_a_file_too_few_or_too_many_is_found(trees):
    (trees[0] / "more").write_text("")
    (trees[1] / "sub" / "page.html").write_bytes(b"<p>one</p>\n")
    assert list(twice.differences(*trees)) == [
        f"more: only in {trees[0]}",
        "sub/page.html: differs at byte 10: b'<p>one</p>' and b'<p>one</p>\\n'",
    ]


def test_a_small_book_is_the_same_elsewhere(tmp_path, monkeypatch):
    first, second = tmp_path / "one", tmp_path / "zwei, anders benännt"
    first.mkdir()
    monkeypatch.setenv("PYTHONHASHSEED", "1")
    here = make_book(first, toy=[SECOND, CELL])
    shutil.copytree(first, second, ignore=shutil.ignore_patterns("_build"))  # a notebook has ids of its own
    for name, value in {"PYTHONHASHSEED": "2", "TZ": "Pacific/Honolulu", "LC_ALL": "C"}.items():
        monkeypatch.setenv(name, value)
    build(second)
    (here / "favicon.ico").unlink()
    assert list(twice.differences(here, second / "_build" / "html")) == []
    assert len(twice.files(here)) > 50


def test_no_file_tells_where_it_was_built(built):
    home = str(ROOT).encode()
    assert [name for name, path in twice.files(built).items() if home in path.read_bytes()] == []
