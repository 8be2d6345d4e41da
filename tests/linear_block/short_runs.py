"""Settings at which an explorer of the chapter trains for a short time: what it shows is held to its digits there.

One that is not named is looked at as it stands.
"""

SHORT = {
    "flow": {"d": 3, "M": 7, "norm": 2.3, "lr": 0.07, "batch": 3},
    "risk": {"M": 11, "d": 3, "norm": 2.3, "sigma": 0.7, "decay": 0.6},
    "sees": {"mlp": 1, "mask": 0, "kind": 0, "M": 7, "d": 3, "norm": 1.3},
    "training": {"M": 7, "d": 2, "norm": 1.3, "sigma": 0.7, "scale": 0.17},
}
