"""Records that an interruption, a full disk or a hand has spoilt: a clear error, nothing lost, no script in a page."""

import copy
import errno
import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hal import results
from hal.chapters import written
from hal.claims.ledger import recorded
from hal.results import path_of
from hal.site.ledger import rows_html
from lib.errors import InputError

HOSTILE = "\"><script>x()</script><img src=x onerror=x()>'"
SLUG = written()[0].slug


class Tags(HTMLParser):
    """The names of all elements, and of all attributes."""

    def __init__(self):
        super().__init__()
        self.seen, self.given = set(), set()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.given |= {name for name, _ in attrs}


def leaves(node, at=()):
    """Where a record holds something that is no list and no object."""
    inside = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    if not isinstance(node, (dict, list)):
        yield at
    for key, value in inside:
        yield from leaves(value, (*at, key))


def spoilt(book, at, value):
    other = copy.deepcopy(book)
    node = other
    for key in at[:-1]:
        node = node[key]
    node[at[-1]] = value
    return other


def test_whatever_stands_in_a_record_it_is_refused_by_the_claim_s_name_or_shown_as_text(tmp_path):
    path, whole = tmp_path / "claims.json", json.loads(path_of(SLUG, "claims").read_text(encoding="utf-8"))
    id, entry = next((id, entry) for id, entry in whole["claims"].items() if entry.get("spread"))
    for side in ("check", "control"):
        entry[side]["parts"] = entry[side]["parts"][:2]  # two are enough
        entry[side]["seeds"] = entry[side]["seeds"][:2]
    kept = {part["name"] for part in entry["check"]["parts"]}
    entry["spread"]["parts"] = {name: three for name, three in entry["spread"]["parts"].items() if name in kept}
    places = [("claims", id, *at) for at in leaves(entry)]
    assert len(places) > 20
    refused = unnamed = shown = 0
    for at in places:
        for value in (HOSTILE, None, [], {}, float("inf"), -1):
            path.write_text(json.dumps(spoilt(whole, at, value)), encoding="utf-8")
            try:
                html = rows_html(SLUG, path, {})
            except InputError as error:
                named = f"expected of claim {id} what `" in str(error)
                refused, unnamed = refused + named, unnamed + (not named)
                continue
            shown += 1
            tags = Tags()
            tags.feed(html)
            assert not tags.seen & {"script", "img"}, at
            assert not [name for name in tags.given if name.startswith("on")], at
    assert unnamed == 0
    assert refused > 50
    assert shown > 10  # another number is a number


@pytest.mark.parametrize("text", ["", "{", '{"claims": {"A-1', "\0\0\0", "not JSON"])
def test_half_a_record_is_named_with_what_makes_it_anew(text, tmp_path):
    path = tmp_path / "claims.json"
    path.write_text(text)
    with pytest.raises(
        InputError, match=r"claims\.json: expected a recorded ledger as JSON \(`python -m hal\.claims` makes it\)"
    ):
        recorded(path)


def test_a_full_disk_leaves_the_old_record_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "claims.json"
    results.write(path, '{"old": 1}')
    real = Path.write_text

    def full(self, text, **options):
        real(self, text[:3], **options)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(OSError, match="No space left"):
        results.write(path, '{"new": 2}')
    assert [one.name for one in tmp_path.iterdir()] == ["claims.json"]
    assert json.loads(path.read_text()) == {"old": 1}
