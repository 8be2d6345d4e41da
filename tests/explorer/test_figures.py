"""What holds of every figure that computes: the page's bits, the file it runs, whole sentences at the sliders' ends."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from hal.explorer import Computed
from hal.explorer.names import returned
from hal.explorer.sentences import say
from tests.chapters import BOOK
from tests.in_page import InPage
from tests.portable.engine import bits
from tests.rows import figures, whole_runs
from tests.sentences.positions import ends, positions

FOUND = figures()
LINES = 120  # of a figure's module, at most
every = pytest.mark.parametrize(("module", "row"), FOUND.values(), ids=FOUND)


@pytest.mark.parametrize("name", FOUND)
def test_it_has_its_row(name):
    slug, _, leaf = name.partition("-")
    assert FOUND[name][1] is not None, f"give {leaf} its row in FIGURES of tests/{slug}/rows.py"


@every
def test_its_names_are_told_by_its_text(module, row):
    """So that no misspelt name is missed, see `hal.explorer.names`."""
    figure = Computed(module)
    asked = [figure.textbook.read, figure.outcome, *filter(None, [figure.summary]), *figure.theory]
    assert [function.__name__ for function in asked if returned(function) is None] == []


@every
def test_it_is_short_and_named_after_its_module(module, row):
    assert len(Path(module.__file__).read_text().splitlines()) <= LINES
    figure = Computed(module)
    assert figure.name == "-".join(np.array(module.__name__.split("."))[[2, 4]])
    assert not figure.tour or 4 <= len(figure.tour) <= 7


def one_run_alone(figure):
    """The panels that draw a reading of one run: as frames, or as curves of one record each."""
    readings = returned(figure.textbook.read)
    for panel in figure.panels:
        spec, sources = panel.spec(), panel.sources()
        rows = [f"y{j}" for j, series in enumerate(spec.get("series", ())) if spec["frames"] or series["rows"]]
        if any(sources[role] in readings for role in ([*rows, "z"] if "z" in sources else rows)):
            yield panel.title


@every
def test_it_says_which_run_stands_for_all_where_one_is_drawn(module, row):
    figure = Computed(module)
    if figure.runs > 1:
        assert figure.middle or not list(one_run_alone(figure)), f"name a reading in MEDIAN of {figure.name}"


def said_to_run(text):
    """Of a chapter's text, or a row of a table: the titles of its figures with the files that they are said to run."""
    for titles, file in re.findall(r"((?:\*[^*]+\*(?:, | and )?)+) (?:runs?|\|) `([\w.]+)`", text):
        yield from ((title, file) for title in re.findall(r"\*([^*]+)\*", titles))


@pytest.mark.parametrize("slug", sorted({name.partition("-")[0] for name in FOUND}))
def test_the_chapter_says_which_file_each_figure_runs_and_prints_its_model(slug):
    cells = json.loads((BOOK / f"{slug}.ipynb").read_text())["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    here = [module for name, (module, _) in FOUND.items() if name.partition("-")[0] == slug]
    assert sorted(said_to_run(text)) == sorted((module.TITLE, Path(module.RUN.__file__).name) for module in here)
    assert f"src/lib/models/{slug}/textbook.py" in "".join(re.findall(r"{literalinclude} (.*)", text))


@every
def test_its_theory_has_the_same_bits_in_the_page(module, row):
    figure = Computed(module)
    page = InPage(figure)
    for point in positions(figure, np.random.default_rng(4), row.points):
        assert bits(page.choose(point)) == bits(figure.compute(point, runs=0).theory), point


@every
def test_its_run_has_the_same_bits_in_the_page(module, row):
    figure = Computed(module)
    here = figure.compute(row.short, seed=2)
    page = InPage(figure)
    page.choose(figure.check(row.short))
    assert bits(page.train(2)) == bits(here.runs[0])


@every
def test_its_sentence_is_whole_and_right_at_both_ends_of_every_slider(module, row):
    """Its runs are the page's, whose bits are Python's by the test above, and a hundred times as fast."""
    figure, said, lost = Computed(module), set(), 0
    page = InPage(figure)
    for moved in ends(figure):
        point = {**figure.default, **moved}
        shown = page.result(figure.check(point), 5, min(3, figure.runs))
        drawn = figure.draw(shown)
        assert drawn.reading.endswith("."), moved
        assert not re.search(r"\bnan\b|\binf\b|[{}]", drawn.reading), (moved, drawn.reading)
        said.add(drawn.reading)
        if not whole_runs(shown):
            lost += 1
            assert row.gone in drawn.reading, (moved, drawn.reading)
        elif row.check is not None:
            row.check(drawn.reading, shown, point)
    assert len(said) > 2
    assert bool(lost) <= row.lost


@every
def test_before_the_first_run_its_sentence_says_so(module, row):
    figure = Computed(module)
    text = say(figure.reading, figure.compute(row.short, runs=0).facts)
    assert row.waiting in text
    assert "{" not in text


@every
def test_every_step_of_its_tour_can_be_drawn_before_a_run_has_come(module, row):
    figure = Computed(module)
    for step in figure.tour:
        theory = figure.compute(step.settings, runs=0)
        assert say([step.say], theory.facts).strip()
        assert step.time is None or step.time <= theory.theory[figure.time][-1] or math.isclose(step.time, 0)


@every
def test_what_it_calls_idle_changes_nothing(module, row):
    """A setting that says that it does nothing here: theory and a run are the same at both its ends."""
    figure = Computed(module)
    for name, control in figure.controls_by_name.items():
        for way in control.slider.idle_ways:
            assert {sign for _, sign, _ in way.conditions} == {"=="}, "the place where it does nothing, for this test"
            here = {**row.short, **{other: type(figure.default[other])(value) for other, _, value in way.conditions}}
            ends = [figure.compute({**here, name: end}) for end in (control.low, control.high)]
            assert bits(ends[0].runs[0]) == bits(ends[1].runs[0])
            assert bits(ends[0].theory) == bits(ends[1].theory)
