"""Figure `random_walk-parity`: random starts on even and odd circles, where they lean to and where they end.

Chapter `random_walk`. Source: arXiv 2511.23239, random initialisation, in our reading of its learning rate; the
criterion is ours.
"""

from typing import Any

from hal.chapters.random_walk.figures._shared import TABLE
from hal.chapters.random_walk.models import full
from hal.chapters.random_walk.models.full import Settings, State, output, rho_of, start_on, weigh
from hal.chapters.random_walk.models.measures import attended_lag, predicted
from hal.figure import Path, Say, Step, plane, sliders, waiting
from lib.portable.primitives import Readings, Vector, floor, nan, remainder, sqrt, zeros
from lib.portable.vectors import add, filled

M = 1000
STEPS = 300
RATE = 10.0  # on the mean over the walks, tokens of length 1
FEWEST = 60
WORK = 3e6  # tokens that a run reads; it ends where they are spent, after FEWEST steps at the earliest
CLOUD = "Each dot is a layer, trained from its own random start"
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Where does a random start end?", full, 1, 16, 2
PRIMARY_SLIDERS, SLOW_REASON = ("K",), "Sixteen runs; this takes a few seconds."
SLIDERS = sliders(TABLE, K=(6, 3, 12), n=(200, 50, 1000), sigma=(0.01, 1e-5, 0.03), N=(49, 25, 97), p=(0.5, 0.3, 0.7))
LOOKS = "attention on odd lags less that on even lags (share)"
LEANS = "← the start leans to even lags · the start leans to odd lags (no unit)"


def settings(K: int, n: int, sigma: float, N: int, p: float) -> Settings:
    """A random start with tokens of length 1, as many steps as a page can take."""
    steps = floor(WORK / float(n * N))
    return Settings(K=K, N=N, p=p, M=M, n=n, lr=RATE, steps=max(FEWEST, min(STEPS, steps)), sigma=sigma, unit=1)


def laws(settings: Settings) -> Readings:
    """Where no start leans, an upright line; 1 for an even circle."""
    even = 1.0 if remainder(settings.K, 2) == 0 else 0.0
    return {"even": [even], "K": [float(settings.K)], "border": [0.0, 0.0], "ends": [-1.0, 1.0]}


def projection(state: State) -> float:
    """What a start leans to: odd lags where positive, even ones where negative, in standard deviations of either term;
    NaN for odd K. See `parity_projection`.
    """
    settings = state.settings
    K, last = settings.K, settings.N - 1
    if remainder(K, 2) == 1 or settings.sigma <= 0.0:
        return nan
    places, values = 0.0, 0.0
    for j in range(last):
        places += state.g[j] if remainder(last - j, 2) == 1 else -state.g[j]
    for i in range(K):
        for k in range(K):
            values += state.V[i][k] if remainder(i + k, 2) == 0 else -state.V[i][k]
    return places / (settings.sigma * rho_of(settings) * sqrt(float(last))) - values / (settings.sigma * float(K))


def probe(state: State) -> Readings:
    """Means over the walks: accuracy, attention on odd lags less that on even ones, the most attended lag."""
    settings, last, share = state.settings, state.settings.N - 1, 1.0 / float(state.settings.n)
    right, odd, attention = 0.0, 0.0, zeros(settings.N)
    weigh(state)
    for i in range(settings.n):
        walk = state.walks[i]
        found = output(state, walk)
        add(attention, share, state.S)
        right += share if predicted(found) == walk[last] else 0.0
    for j in range(last):
        odd += attention[j] if remainder(last - j, 2) == 1 else -attention[j]
    return {"accuracy": [right], "odd": [odd], "lag": [float(attended_lag(attention))]}


def at_end(state: State, odd: Vector) -> Readings:
    """What the start leans to; and at every record, then 0 where it leans nowhere."""
    leaning = projection(start_on(state.walks, state.settings, state.seed))
    return {"place": filled(len(odd), leaning if leaning == leaning else 0.0), "leaning": [leaning]}


def run_metrics(lag: Vector, odd: Vector, leaning: Vector) -> Readings:
    """Of one run, at its end: whether lag 1 is read most, whether even lags have half of the attention more than odd
    ones, and whether the lags that have it are those to which the start leaned; 1 for yes.
    """
    last = len(odd) - 1
    even, turned = odd[last] < -0.5, odd[last] > 0.5
    told = (even and leaning[0] < 0.0) or (turned and leaning[0] > 0.0)
    return {
        "near": [1.0 if lag[last] == 1.0 else 0.0], "even": [1.0 if even else 0.0], "told": [1.0 if told else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """Each run as a point, which rises or falls."""
    return [
        plane([Path("place", "odd", "where it looks", idea="attention")], xlabel=LEANS, ylabel=LOOKS, title=CLOUD,
              curves=[Path("laws.border", "laws.ends", "no lean")], xlim=(-3.8, 3.8),
              words=[(3.7, 0.85, "looks at odd lags, where the parent is"), (-3.7, -0.85, "trapped at even lags")],
              ylim=(-1.08, 1.08), equal=False, height=260, wide=True),
    ]  # fmt: skip


READING = [
    [
        *waiting("a smaller start may help"),
        Say("On {laws.K} nodes, an odd number, no start leans and there is no trap: {sum.near} of {runs} layers "
            "look most at the parent.", "laws.even == 0"),
        Say("No layer has fallen into the trap; {sum.near} of {runs} look most at the parent.", "sum.even == 0"),
        Say("{sum.even} of {runs} layers have fallen into the trap; {sum.told} went where they leaned."),
    ],
]  # fmt: skip
TOUR = [
    Step("On a circle of 6 nodes every step changes the parity of the node. At first attention is uniform, wherever a "
         "start leans.", time=0, point=CLOUD),
    Step(Say("Then most go where they lean: {sum.told} of {runs}."), "Then most go where they lean.", point=CLOUD),
    Step("On a circle of 12 nodes all go up: the walks decide, not the start.", K=12, point=CLOUD),
    Step("On a circle of 5 nodes the two kinds cannot alternate, so there is no trap.", K=5, point=CLOUD),
]  # fmt: skip
