"""Tokens by the million: four of one random number, through a table, and still with exactly the law asked for."""

from dataclasses import dataclass

from lib.errors import require
from lib.portable.primitives import Vector, Wholes, floor, floored, whole_zeros, zeros
from lib.portable.random_numbers import uniform

CELLS = 256  # cells of [0, 1): a random number of 32 bits tells four of them


@dataclass
class TokenTable:
    """A law on N tokens, made ready for drawing."""

    cells: Wholes  # (256,) the token of each cell, or -1 - n where n is only the first of several
    edges: Vector  # (N,) cumulative law


def token_table(law: Vector) -> TokenTable:
    """The table of a law, (N,) probabilities that sum to 1."""
    count = len(law)
    edges = zeros(count)
    total = 0.0
    for n in range(count):
        require(law[n] >= 0.0, "law", "probabilities of at least 0", law[n])
        total += law[n]
        edges[n] = total
    require(abs(total - 1.0) < 1e-9, "law", "probabilities that sum to 1", total)
    edges[count - 1] = 1.0
    cells = whole_zeros(CELLS)
    token = 0
    for i in range(CELLS):
        while edges[token] <= float(i) / float(CELLS):
            token += 1
        cells[i] = token if edges[token] >= float(i + 1) / float(CELLS) else -1 - token
    return TokenTable(cells, edges)


def draw_tokens(table: TokenTable, state: Vector, tokens: Wholes) -> None:
    """Fill an array (T,) with independent tokens of a law; the generator `state` moves on."""
    cells = table.cells
    count = len(tokens)
    t = 0
    while t < count:
        u = uniform(state)
        stop = min(count, t + 4)
        while t < stop:
            u = u * 256.0
            n, cell = cells[floor(u)], floored(u)
            u -= cell
            tokens[t] = n if n >= 0 else _within(table.edges, state, cell, -1 - n)
            t += 1


def _within(edges: Vector, state: Vector, cell: float, first_token: int) -> int:
    """The token at a random place within a cell that several tokens share."""
    place = (cell + uniform(state)) / float(CELLS)
    n = first_token
    while edges[n] <= place:
        n += 1
    return n


def draw(state: Vector, law: Vector) -> int:
    """One number drawn from a law (N,), by adding up its probabilities."""
    u = uniform(state)
    last = len(law) - 1
    n = 0
    while n < last and u >= law[n]:
        u -= law[n]
        n += 1
    return n
