"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import numpy as np
import pytest

from hal.chapters.group_sparse import runs
from hal.chapters.group_sparse.figures import guess, rates
from hal.chapters.group_sparse.figures.curves import EXAMPLES, RATES, TALK
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook_downstream
from lib.portable import run
from lib.sampling import generators
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable, portable_downstream, portable_sizes
from lib.train import GivenBatches, train
from tests.prose import Prose

says = Prose("group_sparse").says
SEEDS = range(8)


def learned(n, lr, steps, D=6, d=4, seeds=SEEDS, **more):
    task = {name: more.pop(name) for name in ("flips", "sigma_x") if name in more}
    return runs.learn(gs.Task(D=D, d=d, **task), seeds, n, lr, steps, **more)


def time_of(share, D):
    """When the population's attention reaches a share."""
    times = np.linspace(0, 40, 401)
    _, leak, _ = portable.path(portable.law_of(D, 1.0), times.tolist(), 1e-5)
    return np.interp(share, 1 - np.array(leak), times)


def test_the_layer_and_the_linear_rule_of_the_first_picture():
    says("the layer is right on 62, 77, 89 and 95 % of fresh examples, the linear rule on 73, 81, 87 and 92 %")
    task, linear, seeds = gs.Task(D=guess.D, d=2), gs.LogisticRegression(2 * guess.D), range(40)
    fresh = gs.flattened(task.sample(2000, generators(seeds, 1)))
    for n, layer, rule in zip(guess.figure().counts, (0.62, 0.77, 0.89, 0.95), (0.73, 0.81, 0.87, 0.92), strict=True):
        found = learned(n, guess.LR, guess.STEPS, D=guess.D, d=2, seeds=seeds)
        assert found.accuracy.mean() == pytest.approx(layer, abs=0.02)
        given = gs.flattened(task.sample(n, generators(seeds)))
        w = train(GivenBatches(linear, [given]), linear.init(40), optim.sgd(guess.LR), guess.STEPS).params
        assert gs.accuracy(linear.output(w, fresh.x), fresh.y).mean() == pytest.approx(rule, abs=0.02)


def test_when_attention_finds_the_group():
    says(r"it is half on group 2 at $\eta t=4.5$ and nine tenths at $\eta t=23$")
    assert time_of(0.5, 4) == pytest.approx(4.5, abs=0.25)
    assert time_of(0.9, 4) == pytest.approx(23, abs=0.5)
    says("with 16 groups the second number is 21")
    assert time_of(0.9, 16) == pytest.approx(21, abs=0.5)


def test_scale_of_the_variables():
    says(r"$\sigma_x=0.5$, end with the sharper attention (0.90), large ones, $\sigma_x=2$, with the duller (0.81)")
    small, large = (learned(500, 0.1, 300, sigma_x=scale, seeds=range(4)) for scale in (0.5, 2.0))
    assert np.median(small.attention) == pytest.approx(0.90, abs=0.02)
    assert np.median(large.attention) == pytest.approx(0.81, abs=0.03)


def test_the_late_figures_at_their_default():
    flow = rates.flow(rates.settings(8, 0.2, 0.01))
    says(r"At $D=8$, $\eta=0.2$ the slopes of the last decade are −⅓ and −⅔ to three digits")
    assert f"{flow['slope_loss'][0]:.3f} {flow['slope_leak'][0]:.3f}" == "-0.333 -0.667"
    says("the law is two per cent early at the loss 0.01")
    assert f"{flow['law_reached'][0] / flow['reached'][0] - 1:.0%}" == "-2%"
    scaled = run(portable_sizes, lr=0.2)["scaled"]
    says("The measured one rises, from {} at $D=8$ to {} at $D=48$", scaled[2], scaled[7])


def test_the_laws_in_numbers():
    constant = float(theory.late_loss(0.2 * 8**3, 8)) * 0.2 ** (1 / 3) * 8 ** (5 / 3)
    says(r"L\simeq{}\,\eta^{-1/3}D^{-5/3}", constant)
    _, leak, _ = portable.path(portable.law_of(6, 1.0), [216.0], 1e-6)
    says(r"at $D=6$, $\eta=1$, $t=D^3$ the two numbers have $s={}$", 1 - leak[0])
    says("[With three groups](#group_sparse-wrong:D=3) the limit is {}", float(theory.largest_rate(3)))


def test_steps_too_large_for_the_population():
    words = r"For 600 steps it is $\eta D={}$ at $D=16$ and {} at $D=32$; up to $\eta D=20$ all goes well"
    says(words, *(D * theory.largest_population_rate(D, 600) for D in (16, 32)))
    b = runs.learn_pair(64, 1.0, 3)["b"][0, -1]
    says("takes the attention off the group down to $b={}$, and the way back", b)
    says("is some $10^{97}$ steps long (GS-16)")
    assert 97 <= np.log10(theory.return_time(1.0, 64, 0.0)) - b / np.log(10) < 98


def test_what_a_variable_is_worth():
    n = np.arange(1.0, 600.0)

    def needed(learner, gamma):
        return 1 + int(np.argmax(np.array(portable_downstream.error_path(learner, gamma, n.tolist())) <= 0.05))

    regression, layer = portable_downstream.regression_of(24, 0.1), portable_downstream.layer_of(6, 4, 0.99, 0.1)
    says(
        "the laws give logistic regression {}, {} and {} examples, a layer with 0.99 of its attention on the group "
        "{}, {} and {}.",
        *(needed(learner, gamma) for learner in (regression, layer) for gamma in (0.2, 0.05, 0.0125)),
    )
    says(r"At $(d,D)=(4,6)$ and margins of 0.2, 0.05 and 0.0125 the laws")
    first, last = portable_downstream.error_path(portable_downstream.regression_of(64, 0.1), 0.05, [64.0, 512.0])
    says(r"at $d\,D=64$ and the margin 0.05 it falls like $n^{-0.52}$ from 64 examples to 512")
    assert np.log(last / first) / np.log(8) == pytest.approx(-0.52, abs=0.005)


def test_the_talk_s_settings():
    says("a median attention of 0.88 and an accuracy of 0.98 on fresh examples, at (200, 2, 4) with 0.92 and 0.98")
    for (n, d, D, lr), attention in zip(TALK, (0.88, 0.92), strict=True):
        found = learned(n, lr, 300, D=D, d=d, seeds=range(6))
        assert np.median(found.attention) == pytest.approx(attention, abs=0.02)
        assert np.median(found.accuracy) == pytest.approx(0.98, abs=0.01)
        assert min(found.cosine.min(), found.ratio.min()) > 0.98


def test_the_new_task():
    says("Both ways to use the layer lie on one curve.")
    says("With 64 examples they are right in 92 % of cases, where logistic regression has 86 %.")
    layer = runs.pretrained(gs.Task(D=6, d=4), [0])
    start = gs.Params(*(np.repeat(x, 12, axis=0) for x in layer))
    found = runs.error_curves(gs.Task(D=6, d=4), start, range(12), EXAMPLES, 0.05)
    tuned, frozen, linear = (1 - x.mean(axis=0) for x in (found.tuned, found.frozen, found.linear))
    np.testing.assert_allclose(tuned, frozen, atol=0.01)
    assert EXAMPLES[3] == 64
    assert (tuned[3], linear[3]) == (pytest.approx(0.92, abs=0.01), pytest.approx(0.86, abs=0.01))


def test_layers_that_help_and_layers_that_do_not():
    says("[A layer that attends evenly](#group_sparse-downstream:attention=0.17) is worse than none.")
    even = [run(textbook_downstream, seed, attention=0.17, gamma=0.05, n=120) for seed in range(4)]
    assert np.mean([run["frozen"][-1] - run["linear"][-1] for run in even]) > 0.05
    says("[With ten groups of ten](#group_sparse-downstream:D=10,d=10) the advantage is largest.")
    gain = {}
    for D, d in ((3, 3), (6, 4), (10, 10)):
        task = gs.Task(D=D, d=d)
        found = runs.error_curves(task, runs.looking(task, 0.9, 6), range(6), [100], 0.05)
        gain[D, d] = (found.linear - found.frozen).mean()
    assert max(gain, key=gain.get) == (10, 10)


def test_the_wrong_mechanism():
    says(r"with 500 examples and $\eta=1$ it is still above 0.9")
    assert np.median(learned(500, 1.0, 300, seeds=range(4)).accuracy) > 0.9
    says("attention falls from 0.82 to 0.21, while training accuracy stays at 1.00 (GS-12)")
    for lr, attention, slack in ((0.7, 0.82, 0.03), (1.4, 0.21, 0.08)):
        assert lr in RATES
        found = learned(200, lr, 120)
        assert np.median(found.attention) == pytest.approx(attention, abs=slack)
        assert np.median(found.trained) == pytest.approx(1, abs=0.006)


def test_two_groups_and_a_copy():
    says("shares its weight between them, 0.44 and 0.45, and the layer is right on 96 % of fresh examples")
    both = runs.two_groups(SEEDS)
    np.testing.assert_allclose(np.median(both.attention, axis=0)[1:3], [0.44, 0.45], atol=0.03)
    assert np.median(both.accuracy) == pytest.approx(0.96, abs=0.01)
    says("at a correlation of 0.8 the copy gets 0.05 and the group 0.83")
    near = np.median(runs.copied_group(range(6), 0.8).attention, axis=0)
    assert (near[1], near[2]) == (pytest.approx(0.83, abs=0.03), pytest.approx(0.05, abs=0.02))
    says("Only an exact copy gets the same share.")
    exact = np.median(runs.copied_group(range(6), 1.0).attention, axis=0)
    assert exact[1] == pytest.approx(exact[2], abs=1e-3)


def test_without_the_softmax():
    says("a share of 0.68 of the weights' absolute values, against 0.87")
    says("right on 96 % of fresh examples, against 98 % (GS-20)")
    without, softmax = runs.linear_attention(SEEDS), learned(500, 0.1, 300)
    assert np.median(without.attention[:, 1]) == pytest.approx(0.68, abs=0.02)
    assert np.median(softmax.attention) == pytest.approx(0.87, abs=0.02)
    assert np.median(without.accuracy) == pytest.approx(0.96, abs=0.01)
    assert np.median(softmax.accuracy) == pytest.approx(0.98, abs=0.01)


def test_how_few_examples():
    says("is right on 67 % of fresh ones; with 50 it is 89 %, with 500 98 %")
    says("The attention follows: 0.32, 0.66, 0.88 (GS-19).")
    for n, right, attention in ((20, 0.67, 0.32), (50, 0.89, 0.66), (500, 0.98, 0.88)):
        found = learned(n, 0.1, 300)
        assert np.median(found.accuracy) == pytest.approx(right, abs=0.02)
        assert np.median(found.attention) == pytest.approx(attention, abs=0.03)
        if n == 20:
            assert found.trained.min() == 1


def test_wrong_labels():
    says("one wrong label in ten lowers the attention from 0.92 to 0.73 and the norm ratio to 0.80")
    clean, wrong = (learned(200, 0.3, 200, D=4, d=2, flips=share) for share in (0.0, 0.1))
    assert np.median(clean.attention) == pytest.approx(0.92, abs=0.01)
    assert np.median(wrong.attention) == pytest.approx(0.73, abs=0.03)
    assert np.median(wrong.ratio) == pytest.approx(0.80, abs=0.03)


def test_adam_and_weight_decay():
    says("at 0.03 it knows all of 200 examples after 120 steps and has only 0.41 of its attention on the group, at 0.1")
    says("at 0.1 it has 0.66, and is right on as many fresh examples (GS-17)")
    adam, fast = (learned(200, lr, 120, optimiser=optim.adam) for lr in (0.03, 0.1))
    assert np.median(adam.trained) == 1
    assert np.median(adam.attention) == pytest.approx(0.41, abs=0.04)
    assert np.median(fast.attention) == pytest.approx(0.66, abs=0.04)
    assert np.median(fast.accuracy) == pytest.approx(np.median(adam.accuracy), abs=0.05)
    says(r"Weight decay 0.01 at $\eta=1.5$ leaves the attention at 0.27 (GS-18)")
    decay = learned(200, 1.5, 120, optimiser=lambda lr: optim.chain(optim.add_decayed_weights(0.01), optim.sgd(lr)))
    assert np.median(decay.attention) == pytest.approx(0.27, abs=0.08)
