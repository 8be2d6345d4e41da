"""The table behind Figure 6 as the authors of Scan and Snap released it, in portable Python: entropies in nats.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figure 6; the numbers are those of the authors' repository,
github.com/facebookresearch/luckmatters, folder ssl/real-dataset/scan_snap (figure_6_data.pkl), whose licence is CC
BY-NC 4.0. Only numbers are given here, no code or text of that repository.
"""

# The axes, in the order of the numbers: query tokens (two classes each), rate of attention, ratio of both rates.
FIGURE_6_QUERIES = [1, 3, 5, 10]
FIGURE_6_LR_Z = [0.5, 1.0, 2.0, 3.0]
FIGURE_6_RATIOS = [1.0, 2.0, 5.0, 10.0]

# Mean over ten seeds, two rows a number of queries, each with two rates of attention.
FIGURE_6_MEAN = [
    1.971, 2.007, 2.066, 2.092, 1.871, 1.937, 2.022, 2.053,
    1.699, 1.810, 1.934, 1.900, 1.551, 1.708, 1.786, 1.825,
    2.019, 1.988, 2.031, 2.063, 1.963, 1.920, 1.982, 2.024,
    1.842, 1.809, 1.899, 1.955, 1.737, 1.715, 1.821, 1.839,
    2.026, 1.994, 2.020, 2.055, 1.995, 1.931, 1.971, 2.014,
    1.906, 1.816, 1.884, 1.926, 1.817, 1.718, 1.802, 1.831,
    2.033, 2.012, 2.018, 2.051, 2.027, 1.975, 1.976, 2.015,
    1.990, 1.888, 1.899, 1.947, 1.940, 1.805, 1.829, 1.875,
]  # fmt: skip
# Sample standard deviation of single runs.
FIGURE_6_STD = [
    0.028, 0.032, 0.017, 0.016, 0.052, 0.052, 0.036, 0.030,
    0.101, 0.099, 0.068, 0.200, 0.155, 0.152, 0.170, 0.331,
    0.010, 0.012, 0.007, 0.005, 0.015, 0.018, 0.009, 0.008,
    0.024, 0.027, 0.018, 0.020, 0.032, 0.038, 0.030, 0.100,
    0.005, 0.007, 0.007, 0.006, 0.007, 0.011, 0.010, 0.009,
    0.012, 0.022, 0.020, 0.025, 0.021, 0.032, 0.033, 0.050,
    0.004, 0.004, 0.004, 0.003, 0.003, 0.005, 0.006, 0.006,
    0.005, 0.009, 0.013, 0.015, 0.006, 0.013, 0.019, 0.023,
]  # fmt: skip
