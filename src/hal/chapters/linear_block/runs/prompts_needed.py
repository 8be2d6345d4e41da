"""What training on n prompts costs, of start and step and of the block, task by task; portable Python.

Chapter `linear_block`. From hal/results/linear_block/end_to_end.json (sixteen seeds), to which a test holds these
numbers. Source: ours; see `end_to_end`. The rows: five numbers of features d with M = 20; four of examples M with
d = 4; and, of the block alone, four of rows of its six matrices, with d = 4 and M = 20. Elsewhere it has d + 1 rows.
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, nan, zeros
from lib.portable.vectors import part

FEATURES = [2, 3, 4, 6, 8]
EXAMPLES = [5, 10, 20, 40, 80]
ROWS = [3, 4, 10, 20]
COUNTS = 7  # numbers of prompts
# Squared labels, risk above the best one; for each row the quartiles, the median the second.
STEP = [
    # d = 2, M = 20
    0.692, 0.1754, 0.1054, 0.04318, 0.02446, 0.01597, 0.003883,
    1.756, 0.2329, 0.1575, 0.05783, 0.03884, 0.02351, 0.008049,
    2.445, 0.5552, 0.2302, 0.1101, 0.04899, 0.03711, 0.01314,
    # d = 3, M = 20
    1.228, 0.3301, 0.1137, 0.07991, 0.03769, 0.01833, 0.008298,
    1.498, 0.494, 0.1814, 0.1135, 0.04253, 0.02773, 0.01005,
    1.925, 0.7257, 0.4129, 0.1328, 0.0491, 0.03105, 0.01331,
    # d = 4, M = 20
    1.955, 0.58, 0.2106, 0.09104, 0.04171, 0.02338, 0.01164,
    2.308, 0.6623, 0.2686, 0.1373, 0.05823, 0.02529, 0.01617,
    2.721, 0.878, 0.3181, 0.1535, 0.07662, 0.03223, 0.02053,
    # d = 6, M = 20
    2.471, 0.7961, 0.3911, 0.1785, 0.08224, 0.03898, 0.01984,
    3.373, 1.009, 0.4383, 0.2231, 0.08892, 0.04605, 0.02078,
    5.394, 1.3, 0.5109, 0.2533, 0.1095, 0.0538, 0.0258,
    # d = 8, M = 20
    4.178, 1.244, 0.5106, 0.2455, 0.1253, 0.05575, 0.02595,
    4.658, 1.401, 0.5626, 0.2619, 0.1345, 0.0616, 0.03139,
    5.868, 1.508, 0.6335, 0.3156, 0.1446, 0.06525, 0.03319,
    # d = 4, M = 5
    4.691, 1.443, 0.5049, 0.2215, 0.1063, 0.05006, 0.02301,
    6.172, 1.755, 0.7982, 0.2482, 0.1203, 0.06875, 0.02704,
    10.51, 2.306, 0.8785, 0.3716, 0.1421, 0.08841, 0.03329,
    # d = 4, M = 10
    3.103, 0.9862, 0.3726, 0.1499, 0.06882, 0.03609, 0.01726,
    4.438, 1.181, 0.4954, 0.1799, 0.07896, 0.03894, 0.02586,
    5.988, 1.439, 0.5592, 0.1943, 0.09216, 0.04368, 0.02785,
    # d = 4, M = 40
    1.053, 0.3485, 0.1391, 0.07424, 0.03002, 0.01654, 0.007468,
    1.184, 0.4668, 0.1531, 0.09158, 0.03524, 0.02205, 0.009081,
    1.848, 0.5322, 0.1784, 0.1082, 0.03906, 0.02406, 0.0106,
    # d = 4, M = 80
    0.6618, 0.2728, 0.07889, 0.04551, 0.01987, 0.009459, 0.004905,
    0.8217, 0.3117, 0.1171, 0.05674, 0.02612, 0.01145, 0.005364,
    1.135, 0.3878, 0.1635, 0.06494, 0.03075, 0.01455, 0.007974,
]  # fmt: skip
BLOCK = [
    # d = 2, M = 20, 3 rows
    5.173, 0.6258, 0.2355, 0.06197, 0.05144, 0.02288, 0.006672,
    8.598, 1.052, 0.2863, 0.1157, 0.06528, 0.03034, 0.01555,
    12.99, 1.324, 0.3496, 0.186, 0.07308, 0.04678, 0.02177,
    # d = 3, M = 20, 4 rows
    4.238, 0.7327, 0.2221, 0.1211, 0.05538, 0.02984, 0.01382,
    6.196, 1.046, 0.339, 0.1711, 0.06757, 0.03402, 0.0171,
    9.926, 1.987, 0.474, 0.2045, 0.09072, 0.04647, 0.01913,
    # d = 4, M = 20, 5 rows
    4.698, 0.8891, 0.2983, 0.1493, 0.07276, 0.02862, 0.01795,
    8.621, 1.176, 0.3833, 0.1735, 0.08307, 0.03621, 0.0239,
    15.92, 1.67, 0.4386, 0.2298, 0.09559, 0.0412, 0.0271,
    # d = 6, M = 20, 7 rows
    8.889, 1.091, 0.5649, 0.2372, 0.1104, 0.05003, 0.02433,
    9.932, 1.243, 0.5937, 0.2744, 0.1152, 0.05867, 0.02755,
    13.2, 1.665, 0.6546, 0.3025, 0.1281, 0.06543, 0.03266,
    # d = 8, M = 20, 9 rows
    8.698, 1.649, 0.6209, 0.3029, 0.1551, 0.06874, 0.03394,
    11.55, 1.78, 0.722, 0.3296, 0.1645, 0.07306, 0.03793,
    14.64, 2.055, 0.7737, 0.3703, 0.1696, 0.07709, 0.0428,
    # d = 4, M = 5, 5 rows
    14.02, 3.167, 0.7847, 0.3368, 0.1633, 0.09088, 0.03127,
    18.87, 3.647, 1.163, 0.3861, 0.181, 0.1026, 0.03367,
    24.67, 5.539, 1.364, 0.5065, 0.195, 0.1191, 0.04987,
    # d = 4, M = 10, 5 rows
    7.882, 1.505, 0.5929, 0.209, 0.09763, 0.04992, 0.03033,
    12.72, 2.468, 0.7102, 0.2702, 0.1128, 0.06055, 0.03588,
    18.62, 3.421, 0.9226, 0.3306, 0.1521, 0.06918, 0.03885,
    # d = 4, M = 40, 5 rows
    2.072, 0.5476, 0.1777, 0.1015, 0.04369, 0.02323, 0.01068,
    3.202, 0.6856, 0.2009, 0.1155, 0.05044, 0.02875, 0.01225,
    5.676, 0.7939, 0.2362, 0.1487, 0.05423, 0.03182, 0.01492,
    # d = 4, M = 80, 5 rows
    2.805, 0.3689, 0.1159, 0.05692, 0.02996, 0.01282, 0.00682,
    3.51, 0.4768, 0.1557, 0.06831, 0.03494, 0.01421, 0.007569,
    4.694, 0.5942, 0.1739, 0.07917, 0.04228, 0.02026, 0.00985,
    # d = 4, M = 20, 3 rows
    5.845, 1.931, 1.202, 0.9828, 0.8764, 0.8308, 0.8126,
    7.977, 2.33, 1.305, 1.036, 0.89, 0.8415, 0.8152,
    9.928, 3.209, 1.438, 1.092, 0.9136, 0.8515, 0.8296,
    # d = 4, M = 20, 4 rows
    4.723, 0.9593, 0.2983, 0.1493, 0.07276, 0.02862, 0.01795,
    8.133, 1.223, 0.3833, 0.1735, 0.08307, 0.03621, 0.0239,
    12.97, 1.67, 0.4386, 0.2298, 0.09559, 0.0412, 0.0271,
    # d = 4, M = 20, 10 rows
    5.444, 0.8891, 0.2983, 0.1493, 0.07276, 0.02862, 0.01795,
    7.659, 1.142, 0.3833, 0.1735, 0.08307, 0.03621, 0.0239,
    11.1, 1.468, 0.4386, 0.2298, 0.09559, 0.0412, 0.0271,
    # d = 4, M = 20, 20 rows
    4.698, 0.8891, 0.2983, 0.1493, 0.07276, 0.02862, 0.01795,
    7.143, 1.142, 0.3833, 0.1735, 0.08307, 0.03621, 0.0239,
    12.89, 1.468, 0.4386, 0.2298, 0.09559, 0.0412, 0.0271,
]  # fmt: skip


def prompts_of(d: int) -> Vector:
    """(7,) the numbers of prompts: 2, 4, ... 128 times d^2 + d.

    Source: the record, see above.
    """
    n, times = zeros(COUNTS), float(d * d + d)
    for k in range(COUNTS):
        times *= 2.0
        n[k] = times
    return n


def row_of(size: int, other: int) -> int:
    """Which row: of a number of features; with four of them, also of examples, or from `other` 5 on of rows.

    Args:
        size: which of `FEATURES`.
        other: which of `EXAMPLES`, then of `ROWS`; without effect where there are not four features.

    Source: the record, see above.
    """
    if size != 2 or other == 2:
        return size
    return 5 + other if other < 2 else 4 + other


def of_step(row: int, quartile: int) -> Vector:
    """(7,) risk above the best of start and step with the least squared error on the prompts, squared labels.

    Args:
        row: which of the rows; those of the block alone have the task of row 2.
        quartile: 0, 1 or 2, which is the median.

    Source: the record, see above.
    """
    task = row if row < len(FEATURES) + len(EXAMPLES) - 1 else 2
    return part(STEP, (3 * task + quartile) * COUNTS, COUNTS)


def of_block(row: int, quartile: int) -> Vector:
    """(7,) the same of the block, trained on the prompts by its gradients.

    Args:
        row: which of the rows.
        quartile: 0, 1 or 2, which is the median.

    Source: the record, see above.
    """
    return part(BLOCK, (3 * row + quartile) * COUNTS, COUNTS)


def needed(n: Vector, above: Vector, level: float) -> float:
    """Prompts from which on a risk is at most at a level, between two numbers of them on a line of the logarithms.

    Args:
        n: (7,) numbers of prompts, rising.
        above: (7,) risk.
        level: in its unit. Where it is never reached the answer is NaN, where it always is, the least n.

    Source: ours; `end_to_end.needed` has the same with resampled seeds.
    """
    last = -1
    for k in range(len(n)):
        if above[k] > level:
            last = k
    if last < 0:
        return n[0]
    if last == len(n) - 1:
        return nan
    high, low = log(above[last] / level), log(above[last + 1] / level)
    return n[last] * exp(log(n[last + 1] / n[last]) * high / (high - low))
