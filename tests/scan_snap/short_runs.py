"""Settings at which an explorer of the chapter trains for a short time: what it shows is held to its digits there.

One that is not named is looked at as it stands.
"""

SHORT = {
    "attention": {"T": 9, "common": 3},
    "fate": {"kappa": 3.7, "lr_Z": 0.37},
    "growth": {"K": 7, "M": 4321},
    "ratio": {"T": 8, "steps": 23, "queries": 1},
    "snap": {"M": 777, "lr_Y": 0.13},
}
