"""Numbers in the chapter's text are those of the record, of the theory, or of runs of the library."""

from functools import cache

import numpy as np
import pytest

from hal.chapters.group_sparse import runs
from hal.chapters.group_sparse.figures import area
from hal.chapters.group_sparse.figures.curves import EXAMPLES
from hal.chapters.group_sparse.models import LogisticRegression, flattened
from lib import optim
from lib.attention import sine_positions
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable
from lib.train import GivenBatches, train
from tests.prose import Prose

PROSE = Prose("group_sparse")
SEEDS = range(4)


def learned(n, lr, steps, D=6, d=4, seeds=SEEDS, **more):
    task = {name: more.pop(name) for name in ("flips", "sigma_x") if name in more}
    return runs.learn(gs.Task(D=D, d=d, **task), seeds, n, lr, steps, **more)


def row(*run_of, **more):
    """Training accuracy, accuracy and attention, medians."""
    found = learned(*run_of, **more)
    return [np.median(one) for one in (found.trained, found.accuracy, found.attention)]


@cache
def few_examples():
    """Accuracies (R, n) of the layer, of logistic regression and of group lasso; which layers find the group."""
    task, linear, seeds = gs.Task(D=6, d=2), LogisticRegression(12), range(40)
    tests, found = flattened(task.sample(2000, generators(seeds, 1))), [[], [], [], []]
    for n in (8, 16, 32, 64):
        own = learned(n, 0.3, 100, D=6, d=2, seeds=seeds)
        given = flattened(task.sample(n, generators(seeds)))
        plain = train(GivenBatches(linear, [given]), linear.init(40), optim.sgd(0.3), 100).params
        others = [
            gs.accuracy(linear.output(w, tests.x), tests.y) for w in (plain, group_lasso(linear, given, task, 0.1))
        ]
        for all_sizes, one in zip(found, (own.accuracy, *others, own.attention > 0.5), strict=True):
            all_sizes.append(one)
    return [np.array(one).T for one in found]


def group_lasso(linear, given, task, penalty, lr=0.5, steps=1500):
    """Weights of logistic regression with this penalty on the norm of each group, by proximal gradient descent."""
    weights = linear.init(len(given.y))
    for _ in range(steps):
        w = (weights.w - lr * linear.loss_and_gradient(weights, given)[1].w).reshape(-1, task.D, task.d)
        norms = np.maximum(np.linalg.norm(w, axis=-1, keepdims=True), 1e-12)
        weights = weights._replace(w=(w * np.maximum(0, 1 - lr * penalty / norms)).reshape(weights.w.shape))
    return weights


def finders_win():
    """At which sizes layers that find the group beat logistic regression on average, at which the rest lose."""
    layer, other, _, found = few_examples()
    more = [[(layer - other)[found[:, k] == who, k].mean() for k in range(4)] for who in (True, False)]
    return np.array(more[0]) > 0, np.array(more[1]) < 0


def from_random(deviation):
    """Attention on the group, one a run of twelve, after training from normal weights of this deviation."""
    task, rngs = gs.Task(D=6, d=4), generators(range(12), 5)
    model, given = gs.GroupTransformer(task), task.sample(200, generators(range(12)))
    start = [deviation * np.stack([rng.standard_normal(shape) for rng in rngs]) for shape in (10, (10, 10))]
    params = train(GivenBatches(model, [given]), gs.Params(*start), optim.sgd(0.3), 120).params
    return gs.mean_attention(params, model, given.X)


@cache
def flow(D):
    times = np.linspace(0, 40, 161)
    return times, 1 - np.array(portable.path(portable.law_of(D, 1.0), times.tolist(), 1e-5)[1])


def time_of(share, D):
    """When the population's attention reaches a share."""
    return np.interp(share, *flow(D)[::-1])


def new_task():
    """Accuracies of the layer and of logistic regression after 64 examples."""
    start = gs.Params(*(np.repeat(x, 12, axis=0) for x in runs.pretrained(gs.Task(D=6, d=4), [0])))
    found = runs.error_curves(gs.Task(D=6, d=4), start, range(12), EXAMPLES, 0.05)
    return [1 - x.mean(axis=0)[EXAMPLES.index(64)] for x in (found.tuned, found.linear)]


class Held(gs.GroupTransformer):
    """The layer whose value vector has no positional part."""

    def loss_and_gradient(self, params, batch):
        loss, gradient = super().loss_and_gradient(params, batch)
        gradient.v[:, self.task.d :] = 0
        return loss, gradient


def held(model):
    """Attention and accuracy at 200 examples and a rate of 1.5, medians."""
    task = gs.Task(D=6, d=4)
    given, tests = (task.sample(n, generators(SEEDS, k)) for k, n in enumerate((200, 2000)))
    params = train(GivenBatches(model, [given]), model.init(len(SEEDS)), optim.sgd(1.5), 120).params
    attention, right = gs.mean_attention(params, model, tests.X), gs.accuracy(model.output(params, tests.X), tests.y)
    return np.median(attention), np.median(right)


def held_or_not():
    whole, without = (held(model(gs.Task(D=6, d=4))) for model in (gs.GroupTransformer, Held))
    return whole[0], without[0], whole[1], without[1]


def measured_limit(P):
    """2 over the curvature of the training loss along the sum of the positional encodings."""
    task = gs.Task(D=10, d=2)
    layer, along = gs.GroupTransformer(task, P), P.sum(axis=0) / np.linalg.norm(P.sum(axis=0))
    examples, params, slopes = task.sample(500, generators([0])), layer.init(1), []
    for size in (-1e-4, 1e-4):
        params.v[0, 2:] = size * along
        slopes.append(layer.loss_and_gradient(params, examples)[1].v[0, 2:] @ along)
    return 2 / ((slopes[1] - slopes[0]) / 2e-4)


def least_wrong(s, D=6):
    """How often, in per cent, the sign of a weighted mean of normal variables is not that of one of them."""
    weights = np.full(D, (1 - s) / (D - 1))
    weights[1] = s
    return 100 * np.arccos(s / np.linalg.norm(weights)) / np.pi


# what stands at each {}, then what else must be true
NUMBERS = {
    r"attention on group 2 passes 0.5 at $\eta t={}$ and 0.9 at $\eta t={}$": lambda: (
        time_of(0.5, 6),
        time_of(0.9, 6),
    ),
    r"with 16 groups attention passes 0.5 at $\eta t={}$ again": lambda: time_of(0.5, 16),
    r"At a learning rate of 0.7, which is {} times the limit": lambda: 0.7 / float(theory.largest_rate(6)),
    r"| ${}\,\eta^{-1/3}D^{-5/3}$ (GS-8) |": lambda: (
        float(theory.late_loss(0.2 * 8**3, 8)) * 0.2 ** (1 / 3) * 8 ** (5 / 3)
    ),
    r"at $D=6$, $\eta=1$ and $t=D^3$ the two scalars have $s={}$": lambda: (
        1 - portable.path(portable.law_of(6, 1.0), [216.0], 1e-6)[1][0]
    ),
    "at [three groups](#group_sparse-wrong:D=3) it is {}.": lambda: float(theory.largest_rate(3)),
    "At $D=6$ the limit is {}.": lambda: float(theory.largest_rate(6)),
    "with a control that must fail. GS-8 and GS-16 do not hold.": lambda: (
        {name for name, one in PROSE.record.items() if one["check"]["verdict"] != "holds"} == {"GS-8", "GS-16"}
    ),
    r"$0.3/\sqrt{2\pi}={}$": lambda: (
        0.3 / np.sqrt(2 * np.pi),
        [float(runs.learn_pair(D, 0.3, 1)["alpha"][0, -1]) for D in (6, 60)] == pytest.approx([0.1197] * 2, abs=5e-5),
    ),
    "1000 times as long for a digit, and a quarter of the time for twice the groups": lambda: (
        theory.late_loss(1e9, 8) == pytest.approx(theory.late_loss(1e6, 8) / 10, 0.01),
        theory.late_loss(1e6, 256) == pytest.approx(theory.late_loss(4e6, 128), 0.01),
    ),
    "So the limit is $16/110={}$ for both.": lambda: (
        16 / 110,
        [measured_limit(P) for P in (sine_positions(10, 10), np.sqrt(5.5) * np.eye(10))]
        == pytest.approx([16 / 110] * 2, abs=5e-4),
    ),
    "[uniform attention](#group_sparse-sees:s=0.167,D=6) even the best line is wrong on {}%": lambda: least_wrong(
        1 / 6
    ),
    "[At one half](#group_sparse-sees:s=0.5,D=6) it is wrong on {}%": lambda: least_wrong(0.5),
    r"the edge at $\eta D={}$ with 2 groups, {} with 8 and {} with 64, for any number of variables": lambda: [
        theory.first_edge(D) for D in (2, 8, 64)
    ],
    "After one step, at $\\eta t=0.3$, the value vector has its direction, and attention has not moved.": lambda: (
        learned(200, 0.3, 1, d=2).cosine > 0.9,
        np.abs(learned(200, 0.3, 1, d=2).attention - 1 / 6) < 1e-9,
    ),
}

# how far runs of other seeds may be off, and what stands at each {}
ABOUT = {
    "| the layer | {} | {} | {} | {} |": (0.02, lambda: few_examples()[0].mean(axis=0)),
    "| logistic regression | {} | {} | {} | {} |": (0.02, lambda: few_examples()[1].mean(axis=0)),
    "| group lasso | {} | {} | {} | {} |": (0.02, lambda: few_examples()[2].mean(axis=0)),
    "Group lasso beats the layer at every size.": (
        0,
        lambda: few_examples()[2].mean(axis=0) > few_examples()[0].mean(axis=0),
    ),
    "With 8 examples one layer in ten finds the group": (0, lambda: abs(few_examples()[3][:, 0].mean() - 0.1) < 0.05),
    "With 64 examples nearly all do.": (0, lambda: few_examples()[3][:, 3].mean() > 0.9),
    "From 16 examples on, layers that find the group beat logistic regression on average.": (
        0,
        lambda: finders_win()[0][1:],
    ),
    "With 32 examples or fewer, layers that miss the group lose to it.": (0, lambda: finders_win()[1][:3]),
    "with standard deviation 0.03 the median attention is {}, as from zero": (
        0.02,
        lambda: (np.median(from_random(0.03)), abs(np.median(from_random(0.03)) - np.median(from_random(0.0))) < 0.01),
    ),
    "with standard deviation 0.3 most layers miss the group.": (0, lambda: (from_random(0.3) < 0.5).mean() > 0.5),
    "the median attention after 300 steps is {} and {}": (
        0.02,
        lambda: [row(n, lr, 300, D=D, d=d)[2] for n, d, D, lr in ((500, 4, 6, 0.1), (200, 2, 4, 0.3))],
    ),
    "With 64 examples the accuracy of the layer is {}, that of logistic regression {}.": (0.01, new_task),
    "attention falls from {} to {}, while training accuracy stays at {} (GS-12)": (
        0.06,
        lambda: (*(row(200, lr, 120)[2] for lr in (0.7, 1.4)), row(200, 1.4, 120)[0]),
    ),
    "the median attention rises from {} to {}, the test accuracy from {} to {}": (0.05, held_or_not),
    "| 500 examples | 0.1, 300 | {} | {} | {} |": (0.03, lambda: row(500, 0.1, 300)),
    "| 20 examples | 0.1, 300 | {} | {} | {} |": (0.03, lambda: row(20, 0.1, 300)),
    "| 200 examples | 0.3, 120 | {} | {} | {} |": (0.03, lambda: row(200, 0.3, 120)),
    "| 200 examples | 1.5, 120 | {} | {} | {} |": (0.06, lambda: row(200, 1.5, 120)),
    "| 200 examples, Adam | 0.03, 120 | {} | {} | {} |": (0.03, lambda: row(200, 0.03, 120, optimiser=optim.adam)),
    "| 200 examples, Adam | 0.1, 120 | {} | {} | {} |": (0.03, lambda: row(200, 0.1, 120, optimiser=optim.adam)),
    "logistic regression needs eleven times as many": (
        0,
        lambda: abs(area.by_linear(256) / area.by_layer(16, 16) - 11) < 0.5,
    ),
}


@pytest.mark.parametrize("sentence", NUMBERS)
def test_number_in_text_is_what_is_computed(sentence):
    PROSE.holds(sentence, NUMBERS[sentence]())


@pytest.mark.parametrize("sentence", ABOUT)
def test_number_in_text_is_that_of_runs(sentence):
    slack, compute = ABOUT[sentence]
    PROSE.holds(sentence, compute(), slack)
