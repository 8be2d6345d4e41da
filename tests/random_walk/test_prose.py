"""Numbers in the chapter's text are those of the record, of the theory, or of runs."""

from functools import cache
from math import comb

import numpy as np
import pytest

from hal import claims
from hal.chapters.random_walk import runs
from hal.chapters.random_walk.figures import edge, lags, learning, parity
from hal.chapters.random_walk.models.measures import always_right
from hal.chapters.random_walk.runs.fast import fast_runs
from hal.chapters.random_walk.theory.edge import mean_growth
from hal.figure import Computed
from lib import optim
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train
from tests.in_page import InPage
from tests.prose import Prose

PROSE = Prose("random_walk")


@cache
def learned(**changed):
    """The fast twin of the first figure, twenty runs."""
    given = {"r": 16, "p": 0.7, "K": 6, "ratio": 10.0, "n": 1000, "lr_V": 1.0, "lr_W": 1.0, "epsilon": 0.1}
    return fast_runs(learning.settings(**{**given, **changed})._replace(steps=30), range(20))


@cache
def hero(count=3, **changed):
    """Runs of the first figure, in the page's engine."""
    return in_page(learning, range(count), **changed)


def one_visit_more():
    """The first figure without chance: which layer is right, and when; what it shows of the other after two steps."""
    for r, run in [(3, run) for run in hero(r=3)] + [(16, run) for run in hero(r=16)]:
        votes, attention = (np.array(run[f"{name}_more"]).reshape(5, -1) for name in ("votes", "attention"))
        at = np.flatnonzero(attention[2] > 0.5 * attention[2].max())
        yield min(run["more"][1:]) == 1 and max(run["fresh"]) < 0.17
        yield set(run["visits"]) == {r} and sorted(run["visits_more"]) == [r] * 5 + [r + 1]
        yield run["visits_more"][int(run["walk_more"][-1])] == r + 1
        yield not any(run["votes"]) and votes[1].tolist() == [0, 1, 0, 0, 0, 0]
        yield set(at % 6) == {0} and len(at) == r + 1 and np.ptp(attention[1]) < 1e-12


def accuracy(K, r, p):
    """Of the first figure's layer, at the end."""
    return np.median([run["fresh"][-1] for run in hero(K=K, r=r, p=p)])


def votes_behind():
    """At the map's default: targets behind the parent and behind lag 3, and their votes; later lags; the accuracy."""
    K, p, N = 22, 0.8, 151
    yield {"K": K, "p": p, "N": N}.items() <= Computed(lags).check({}).items()
    votes, signal = theory.first_values(K, p, N)[:, 0], theory.lag_signal(K, p, N)[: lags.LAGS]
    yield votes[[-1, -3]].max() < votes.mean() and np.all(np.diff(votes[1:14:2]) < 0)
    yield np.all(np.diff(signal[2::2]) < 0) and signal.argmax() == 2
    yield sum(comb(3, k) * p**k * (1 - p) ** (3 - k) for k in range(2)) == pytest.approx(0.1, abs=0.005)
    falls = [K * np.ptp(theory.first_values(K, p, N)[[1, 3], 0]) for K in (5, 8, 12, 16, 22)]
    yield [run["lag"][-1] for run in in_page(lags, [0])] == [3] and np.all(np.diff(falls) < 0)


def short_encodings():
    """The lead, as the square of an encoding's norm, over that of the figure; and when the parent has the attention."""
    long, short = (learning.settings(3, 0.7, 6, ratio, 1000, 1.0, 1.0, 0.1).M for ratio in (10.0, 1.0))
    yield ((long + 1) / (short + 1)) ** 2 == pytest.approx(90, rel=0.05)
    for ratio, first in ((1.0, {5, 6}), (10.0, {2})):
        yield {int((np.array(run["parent"]) > 0.5).argmax()) for run in hero(5, p=0.7, ratio=ratio)} == first


def adam():
    """Attention on the parent after the text's other optimiser, 100 steps of it; how much the votes differ."""
    walk = rw.Walk(K=6, N=97, p=0.7)
    problem = rw.MinimalTransformer(K=6, N=97)
    walks = walk.sample(1000, generators([0]))
    run = train(GivenBatches(problem, [walks]), problem.init(), optim.adam(0.05), steps=100)
    V = run.params.V[0]
    return problem.attention(run.params, walks)[0, :, -2].mean() < 0.02, np.ptp(V) < 0.05 * V.mean()


def mini_batches():
    """With so many fresh walks a step, how many layers find the parent, of twelve."""
    walk, model = rw.Walk(6, 97, 0.7), rw.MinimalTransformer(K=6, N=97)
    for n in (100, 30):
        rngs = generators(range(12))
        batches = [walk.sample(n, rngs) for _ in range(30)]
        run = train(GivenBatches(model, batches), model.init(12), model.optimiser(1.0), 30)
        yield from (n, np.sum(model.attention(run.params, batches[0])[..., -2].mean(axis=1) > 0.5), 12)


def in_page(figure, seeds, **point):
    """Runs of a figure in the page's engine, which is faster than Python."""
    page = InPage(Computed(figure))
    page.choose(page.figure.check(point))
    return [page.train(seed) for seed in seeds]


@cache
def on_the_edge(push, size=1e-9):
    """The run of the edge's figure, attention by step and place; and when a place has twice the even share."""
    (run,) = in_page(edge, [0], push=push, size=size)
    attention = np.array(run["attention"]).reshape(-1, 96)
    return run, attention, (attention.max(axis=1) >= 2 / 96).argmax()


def on_a_sixth():
    """When attention moves; whether a sixth of the places has all of it in the end, and two steps later."""
    run, attention, moved = on_the_edge(1)
    at = np.argsort(attention[-1])[-16:]
    yield 10.5 < mean_growth(run["distance"], edge.LOW, edge.HIGH) < 11.6
    yield moved == 16 and len(set(at % 6)) == 1 and attention[-1][at].sum() > 0.95
    yield attention[18].max() > 0.8 / 16 and min(run["accuracy"][20:]) > 0.999


def pushed_a_little():
    run, _, moved = on_the_edge(3, 1e-12)
    return always_right(run["steps"], run["accuracy"]) < moved, moved == 10


@cache
def where_lag_3_wins():
    """The last two lengths are infinite but for rounding, of either parity."""
    chances, long = np.arange(10, 20) / 20, (101, 151, 201, 601, 1201, 5001, 5002)
    found = [[p for p in chances if theory.best_lag(18, p, N) == 3] == [0.75, 0.8] for N in long]
    for N in long[:5]:
        found += [
            {theory.best_lag(K, p, N) for K in range(5, 17) for p in chances} == {1},
            {theory.best_lag(K, p, N) for K in range(17, 41) for p in (0.5, 0.55, 0.6)} == {1},
            theory.best_lag(24, 0.95, N) > 1 or N > 201,
        ]
    return found


def where_runs_of_the_trap_look():
    found = in_page(parity, range(parity.RUNS))
    even = [run for run in found if run["odd"][-1] < -0.5]
    yield sum(run["odd"][-1] * run["leaning"][0] > 0 for run in found)
    yield parity.RUNS
    yield sorted(run["lag"][-1] for run in even) == [2, 2, 8, 12, 18, 36]
    yield {round(run["accuracy"][-1], 2) for run in even if run["lag"][-1] > 2} == {0.41, 0.42, 0.43, 0.45}


def push_of_the_walks():
    """Trapped runs of small starts; lag signals of odd lags less those of even ones, 12 nodes beside 6; runs on 12."""
    yield from (sum(run["odd"][-1] < -0.5 for run in in_page(parity, range(16), sigma=1e-4)), parity.RUNS)
    odd = [np.sum((-1) ** np.arange(48) * theory.lag_signal(K, 0.5, 49)) for K in (12, 6)]
    yield odd[0] / odd[1] == pytest.approx(5, rel=0.05)
    yield {run["lag"][-1] for run in in_page(parity, range(parity.RUNS), K=12)} == {1}


def trapped_for_good():
    """Layers that the figure's run would trap, ten times as long."""
    walk, at = rw.Walk(6, 49, 0.5), [0, 300, 3000]
    found = runs.learn(walk, range(6), lr=10.0, steps=3000, n=200, record_at=at, sigma=0.01, unit_length=True).run
    lags_of = found["lag"][found["odd"][:, 1] < -0.5]
    yield len(lags_of) >= 2 and np.array_equal(lags_of[:, 1], lags_of[:, 2]) and not np.any(lags_of[:, 1] % 2)


def counted_in_the_ledger():
    """Statements of the chapter, those that hold, those that do not."""
    every = claims.of("random_walk")
    held = sum(one.verdict == "holds" for one in every)
    return len(every), held, len(every) - held


# what stands at each {}, then what else must be true
NUMBERS = {
    "Of the {} statements of this chapter in the [ledger](ledger.md), each paired with a control that should fail, {}"
    " hold as stated and {} fail.": counted_in_the_ledger,
    "With 18 nodes seen, the walker visits every node three times": lambda: [*one_visit_more()],
    "a fifth of the targets land behind the token; with three moves to go, only a tenth do.": lambda: [*votes_behind()],
    "the parent wins: on circles of 5 to 16 nodes at every $p$ from 0.5 to 0.95.": where_lag_3_wins,
    "p=0.5,n=300) one of the two layers misses the parent.": lambda: [hero(1, r=16, p=0.5, n=300)[0]["parents"] == [1]],
    "ten times as many as the walk has positions, and attention needs 2 steps. With [only as many as positions]"
    "(#random_walk-learning:p=0.7,ratio=1) the lead is about 90 times smaller. Yet attention needs only 5 or 6 steps": (
        lambda: [*short_encodings()]
    ),
    "With [a start a hundred times smaller](#random_walk-parity:sigma=0.0001) only {} of {} layers are trapped.": (
        lambda: [*push_of_the_walks()]
    ),
    "trapped after 300 steps looked at the same even lag after 3000.": lambda: [*trapped_for_good()],
    "At learning rate 0.05 attention stays uniform, even after 100 steps": adam,
    "{} fresh walks per step, {} of {} layers find the parent; with {}, only {} of {} do.": lambda: [*mini_batches()],
    "at $p=\\frac12$ its norm is {}, so the distance stays above {}": lambda: (0.5**0.5, 1 - 0.5**0.5),
    **{
        f"](#random_walk-learning:{link}) | {told} | {{}} |": lambda sizes=sizes: accuracy(*sizes)
        for link, told, sizes in (
            ("K=20,r=5,p=0.5", "1/2", (20, 5, 0.5)),
            ("K=20,r=5,p=1", "1/20", (20, 5, 1.0)),
            ("K=6,r=16,p=0.5", "1/2, from step 3 on", (6, 16, 0.5)),
            ("K=6,r=16,p=1", "1/6", (6, 16, 1.0)),
        )
    },
    "| questions: the fruit named most often | 1 | {} |": lambda: runs.answer(1, [0])["accuracy"][0, -1],
    "| questions: the fruit named first | 1/2 | {} |": lambda: runs.answer(2, [0])["accuracy"][0, -1],
    "these are {} parameters, and the same run to the last digits (RW-2)": lambda: 6**2 + 6 + 97,
    "by about 11, as theory predicts (*Proofs*, below). For 15 steps"
    " attention does not visibly change. Within two more, all of it goes to every sixth position": lambda: [
        *on_a_sixth()
    ],
    "(#random_walk-edge:push=3,size=1e-12) at the start are enough. The answers are then right before": pushed_a_little,
    "of 18 nodes, at $p=0.75$ and 0.8, lag 3 wins even on infinitely long walks": where_lag_3_wins,
    "Outside the orange cells of the map. If $p\\le0.6$ there are none up to 40 nodes": where_lag_3_wins,
    "Most dots go where they lean: {} of {} (RW-10).": lambda: [*where_runs_of_the_trap_look()],
}

# how far other runs may be off, and what stands at each {}
ABOUT = {
    "After step 3 the accuracy is about {}": (0.02, lambda: np.median(learned()["fresh"], axis=0)[3]),
    "the accuracy stays near {}%, where 80% is possible": (1, lambda: 100 * in_page(lags, [0])[0]["fresh"][-1]),
}


@pytest.mark.parametrize("sentence", NUMBERS)
def test_number_in_text_is_what_is_computed(sentence):
    PROSE.holds(sentence, NUMBERS[sentence]())


@pytest.mark.parametrize("sentence", ABOUT)
def test_number_in_text_is_that_of_runs(sentence):
    slack, compute = ABOUT[sentence]
    PROSE.holds(sentence, compute(), slack)
