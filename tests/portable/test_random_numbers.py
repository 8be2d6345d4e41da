"""The generator: the published one to the last bit, and good for what it is used for."""

import numpy as np
import pytest
from scipy import stats

from lib.errors import InputError
from lib.portable import random_numbers, tokens
from lib.portable.primitives import whole_zeros, zeros
from lib.portable.random_numbers import M1, M2, below, generator, normals, uniform
from lib.portable.tokens import draw, draw_tokens, token_table
from tests.portable.engine import bits, literal, page_of

# L'Ecuyer's first numbers from the state (12345, ..., 12345).
PUBLISHED = [0.127011122046577, 0.318527565396794, 0.309186015583270, 0.825846862927114, 0.221629915782023]
UNLIKELY = 1e-5  # seeds are fixed: a p-value below this would be a fault, found every time


def numbers(seed, count, purpose=2):
    state = generator(seed, purpose)
    return np.array([uniform(state) for _ in range(count)])


def test_published_numbers():
    np.testing.assert_allclose(numbers(0, 5, purpose=0), PUBLISHED, rtol=0, atol=1e-15)


def recurrence(row, modulus):
    matrix = np.array([[0, 1, 0], [0, 0, 1], row], dtype=object) % int(modulus)
    return matrix, int(modulus)


def power(matrix, exponent, modulus):
    result = np.eye(3, dtype=int).astype(object)
    while exponent:
        if exponent % 2:
            result = result.dot(matrix) % modulus
        matrix = matrix.dot(matrix) % modulus
        exponent //= 2
    return result


@pytest.mark.parametrize(("seed", "purpose"), [(0, 0), (0, 3), (1, 0), (7, 2), (99, 1), (2**31 - 1, 3)])
def test_streams_are_so_many_draws_apart_by_whole_numbers_of_any_size(seed, purpose):
    moved = (4 * seed + purpose) * 2**127
    expected = []
    for row, modulus in (((-810728, 1403580, 0), M1), ((-1370589, 0, 527612), M2)):
        matrix, modulus = recurrence(row, modulus)
        expected += list(power(matrix, moved, modulus).dot(np.array([12345] * 3, dtype=object)) % modulus)
    assert generator(seed, purpose) == [float(x) for x in expected]


def test_same_bits_in_the_page():
    page = page_of(random_numbers, tokens)
    page.do("""
        const R = portable["lib.portable.random_numbers"], D = portable["lib.portable.tokens"];
        const draws = (seed, law) => {
          const g = R.generator(seed, 1), u = [], z = new Float64Array(51), x = new Int32Array(101);
          for (let i = 0; i < 200; i++) u.push(R.uniform(g), R.below(g, 10), D.draw(g, law));
          R.normals(g, z);
          D.draw_tokens(D.token_table(law), g, x);
          return [u, z, x, g];
        };""")
    law = [0.3, 0.001, 0.599, 0.1]
    for seed in (0, 5, 2**31 - 1):
        g, u, z, x = generator(seed, 1), [], zeros(51), whole_zeros(101)
        for _ in range(200):
            u += [uniform(g), below(g, 10), draw(g, law)]
        normals(g, z)
        draw_tokens(token_table(law), g, x)
        assert bits(page.run(f"draws({seed}, {literal(law)})")) == bits([u, z, x, g])


def test_uniform():
    u = numbers(1, 200_000)
    assert 0 < u.min() < 1e-4 < 1 - 1e-4 < u.max() < 1
    for digits in (u, u * 2**8 % 1, u * 2**16 % 1, u * 2**24 % 1):  # the digits that tokens are made of
        assert stats.chisquare(np.bincount((digits * 256).astype(int), minlength=256)).pvalue > UNLIKELY
    assert stats.kstest(u, "uniform").pvalue > UNLIKELY


def test_no_serial_correlation():
    u = numbers(2, 200_000)
    centred = u - 0.5
    for lag in (*range(1, 40), 256, 273, 607, 1024):
        z = 12 * (centred[lag:] * centred[:-lag]).sum() / np.sqrt(len(u) - lag)
        assert abs(z) < 5, lag
    for lag in (1, 2, 3):
        cells = (u[lag:] * 24).astype(int) * 24 + (u[:-lag] * 24).astype(int)
        assert stats.chisquare(np.bincount(cells[:: lag + 1], minlength=576)).pvalue > UNLIKELY
    triples = (u[: 3 * 66_666].reshape(-1, 3) * 12).astype(int) @ [144, 12, 1]
    assert stats.chisquare(np.bincount(triples, minlength=1728)).pvalue > UNLIKELY


def test_birthday_spacings():
    # Marsaglia's test, which sums of two earlier numbers fail: repeats among spacings are Poisson(512**3 / 4 / 2**24)
    days = np.sort((numbers(3, 400 * 512).reshape(400, 512) * 2**24).astype(int), axis=1)
    spacings = np.sort(np.diff(days, axis=1), axis=1)
    repeats = (np.diff(spacings, axis=1) == 0).sum()
    assert abs(repeats - 400 * 2.0) < 5 * np.sqrt(400 * 2.0)


def test_seeds_and_purposes_are_independent():
    streams = np.array([numbers(seed, 2000, purpose) for seed in range(16) for purpose in range(4)])
    z = np.corrcoef(streams) * np.sqrt(2000)
    assert np.abs(z[~np.eye(64, dtype=bool)]).max() < 5
    # three seeds in a row: a linear relation of their starts would show here
    for a, b, c in zip(streams[::4], streams[4::4], streams[8::4], strict=False):
        for mix in (a - 2 * b + c, a + b - c, a + b + c):
            assert stats.kstest(mix % 1, "uniform").pvalue > UNLIKELY
    assert len(np.unique(streams)) > streams.size - 10


@pytest.mark.parametrize("law", [[0.25] * 4, [0.6, 0.3, 0.07, 0.03], [1 / 12] * 12, [0.9, 0.0, 0.0995, 0.0005]])
def test_tokens_have_the_law_and_are_independent(law):
    x = whole_zeros(200_001)
    draw_tokens(token_table(law), generator(4, 2), x)
    x, law = np.array(x), np.array(law)
    counts = np.bincount(x, minlength=len(law))
    assert (counts[law == 0] == 0).all()
    assert stats.chisquare(counts[law > 0], law[law > 0] * len(x)).pvalue > UNLIKELY
    centred = (x == 0) - law[0]
    for lag in range(1, 13):  # four come of one number
        z = (centred[lag:] * centred[:-lag]).sum() / (law[0] * (1 - law[0])) / np.sqrt(len(x) - lag)
        assert abs(z) < 5, lag


def test_normals():
    z = zeros(50_001)
    normals(generator(6, 2), z)
    z = np.array(z)
    assert stats.kstest(z, "norm").pvalue > UNLIKELY
    for moment, expected, spread in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        assert abs((z**moment).mean() - expected) < 5 * np.sqrt(spread / len(z))
    for lag in (1, 2, 3):
        assert abs((z[lag:] * z[:-lag]).sum()) < 5 * np.sqrt(len(z))


@pytest.mark.parametrize(("seed", "purpose", "name"), [(-1, 0, "seed"), (2**31, 0, "seed"), (0, 4, "purpose")])
def test_bad_seeds_are_refused(seed, purpose, name):
    with pytest.raises(InputError, match=f"{name}: expected a whole number from 0"):
        generator(seed, purpose)


def test_bad_laws_are_refused():
    with pytest.raises(InputError, match="law: expected probabilities that sum to 1"):
        token_table([0.5, 0.4])
    with pytest.raises(InputError, match="law: expected probabilities of at least 0"):
        token_table([1.5, -0.5])
