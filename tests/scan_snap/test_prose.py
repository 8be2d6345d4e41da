"""The numbers of chapter 2's text, each computed; those of claims are of the record, which other tests compare."""

import functools
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

from hal.chapters.scan_snap import runs
from hal.chapters.scan_snap.figures import attention, guess, joshua, water
from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.runs import adam_text, memory, published
from hal.chapters.scan_snap.runs.dynamics import flow
from hal.chapters.scan_snap.runs.text import text_runs
from hal.chapters.scan_snap.theory.reference import reference_run
from hal.figure import Computed
from lib import optim
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook
from lib.sampling import generators
from lib.theory import scan_snap as theory
from lib.train import train
from tests.prose import Prose
from tests.scan_snap.computed import drawn, endless, recorded_words
from tests.scan_snap.rows import joshua_of

PROSE = Prose("scan_snap")
CELLS, says, measured, claim = PROSE.cells, PROSE.says, PROSE.measured, PROSE.claim


def bare(text):
    """Text without code, tags, addresses, phrases that set a figure, displayed formulas, ids, places in the paper."""
    text = re.sub(r"<[^<>]*>|```.*?```|`[^`]*`|\[[^]]*\]\(#[^)]*\)|\]\([^)]*\)?|\$\$.*?\$\$", " ", text, flags=re.S)
    return re.sub(r"SNAP-\d+|\d{4}\.\d{5}|\(2023\)|\\tfrac\d\w|(Figures?|Section|Theorem|Lemma) [\d, and]+", " ", text)


def test_every_number_of_the_text_is_quoted_here():
    assert PROSE.loose_numbers(Path(__file__), bare) == []


BASE = ss.base_task()


@functools.cache
def released():
    return runs.recorded_figure6()


def right(M):
    """Probability of the correct token at t0, by the paper's equation solved anew."""
    x = brentq(lambda x: np.exp(x) - (M - 1) * x, 1, 100)
    x = brentq(lambda y: np.exp(y) + (M - 1) * y - 1 - 2 * M * x, 0, 100)  # t0 = 2 K x / lr_Y
    return np.exp(x) / (M - 1 + np.exp(x))


@functools.cache
def fallen(M):
    """How far the common word's score falls in training and in theory, two classes that overlap by 0.3, rates of 0.1;
    and how much of the decoder's errors over training is with rivals."""
    task, t = single_common_task(2, 0.3, M), np.geomspace(0.3, 1e5, 67)
    joint, path = flow(task, 0.1, 0.1, t, tolerance=1e-7), reference_run(task.P, task.query, M, 0.1, 0.1, t)
    f = theory.decoder_inputs(task.P, joint.params.Z, task.query)[:, 0]
    many = ss.output_weights(joint.params.Y.shape[-1], task)
    chances = softmax(np.einsum("tc,tcm->tm", f, joint.params.Y) + np.log(many))
    errors = np.diff(t, prepend=0.0) @ chances[:, 1:]
    return joint.params.Z[-1, 0, 0], path.z[-1, 0, 0], errors[0] / errors.sum()


def covered(M):
    """The fall in training, in percent of theory."""
    return 100 * fallen(M)[0] / fallen(M)[1]


@functools.cache
def trained():
    """The end of six runs of the hero."""
    return runs.learn(BASE, range(6), runs.rates(1.0, 3.0, optim.sgd), attention.STEPS, attention.BATCH).params


@functools.cache
def texts():
    """Entropy of the first layer of one (rates, steps), by text."""
    return {name: text_runs()["runs"][name]["entropy"].mean(axis=1)
            for name in ("kjv", "kjv shuffled")}  # fmt: skip


def gaps(M):
    """Of class 0's correct token to each other output, by the true gradient with attention at rest, at lr_Y t = 80."""
    task = single_common_task(2, 0.3, M)
    outputs = runs.start_inputs(task)[0] @ runs.flow(task, 1.0, 1e-12, [0.0, 80.0]).params.Y[-1]
    return outputs[0] - outputs[1:]


TABLE = [
    ("entropy {} nats for $\\eta_Y=1$, {} for $\\eta_Y=10$ (SNAP-17) |",
     *(claim("SNAP-17", f"lr_Y = {rate}: entropy") for rate in (1, 10))),
    ("the loss of the released log, to {} parts in 100 000 (SNAP-21)", claim("SNAP-21", "Fig. 4, losses", times=1e5)),
    ("| at most {}% of the paper's bound (SNAP-5) |", claim("SNAP-5", "largest h* - h over its bound", times=100)),
    ("Training with the true gradient covers {}% of the fall that the idealised model predicts. Training both parts at "
     "once with the replaced gradient covers {}% (SNAP-12)", lambda: 100 * np.divide(*runs.common_logits(0.3, 5.0)),
     claim("SNAP-12", "the same, trained by steps of the repl", times=100)),
    ("| with momentum 0.9, {} of it for the second most frequent word",
     claim("SNAP-19", "relative gain over the second")),
    ("with plain gradient descent, after the same {} steps, {} |",
     lambda: (100, memory(runs.rates(1.0, 1.0, optim.sgd), 0.0, 100).gain[-1, 8])),
    ("the largest eigenvalue is {} to {}, the limit $1/K$ is {} to {}",
     claim("SNAP-32", "largest |eigenvalue| of E over 1/K, K = 2, M = 34", times=1 / 2),
     claim("SNAP-32", "largest |eigenvalue| of E over 1/K, K = 20", times=1 / 20), 1 / 2, 1 / 20),
    ("with $K-1$, the *other* classes, within {}% for overlaps up to 0.3", 8),
    ("A layer reads the first {} words of the book of Joshua, and", len(joshua.SHOWN) - 1),
    ("Adam trains attention both times, with the rate {}.", adam_text.RATE),
    ("from windows of {} words before *the*, in sixteen runs", adam_text.LENGTH),
    ("it is almost three times as frequent in the {} words before *the lord*", adam_text.LENGTH),
    ("our code gives all {} means and all {} standard deviations of the paper's Figure 6, to rounding (SNAP-21)",
     lambda: [np.size(released()["published"][name]) for name in ("mean", "std")]),
    # Remark 1 of Appendix D: it predicts the gap of a smaller learning rate
    ("take $\\rho=0.3$, $K={}$, $M={}$ and the time $\\eta_Yt=80$. The remark predicts a gap of {} nats",
     lambda: (2, 1000, theory.logit_gap(80.0, 2, 1000, 0.7))),
    ("The true gap to the other class is {}, and that to an unused word is {}", lambda: gaps(1000)),
    ("At $M=2$ remark and true gradient give the same gap, {}", lambda: gaps(2)),
    ("about finite samples (Lemmas 10 to 12 and Remark 4: the counts",),
    ("| 11, 12 | *recall*, the fraction of distinct words above a threshold |",),
    ("| 7, 10 | real text | the trend, on other corpora (SNAP-25) |",),
    ("| the ratio of learning rates | all {} cells, replayed (SNAP-21)",
     lambda: np.size(released()["published"]["mean"])),
    ("| distinct words rise | the rarest falls at $T={}$ |", BASE.L + 1),
    ("at step {} about {} words share the attention on the Bible, while the map of shuffled text has not moved",
     lambda: (text_runs()["runs"]["kjv"]["steps"][4], np.exp(texts()["kjv"][2, 4]))),
    ("in the paper's own experiments the decoder is only {} to {} times as fast",
     lambda: [end(map(float, [*released()["axes"].values()][-1])) for end in (min, max)]),
    ("| {} (none unused) | {} |", lambda: (2, covered(2))),
    ("| 20 | {} |", lambda: covered(20)),
    ("| 1000 | {} |", lambda: covered(1000)),
    ("In the run above $M={}$: {} context words, two queries and two next words", BASE.M, BASE.C),
    ("right with a probability of {}% if $M={}$", lambda: (100 * right(34), 34)),
]  # fmt: skip


@PROSE.rows(TABLE)
def test_number_in_text_is_what_is_computed(row):
    says(*row)


def test_the_run_of_the_hero():
    task = BASE
    c = ss.attention(trained(), task)
    says("Common words still have {}% of the attention", 100 * np.median(ss.mass_on(c, task.common).mean(axis=-1)))
    area = endless()["knows"] * endless()["wrong"]
    says("attention moves fast, with a short delay")
    few = endless(M=3)
    says("With only one unused word ($M=3$), in infinitely long sequences, area and speed peak at the same step")
    assert (few["knows"] * few["wrong"]).argmax() == few["speed"].argmax()
    says("with infinitely long sequences it stands still")
    assert endless(lr_Y=100.0)["speed"].max() < 1e-3
    assert endless()["steps"][area.argmax()] < endless()["steps"][endless()["speed"].argmax()] <= 10
    says("the most frequent distinct words grow most")
    assert (c[:, 0, 10:20].argmax(axis=-1) == 9).all()


def test_what_momentum_changes():
    run = endless(optimiser=1, lr_Z=1.0)
    mass, right = run["common_mass"], np.argmax(run["wrong"] < 0.1)
    share = 100 * (mass[0] - mass[right]) / (mass[0] - mass[-1])
    says("{}% of the common words' loss comes after the decoder is already right nine times in ten", 100 - share)


def test_how_far_adam_lets_attention_get():
    steps = [np.median(recorded_words()[who, 0.1]["steps"]) for who in ("attention", "both")]
    says("The slow decoder takes {} steps", steps[0])
    says("The fast one takes {} steps", steps[1])
    assert [f"({n:.0f} steps)" in one.title for n, one in zip(steps, joshua.picture(), strict=True)] == [True, True]
    before, fast, slow = (joshua_of(who)[0] for who in range(3))
    says("all words get the same attention")
    assert np.ptp(before) < 1e-12
    says("Joshua ends with almost half of the attention")
    says("Joshua has hardly gained any")
    assert before[-1] < fast[-1] < 2 * before[-1]
    assert 0.4 < slow[-1] < 0.5
    given = adam_text.windows()
    assert given.nexts == ("lord", "king", "son", "children", "land", "people")
    assert 2.5 < np.divide(*given.task.P[[0, 2], given.words.index("lord")]) < 3  # "almost three times as frequent"
    often = given.drawn.counts[0].sum(axis=0)[[given.words.index(word) for word in ("moses", "joshua")]]
    assert np.divide(*often) == pytest.approx(3, abs=0.5)  # "three times as frequent"


@pytest.mark.deep
def test_a_fast_decoder_trained_as_long_as_the_slow_one(monkeypatch):
    text, adam, verse = adam_text.Text(adam_text.windows()), optim.adam(adam_text.RATE), adam_text.verse()[0]
    places, ends = [text.given.words.index(word) for word in verse if word in text.given.words], []
    N = np.bincount(places, minlength=len(text.given.words))
    for rule in (adam, optim.per_field(Y=optim.sgd(adam_text.PLAIN), Z=adam)):
        rngs = generators(adam_text.SEEDS)
        ends.append(train(text, text.init(len(rngs)), rule, 964, adam_text.BATCH, rngs, {}).params)
    z = ends[0].Z[:, 0].mean(axis=0)[places[-22:]]
    says("after {} steps with the fast decoder, Joshua has {}% of the attention", 964, 100 * softmax(z)[-1])
    f = N * np.exp(ends[1].Z[:, 0])
    guesses = softmax(np.einsum("rc,rcm->rm", f / np.linalg.norm(f, axis=1, keepdims=True), ends[1].Y)).mean(axis=0)
    says("decoder still guesses *lord*, with {}%, and *son* gets only {}%", 100 * guesses[[0, 2]])
    assert text.loss_and_gradient(ends[0], text.given.held)[0].min() > 1  # "some mistakes remain"
    monkeypatch.setattr(adam_text, "PLAIN", 30 * adam_text.PLAIN)
    steps, Z, _ = adam_text.attended("attention", adam_text.RATE, adam_text.SEEDS, steps=150)
    says("at thirty times the rate gives the same result as Adam: it takes {} steps, and leaves {}% for Joshua",
         np.median(steps), 100 * softmax(Z.mean(axis=0)[places[-22:]])[-1])  # fmt: skip


def test_speeds_of_words():
    early, burst, late = (drawn(water, t=t)["gains.speeds"] for t in (1.0, 12.0, 1000.0))
    assert max(abs(early).max(), abs(late).max()) < 0.04 * burst.max()
    assert burst[0] < 0
    assert (np.diff(burst[1:]) > 0).all()


def test_theory_fails_for_large_vocabularies():
    ends, theirs, rivals = np.transpose([fallen(M) for M in (2, 20, 1000)])
    assert (np.diff(ends) > 0).all()
    assert theirs[1] == pytest.approx(theirs[2], rel=0.02)
    says("with 1000 words nearly all wrong guesses are unused words")
    assert rivals[2] < 0.02


def test_finite_sequences_may_exceed_the_limit():
    state, most = textbook.start(attention.settings(**Computed(attention).default | {"lr_Y": 100.0}), 0), 0.0
    for _ in range(attention.STEPS):
        Y, Z = np.array(state.Y), np.array(state.Z)
        textbook.step(state)
        area = -(np.reshape(Y * state.grad_Y, (-1, state.columns)) @ state.stands_for).sum()
        moved = np.array(state.Z) - Z
        most = max(most, -moved[moved < 0].sum() / (3 * area)) if area > 1e-12 else most
    says("the losing scores fall up to {} times as fast as it allows", most)


def test_the_game():
    game = guess.figure()
    plays = [(task, game.play(game.players[0], task, 40)) for task in range(0, 180, 3)]
    right = np.array([one.right for _, one in plays])
    assert 100 * right[:, :5].mean() == pytest.approx(51, abs=0.5)  # "starts by guessing"
    says("Over {} games, it gets {}% of sequences {} to {} right",
         len(right), 100 * right[:, 20:].mean(), 21, right.shape[1])  # fmt: skip
    common = [guess.report(task, one.state)["common"][0] for task, one in plays]
    says("after {} sequences it still gives {}% of its attention to the two letters", 40, np.mean(common))
    ends = [guess.report(task, game.play(game.layer, task, 200).state) for task in range(2, 60, 3)]
    hints, rest = (np.mean([one[name][0] for one in ends]) for name in ("hints", "common"))
    says("{}% of its attention to the frequent hints and {}% to the certain letters after {} sequences",
         hints, 100 - hints - rest, 200)  # fmt: skip
    assert (game.streak, len(game.levels)) == (10, 3)
    says("Ten right answers in a row open the next level.")


def test_figure_5():
    says("the fourth rarest of ten at $\\eta=0.1$, the fifth most frequent at 0.5, the most frequent at 1 (SNAP-20)")
    most = [measured("SNAP-20", f"most attended distinct token at rate {rate}") for rate in ("0.1", "0.5", "1 ")]
    assert most == [3, 5, 9]


def test_why_adam_lets_a_middling_word_win():
    own = np.flatnonzero(BASE.distinct[0])
    ends = [runs.learn(BASE, range(4), runs.rates(rate, rate, optim.adam)).params for rate in (0.5, 1.0)]
    rows = [np.linalg.norm(one.Y[:, own], axis=-1).mean(axis=0) for one in ends]
    logits = [one.Z[:, 0, own].mean(axis=0) for one in ends]
    says("so all decoder rows grow about equally long")
    assert max(np.ptp(one) / one.mean() for one in rows) < 0.02
    says("and the scores of rare words rise most")
    assert logits[0][:3].min() > logits[0][3:].max() > 2 * logits[0][-1]
    assert np.ptp(logits[1]) < 0.06 * logits[1].mean()


def test_figure_6():
    means = np.array([released()[who]["mean"] for who in ("published", "own")])
    says("after 100 steps, attention is sparsest when the decoder's rate is {} times that of attention",
         released()["axes"]["lr_Y over lr_Z"][1])  # fmt: skip
    assert (means[:, 1:].argmin(axis=-1) == 1).all()
    gap = released()["largest difference of replay"]
    assert max(gap["mean"], gap["std"]) < 0.00051  # the last digit of what was released
    assert np.sqrt(len(published.SEEDS)) == pytest.approx(3, abs=0.3)  # "three times as large"


def test_numbers_in_words_that_claims_measure():
    assert measured("SNAP-19", "relative gain over the second") == pytest.approx(0.5, abs=0.05)  # "ends at half"
    assert texts()["kjv shuffled"][1].min() > 2.6 > texts()["kjv shuffled"][2].min()  # "does not turn sparse" at 1
    assert gaps(2) == pytest.approx(theory.logit_gap(80.0, 2, 2, 0.7))  # "the same gap"
    assert abs(measured("SNAP-10", "common logit over the formula with K - 1") - 1) < 0.08
    assert abs(measured("SNAP-10", "the same with K, as printed") - 0.5) < 0.05  # "off by up to half"
