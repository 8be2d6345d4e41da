"""Figure `scb-starts`: runs from random starts, which sign they take, and what a law of start and noise says.

Chapter `scb`, beyond the paper (arXiv 2410.23438 starts at V = mu 1^T and uniform attention).
"""

from typing import Any

from hal.chapters.scb.figures._marbles import marbles
from hal.chapters.scb.figures._random_starts import LONGEST, TABLE, shares
from hal.explorer import Say, Step, sliders
from lib.models.scb import textbook_random
from lib.models.scb.textbook_random import RandomStart
from lib.models.scb.textbook_ring import even_weights, ring_transition, skewed_law
from lib.portable.chances import normal_cdf, share_interval
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector, divide, floor, nan, sqrt
from lib.portable.vectors import scale
from lib.theory.scb.portable import attention_signal, drift_number, escape_time
from lib.theory.scb.portable_constants import constants
from lib.theory.scb.portable_landscape import valleys
from lib.theory.scb.portable_samples import control_number, sign_curve

TITLE, RUN, COLUMNS, RUNS, FIRST = "Which way from a random initialisation?", textbook_random, 2, 16, 2
FIELD, CURVE = "Marbles from random places", "Initialisation and noise together"
DEAR = "Long contexts train tens of millions of tokens in each run: runs are drawn as they end."
SLIDERS = sliders(TABLE, size_A=1.0, size_V=0.0, T=(256, 16, LONGEST), batch=64, lr=0.02)
SIGHT = ("size_A", "size_V", "T")


def settings(size_A: float, size_V: float, T: int, batch: int, lr: float) -> RandomStart:
    """Stage 1 of the standard task, a quarter longer than the signal should take from zero to 0.3; 2 / lr at least."""
    K_Q = attention_signal(even_weights(2), T)
    quiet = escape_time(0.3, lr, drift_number(K_Q, float(T)))
    steps = floor(1.25 * quiet + 0.5) if quiet > 2.0 / lr else floor(2.0 / lr + 0.5)
    return RandomStart(T, 4, 2, 0.75, lr, batch, steps, size_V, size_A / (K_Q * float(T)))


def law(settings: RandomStart) -> Readings:
    """ratio, z squared over 2, and the chance Phi(z) of the true sign, also in per cent: 1 / z^2 is s^2 / (2 G) plus
    the variance of the signal at the start over the drift squared; start, the share of the latter in per cent.
    """
    mu, w = skewed_law(settings.N, 0.0), even_weights(settings.Q)
    task = constants(mu, ring_transition(mu, settings.c), w, settings.T)
    drift = drift_number(task.K_Q, task.T)
    noise = 0.5 * task.s2 / control_number(float(settings.batch), settings.lr, task.T)
    free = float(settings.N - 1) * float(settings.N - 1)
    own = settings.size_V * settings.size_V / free
    own += settings.size_A * settings.size_A / (float(settings.N) * task.K_Q)
    own = own / (drift * drift)
    z = 1.0 / sqrt(noise + own)
    share = normal_cdf(z)
    ratios, curve = sign_curve(61)
    return {
        "ratio": [0.5 * z * z], "share": [share], "percent": [100.0 * share], "start": [100.0 * own / (noise + own)],
        "ratios": ratios, "curve": curve,
    }  # fmt: skip


def scene(settings: RandomStart) -> Readings:
    """The landscape: logarithms of the excess loss over the two signals, as a fraction of that at zero."""
    x, y, z = valleys(drift_number(attention_signal(even_weights(2), settings.T), float(settings.T)), 41)
    scale(z, log(10.0))
    return {"x": x, "y": y, "z": z}


def outcome(alpha_V: Vector, alpha_A: Vector) -> Readings:
    """Of one run: 1 if it ends with the true sign; 1 if with that of its start."""
    end = alpha_V[len(alpha_V) - 1]
    return {"upright": [1.0 if end > 0.0 else 0.0], "own": [1.0 if end * (alpha_V[0] + alpha_A[0]) > 0.0 else 0.0]}


def summary(sum_upright: float, sum_own: float, runs: float) -> Readings:
    """The share with the true sign, its 95 % interval, and the share with the sign of the start; also in per cent."""
    found = divide(sum_upright, runs) if runs > 0.0 else nan
    low, high = share_interval(sum_upright if runs > 0.0 else 0.0, runs)
    return {
        "share": [found], "low": [low if runs > 0.0 else nan], "high": [high if runs > 0.0 else nan],
        "percent": [100.0 * found], "low_percent": [100.0 * low], "high_percent": [100.0 * high],
        "own_percent": [100.0 * divide(sum_own, runs) if runs > 0.0 else nan],
    }  # fmt: skip


def panels() -> list[Any]:
    """The runs as marbles on the landscape, and the share on the curve of the law, among recorded settings."""
    return [marbles(FIELD), shares(CURVE)]


SAYS = "theory says {law.percent:0}%"
READING = [
    [
        Say("All {lost} runs so far have diverged: there is no proportion to count.", "runs == 0", "lost >= 1"),
        Say(f"No run has finished yet; {SAYS}.", "runs == 0"),
        Say(f"Of the runs that did not diverge {{sum.upright}} of {{runs}} takes the true sign; {SAYS}.", "runs == 1",
            "lost >= 1"),
        Say(f"The first run takes the true sign; {SAYS}.", "runs == 1", "sum.upright == 1"),
        Say(f"The first run is mirrored; {SAYS}.", "runs == 1"),
        Say("{sum.upright} of {runs} runs take the true sign, {summary.percent:0}% ({summary.low_percent:0} to "
            f"{{summary.high_percent:0}}% with 95% confidence); {SAYS}."),
    ],
    [Say("{sum.own} of {runs} keep the sign that they began with.", "runs >= 2", "law.start >= 50")],
    [
        Say("One more run has diverged and is not counted.", "runs >= 1", "lost == 1"),
        Say("{lost} more runs have diverged and are not counted.", "runs >= 1", "lost >= 2"),
    ],
]  # fmt: skip
TOUR = [
    Step("Every marble starts at a random place, because its attention does. The paper's is zero.",
         point=FIELD, time=0),
    Step("Each run grows along the diagonal, on the side on which it happened to start.", point=FIELD),
    Step(Say("Theory adds the spread of the first signals to the noise of training, and says {law.percent:0}%."),
         "Theory adds the spread of the first signals to the noise of training.", point=CURVE),
    Step("Half a unit less is hardly felt: the drift of 1/T is larger.", size_A=0.25, point="size_A"),
    Step("Sixteen units: the task has no say in the sign any more. Positions are found all the same.", size_A=16.0,
         point=FIELD),
    Step("A random V does the same, and it is much stronger: a tenth of the signal is enough.", size_A=0.0, size_V=0.1,
         point="size_V"),
]  # fmt: skip
