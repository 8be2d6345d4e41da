"""A sample to poke: the page's samples are Python's, what is said of them is true, guesses are counted."""

import json
from itertools import pairwise

import pytest

from hal.chapters.scb.figures import guess
from hal.explorer import Poke, assets
from lib.errors import InputError
from lib.models.scb.textbook_ring import ring_task, skewed_law
from lib.portable.random_numbers import generator
from tests.explorer.engine import engine
from tests.portable.engine import SHOW, bits, numbers_shown


@pytest.fixture(scope="module")
def poke():
    return guess.figure()


@pytest.fixture(scope="module")
def page(poke):
    context = engine("sample")
    context.eval(f"{SHOW}\nconst spec = {json.dumps(poke.spec())};\nconst portable = ({poke.program})();")
    return context


def drawn(page, task, number):
    return f"portable[spec.module][spec.sample]({task}, {number})"


def test_samples_of_the_page_are_python_s(poke, page):
    for number in range(200):
        task = number % 7
        shown = numbers_shown(page.eval(f"$show({drawn(page, task, number)})"))
        ours = {name: list(map(float, values)) for name, values in poke.sample(task, number).items()}
        assert bits(shown) == bits(ours)


def test_what_is_said_is_true_of_the_task_and_the_same_in_the_page(poke, page):
    for number in range(60):
        ring, sample = ring_task(guess.T, skewed_law(guess.N, 0.0), 1, 0.8, generator(3, 0)), poke.sample(3, number)
        k, place = int(sample["query"][0]), sample["right"].index(1.0)
        assert ring.s[k] == [place]
        assert list(sample["law"]) == ring.P[int(sample["cells"][place])]
        letters = poke.letters
        found, after = letters[int(sample["cells"][place])], letters[sample["law"].index(max(sample["law"]))]
        text = poke.said(sample)
        assert text == (
            f"Last token {letters[k]} looks at position {place + 1}. There stands {found}, and after {found} comes "
            f"{after} with a chance of 85 %."
        )
        say = f"pokeSaid(spec.reveal, pokeFacts(spec, {drawn(page, 3, number)}))"
        assert page.eval(say) == text


def test_samples_are_different_and_tasks_look_elsewhere(poke):
    cells = [tuple(poke.sample(0, number)["cells"]) for number in range(50)]
    assert len(set(cells)) == 50
    places = [
        tuple(ring_task(guess.T, skewed_law(guess.N, 0.0), 1, 0.8, generator(task, 0)).s[0]) for task in range(20)
    ]
    assert len(set(places)) > 5


def test_guesses_are_counted(page):
    page.eval("let score = {tries: 0, hits: 0, luck: 0};")
    assert page.eval("pokeScoreText(score)") == "No guess yet."
    page.eval("score = pokeScored(score, [0, 1, 0, 0], 2); score = pokeScored(score, [0.6, 0.4, 0, 0], 1);")
    assert json.loads(page.eval("JSON.stringify(score)")) == {"tries": 2, "hits": 1, "luck": 0.75}
    assert page.eval("pokeScoreText(score)") == "1 of 2 right; by luck 0.8."


def test_arrow_keys_stay_in_the_row(page):
    assert [page.eval(f"pokeStep('{key}', 0, 5)") for key in ("ArrowLeft", "ArrowRight", "End", "Home", "x")] == [
        *(0, 1, 4, 0),
        -1,
    ]
    assert page.eval("pokeStep('ArrowRight', 4, 5)") == 4


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (dict(letters="abc"), "sample: expected kinds from 0 to 2"),
        (dict(name="No Name"), "name: expected lower case"),
        (dict(reveal="{who} looks"), "question, reveal: expected braces with query"),
        (dict(question="look at {place}"), "question, reveal: expected braces"),
        (dict(sample=lambda seed: {}), "sample: expected a function of task and number"),
        (dict(sample=lambda task, number: {"cells": [0.0]}), "sample: expected cells, query, right and law"),
        (
            dict(sample=lambda task, number: {"cells": [0.0], "query": [1.0], "right": [0.0], "law": [1.0] * 4}),
            "sample: expected a cell that is right",
        ),
    ],
)
def test_what_is_no_sample_is_refused(poke, changed, message):
    said = dict(letters="abcd", question="{query}?", reveal="{found}", asks="last token", follows="label")
    given = {"sample": guess.sample, "name": "toy-guess", "title": "Toy", **said, **changed}
    with pytest.raises(InputError, match=message):
        Poke(given.pop("sample"), **given)


@pytest.fixture(scope="module")
def site(tmp_path_factory, poke):
    """One page as the book has it, opened from disk."""
    folder = tmp_path_factory.mktemp("poke")
    (folder / "explorer.js").write_text(assets.script())
    (folder / "explorer.css").write_text(assets.style())
    head = '<meta charset="utf-8"><title>Toy</title><link rel="stylesheet" href="explorer.css">'
    body = f'<main>{poke.html()}</main><script src="explorer.js"></script>'
    path = folder / "index.html"
    path.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>')
    return path.as_uri()


@pytest.mark.browser
def test_guess_by_keyboard_and_go_on(chromium, site, poke):
    page = chromium.new_page(viewport={"width": 390, "height": 800})
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(site)
    page.wait_for_selector(".le-poke-cells button")
    height = "document.querySelector('.lib-poke').getBoundingClientRect().height"
    state = "document.querySelector('.lib-poke').pokeState()"
    before, heights = page.evaluate(state), [page.evaluate(height)]
    right = poke.sample(0, 0)["right"].index(1.0)
    page.locator(".le-poke-cells button").first.focus()
    for _ in range(right):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.locator("[role=status]").inner_text() == f"Right. {poke.said(poke.sample(0, 0))}"
    assert page.evaluate(state)["points"] == {"tries": 1, "hits": 1, "luck": 1 / 16}
    assert page.locator(".le-poke-law li").count() == 4
    page.locator(".le-poke-cells button").nth(0 if right else 1).click(force=True)  # one guess a sample
    assert page.evaluate(state)["points"]["tries"] == 1
    heights.append(page.evaluate(height))
    page.locator(".le-poke-cells button").nth(right).focus()
    page.keyboard.press("Enter")
    assert page.evaluate(state)["number"] == 1
    assert page.evaluate("document.activeElement.className") == "le-poke-cell"
    page.get_by_role("button", name="Another task").click()
    after = page.evaluate(state)
    assert (after["task"], after["number"], after["points"]["tries"]) == (1, 0, 1)
    assert after["sample"] == {name: list(values) for name, values in poke.sample(1, 0).items()} != before["sample"]
    heights.append(page.evaluate(height))
    assert all(a == b for a, b in pairwise(heights))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []
    page.close()
