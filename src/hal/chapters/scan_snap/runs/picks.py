"""Which distinct token leads on Syn-Small, by whom Adam trains and at which learning rate; portable Python.

Chapter `scan_snap`. From hal/results/scan_snap/adam_rates.json, read where the loss of a batch is first below 0.01
nats, to which a test holds these numbers; its largest rate, 3.2, stays in the record. Source: ours; see `adam_rates`.
"""

from lib.portable.primitives import Vector, sqrt, zeros
from lib.portable.vectors import part, total

TOKENS = 10  # distinct ones of a class, their probabilities in proportion to 1, 2 and so on to 10
RUNS = 16  # of every setting, one seed each
RATES = [0.01, 0.018, 0.032, 0.056, 0.1, 0.18, 0.32, 0.56, 1.0, 1.8]  # of Adam
# Attention on the most frequent one, in percent of that on distinct tokens: 16 runs for each setting.
LEADS = [
    # gradient descent in both layers
    23.1, 23.0, 22.9, 22.5, 23.0, 22.9, 23.0, 23.1, 23.2, 23.3, 23.0, 23.5, 23.2, 22.8, 22.9, 22.9,
    # Adam in both layers, 0.01
    9.2, 9.2, 9.1, 9.2, 9.2, 9.2, 9.1, 9.2, 9.0, 9.2, 9.2, 9.0, 9.1, 9.2, 9.1, 9.2,
    # Adam in both layers, 0.018
    9.6, 9.6, 9.5, 9.7, 9.5, 9.7, 9.5, 9.6, 9.6, 9.8, 9.7, 9.5, 9.6, 9.7, 9.6, 9.7,
    # Adam in both layers, 0.032
    10.2, 10.2, 10.1, 10.2, 10.3, 10.4, 10.3, 10.2, 10.2, 10.2, 10.4, 10.2, 10.4, 10.5, 10.3, 10.5,
    # Adam in both layers, 0.056
    10.6, 10.0, 10.5, 10.9, 10.3, 10.1, 10.7, 10.2, 10.6, 10.3, 9.7, 10.6, 10.3, 10.3, 10.6, 9.9,
    # Adam in both layers, 0.1
    9.3, 10.6, 9.0, 9.8, 9.8, 9.9, 10.1, 10.3, 9.4, 9.6, 9.5, 10.0, 11.2, 10.2, 11.5, 11.6,
    # Adam in both layers, 0.18
    10.4, 10.1, 7.7, 10.6, 10.4, 9.0, 10.3, 7.4, 9.9, 9.4, 7.6, 10.9, 10.7, 11.2, 12.0, 11.9,
    # Adam in both layers, 0.32
    12.8, 12.1, 7.5, 6.9, 13.5, 8.4, 6.3, 8.3, 11.7, 6.5, 6.6, 9.8, 10.9, 12.6, 7.8, 6.5,
    # Adam in both layers, 0.56
    14.8, 15.1, 15.2, 15.2, 14.9, 15.7, 16.0, 14.3, 14.4, 14.7, 13.8, 12.2, 13.7, 15.5, 14.1, 14.5,
    # Adam in both layers, 1
    18.0, 18.0, 18.0, 18.0, 18.0, 18.1, 18.1, 17.9, 18.0, 18.0, 17.8, 17.9, 18.0, 18.1, 18.0, 17.9,
    # Adam in both layers, 1.8
    18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2,
    # Adam in the decoder, 0.01
    10.4, 10.4, 10.3, 10.4, 10.3, 10.3, 10.3, 10.3, 10.2, 10.4, 10.4, 10.2, 10.3, 10.4, 10.4, 10.4,
    # Adam in the decoder, 0.018
    12.4, 12.4, 12.3, 12.4, 12.4, 12.4, 12.4, 12.3, 12.2, 12.4, 12.4, 12.3, 12.5, 12.4, 12.4, 12.4,
    # Adam in the decoder, 0.032
    14.9, 14.8, 14.8, 15.0, 14.9, 14.9, 14.9, 14.8, 14.7, 14.9, 14.9, 14.8, 15.0, 14.9, 15.0, 14.9,
    # Adam in the decoder, 0.056
    16.8, 16.7, 16.8, 16.9, 16.8, 16.8, 16.8, 16.8, 16.5, 16.8, 16.9, 16.7, 16.8, 16.9, 16.9, 16.8,
    # Adam in the decoder, 0.1
    17.6, 17.5, 17.6, 17.7, 17.6, 17.6, 17.6, 17.6, 17.4, 17.6, 17.6, 17.5, 17.5, 17.6, 17.5, 17.5,
    # Adam in the decoder, 0.18
    17.9, 17.9, 17.9, 18.0, 17.9, 18.0, 17.9, 17.9, 17.9, 17.9, 17.9, 17.8, 17.9, 17.9, 17.8, 17.8,
    # Adam in the decoder, 0.32
    18.1, 18.0, 18.1, 18.1, 18.1, 18.1, 18.1, 18.1, 18.1, 18.1, 18.1, 17.9, 18.0, 18.1, 18.1, 18.0,
    # Adam in the decoder, 0.56
    18.2, 18.1, 18.2, 18.2, 18.1, 18.2, 18.1, 18.2, 18.1, 18.2, 18.2, 18.1, 18.1, 18.1, 18.1, 18.2,
    # Adam in the decoder, 1
    18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2,
    # Adam in the decoder, 1.8
    18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2, 18.2,
    # Adam in attention, 0.01
    21.2, 21.5, 20.9, 20.8, 20.9, 20.5, 20.9, 20.9, 21.2, 21.2, 20.7, 21.0, 20.4, 20.9, 20.1, 20.5,
    # Adam in attention, 0.018
    22.2, 22.4, 21.6, 21.6, 21.9, 21.4, 21.7, 21.6, 22.2, 22.0, 21.3, 21.9, 20.9, 21.7, 20.5, 20.9,
    # Adam in attention, 0.032
    23.0, 22.8, 22.2, 22.4, 23.0, 22.3, 22.5, 22.3, 22.9, 23.1, 21.7, 22.9, 21.6, 22.2, 20.8, 21.2,
    # Adam in attention, 0.056
    23.3, 23.1, 22.8, 23.0, 24.0, 23.0, 22.9, 22.9, 22.6, 24.1, 22.1, 23.3, 22.4, 22.9, 21.6, 21.5,
    # Adam in attention, 0.1
    23.8, 23.2, 23.2, 22.7, 24.5, 23.5, 22.8, 23.3, 22.7, 24.3, 22.4, 23.7, 22.8, 23.6, 22.5, 21.5,
    # Adam in attention, 0.18
    24.2, 23.2, 23.4, 23.3, 24.0, 23.3, 23.1, 23.5, 22.4, 23.9, 22.9, 24.2, 22.8, 24.4, 21.8, 21.9,
    # Adam in attention, 0.32
    25.0, 23.4, 23.5, 23.6, 23.8, 23.9, 23.9, 24.7, 22.8, 24.9, 23.9, 23.2, 22.0, 24.3, 21.2, 22.5,
    # Adam in attention, 0.56
    25.1, 26.8, 24.5, 24.9, 25.1, 24.1, 23.6, 27.4, 24.1, 26.6, 24.4, 23.4, 21.3, 25.8, 20.3, 23.5,
    # Adam in attention, 1
    26.6, 29.4, 26.2, 29.9, 27.1, 22.1, 23.0, 25.5, 27.1, 28.4, 25.9, 23.7, 19.1, 27.7, 19.8, 25.8,
    # Adam in attention, 1.8
    39.9, 34.8, 23.7, 31.5, 37.3, 25.9, 31.6, 41.3, 33.2, 32.4, 33.0, 30.4, 18.3, 40.6, 17.8, 29.3,
]  # fmt: skip
# In how many of the 16 runs each token has the most attention, the rarest first.
WINS = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # gradient descent in both layers
    0, 1, 14, 1, 0, 0, 0, 0, 0, 0,  # Adam in both layers, 0.01
    0, 0, 10, 6, 0, 0, 0, 0, 0, 0,  # Adam in both layers, 0.018
    0, 0, 0, 6, 6, 4, 0, 0, 0, 0,  # Adam in both layers, 0.032
    0, 0, 1, 15, 0, 0, 0, 0, 0, 0,  # Adam in both layers, 0.056
    0, 0, 0, 14, 2, 0, 0, 0, 0, 0,  # Adam in both layers, 0.1
    0, 0, 0, 0, 13, 3, 0, 0, 0, 0,  # Adam in both layers, 0.18
    0, 0, 0, 0, 0, 5, 11, 0, 0, 0,  # Adam in both layers, 0.32
    0, 0, 0, 0, 0, 0, 0, 2, 9, 5,  # Adam in both layers, 0.56
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in both layers, 1
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in both layers, 1.8
    0, 0, 0, 16, 0, 0, 0, 0, 0, 0,  # Adam in the decoder, 0.01
    0, 0, 0, 0, 0, 1, 10, 5, 0, 0,  # Adam in the decoder, 0.018
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 0.032
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 0.056
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 0.1
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 0.18
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 0.32
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 0.56
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 1
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in the decoder, 1.8
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in attention, 0.01
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in attention, 0.018
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in attention, 0.032
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in attention, 0.056
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in attention, 0.1
    0, 0, 0, 0, 0, 0, 0, 0, 0, 16,  # Adam in attention, 0.18
    0, 0, 0, 0, 0, 0, 0, 0, 1, 15,  # Adam in attention, 0.32
    0, 0, 0, 0, 0, 0, 0, 0, 1, 15,  # Adam in attention, 0.56
    0, 0, 0, 0, 0, 0, 0, 0, 2, 14,  # Adam in attention, 1
    0, 0, 0, 0, 0, 0, 0, 0, 4, 12,  # Adam in attention, 1.8
]  # fmt: skip


def row_of(who: int, rate: int) -> int:
    """Which setting of the record this is; without Adam no rate counts.

    Args:
        who: 0 for gradient descent in both layers, 1 for Adam in both, 2 in the decoder, 3 in attention.
        rate: which of the recorded rates.

    Source: the order of the tables above.
    """
    return 0 if who == 0 else 1 + (who - 1) * len(RATES) + rate


def leads(who: int, rate: int) -> Vector:
    """(16,) percent of the attention on distinct tokens that the most frequent one has, run by run.

    Source: the record, see above.
    """
    return part(LEADS, row_of(who, rate) * RUNS, RUNS)


def wins(who: int, rate: int) -> Vector:
    """(10,) number of runs in which each token has the most attention, the rarest first.

    Source: the record, see above.
    """
    found, row = zeros(TOKENS), row_of(who, rate)
    for i in range(TOKENS):
        found[i] = float(WINS[row * TOKENS + i])
    return found


def mean(values: Vector) -> float:
    """The mean of the entries, in their unit. Source: its definition."""
    return total(values) / float(len(values))


def deviation(values: Vector) -> float:
    """The standard deviation of a sample, in its unit, with n - 1 in the denominator. Source: its definition."""
    middle, squares = mean(values), 0.0
    for i in range(len(values)):
        squares += (values[i] - middle) * (values[i] - middle)
    return sqrt(squares / float(len(values) - 1))
