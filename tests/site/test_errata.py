"""Errata that nothing sidesteps: the record of statements against the history of the repository, and their page."""

import inspect
import json
import os
import subprocess

import pytest

from hal import claims
from hal.chapters import written
from hal.claims import errata, history
from hal.claims.errata import Change, Words, digest
from hal.claims.ledger import note, statements
from hal.results import path_of
from hal.site.sections import listed
from lib.errors import InputError
from tests.packages import ROOT


@pytest.fixture(scope="module")
def past():
    """What all commits stated; in a clone without them the tests are skipped, or fail when REQUIRE_HISTORY=1."""
    if why := history.unreadable(ROOT):
        say = pytest.fail if os.environ.get("REQUIRE_HISTORY") == "1" else pytest.skip
        say(why)
    return history.past(ROOT)


@pytest.fixture(scope="module")
def book():
    """Digests and entries of all chapters."""
    records = [statements(path_of(row.slug, "claims")) for row in written()]
    changes = [change for row in written() for change in errata.changes(row.slug)]
    return {id: digests for record in records for id, digests in record.items()}, changes


def test_no_statement_of_a_commit_is_lost(past, book):
    assert history.lost(past, *book) == []
    assert {one.id for one in claims.all()} <= set(past.said)
    assert {one.id for one in claims.all()} <= {id for id, _ in past.noted}


def test_a_change_of_words_changes_nothing_else(past, book):
    assert history.more_than_words(ROOT, past, *book) == []
    told = {change.claim for change in book[1] if change.kind == "wording"}
    assert {"SCB-9", "SNAP-14"} <= told  # so that something was compared


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_the_words_of_every_claim_can_be_read_from_its_source(slug):
    """Words that a module computes, or that it takes from another one, would be in no commit."""
    modules = {inspect.getmodule(one.function) for one in claims.of(slug)}
    read = {id: words for module in modules for id, words in history.stated(inspect.getsource(module)).items()}
    assert read == {one.id: Words(one.says, one.verdict, one.regime) for one in claims.of(slug)}


def test_words_are_read_without_running_them():
    source = """
_N, _ERRORS = 12, 4.0
from elsewhere import NAME
@claim("X-1", where="here", says=(f"In {_N} runs " f"within {_ERRORS:g}."), control={}, verdict="fails", regime="not")
def _check(): ...
@claim("X-2", where="here", says=f"With {NAME}.")
def _check(): ...
@claim("X-3", where="here", says="It is %s." % boom())
def _check(): ...
@claims.other("X-4", says="No claim.")
def _check(): ...
"""
    assert history.stated(source) == {"X-1": Words("In 12 runs within 4.", "fails", "not")}
    assert history.stated("<<<<<<< a slip") == {}


def test_numbers_of_words_and_formulas():
    assert history.numbers(r"At $M=10\,000$ within 0.5 % of $t^{-1/3}$, in 3 runs.") == ["10000", "0.5", "1", "3", "3"]


OLD, NEW = "In 3 of 4 runs.", "Of 4 runs 3 do."


class Toy:
    """A repository with one claim, whose files are written and committed by hand."""

    def __init__(self, root):
        self.root = root
        self.git("init", "-q")
        self.write("claims/errata.py", "")

    def git(self, *arguments):
        who = ("-c", "user.name=toy", "-c", "user.email=toy@toy")
        return subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, capture_output=True, text=True)

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def state(self, says, noted, *, verdict="holds", regime="", expected=1.0, tolerance=0.1, kind="relative", parts=1):
        """Write source and record, and return the statement's digest."""
        words = Words(says, verdict, regime)
        given = ", ".join(f"{name}={value!r}" for name, value in words._asdict().items())
        self.write("chapters/x/claims/one.py", f'@claim("X-1", where="here", {given})\ndef _check(): ...\n')
        part = {"name": says, "measured": 1.01, "expected": expected, "tolerance": tolerance, "kind": kind}
        entry = {"check": {"verdict": verdict, "parts": [part] * parts, "seeds": [], "regime": regime}}
        self.noted = {"X-1": noted.format(old=digest(Words(OLD, "holds", "")), new=digest(words))}
        self.write("results/x/claims.json", json.dumps({"statements": self.noted, "claims": {"X-1": entry}}))
        return digest(words)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-qm", "a commit")

    def lost(self, *told):
        return history.lost(history.past(self.root), self.noted, told)

    def hidden(self, new):
        history._recorded.cache_clear()
        told = [Change("X-1", "2026-01-02", "Words.", new, "wording")]
        return history.more_than_words(self.root, history.past(self.root), self.noted, told)


@pytest.fixture
def toy(tmp_path):
    made = Toy(tmp_path)
    made.old = made.state(OLD, "{old}")
    made.commit()
    return made


def test_a_record_that_grows_loses_nothing(toy):
    new = toy.state(NEW, "{old} {new}")
    assert toy.lost() == []  # not yet committed
    toy.commit()
    assert toy.lost() == toy.hidden(new) == []


def test_what_is_overwritten_is_found(toy):
    new = toy.state(NEW, "{new}")
    toy.commit()
    states, noted = toy.lost()
    assert states.startswith("X-1: commit ")
    assert states.endswith(
        f"states {OLD!r}, {toy.old}, which the record does not have ({new}); "
        "put it there in its order and tell it in errata.json"
    )
    assert noted.endswith(f"has noted {toy.old}, the record now {new}: put back what is gone")


def test_what_was_never_noted_is_found_also_in_the_working_tree(toy):
    toy.state("Noted by nobody.", "{old}")
    assert toy.lost()[0].startswith("X-1: the working tree states 'Noted by nobody.', ")
    toy.commit()
    toy.state(NEW, "{old} {new}")
    toy.commit()
    assert [line.split("'")[1] for line in toy.lost()] == ["Noted by nobody."]


def test_another_order_a_claim_that_is_gone_and_an_entry_that_is_gone_are_found(toy):
    entry = {"claim": "X-1", "date": "2026-01-02", "what": "It."}
    toy.write("chapters/x/errata.json", json.dumps([entry]))
    new = toy.state(NEW, "{old} {new}")
    toy.commit()
    toy.write("chapters/x/errata.json", "[]")
    assert [line.split(": ", 1)[1][15:] for line in toy.lost()] == [
        " has an entry of 2026-01-02 in errata.json, which is gone: put it back"
    ]
    told = Change(**entry)
    assert toy.lost(told) == []
    toy.noted = {"X-1": f"{new} {toy.old}"}
    assert [line.endswith(f"the record now {new} {toy.old}: put back what is gone") for line in toy.lost(told)] == [
        True
    ]
    toy.noted = {}
    assert len(toy.lost(told)) == 4  # two statements, and two records that noted them
    assert "(no such claim)" in toy.lost(told)[0]


@pytest.mark.parametrize("committed", [True, False])
@pytest.mark.parametrize(
    ("says", "more", "hidden"),
    [
        (NEW, {}, None),
        (NEW.replace("3", "2"), {}, "its numbers changed from '3 4' to '2 4'"),
        (NEW, {"verdict": "fails"}, "its verdict changed from 'holds' to 'fails'"),
        (NEW, {"regime": "Early."}, "its regime changed from '' to 'Early.'"),
        (NEW, {"expected": 1.001}, "“In 3 of 4 runs.: 1.01 (expected 1 ± 10 %)” became"),
        (NEW, {"tolerance": 0.2}, "(expected 1 ± 20 %)”"),
        (NEW, {"kind": "at most"}, "(expected at most 1 ± 0.1)”"),
        (NEW, {"parts": 2}, "its record has 2 parts in place of 1"),
    ],
)
def test_what_wording_hides_is_found(toy, says, more, hidden, committed):
    new = toy.state(says, "{old} {new}", **more)
    if committed:
        toy.commit()
        toy.write("later", "")
        toy.commit()
    found = toy.hidden(new)
    if hidden is None:
        assert found == []
    else:
        assert len(found) == 1
        assert found[0].startswith(f"X-1: {new} is told as wording, but ")
        assert hidden in found[0]


def test_words_that_are_in_no_commit_cannot_be_compared(toy):
    toy.state(NEW, "{old} {new}")
    toy.noted = {"X-1": f"{toy.old} 01234567"}
    assert toy.hidden("01234567") == ["X-1: 01234567 is told as wording, but the words of 01234567 are in no commit"]


def test_where_the_history_cannot_be_read(toy, tmp_path_factory, monkeypatch):
    assert history.unreadable(toy.root) == ""
    toy.state(NEW, "{old} {new}")
    toy.commit()
    shallow, empty = tmp_path_factory.mktemp("shallow"), tmp_path_factory.mktemp("empty")
    toy.git("clone", "-q", "--depth", "1", toy.root.as_uri(), str(shallow))
    assert "shallow and cannot look at earlier commits; `git fetch --unshallow`" in history.unreadable(shallow)
    assert history.unreadable(empty) == f"{empty} is no clone of the repository, or has no commit"
    assert history.unreadable(toy.root / "claims").endswith("is a folder of another repository")
    monkeypatch.setenv("PATH", "")
    assert history.unreadable(toy.root) == "git is not installed"


@pytest.fixture
def entries(tmp_path, monkeypatch):
    """Writes the entries of a chapter x, and returns them as they are read."""
    monkeypatch.setattr(errata.chapters, "__file__", str(tmp_path / "__init__.py"))
    (tmp_path / "x").mkdir()

    def read(*given):
        entry = {"claim": "X-1", "date": "2026-01-02", "what": "It."}
        (tmp_path / "x" / "errata.json").write_text(json.dumps([entry | one for one in given]))
        return errata.changes("x")

    return read


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_every_change_of_a_statement_is_told(slug):
    assert errata.untold(slug, claims.of(slug), statements(path_of(slug, "claims"))) == []


def test_another_statement_must_be_told(tmp_path, entries):
    claim = claims.all()[0]
    record = tmp_path / "claims.json"
    record.write_text(json.dumps({"claims": {}}))

    def untold(now):
        return errata.untold("x", [now], statements(record))

    assert untold(claim)[0].startswith(f"{claim.id}: its statement is not in the record")
    note([claim], record)
    note([claim], record)
    assert untold(claim) == []
    other = type(claim)(**{**vars(claim), "says": "Something else."})
    assert untold(other)[0].startswith(f"{claim.id}: its statement is not in the record")
    note([other], record)
    new = errata.digest(other)
    assert untold(other) == [f"{claim.id}: say in errata.json what changed, with statement {new}"]
    entries({"claim": claim.id, "statement": new})
    assert untold(other) == []
    entries({"claim": "X-0", "statement": new})
    assert untold(claim)[0] == "X-0: told, but there is no such claim"


def test_entries_that_cannot_be_checked_are_refused(entries):
    with pytest.raises(InputError, match="kind of X-1 in errata: expected one of statement, wording, got 'words'"):
        entries({"kind": "words"})
    with pytest.raises(
        InputError, match="statement of X-1 in errata: expected the digest of the new wording, got none"
    ):
        entries({"kind": "wording"})
    with pytest.raises(InputError, match="errata: expected entries of claim, date, what, statement, kind, got "):
        entries({"what": ""})
    with pytest.raises(InputError, match="errata: expected entries of "):
        entries({"why": "Because."})


def test_an_entry_names_a_statement_that_there_is(entries):
    claim = claims.all()[0]
    entries({"claim": claim.id, "statement": f"01234567 {digest(claim)}"})
    known = {claim.id: f"76543210 01234567 {digest(claim)}"}
    assert errata.untold("x", [claim], known) == []  # one entry for two steps
    entries({"claim": claim.id, "statement": f"01234567 {digest(claim)}"}, {"claim": claim.id, "statement": "76543210"})
    assert errata.untold("x", [claim], known) == [
        f"{claim.id}: told with statement 76543210, which is none of those that changed: 01234567 {digest(claim)}"
    ]


def test_changes_of_words_are_folded():
    stated = Change("X-1", "2026-01-02", "Weaker.")
    words = [Change(f"X-{i}", "2026-01-03", "Terms.", "01234567", "wording") for i in (2, 3)]
    assert listed([]) == "No statement has changed."
    assert listed([stated]) == "* X-1, 2026-01-02: Weaker."
    assert listed([*words, stated]).splitlines() == [
        "* X-1, 2026-01-02: Weaker.",
        "",
        '<details class="lib-more"><summary>2 changes of words alone</summary>',
        "",
        "* X-2, X-3, 2026-01-03: Terms.",
        "",
        "</details>",
    ]
    assert listed(words[:1]).startswith("No statement has changed, its words aside.\n")
    assert "<summary>1 change of" in listed(words[:1])
