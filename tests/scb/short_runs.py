"""Settings at which an explorer of the chapter trains for a short time: what it shows is held to its digits there.

One that is not named is looked at as it stands.
"""

SHORT = {
    "flow": {"T": 33, "lr": 0.05},
    "prox": {"T": 24, "lr": 0.05, "batch": 7},
    "sign": {"T": 20, "lr": 0.1, "batch": 3},
    "stages": {"T": 37, "lr": 0.06, "batch": 5},
    "transfer": {"T": 9, "rho": 0.62},
}
