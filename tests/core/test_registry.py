"""The registry of chapters: rows that agree with the files, look-ups that say what there is, records by convention."""

import pytest

from hal import claims
from hal.chapters import CHAPTERS, PLACES, chapter, check, records, written
from hal.chapters.atlas.records import grid
from hal.results import path_of
from lib.errors import InputError
from tests.packages import ROOT


def test_every_row_has_its_files():
    check(ROOT)
    assert [row.number for row in CHAPTERS] == list(range(1, len(CHAPTERS) + 1))


def test_a_row_without_its_files_says_which(tmp_path):
    row = chapter("linear_block")
    for place in PLACES[1:]:
        path = tmp_path / place.format(slug="linear_block")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    with pytest.raises(InputError, match=r"chapter linear_block: .* there is no book/linear_block.ipynb$"):
        check(tmp_path, [row])
    (tmp_path / "book" / "linear_block.ipynb").touch()
    check(tmp_path, [row])
    with pytest.raises(InputError, match=r"prefix in the registry: expected another value .* got 'LTB' twice"):
        check(tmp_path, [row, row._replace(slug="two_nn", number=7)])


@pytest.mark.parametrize("row", written(), ids=lambda row: row.slug)
def test_claims_have_the_chapter_s_prefix_and_stand_in_order(row):
    """Numbers of claims that are gone are not given again."""
    prefixes, numbers = zip(*(claim.id.rsplit("-", 1) for claim in claims.of(row.slug)), strict=True)
    assert set(prefixes) == {row.prefix}
    assert [int(one) for one in numbers] == sorted({int(one) for one in numbers})


def test_records_are_found_by_their_modules_and_lie_where_they_belong():
    assert records.names("atlas") == ["grid"]
    assert [
        name for row in written() for name in records.names(row.slug) if not path_of(row.slug, name).is_file()
    ] == []
    with pytest.raises(InputError, match="name: expected a record of atlas: grid, got 'x'"):
        records.make("atlas", "x")
    with pytest.raises(InputError, match="slug: expected one of scb"):
        records.names("nope")


def test_a_record_is_kept_unless_it_is_to_be_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(grid, "record", lambda path, jobs, cache: f"{path.is_file()} with {jobs}")
    path = path_of("atlas", "grid", tmp_path)
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert records.make("atlas", "grid", tmp_path, jobs=2) == f"{path}: True with 2"
    assert records.make("atlas", "grid", tmp_path, jobs=2, anew=True) == f"{path}: False with 2"
