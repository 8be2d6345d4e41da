"""The claims of random walks, whose chapter is announced: they are not in the ledger yet."""

import pytest

from lib.chapters.random_walk.claims import CLAIMS

OPPOSITE = {"holds": "fails", "fails": "holds"}


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_check_and_control_come_out_as_stated(claim):
    assert claim.check().verdict == claim.verdict
    assert claim.control().verdict == OPPOSITE[claim.verdict]


def test_ids_are_numbered():
    assert [claim.id for claim in CLAIMS] == [f"RW-{i}" for i in range(1, len(CLAIMS) + 1)]
