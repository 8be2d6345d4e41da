"""The block's six matrices, and its five parameters; in plain Python.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 3 and equation D.1. The matrices K, Q, P, V, W1, W2,
(d + 1, d + 1) each, stand under one another in W. `block.py` computes the same with arrays.
"""

from dataclasses import dataclass

from lib.models.linear_block.textbook_block import Block
from lib.portable.primitives import Matrix, Vector, zeros
from lib.portable.random_numbers import normals
from lib.portable.vectors import add, dot, fill, fill_rows


@dataclass
class Rows:
    """Room for rows that pass through the matrices, (d + 1,) each."""

    last: Vector  # last row of W2'W1
    read: Vector  # W_P times it
    row: Vector  # a row of (v, c)
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
