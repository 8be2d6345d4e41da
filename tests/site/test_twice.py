"""One commit gives the same bytes: a small book twice, the whole site without a trace of where it was built.

The whole book and its release are compared by `make twice`, which takes minutes.
"""

import shutil

from tests.figure.toy_book import SECOND, build, make_book
from tests.packages import ROOT, script

twice = script("twice")

#: A line at a time, in an order that does not hang on the seed of hashes.
CELL = "for word in ('one', 'two', 'three', 'four', 'five'):\n    print(word, flush=True)"


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
    there = second / "_build" / "html"
    assert list(twice.differences(here, there)) == []
    (there / "more").write_text("")
    assert list(twice.differences(here, there)) == [f"more: only in {there}"]
    assert len(twice.files(here)) > 50


def test_no_file_tells_where_it_was_built(built):
    home = str(ROOT).encode()
    assert [name for name, path in twice.files(built).items() if home in path.read_bytes()] == []
