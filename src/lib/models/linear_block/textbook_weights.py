"""The block's six matrices: its output on a prompt as it is written, and its five parameters; in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3 and equation D.1; the switches of residual and mask are
ours. The matrices K, Q, P, V, W1, W2, (d + 1, d + 1) each, stand under one another in W. `block.py` computes the same
with arrays.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.models.linear_block.textbook_block import Block
from lib.portable.primitives import Matrix, Vector, zeros
from lib.portable.random_numbers import normals
from lib.portable.vectors import add, dot, fill, fill_rows


class Switches(NamedTuple):
    """What a block has, 1 each, or has not, 0."""

    residual: int = 1  # the tokens are added to what attention gives
    mlp: int = 1  # without it W2'W1 is the identity
    mask: int = 1  # the query is kept from being a key and a value


@dataclass
class Rows:
    """Room for rows that pass through the matrices, (d + 1,) each."""

    last: Vector  # last row of W2'W1
    read: Vector  # W_P times it
    row: Vector  # a row of (v, c), or a column of tokens
    back: Vector  # W_V times that


def new_rows(d: int) -> Rows:
    """Room for a block of d features."""
    return Rows(zeros(d + 1), zeros(d + 1), zeros(d + 1), zeros(d + 1))


def draw_weights(random: Vector, scale: float, W: Matrix) -> None:
    """Normal entries of this deviation."""
    for r in range(len(W)):
        normals(random, W[r])
        for j in range(len(W[r])):
            W[r][j] *= scale


def add_identities(W: Matrix) -> None:
    """Add 0.3 on features (K, Q), 0.3 (P), 0.3 on the label (V), and 1 (W1, W2): near identity."""
    n = len(W[0])
    for i in range(n):
        W[2 * n + i][i] += 0.3
        W[4 * n + i][i] += 1.0
        W[5 * n + i][i] += 1.0
    for i in range(n - 1):
        W[i][i] += 0.3
        W[n + i][i] += 0.3
    W[4 * n - 1][n - 1] += 0.3


def weights_of(block: Block, W: Matrix) -> None:
    """Matrices that have these parameters: keys as they are, one row for values and MLP."""
    d = len(block.v)
    n = d + 1
    fill_rows(W, 0.0)
    for i in range(d):
        W[n + d][i] = block.q[i]
        W[3 * n][i] = block.v[i]
        W[4 * n][i] = block.alpha[i]
        for j in range(d):
            W[n + j][i] = block.Q[j][i]
    for i in range(n):
        W[i][i] = 1.0
    W[2 * n][d] = 1.0
    W[3 * n][d] = block.c
    W[4 * n][d] = 1.0
    W[5 * n][d] = 1.0


def output(W: Matrix, switches: Switches, tokens: Matrix, rows: Rows) -> float:
    """The block as it is written: the entry of its output that is read.

    Args:
        W: (6 (d + 1), d + 1) the matrices.
        switches: what the block has.
        tokens: (M + 1, d + 1) the examples (x_i, y_i), and the query (x, 0) last.
        rows: room.
    """
    n, M = len(W[0]), len(tokens) - 1
    key, mixed, out = rows.read, rows.row, rows.last
    fill(key, 0.0)
    for a in range(n):
        add(key, dot(W[n + a], tokens[M]), W[a])  # W_K'W_Q e, of the query e
    fill(mixed, 0.0)
    for i in range(M + 1 if switches.mask == 0 else M):
        add(mixed, dot(tokens[i], key), tokens[i])  # and E, its mask and E' in front of it
    fill(out, 0.0)
    for a in range(n):
        add(out, dot(W[3 * n + a], mixed) / float(M), W[2 * n + a])
    if switches.residual == 1:
        add(out, 1.0, tokens[M])
    if switches.mlp == 0:
        return out[n - 1]
    found = 0.0
    for a in range(n):
        found += W[5 * n + a][n - 1] * dot(W[4 * n + a], out)
    return found


def reduce(W: Matrix, mlp: int, rows: Rows, block: Block) -> None:
    """What the output makes of the matrices, alpha, v, c, Q, q, with the MLP (1) or without (0)."""
    d, last, read = len(block.v), rows.last, rows.read
    n = d + 1
    fill(last, 0.0)
    if mlp == 1:
        for a in range(n):
            add(last, W[5 * n + a][d], W[4 * n + a])
    else:
        last[d] = 1.0
    fill(rows.row, 0.0)
    for a in range(n):
        read[a] = dot(W[2 * n + a], last)
        add(rows.row, read[a], W[3 * n + a])
    block.c = rows.row[d]
    for i in range(d):
        block.alpha[i] = last[i]
        block.v[i] = rows.row[i]
        fill(block.Q[i], 0.0)
        for a in range(n):
            add(block.Q[i], W[a][i], W[n + a])
    fill(block.q, 0.0)
    for a in range(n):
        add(block.q, W[a][d], W[n + a])


def pull_back(W: Matrix, mlp: int, gradient: Block, rows: Rows, slope: Matrix) -> None:
    """The gradient in the matrices from that in the block's parameters; `rows` as `reduce` left them."""
    d = len(gradient.v)
    n = d + 1
    fill_rows(slope, 0.0)
    for i in range(d):
        rows.row[i] = gradient.v[i]
    rows.row[d] = gradient.c
    for a in range(n):
        rows.back[a] = dot(W[3 * n + a], rows.row)
        add(slope[2 * n + a], rows.back[a], rows.last)
        add(slope[3 * n + a], rows.read[a], rows.row)
        for i in range(d):
            slope[a][i] = dot(gradient.Q[i], W[n + a])
            add_features(slope[n + a], W[a][i], gradient.Q[i])
        slope[a][d] = dot(gradient.q, W[n + a])
        add_features(slope[n + a], W[a][d], gradient.q)
    if mlp == 1:
        fill(rows.row, 0.0)
        for a in range(n):
            add(rows.row, rows.back[a], W[2 * n + a])
        add_features(rows.row, 1.0, gradient.alpha)
        for a in range(n):
            add(slope[4 * n + a], W[5 * n + a][d], rows.row)
            slope[5 * n + a][d] = dot(W[4 * n + a], rows.row)


def add_features(values: Vector, factor: float, features: Vector) -> None:
    """Add factor times the features to the first entries."""
    for i in range(len(features)):
        values[i] += factor * features[i]
