"""Tokens that look distinct by chance: the formula counts draws, the record is remade, the figure shows it."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.scan_snap import figures
from hal.chapters.scan_snap.runs import spurious, spurious_text
from lib.errors import InputError


@pytest.fixture(scope="module")
def record():
    return spurious.recorded_tokens()


def test_the_formula_counts_draws_of_unequal_next_tokens():
    """Token by token and sequence by sequence, three next tokens of unequal probability."""
    rng, p, r, n, L = np.random.default_rng(0), np.array([0.5, 0.3, 0.1, 0.05, 0.03, 0.02]), [0.6, 0.3, 0.1], 12, 5
    number, share = [], []
    for _ in range(3000):
        nexts, tokens = rng.choice(3, p=r, size=n), rng.choice(6, p=p, size=(n, L))
        lone = [len(set(nexts[(tokens == token).any(axis=1)])) == 1 for token in range(6)]
        number.append(sum(lone))
        share.append(np.isin(tokens, np.flatnonzero(lone)).mean())
    told = spurious.expected(p, n, L, np.array(r))
    assert np.mean(number) == pytest.approx(told[0], abs=4 * np.std(number) / 3000**0.5)
    assert np.mean(share) == pytest.approx(told[1], abs=4 * np.std(share) / 3000**0.5)


def test_two_equal_next_tokens_need_one_over_two_to_the_sequences():
    """A token of every sequence: 2^{1-n}."""
    assert spurious.expected(np.array([1.0]), 5)[0] == pytest.approx(2.0**-4)


def test_who_looks_distinct_is_common_in_the_language():
    task = spurious.language("a third")
    data = spurious.drawn(task, 20, 3)
    judged = spurious.looks_distinct(data, task)
    assert judged.any()
    assert not judged[spurious.TOKENS :].any()
    for token in np.flatnonzero(judged):
        assert len(set(data.label[0][data.counts[0][:, token] > 0])) == 1
    np.testing.assert_array_equal(data.counts.sum(axis=-1), spurious.LENGTH)
    assert task.P[:, spurious.TOKENS :].sum(axis=1) == pytest.approx(spurious.THIRD)


@pytest.mark.parametrize(("name", "n"), [("nothing", 8), ("a third", 32), ("kjv", 64), ("kjv shuffled", 16)])
def test_a_piece_is_remade(record, name, n):
    again, at = spurious.cell(name, n), spurious.SIZES.index(n)
    for key, values in again.items():
        np.testing.assert_allclose(values, record[name][key][at], atol=2e-3 if key in ("after", "loss") else 1e-6)


def test_the_figure_shows_what_the_record_holds(record):
    left, right = figures.tokens_by_chance().axes
    text = spurious_text.recorded_text()["the", "true"]["after"]
    for ax, shown in ((left, [record[name]["number"] for name in ("nothing", "kjv", "kjv shuffled")]),
                      (right, [*(record[name]["after"] for name in spurious.TRAINED), text])):  # fmt: skip
        lines = [line for line in ax.lines if line.get_marker() == "o"]
        assert len(lines) == len(ax.collections) == len(shown)
        for line, band, runs in zip(lines, ax.collections, shown, strict=True):
            np.testing.assert_allclose(line.get_ydata(), runs.mean(axis=1))
            there = band.get_paths()[0].vertices
            at = list(line.get_xdata()).index(32)
            ends = there[np.isclose(there[:, 0], 32), 1]
            np.testing.assert_allclose([ends.min(), ends.max()], [runs[at].min(), runs[at].max()])
    plt.close("all")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: spurious.trained("nothing", 1, [0]), "sequences: .*at least 2"),
        (lambda: spurious.language("kjv"), "name: .*nothing, a third"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(InputError, match=words):
        make()
