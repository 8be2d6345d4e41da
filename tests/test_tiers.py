"""The fast tier takes what a change touches and a part of the rest, in turn; a test that hangs is stopped."""

import os
import subprocess

import pytest

from tests.tiers import EVERY, SHARED, TURNS, Case, Choice, chapters_of, choose, fast

FIGURES = [Case(f"tests/figure/test_a.py::test_law[{slug}-{i}]", law=EVERY) for slug in ("scb", "one_nn") for i in "ab"]
CLAIMS = [Case(f"tests/lib/test_b.py::test_claim[SCB-{i}]", law=12) for i in range(30)]
OWN = [Case(f"tests/scb/test_c.py::test_{i}") for i in range(20)]
DEEP = [Case("tests/scb/test_d.py::test_long", deep=True)]
ALL = FIGURES + CLAIMS + OWN + DEEP


def taken(turn, *touched, cases=ALL, slow=()):
    return {
        case.nodeid
        for case, keep in zip(cases, fast(cases, Choice(turn, frozenset(touched), ""), frozenset(slow)), strict=True)
        if keep
    }


def test_every_test_but_the_deep_ones_has_its_turn():
    slow = {case.nodeid for case in OWN[:10]}
    turns = [taken(turn, slow=slow) for turn in range(TURNS)]
    assert set.union(*turns) == {case.nodeid for case in FIGURES + CLAIMS + OWN}
    for cases, every in ((CLAIMS, 12), (OWN[:10], EVERY)):
        counts = [len({case.nodeid for case in cases} & one) for one in turns]
        assert max(counts) - min(counts) <= 1
        assert sum(counts) == len(cases) * TURNS / every


def test_a_touched_chapter_is_taken_whole_but_for_what_has_turns_of_its_own():
    found = taken(0, "scb", slow=[case.nodeid for case in OWN])
    assert {case.nodeid for case in OWN + FIGURES if "scb" in case.nodeid} <= found
    assert DEEP[0].nodeid not in found
    assert {one for one in found if "SCB-" in one} == {one for one in taken(0) if "SCB-" in one}
    for turn in range(EVERY):  # of shared code that changed a case of each chapter
        assert {FIGURES[0].nodeid, FIGURES[2].nodeid} <= taken(turn, SHARED)


@pytest.mark.parametrize(
    ("files", "chapters"),
    [
        (["book/scb.ipynb", "src/hal/results/scan_snap/claims.json"], {"scb", "scan_snap"}),
        (["README.md", "CHANGELOG.md"], set()),
        (["src/lib/optim/base.py", "tests/one_nn/test_model.py"], {SHARED, "one_nn"}),
        (["book/notation.md"], {SHARED}),
        (["src/hal/chapters/scb_extra.py"], {SHARED}),
    ],
)
def test_files_belong_to_the_chapters_in_their_path(files, chapters):
    assert chapters_of(files) == chapters


def repository(folder, *commits):
    """A repository whose commits, hours after the first, change these files."""
    subprocess.run(["git", "init", "-q", folder], check=True)
    for hours, file in commits:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(hours))
        when = f"{1_700_000_000 + hours * 3600} +0000"
        env = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
        name = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        for words in (["add", "."], [*name, "commit", "-q", "-m", "x"]):
            subprocess.run(["git", "-C", folder, *words], check=True, env=env)
    return folder


def test_a_change_is_what_differs_from_the_newest_commit_twelve_hours_older(tmp_path):
    commits = [(0, "src/lib/a.py"), (100, "book/one_nn.ipynb"), (105, "book/scb.ipynb"), (113, "README.md")]
    found = choose(repository(tmp_path, *commits))
    assert found.touched == {"scb"}
    assert found.turn == 4
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "new.py").write_text("")  # not committed yet
    assert choose(tmp_path).touched == {"scb", SHARED}


def test_without_history_the_choice_is_always_the_same_and_says_so(tmp_path, monkeypatch):
    source, clone = repository(tmp_path / "source", (0, "a.md"), (50, "b.md")), tmp_path / "clone"
    subprocess.run(["git", "clone", "-q", "--depth", "1", source.as_uri(), clone], check=True)
    assert choose(clone) == Choice(0, frozenset({SHARED}), "a clone without history: always the same slice")
    monkeypatch.setenv("PATH", "")
    assert choose(source) == Choice(0, frozenset({SHARED}), "no git to ask: always the same slice")
