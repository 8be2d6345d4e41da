"""What the small figures of chapter 2 draw, found another way at random settings: the owner of each curve."""

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import joshua, verse, water
from hal.chapters.scan_snap.runs import adam_text
from hal.chapters.scan_snap.runs.text import text_runs
from tests.scan_snap.computed import drawn, recorded_words
from tests.scan_snap.rows import joshua_of
from tests.scan_snap.rows import water as whole_water


@pytest.mark.parametrize("common", [0, 3, 9])
def test_water_speeds(common):
    point = {"t": float(1000 ** np.random.default_rng(common).uniform()), "common": common}
    found = drawn(water, **point)
    there = slice(0 if common else 1, None)
    np.testing.assert_allclose(found["gains.speeds"][there], whole_water(point), rtol=2e-3, atol=2e-3)
    np.testing.assert_array_equal(found["gains.kinds"], [0] + 10 * [1])
    assert (found["gains.speeds"][0] == 0) == (common == 0)


def test_joshua_s_verse_is_the_recorded_one():
    assert [*joshua.SHOWN] == [*adam_text.verse()[0][joshua.FIRST :], "the … ?"]
    for who in range(2):
        found = drawn(joshua, who=who)
        for name, (attention, tells) in (("slow", joshua_of(2 * who)), ("fast", joshua_of(who))):
            np.testing.assert_allclose(found[f"verse.{name}"], [*attention, np.nan], atol=1e-12)
            np.testing.assert_array_equal(found["verse.tells"], [*tells, 1])
    assert all(np.isfinite(one["steps"]).all() for one in recorded_words().values())  # all runs have learned as much


def test_so_many_words_share_the_attention_as_have_the_recorded_entropy():
    for rate, eta in enumerate((0.5, 1.0, 2.0, 5.0)):
        found = drawn(verse, rate=rate)
        for name, text in (("real", "kjv"), ("shuffled", "kjv shuffled")):
            run = text_runs()["runs"][text]
            entropy = run["entropy"][list(run["eta"]).index(eta)].mean(axis=0)
            np.testing.assert_allclose(found[f"texts.{name}"], np.exp(entropy), rtol=6e-5)
            np.testing.assert_array_equal(found["texts.t"], run["steps"])
