"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/explorer/test_figures`."""

import numpy as np
import pytest

from hal.chapters.group_sparse import runs
from hal.chapters.group_sparse.figures import downstream, guess, limit, rates, selection, wrong
from hal.explorer import Computed
from hal.explorer.sentences import say
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.train import GivenBatches, train
from tests.group_sparse.rows import FIGURES, ends, population
from tests.portable.engine import bits, page_of
from tests.sentences.positions import positions


@pytest.mark.parametrize("module", [selection, wrong])
def test_a_run_has_the_steps_that_its_work_allows(module):
    chosen = module.settings(*[4, 2, 200, 0.3, 1.0, 0.0][: 6 if module is selection else 4])
    assert chosen.steps == module.STEPS
    dear = module.settings(*[8, 8, 4000, 0.3, 1.0, 0.0][: 6 if module is selection else 4])
    assert 20 <= dear.steps == max(20, int(module.WORK // (2 * 4000 * 8 * 16 * 24)))


BRANCHES = {
    selection: (
        {"WORK": 1e5, "FEWEST": 5},
        [
            dict(D=2, d=8, n=10, lr=2.0),
            dict(D=6, d=4, n=20, lr=0.02),
            dict(D=3, d=1, n=20, flips=0.3),
            dict(D=2, d=1, n=20, lr=1.0),
        ],
        ("Value first", "does not reach 0.9", "memorises", "with probability"),
    ),
    wrong: (
        {"WORK": 2e6, "FEWEST": 5},
        [dict(D=4, d=2, n=20, lr=0.8), dict(n=20), dict(D=8, d=1, n=20, lr=0.05)],
        ("is below the limit", "is at the limit", "times the limit", "the layer memorises", "is elsewhere."),
    ),
    rates: (
        {},
        [dict(D=48, level=0.3), dict(D=4, level=0.003), {}],
        ("the late law says", "too early for the late law", "falls like D"),
    ),
    downstream: (
        {"MOST": 60},
        [dict(D=8, d=4, attention=0.95, lr=10.0), dict(D=3, d=4, gamma=0.9, attention=0.1, lr=1.0), dict(D=3)],
        ("In theory: value alone", "it has no formula", "has harmed", "has sharpened", "leaves the attention"),
    ),
}


@pytest.mark.parametrize("module", BRANCHES)
def test_every_branch_of_its_sentences_is_right_and_at_random_settings_too(module, monkeypatch):
    smaller, others, branches = BRANCHES[module]
    for name, value in smaller.items():
        monkeypatch.setattr(module, name, value)
    figure, texts = Computed(module), []
    for point in [*positions(figure, np.random.default_rng(3), 3), *({**figure.default, **one} for one in others)]:
        shown = figure.compute(point, seed=3)
        texts.append(say(figure.reading, shown.facts))
        FIGURES[module.__name__.rpartition(".")[2]].check(texts[-1], shown, point)
    assert [branch for branch in branches if not any(branch in text for text in texts)] == []


def test_lines_on_the_map_have_their_powers_and_pass_through_the_chosen_size():
    sizes = rates.sizes(rates.settings(8, 0.02))
    D = np.array(sizes["D"])
    np.testing.assert_allclose(np.array(sizes["reach"]) * D**2, sizes["reach"][0] * 16, rtol=1e-10)
    np.testing.assert_allclose(np.array(sizes["cubic"]) * D**3, sizes["reach"][1] * 512, rtol=1e-10)
    np.testing.assert_allclose(sizes["cubed"], D**3)
    assert sizes["there"] == [sizes["reach"][1]]


def test_the_map_is_the_loss_of_the_flow():
    (run,) = Computed(rates).compute({}, runs=1).runs
    heights = np.array(run["heights"]).reshape(29, 5)
    times = rates.sizes(rates.settings(8, 0.02))["times"]
    for k, D in enumerate((4, 8, 16, 32, 64)):
        wanted = [population(D, 1.0, times[i])[1] for i in (4, 12, 20)]
        np.testing.assert_allclose(10 ** heights[[4, 12, 20], k], wanted, rtol=3e-3)


def test_exponents_of_the_rates_are_said_as_they_come_out():
    figure = Computed(rates)
    facts = figure.compute({}, runs=1).facts
    assert facts["rise"] == pytest.approx(1 / 3, abs=0.02)
    assert facts["fall"] == pytest.approx(-2, abs=0.2)
    assert "the time to the loss falls like D to the −" in say(figure.reading, facts)


def test_what_the_tour_of_the_wrong_mechanism_says():
    beyond = ends(wrong.settings(6, 4, 100, 1.5), range(2))
    for run in beyond:
        assert run["accuracy"][-1] >= 0.97
        assert run["steps"][4] == 8
        assert run["attention"][4] < 1 / 6
        assert run["attention"][-1] < 0.5
        assert run["ratio"][-1] < 0.9
    twice = runs.learn(gs.Task(D=6, d=4), range(6), 100, 0.7, 120)
    assert np.sum(twice.attention > 0.5) >= 5
    below = runs.learn(gs.Task(D=6, d=4), range(6), 100, 0.3, 120)
    assert below.attention.min() > 0.55
    assert below.ratio.min() > 0.9
    three = runs.learn(gs.Task(D=3, d=4), range(6), 100, 1.5, 120)
    assert np.median(three.attention) > 0.6


def test_what_the_tour_of_the_selection_says():
    chosen = selection.settings(4, 2, 200, 0.3, 1.0, 0.0)
    (run,) = ends(chosen, [0])
    assert (run["steps"][1], run["cosine"][1] > 0.9) == (4, True)  # the line stands
    assert run["attention"][2] < 0.33  # after 7 steps, from 0.25
    assert run["attention"][-1] > 0.85
    flipped = runs.learn(gs.Task(D=4, d=2, flips=0.3), range(6), 200, 0.3, 200)
    assert np.median(flipped.attention) < 0.65
    few = runs.learn(gs.Task(D=6, d=4), range(6), 20, 0.3, 200)
    assert few.trained.min() == 1
    assert np.median(few.accuracy) < 0.85


def test_what_the_tour_of_the_new_task_says():
    even = Computed(downstream).compute({"attention": 0.17}, runs=3).facts
    known = Computed(downstream).compute({}, runs=3).facts
    assert known["frozen"] < known["linear"] < even["frozen"]
    assert known["frozen"] == pytest.approx(known["tuned"], abs=3)


def test_valley_of_equal_outputs_is_the_logistic_loss_of_balanced_labels():
    drawn = limit.valley(limit.settings(1.5, 3))
    for output, loss in (("x", "y"), ("went", "cost")):
        c = np.array(drawn[output])
        np.testing.assert_allclose(drawn[loss], np.mean([np.logaddexp(0, -c), np.logaddexp(0, c)], axis=0))


@pytest.mark.parametrize(("number", "n"), [(0, 16), (3, 8)])
def test_the_examples_to_poke_are_of_the_task(number, n):
    drawn = guess.examples(number, n)
    points, y = np.array(drawn["points"]).reshape(n, guess.D, 2), np.array(drawn["labels"])
    right = list(drawn["right"]).index(1)
    angles = np.linspace(0, np.pi, 721)
    cut = [max(np.mean(np.sign(points[:, j] @ [np.cos(a), np.sin(a)]) == y) for a in angles) for j in range(guess.D)]
    turned = [
        max(np.mean(np.sign(points[:, j] @ [np.cos(a), np.sin(a)]) == -y) for a in angles) for j in range(guess.D)
    ]
    assert max(cut[right], turned[right]) == 1  # a line through the middle of that picture
    assert sum(drawn["attention"]) == pytest.approx(1)
    left = []
    for j in range(guess.D):  # the lines that make no mistake lie between two angles, less than half a turn apart
        turns = np.sort(np.arctan2(points[:, j, 1] * y, points[:, j, 0] * y))
        left.append(max(0.0, np.diff([*turns, turns[0] + 2 * np.pi]).max() - np.pi))
    np.testing.assert_allclose(drawn["best"], np.array(left) / sum(left), atol=0.03)


def test_every_number_of_examples_has_a_task_of_its_own():
    first, second = (guess.examples(0, n) for n in (8, 16))
    assert first["points"] != second["points"][: len(first["points"])]


def test_what_was_picked_is_what_the_library_learns_from_these_examples():
    drawn, n = guess.examples(1, 16), 16
    points, y = np.array(drawn["points"]).reshape(1, n, guess.D, 2), np.array(drawn["labels"])[None]
    task = gs.Task(D=guess.D, d=2, j_star=1 + list(drawn["right"]).index(1))
    model = gs.GroupTransformer(task)
    given = gs.Examples(points, y)
    params = train(GivenBatches(model, [given]), None, optim.sgd(guess.LR), guess.STEPS).params
    attention = model.attention(params, points)[0].mean(axis=(0, 2))
    np.testing.assert_allclose(drawn["attention"], attention, atol=1e-9)


def test_the_poke_has_the_same_bits_in_the_page():
    figure, page = guess.figure(), page_of(textbook)
    page.do(f"const G = ({figure.program})()[{figure.spec()['module']!r}];")
    assert bits(page.run("G.examples(2, 8)")) == bits(guess.examples(2, 8))
