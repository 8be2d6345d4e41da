"""The claims of the linear block, whose chapter is announced: they are recorded, and not in the ledger yet."""

from pathlib import Path

import pytest

from lib.chapters.linear_block.claims import CLAIMS
from lib.claims.ledger import recorded

RECORD = Path(__file__).parents[2] / "results" / "linear_block" / "claims.json"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_check_and_control_come_out_as_recorded(claim):
    check, control = claim.check(), claim.control()
    old, old_control, spread = recorded(RECORD)[claim.id]
    assert check.verdict == old.verdict == claim.verdict
    assert control.good != check.good
    assert old_control.good == control.good
    assert [part.name for part in old.parts] == [part.name for part in check.parts]
    for new, before in zip(check.parts, old.parts, strict=True):
        assert new.agrees(before), f"recorded {before}, now {new}"
    assert (spread is not None) == claim.random
    assert spread is None or (spread.blocks, spread.agree) == (16, 16)


def test_ids_are_numbered_once():
    numbers = [int(claim.id.removeprefix("LTB-")) for claim in CLAIMS]
    assert numbers == sorted(set(numbers))
    assert set(recorded(RECORD)) == {claim.id for claim in CLAIMS}
