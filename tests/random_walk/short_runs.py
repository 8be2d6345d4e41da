"""Settings at which an explorer of the chapter trains for a short time: what it shows is held to its digits there.

One that is not named is looked at as it stands.
"""

SHORT = {
    "edge": {"K": 5, "N": 31, "walks": 1, "mixed": 1, "bits": 32},
    "lags": {"K": 20, "p": 0.81, "N": 33, "n": 110},
    "learning": {"K": 5, "N": 23, "n": 41, "lr": 0.7},
    "parity": {"N": 27, "n": 50, "sigma": 0.013},
    "questions": {"task": 2, "question": 2, "lr": 0.37, "sigma": 0.013},
}
