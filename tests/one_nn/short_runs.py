"""Settings at which an explorer of the chapter trains for a short time: what it shows is held to its digits there.

One that is not named is looked at as it stands.
"""

SHORT = {
    "labels": {"labels": 3, "N": 5, "d": 3, "lr": 1.3, "batch": 7},
    "rates": {"N": 5, "sigma": 2.7},
    "shift": {"N": 5, "d": 3, "delta": 0.31},
    "training": {"N": 5, "d": 3, "lr": 1.7, "batch": 7},
}
