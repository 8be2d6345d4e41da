"""What figures say is true wherever their sliders stand: five random positions of each, 200 in the deep tier."""

import pytest

from hal.figure import Slider, Step
from hal.figure.sentences import Say
from tests.figure import toy_computed
from tests.figure.changed import changed
from tests.rows import Figure, middle, speaking, whole_runs
from tests.sentences.laws import broken
from tests.sentences.trial import toured, tried

FOUND = speaking()
every = pytest.mark.parametrize("name", FOUND)


def found_wrong(found):
    """Where a sentence was wrong: the position, what was said, and why it is wrong."""
    return [(one.point, one.seed, len(one.result.runs), one.text, one.wrong) for one in found if one.wrong]


@pytest.mark.law
@every
def test_sentences_are_true_at_five_random_positions(name):
    assert found_wrong(tried(*FOUND[name], seed=2, count=5)) == []


@pytest.mark.law
@pytest.mark.parametrize("name", [name for name, (module, _) in FOUND.items() if hasattr(module, "TOUR")])
def test_sentences_are_true_along_the_tour(name):
    assert found_wrong(toured(*FOUND[name])) == []


@pytest.mark.deep
@pytest.mark.timeout(3600)
@every
def test_sentences_are_true_at_200_random_positions(name):
    assert found_wrong(tried(*FOUND[name], seed=1, count=200)) == []


# The judges themselves.


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The loss is 0.000.", "zero with decimals"),
        ("Right in 100.0 % of runs.", "decimals behind 100 %"),
        ("It errs in 100% of cases.", "always, as a percentage"),
        ("It has taken 1 samples.", "1 samples: one of many"),
        ("It is number 9.5 of ten.", "9.5 of ten: half a place"),
        ("The gap is 2.22×10⁻¹⁰⁴.", "×10⁻¹⁰⁴ is rounding"),
        ("The gap is nan.", "a number is missing"),
        (" ", "nothing is said"),
    ],
)
def test_what_no_figure_may_say(text, wrong):
    assert list(broken(text)) == [wrong]


@pytest.mark.parametrize("text", ["The loss is 0.0001, of 100 % and 10.0 %, at 2×10⁻⁷ and 3.0×10⁻⁵; banana."])
def test_what_a_figure_may_say(text):
    assert list(broken(text)) == []


def check(text, shown, point):
    """Of the toy: what its sentence tells, from the runs."""
    ends = [run["V"][-1] for run in whole_runs(shown)]
    lost = len(shown.runs) - len(ends)
    assert text.startswith(f"{sum(end > 0 for end in ends)} of {len(ends)} runs go right, {lost} diverged.")
    end, (half,) = middle(shown, "V"), shown.theory["flow.half"]
    assert ("V ends high" in text) == (end > 0.5)
    assert ("below" in text) == (end <= 0.5 and end < half)


SHORT = {**toy_computed.SLIDERS, "T": Slider("Context length T", "tokens", 12, (6, 40))}
TOY, TOY_ROW = changed(toy_computed, SLIDERS=SHORT), Figure({}, check, gone="No run has come")


def test_a_true_sentence_passes_and_a_false_one_is_found_where_it_is_false():
    right = list(tried(TOY, TOY_ROW, 1, 12))
    assert not any(one.wrong for one in right)
    first, (high, low) = toy_computed.READING
    wrong = changed(TOY, READING=[first, [Say(high.text, "end > -2"), low]])
    found = list(tried(wrong, TOY_ROW, 1, 12))
    assert [one.point for one in found] == [one.point for one in right]
    false = [-2 < one.result.facts.get("end", -3.0) <= 0.5 for one in found]
    assert [bool(one.wrong) for one in found] == false
    assert 0 < sum(false) < 12


def test_a_step_of_a_tour_is_asked_where_it_goes():
    steps = (Step("It begins."), Step("It goes on."), Step("It is 0.000.", lr=0.2, seed=3), Step("It ends."))
    found = list(toured(changed(TOY, TOUR=steps), TOY_ROW))
    assert [one.wrong for one in found] == [[], [], ["the tour: zero with decimals"], []]
    assert (found[2].point["lr"], found[2].seed, len(found[2].result.runs)) == (0.2, 3, toy_computed.RUNS)
