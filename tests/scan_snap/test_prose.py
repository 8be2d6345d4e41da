"""The numbers of chapter 2's text, each computed; those of claims are of the record, which other tests compare."""

import functools
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from hal.chapters.scan_snap import runs
from hal.chapters.scan_snap.figures import growth, guess, ruler, snap
from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.runs import adam_text, memory, published
from hal.chapters.scan_snap.runs.text import text_runs
from hal.chapters.scan_snap.theory.lemmas import speed_peak
from lib import optim
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory
from tests.prose import Prose
from tests.scan_snap.computed import computed, endless
from tests.scan_snap.rows import angle_and_share, water

PROSE = Prose("scan_snap")
CELLS, says, measured, claim = PROSE.cells, PROSE.says, PROSE.measured, PROSE.claim


def bare(text):
    """Text without code, addresses, phrases that set a figure, displayed formulas, ids, and places in the paper."""
    text = re.sub(r"```.*?```|`[^`]*`|\[[^]]*\]\(#[^)]*\)|\]\([^)]*\)?|\$\$.*?\$\$", " ", text, flags=re.S)
    return re.sub(r"SNAP-\d+|\d{4}\.\d{5}|\(2023\)|\\tfrac\d\w|(Figures?|Section|Theorem|Lemma) [\d, and]+", " ", text)


def test_every_number_of_the_text_is_quoted_here():
    assert PROSE.loose_numbers(Path(__file__), bare) == []


def default(function, *names):
    """Defaults of arguments."""
    return [inspect.signature(function).parameters[name].default for name in names]


BASE = ss.base_task()


def degrees(away=0.0):
    """The angle of the two classes where attention has left common tokens that far."""
    return angle_and_share({"common": 10, "away": away})[0]


@functools.cache
def released():
    return runs.recorded_figure6()


def next_mark(t):
    """When the common token has fallen by 0.1 more than at this time, found in its curve; over the time, less one."""
    times = np.geomspace(1, 1e6, 20_001)
    curve = theory.reduced_B(times, 10, 1000, 1.0, 0.5, 0.8)
    return np.interp(np.interp(np.log(t), np.log(times), curve) + 0.1, curve, times) / t - 1


def under(t):
    """By how many percent the benefit per unit of common tokens is below the average, in the joint flow."""
    return 100 * (1 - water({"common": 10, "t": t})[1][0])


def peak(**settings):
    """When the joint flow is fastest, over the time of the scan."""
    facts = computed(snap, **settings)[1]
    return facts["peak"] / facts["times.scan"]


@functools.cache
def texts():
    """Entropy of the first layer of one (rates, steps), by text."""
    return {name: text_runs()["runs"][name]["entropy"].mean(axis=1)
            for name in ("kjv", "python", "kjv shuffled", "python shuffled")}  # fmt: skip


def gaps(M):
    """Of class 0's correct token to each other output, by the true gradient with attention at rest, at lr_Y t = 80."""
    task = single_common_task(2, 0.3, M)
    outputs = runs.start_inputs(task)[0] @ runs.flow(task, 1.0, 1e-12, [0.0, 80.0]).params.Y[-1]
    return outputs[0] - outputs[1:]


def drive():
    return runs.common_logits(0.3, 5.0)


K_RATIO = "SNAP-17"
LOSSES = "SNAP-21"

TABLE = [
    # the record of claims
    ("entropy {} nats for $\\eta_Y=1$, {} for $\\eta_Y=10$ (SNAP-17) |",
     *(claim(K_RATIO, f"lr_Y = {rate}: entropy") for rate in (1, 10))),
    ("the loss of the released log, to {} parts in 100 000 (SNAP-21)", claim(LOSSES, "Fig. 4, losses", times=1e5)),
    ("| at most {}% of the paper's bound (SNAP-5) |", claim("SNAP-5", "largest h* - h over its bound", times=100)),
    ("| joint training with the replaced gradient | {}% of it |",
     claim("SNAP-12", "the same, trained by steps of the repl", times=100)),
    ("| with momentum 0.9, {} of it for the second most frequent token",
     claim("SNAP-19", "relative gain over the second")),
    ("with plain gradient descent, after the same {} steps, {} |",
     lambda: (100, memory(runs.rates(1.0, 1.0, optim.sgd), 0.0, 100).gain[-1, 8])),
    ("the largest eigenvalue is {} to {}, the limit $1/K$ is {} to {}",
     claim("SNAP-32", "largest |eigenvalue| of E over 1/K, K = 2, M = 34", times=1 / 2),
     claim("SNAP-32", "largest |eigenvalue| of E over 1/K, K = 20", times=1 / 20), 1 / 2, 1 / 20),
    ("with $K-1$, the *other* classes, within {}% for overlaps up to 0.3", 8),
    # the task and its words
    ("is the [cosine](notation.md) of the angle between their arrows: $\\rho\\,={}$, an angle of {}°",
     np.cos(np.radians(degrees())), degrees()),
    ("[Halve what the common tokens count](#scan_snap-arrows:away=0.5), and it opens to {}°", degrees(0.5)),
    ("Before training, common tokens hold {}% of the attention", 100 * (BASE.P[0] * BASE.common).sum()),
    ("a layer reads {} words of the Bible that end in *the*, and guesses which of six words follows",
     adam_text.LENGTH),
    ("ten equal tokens have $\\ln10={}$ nats", np.log(10)),
    ("for $K={}$, $M={}$, $\\rho=0.3$, $\\eta_Y={}$, $\\eta_Z={}$ and five distinct tokens a class (SNAP-12)",
     default(runs.common_logits, "K", "M", "lr_Y", "lr_Z")),
    ("our code gives **all {} means and all {} standard deviations** of Figure 6 **to rounding** (SNAP-21)",
     lambda: [np.size(released()["published"][name]) for name in ("mean", "std")]),
    # Remark 1 of Appendix D: it predicts the gap of a smaller learning rate
    ("Take $\\rho=0.3$, $K={}$, $M={}$ and the time $\\eta_Yt=80$. The remark predicts a gap of {} nats",
     lambda: (2, 1000, theory.logit_gap(80.0, 2, 1000, 0.7))),
    ("The true gap to the other class is {}, and that to a token that never comes next is {}", lambda: gaps(1000)),
    ("At $M=2$ remark and true gradient give the same gap, {}", lambda: gaps(2)),
    ("about finite samples (Lemmas 10 to 12 and Remark 4: the counts",),
    # settings
    ("| 11, 12 | *recall*, the fraction of distinct tokens above a threshold |",),
    ("| 7, 10 | real text | the trend, on other corpora (SNAP-25) |",),
    ("| the ratio of learning rates | all {} cells, replayed (SNAP-21)",
     lambda: np.size(released()["published"]["mean"])),
    ("| distinct tokens rise | the rarest falls at $L={}$ |", BASE.L),
    ("| $\\eta$ | {} | {} | {} | {} |", lambda: list(text_runs()["runs"]["kjv"]["eta"])),
    ("What only the real corpora show is an *early* fall, before step 600",),
    ("with a mark at every further {} nats", ruler.STEP),
    # Figure 6 and its grid
    ("in the paper's own experiments the decoder is only {} to {} times as fast",
     lambda: [end(map(float, [*released()["axes"].values()][-1])) for end in (min, max)]),
    # figures that compute
    ("attention is fastest at ${}\\,t_0'$ in the joint flow", peak),
    ("In the reference dynamics it is fastest at ${}\\,t_0'$",
     lambda: computed(snap)[1]["reference.peak"] / computed(snap)[1]["times.scan"]),
    ("[at step 30](#scan_snap-ruler:t=30) time need only grow by {}% for the next one", lambda: 100 * next_mark(30.0)),
    ("[At step 1000](#scan_snap-ruler:t=1000) the next mark takes {} times as long", lambda: next_mark(1000.0)),
    ("At [step 37](#scan_snap-water:t=37) common tokens stand {}% under water", lambda: under(37.0)),
    # the paper's figures
    ("| reference dynamics | {} |", lambda: -drive()[1]),
    ("| joint training | {}, which is {}% of it |",
     lambda: (-drive()[0], 100 * drive()[0] / drive()[1])),
    # text
    ("The table has the entropy of attention after {} steps; it begins at {} nats (SNAP-25)",
     lambda: (text_runs()["runs"]["kjv"]["steps"][-1], text_runs()["uniform"])),
    *((f"| {row} | {{}} | {{}} | {{}} | {{}} |", lambda name=name: texts()[name][:, -1])
      for row, name in zip(("Bible", "manual", "Bible, shuffled", "manual, shuffled"),
                           ("kjv", "python", "kjv shuffled", "python shuffled"), strict=True)),
]  # fmt: skip


@PROSE.rows(TABLE)
def test_number_in_text_is_what_is_computed(row):
    says(*row)


# Attention leaves the common tokens


def test_attention_leaves_common_tokens_before_and_after_the_decoder_is_right():
    task = ss.base_task()
    record = {"mass": lambda p: ss.mass_on(ss.attention(p, task), task.common)}
    run = runs.learn(
        task, range(6), runs.rates(1.0, 3.0, optim.sgd), 100, record=record, record_at=range(101)
    )  # the opening's setting
    mass, loss = run["mass"].reshape(6, 101, -1).mean(axis=-1), run["loss"]
    says("Four fifths of their fall happens while the loss is above 0.1")
    right = np.argmax(loss < 0.1, axis=1) - 1  # a loss is recorded once the step is made that it led to
    made = (mass[:, 0] - mass[np.arange(6), right]) / (mass[:, 0] - mass[:, -1])
    assert made.mean() == pytest.approx(0.8, abs=0.02)
    assert (ss.attention(run.params, task)[:, 0, 10:20].argmax(axis=-1) == 9).all()


def at(**settings):
    """The opening on infinitely long sequences, unless said otherwise."""
    return endless(**{"optimiser": 0, "lr_Y": 1.0, "lr_Z": 3.0} | settings)


def test_numbers_that_cells_print():
    kept = at()
    printed = "".join(out for cell in CELLS for output in cell.get("outputs", []) for out in output.get("text", []))
    says("attention on common tokens: {}, before training {}", kept["common_mass"][[-1, 0]], text=printed)
    says("entropy on distinct tokens: {} nats, before training {}", kept["entropy"][[-1, 0]], text=printed)
    ends = []
    for decay in (0.1, 0.0):  # the reader's own step: the decoder keeps 0.9 of itself
        rule = optim.per_field(Y=optim.chain(optim.add_decayed_weights(decay), optim.sgd(1.0)), Z=optim.sgd(3.0))
        params = runs.learn(BASE, range(6), rule).params
        ends.append(100 * np.median(ss.mass_on(ss.attention(params, BASE), BASE.common).mean(axis=-1)))
    code = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "code")
    says("common tokens keep {}%, not {}%", ends, text=code)
    says("Is it bad that {}% of the attention stays on common words?", ends[1])


# Figures that compute


def test_scan_and_snap():
    d, _ = computed(snap)
    says("Common words fade more between steps 10 and 100 than ever after.")
    bars, dashes = (d[name].reshape(67, 11) for name in ("attention", "shares.reference"))
    common = bars[[18, 30, -1], 0]
    assert common[0] - common[1] > common[1] - common[2]
    assert bars[-1, -1] / dashes[-1, -1] == pytest.approx(1 / 3, abs=0.01)  # "only a third of the reference"


def test_growth():
    d, _ = computed(growth)
    says("its common token falls by {} where the reference falls by {}", -d["common"][-1], -d["reference.common"][-1])


def test_the_arrows_and_the_rectangle():
    x = theory.logit_gap(np.array([0.5, 7.0, 300.0]), 2, 34, 1.0)
    knows, errs = 33 / 34 * x, 33 / (33 + np.exp(x))
    assert errs[0] > 0.9 > errs[1] > 0.1 > errs[2]
    assert knows[0] < 0.1 * knows[1]
    says("Near [step 7](#scan_snap-rectangle:t=7) the area is almost as large as it gets")
    assert knows[1] * errs[1] > 0.99 * float(speed_peak(2, 34, 1.0).speed)
    assert under(1e5) < 5 > under(0.5)


def test_the_game():
    game = guess.figure()
    layer = np.array([game.play(game.players[0], task, 40).right for task in range(0, 180, 3)])
    says("On average it answers {}% of its first five sequences correctly. Of the second twenty it gets {}% right",
         100 * layer[:, :5].mean(), 100 * layer[:, 20:].mean())  # fmt: skip
    assert (game.streak, len(game.levels)) == (10, 3)  # "Ten correct answers in a row open the next of three levels"


# The paper's figures, and what lies beyond


def test_figure_5():
    says("the fourth rarest of ten tokens at $\\eta=0.1$, the sixth at 0.5, the most frequent at 1 (SNAP-20)")
    most = [measured("SNAP-20", f"most attended distinct token at rate {rate}") for rate in ("0.1", "0.5", "1 ")]
    assert most == [3, 5, 9]


def test_figure_6():
    released_, own = (np.array(released()[who]["mean"]) for who in ("published", "own"))
    says("After a fixed 100 steps the best ratio is 2, in the released numbers of Figure 6 and in our runs")
    for means in (released_, own):
        assert (means[1:].argmin(axis=-1) == 1).all()
    gap = released()["largest difference of replay"]
    assert max(gap["mean"], gap["std"]) < 0.00051  # the last digit of what was released
    assert np.sqrt(len(published.SEEDS)) == pytest.approx(3, abs=0.3)  # "three times as large"


def test_numbers_in_words_that_claims_measure():
    assert measured("SNAP-19", "relative gain over the second") == pytest.approx(0.5, abs=0.05)  # "ends at half"
    assert gaps(2) == pytest.approx(theory.logit_gap(80.0, 2, 2, 0.7))  # "the same gap"
    assert measured("SNAP-15", "earliest fastest move") > 0.5  # times of the scan; t0 is at 2.9
    assert measured("SNAP-15", "latest fastest move") < 2.9
    assert measured("SNAP-15", "reference dynamics: latest") < 1
    assert abs(measured("SNAP-12", "the same at five times that", "control") - 1) < 0.05  # "agree within 5%"
    assert abs(measured("SNAP-10", "common logit over the formula with K - 1") - 1) < 0.08
    assert abs(measured("SNAP-10", "the same with K, as printed") - 0.5) < 0.05  # "off by up to half"
