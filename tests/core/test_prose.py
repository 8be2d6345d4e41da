"""Quotations: a sentence that is not there, or has another number, is noticed."""

import pytest

from tests.prose import Prose

says = Prose("scb").says


def test_a_sentence_that_is_not_there_or_has_another_number_is_noticed():
    says("it gains {} nats", 0.25, text="and it gains 0.25 nats")
    for sentence, value in (("it gains {} nats", 0.26), ("it gains {} nats", 0.244), ("it loses {} nats", 0.25)):
        with pytest.raises(AssertionError):
            says(sentence, value, text="and it gains 0.25 nats")
    with pytest.raises(AssertionError):
        says("it loses nothing", text="and it gains 0.25 nats")


@pytest.mark.parametrize(
    ("text", "value", "other"),
    [
        ("−1,234.5", -1234.46, -1234.56), ("12 000", 12000.4, 12000.6), ("3.1\\cdot10^{-5}", 3.12e-5, 3.18e-5),
        ("+0.50", 0.504, 0.506), ("7", 7.4, 7.6),
    ],
)  # fmt: skip
def test_a_number_is_its_value_rounded(text, value, other):
    says("it is {} long", value, text=f"it is {text} long")
    with pytest.raises(AssertionError):
        says("it is {} long", other, text=f"it is {text} long")
