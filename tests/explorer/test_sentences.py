"""What figures say is true wherever their sliders stand: the record, some new positions, and who would notice."""

import pytest

from hal.chapters import written
from hal.explorer import Computed, Slider, Step
from hal.explorer.sentences import Say
from hal.site.sentences import recorded, sentences_html
from lib.errors import InputError
from tests.explorer import toy_computed
from tests.explorer.changed import changed
from tests.rows import Figure, middle, speaking, whole_runs
from tests.sentences.__main__ import COUNT, SEED
from tests.sentences.laws import broken
from tests.sentences.mutants import noticed
from tests.sentences.trial import digest, toured, tried

FOUND = speaking()
RECORD = {name: one for row in written() for name, one in recorded(row.slug).items()}
NEW = 5  # positions that no record has tried, of each figure
every = pytest.mark.parametrize("name", FOUND)


@every
def test_the_record_is_of_these_sentences_and_none_was_false(name):
    entry = RECORD.get(name, {})
    assert entry.get("digest") == digest(*FOUND[name]), f"python -m tests.sentences {name}"
    assert entry["wrong"] == []
    assert entry["tried"] >= COUNT


@every
def test_its_sentences_are_true_at_new_positions(name):
    for one in tried(*FOUND[name], SEED + 1, NEW):
        assert not one.wrong, (one.point, one.seed, len(one.result.runs), one.text)


def test_nearly_every_broken_condition_and_number_is_noticed():
    missed = sum(len(entry["unnoticed"]) for entry in RECORD.values())
    assert missed <= 0.05 * sum(entry["broken"] for entry in RECORD.values())


# The judges themselves.


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The loss is 0.000.", "zero with decimals"),
        ("Right in 100.0 % of cases.", "decimals behind 100 %"),
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


def test_sentences_that_nobody_judges_have_no_digest():
    with pytest.raises(
        InputError, match=r"toy-computed: expected its row in FIGURES or SMALLS of tests/SLUG/rows.py, got none"
    ):
        digest(TOY, None)


def test_a_broken_condition_and_a_doubled_number_are_noticed():
    seen = noticed(Computed(TOY), TOY_ROW, list(tried(TOY, TOY_ROW, 1, 12)))
    assert seen["sum.right doubled"]
    assert seen["V ends high.: end > 0.5 left out"]
    blind = Figure({}, lambda text, shown, point: None, gone="No run has come")
    assert not any(noticed(Computed(TOY), blind, list(tried(TOY, blind, 1, 12))).values())


def test_the_page_has_a_row_for_each_figure_and_refuses_none_at_all():
    one = {"title": "A & B", "tried": 200, "wrong": [{}], "broken": 8, "unnoticed": ["x"], "before": [6, 60]}
    html = sentences_html({"a-b": one, "a-c": {**one, "wrong": []}})
    assert "<td>400</td><td>12 of 120</td><td>1</td><td>16</td><td>88 %</td>" in html
    assert "A &amp; B" in html
    with pytest.raises(InputError, match=r"figures: expected recorded trials \(`make sentences` .* got none"):
        sentences_html({})
