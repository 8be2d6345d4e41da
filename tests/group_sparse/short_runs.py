"""Settings at which an explorer of the chapter trains for a short time: what it shows is held to its digits there.

One that is not named is looked at as it stands.
"""

SHORT = {
    "downstream": {"D": 5, "d": 3, "gamma": 0.11, "lr": 0.13},
    "rates": {"D": 5, "lr": 0.13},
    "selection": {"D": 3, "n": 27, "lr": 0.37},
    "wrong": {"D": 5, "d": 3, "n": 33},
}
