"""Calls that are refused: a table of them is a test."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from lib.errors import InputError

Refused = tuple[Callable[[], Any], str]


def refused(table: Sequence[Refused] | Mapping[str, Refused]) -> Callable[..., None]:
    """A test that each call raises an InputError whose text begins so; a name alone stands for "NAME: expected"."""
    named = isinstance(table, Mapping)

    @pytest.mark.parametrize(
        ("call", "message"), table.values() if named else table, ids=list(table) if named else None
    )
    def test(call: Callable[[], Any], message: str) -> None:
        begins = f"{message}: expected" if re.fullmatch(r"\w+", message) else message
        with pytest.raises(InputError, match=f"^{begins}"):
            call()

    return test
