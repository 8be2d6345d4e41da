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


def test_published_numbers():
    state = generator(0, 0)
    np.testing.assert_allclose([uniform(state) for _ in range(5)], PUBLISHED, rtol=0, atol=1e-15)


def test_draws_are_those_of_the_published_recurrences_in_whole_numbers():
    state = generator(3, 1)
    x, y, (m1, m2) = [int(v) for v in state[:3]], [int(v) for v in state[3:]], (int(M1), int(M2))
    for _ in range(20_000):
        x = [*x[1:], (1403580 * x[1] - 810728 * x[0]) % m1]
        y = [*y[1:], (527612 * y[2] - 1370589 * y[0]) % m2]
        assert uniform(state) == ((x[2] - y[2] - 1) % m1 + 1) * 2.328306549295728e-10
    assert state == [*x, *y]


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


@pytest.mark.parametrize(
    ("make", "message"),
    [(lambda: generator(-1, 0), "seed: expected a whole number from 0"), (lambda: generator(2**31, 0), "seed: expect"),
     (lambda: generator(0, 4), "purpose: expected a"), (lambda: token_table([0.5, 0.4]), "law: .* that sum to 1"),
     (lambda: token_table([1.5, -0.5]), "law: expected probabilities of at least 0")],
)  # fmt: skip
def test_bad_seeds_and_laws_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()
