"""What holds of every figure that has sliders, small ones and toys among them, asked once and in the page's engine."""

import colorsys
import itertools
import json
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from hal.figure import figure_of
from hal.figure.declared import nothing
from hal.figure.names import returned
from hal.figure.sentences import say
from hal.figure.sight import HERO, PANELS, SETTINGS, SMALL
from hal.palette import IDEAS
from lib.errors import InputError
from tests.chapters import BOOK
from tests.figure import toy_side
from tests.figure.toy_computed import explorer
from tests.figure.toy_smalls import SMALLS, small
from tests.in_page import InPage
from tests.portable.engine import bits
from tests.rows import figures, smalls, speaking, whole_runs
from tests.sentences.positions import ends, positions
from tests.sentences.trial import judged
from tests.tiers import EVERY

FOUND = speaking()
CASES = {f"toy-{name}": lambda name=name: small(name) for name in SMALLS}
CASES |= {"toy-computed": explorer, "toy-side": lambda: figure_of(toy_side)}
CASES |= {name: lambda module=module: figure_of(module) for name, (module, _) in FOUND.items()}
SMALL_CASES = [name for name in CASES if name in smalls() or name.removeprefix("toy-") in SMALLS]

BYTES = r"base64,[^\"]*"  # of a landscape: any letters may stand in a row


def law(names, every=EVERY):
    """A test of each of these figures, of which the fast tier takes one of so many: where a case is quick, all."""
    return lambda test: pytest.mark.law(every=every)(pytest.mark.parametrize("name", list(names))(test))


SIGNS = set("−+qsbB")  # of points, which lie where their numbers say


def one_run_alone(figure):
    """The panels that draw a reading of one run: as frames, or as curves of one record each."""
    readings = figure.readings(figure.textbook)
    for panel in figure.panels:
        spec, sources = panel.spec(), panel.sources()
        rows = [f"y{j}" for j, one in enumerate(spec.get("series", ())) if spec.get("frames") or one["rows"]]
        if any(sources[role] in readings for role in ([*rows, "z"] if "z" in sources else rows)):
            yield panel.title


def missing(name):
    """What a figure of the book should declare and does not."""
    module, row = FOUND[name]
    figure = figure_of(module)
    if row is None:
        yield "its row in FIGURES or SMALLS of tests/SLUG/rows.py"
    if figure.name != name:
        yield "the name of its module"
    if name in smalls():
        return
    if not figure.readings(figure.textbook):
        yield "names in the text of its readings, for the check of spelling"
    asked = [one for one in (figure.run_metrics, figure.summary, *figure.theory) if one not in (None, nothing)]
    yield from (f"names in the text of {one.__name__}, for the check of spelling" for one in asked if not returned(one))
    if figure.runs > 1 and not figure.middle and list(one_run_alone(figure)):
        yield "a reading in MEDIAN, as it draws one run of several"
    shown = [one for one in figure.controls_by_name.values() if not one.slider.hidden]
    most = HERO if hasattr(module, "HERO") else SETTINGS
    if len(shown) - len(figure.behind) > most:
        yield f"at most {most} settings in sight"
    if not 1 <= len(figure.panels) - figure.collapsed <= (SMALL if figure.columns == 3 else PANELS):
        yield "fewer panels in sight"


def test_every_figure_declares_what_is_asked_of_it():
    assert {name: list(missing(name)) for name in FOUND} == {name: [] for name in FOUND}
    heroes = [name.partition("-")[0] for name, (module, _) in figures().items() if hasattr(module, "HERO")]
    assert sorted(heroes) == sorted({name.partition("-")[0] for name in figures()}), "one hero a chapter"


def said_to_run(text):
    """Of a chapter's text, or a row of a table: the titles of its figures with the files that they are said to run."""
    for titles, file in re.findall(r"((?:\*[^*]+\*(?:, | and )?)+) (?:runs?|\|) `([\w.]+)`", text):
        yield from ((title, file) for title in re.findall(r"\*([^*]+)\*", titles))


@pytest.mark.parametrize("slug", sorted({name.partition("-")[0] for name in figures()}))
def test_the_chapter_says_which_file_each_figure_runs_and_prints_its_model(slug):
    cells = json.loads((BOOK / f"{slug}.ipynb").read_text())["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    here = [module for name, (module, _) in figures().items() if name.partition("-")[0] == slug]
    assert sorted(said_to_run(text)) == sorted((module.TITLE, Path(module.RUN.__file__).name) for module in here)
    printed = "".join(re.findall(r"{literalinclude} (.*)", text))
    assert re.search(rf"src/(lib/models/{slug}|hal/chapters/{slug}/models)/textbook\.py", printed)


#: What a series draws, by the words of its label, else of its axes and its panel's title; None: a kind of its own.
MEANINGS = {
    None: "common|mirror|bound|family|from 0|time to",
    "attention": r"attention|weight|α_A|ξ₁|logit|growth|χ|‖A|SGD on the whole matrix|true sign|^on (?:the|distinct)"
    "|lead|lag|keys|of Q|^the examples",
    "output": r"output|decoder|α_V|\bV\b|v\*|vote|‖v|α along|c Q|sign of the answer|distance|layer|block|^the mean$",
    "loss": "loss|risk|divergence|price",
}


def series_of(figure):
    """Of every measured series its label, the words around it and its colour."""
    for panel in figure.panels:
        spec = panel.spec()
        around = " ".join(filter(None, map(spec.get, ("ylabel", "clabel", "title"))))
        many = [*spec.get("series", ()), *spec.get("marks", ())] if spec["kind"] in ("lines", "bars", "plane") else []
        yield from (
            (one["label"], around, one["colour"]) for one in many if not isinstance(one, str) and not one["theory"]
        )
        if spec["kind"] in ("heatmap", "cloud"):
            yield "", around, spec["colour"]


def reserved(colour):
    """The idea whose colour this is, shades of orange among them, or None."""
    hue = colorsys.rgb_to_hls(*(int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)))[0]
    exact = {IDEAS["output"]: "output", IDEAS["loss"]: "loss"}
    return "attention" if abs(hue - 26.5 / 360) < 0.016 else exact.get(colour)


def colours_astray(figure):
    """What is drawn in the colour of something else; the second of a comparison may be green."""
    for label, around, colour in series_of(figure):
        if colour is None:
            continue  # the scene
        asked = ([one for one, words in MEANINGS.items() if re.search(words, text)] for text in (label, around))
        said = [one for one in next(filter(None, asked), [None]) if one] if not re.search(MEANINGS[None], label) else []
        idea = reserved(colour)
        if idea not in said if idea else said and colour != IDEAS["rival"]:
            yield label, around, colour


@law(FOUND, every=1)
def test_attention_output_and_loss_have_each_one_colour_and_nothing_else_has_it(name):
    assert list(colours_astray(figure_of(FOUND[name][0]))) == []


@law(CASES)
def test_theory_at_ends_of_sliders_and_random_positions_has_the_same_bits_in_the_page(name):
    figure = CASES[name]()
    page = InPage(figure)
    count = FOUND[name][1].points if name in figures() else 5
    for point in [*map(figure.check, ends(figure)), *positions(figure, np.random.default_rng(4), count)]:
        assert bits(page.choose(point, 2)) == bits(figure.compute(point, seed=2, runs=0).theory), point


def accepted(figure, page):
    """A random position that the figure does not refuse."""
    for point in positions(figure, np.random.default_rng(6), 4):
        try:
            figure.settings_of(**figure.check(point))
            page.choose(point)
        except InputError:
            continue
        return point
    return pytest.fail("none of four positions is taken")


@law(CASES)
def test_copied_python_computes_what_the_page_does(name):
    """Theory, runs and facts to the last bit; arrays that fit their panels."""
    figure = CASES[name]()
    page = InPage(figure)
    cases = [({}, 0, 0), (accepted(figure, page), 5, 0)]
    if figure.run is not None:
        cases.append((FOUND[name][1].short if name in figures() else {}, 2, 3 if figure.runs > 2 else 1))
    for moved, seed, runs in cases:
        point = figure.check(moved)
        space, there = page.python(point, seed, runs), page.compute(point, seed, runs)
        assert bits(space["theory"]) == bits(there.theory)
        assert [bits(dict(one)) for one in space.get("runs", [])] == [bits(one) for one in there.runs]
        assert bits(space.get("facts", there.facts)) == bits(there.facts)
        if figure.run is None or runs:
            assert figure.draw(there).reading == page.draw().reading


@law(name for name in FOUND if any(getattr(one, "idle_ways", ()) for one in FOUND[name][0].SLIDERS.values()))
def test_what_is_called_idle_changes_neither_theory_nor_run(name):
    module, row = FOUND[name]
    figure = figure_of(module)
    for setting, control in figure.controls_by_name.items():
        for way in control.slider.idle_ways:
            here = {**row.short}
            for other, sign, at in way.conditions:
                here[other] = type(figure.default[other])(at + {"==": 0, "<": -1, ">": 1}[sign])
            found = [figure.compute({**here, setting: end}) for end in (control.low, control.high)]
            assert bits(found[0].theory) == bits(found[1].theory)
            assert bits(found[0].runs) == bits(found[1].runs)


@law(name for name, (module, _) in figures().items() if hasattr(module, "FAST"))
def test_fast_model_records_when_the_textbook_does_and_agrees_with_it_in_law(name):
    """The means of its readings; that one and the other train alike on the same samples is claimed in each chapter."""
    module, row = FOUND[name]
    figure, seeds = figure_of(module), range(24)
    double = {"push": 1} if name == "random_walk-edge" else {}  # sums in single precision are the textbook's alone
    page, point = InPage(figure), figure.check({**row.short, **double})
    page.choose(point)
    runs, fast = [page.train(seed) for seed in seeds], module.FAST(figure.settings_of(**point), seeds)
    for reading, theirs in fast.items():
        ours = np.array([run[reading] for run in runs])
        assert ours.shape == theirs.shape, reading
        error = np.sqrt((ours.var(axis=0, ddof=1) + theirs.var(axis=0, ddof=1)) / len(seeds))
        assert (abs(ours.mean(axis=0) - theirs.mean(axis=0)) <= 5.5 * error + 1e-9).all(), reading


@law(CASES, every=1)
def test_slider_of_a_notebook_moves_its_setting_alone(name):
    """The slider of a number that goes furthest from its default, or any other, else a switch."""
    figure = CASES[name]()
    before, sliders = figure.settings, figure.sliders
    ranged = [one for one, box in sliders.items() if hasattr(box, "max") and box.max != box.min]
    for setting in [*ranged, *sliders][:1]:
        box = sliders[setting]
        far = [box.max, box.min] if ranged else [value for _, value in box.options]
        far = [box.base**end for end in far] if hasattr(box, "base") else far  # of a logarithmic one they are exponents
        wanted = next(value for value in far if value != box.value)
        box.value = wanted
        assert figure.settings[setting] == pytest.approx(wanted, rel=1e-6)
        assert {**figure.settings, setting: before[setting]} == before


@law(FOUND, every=1)
def test_sentences_at_both_ends_of_every_slider_are_whole_and_true(name):
    module, row = FOUND[name]
    figure, said, lost = figure_of(module), set(), 0
    page = InPage(figure)
    for moved in ends(figure):
        point = figure.check(moved)
        for seed in (0, 5) if name in smalls() else (5,):
            shown = page.compute(point, seed, min(1 if name in smalls() else 3, figure.runs))
            text = figure.draw(shown).reading
            assert list(judged(figure, row, shown, point, text)) == [], (moved, text)
            assert text.endswith("."), moved
            said.add(text)
            lost += figure.run is not None and not whole_runs(shown)
    assert len(said) > (name in figures()) + (figure.run is None or name in figures())
    assert bool(lost) <= getattr(row, "lost", True)


@law(figures(), every=1)
def test_before_the_first_run_sentence_and_tour_say_what_theory_knows(name):
    module, row = FOUND[name]
    figure = figure_of(module)
    text = say(figure.reading, figure.compute(row.short, runs=0).facts)
    assert row.waiting in text
    assert "{" not in text
    for step in figure.tour:
        theory = figure.compute(step.settings, runs=0)
        assert say([step.say], theory.facts).strip()
        assert step.time is None or step.time <= theory.theory[figure.time][-1] or math.isclose(step.time, 0)


@law(SMALL_CASES, every=1)
def test_idea_of_a_small_figure_is_seen_for_eight_seeds_and_not_where_it_breaks(name):
    figure = CASES[name]()
    page = InPage(figure)

    def seen(moved):
        point = figure.check(moved)
        return [
            figure.idea.holds(figure.named(page.compute(point, seed, figure.precomputed_runs))) for seed in range(8)
        ]

    assert all(seen({})), figure.idea.text
    assert not all(seen(figure.idea.breaks))


def texts_of(svg):
    """Lines of text of an SVG, but for turned ones, with the places where they stand: (x, y, words, anchor)."""

    def walk(node, x, y):
        if "rotate" in node.get("transform", ""):
            return
        x, y = (
            a + float(b) for a, b in zip((x, y), re.findall(r"-?[\d.]+", node.get("transform", "0,0")), strict=False)
        )
        for child in node:
            yield from walk(child, x, y)
        if not node.tag.endswith("}text"):
            return
        lines = [[float(node.get("x", 0)), float(node.get("y", 0)), node.text or ""]]
        for part in node:
            if part.get("x"):
                lines.append([float(part.get("x")), float(part.get("y", lines[-1][1] + float(part.get("dy", 0)))), ""])
            lines[-1][2] += "".join(part.itertext()) + (part.tail or "")
        yield from (
            (x + px, y + py, words.strip(), node.get("text-anchor")) for px, py, words in lines if words.strip()
        )

    return list(walk(ElementTree.fromstring(svg), 0.0, 0.0))


@law(CASES, every=1)
def test_picture_says_what_it_is_and_at_random_positions_stays_in_its_box_with_no_name_on_another(name):
    figure, rng = CASES[name](), np.random.default_rng(11)
    for seed, point in enumerate([figure.check({}), *positions(figure, rng, 3, corners=0.3)]):
        try:
            figure.built.compute(point, seed, min(figure.runs, 2) if seed else figure.precomputed_runs)
        except InputError:  # the run refuses this position
            continue
        svg = figure.built.still(point)
        assert not re.search("NaN|undefined|Infinity|var\\(|color-mix", re.sub(BYTES, "", svg))
        left, _, width, height = map(float, re.search('viewBox="([^"]*)"', svg)[1].split())
        texts, boxes = texts_of(svg), []
        if not seed:
            every = " ".join(words for _, _, words, _ in texts).replace("\u200b", "")
            panels = figure.panels[: len(figure.panels) - figure.collapsed] if name in figures() else ()
            titles = [figure.title, figure.built.said(figure.reading), *(panel.title for panel in panels)]
            assert all(word in every for text in titles for word in re.sub(r"[_{}]", "", text).split())
            for key, control in figure.controls_by_name.items():
                assert control.slider.hidden or f"{key.replace('_', '')} = " in every.replace("_", "")
        for x, y, words, anchor in texts:
            start = x - 6 * len(words) * {"middle": 0.5, "end": 1}.get(anchor, 0)
            assert left - 10 <= start, (words, point)
            assert start + 6 * len(words) <= left + width + 30, (words, point)
            assert 0 < y < height, (words, point)
            if words not in SIGNS:
                boxes.append((start, start + 5.4 * len(words), y, words))
        for one, other in itertools.combinations(boxes, 2):
            across = min(one[1], other[1]) - max(one[0], other[0])
            assert across <= 4 or abs(one[2] - other[2]) >= 5, (one, other, point)
