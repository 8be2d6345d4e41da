"""A prompt of labelled points to poke: what is said, refusals, the still picture, a guess and a drag in the page."""

import json

import pytest

from hal.chapters.linear_block.figures import guess
from hal.explorer import Regression, assets
from lib.errors import InputError
from tests.explorer.engine import engine


@pytest.fixture(scope="module")
def script():
    return engine("regression")


FACTS = {"label": -1.1, "guess": 0.4, "names": ["one", "other"], "predictions": [0.9, -1.35]}


def test_what_is_said_of_a_guess(script):
    assert script.eval(f"regressionSaid({json.dumps(FACTS)})") == (
        "The hidden label is −1.10. You missed it by 1.50; the nearest rule, other, by 0.25."
    )
    assert script.eval("signed(-0.001)") == "0.00"


def test_squared_misses_add_up(script):
    empty = {"rounds": 0, "sums": []}
    once = json.loads(script.eval(f"JSON.stringify(regressionScored({json.dumps(empty)}, {json.dumps(FACTS)}))"))
    assert once["sums"] == pytest.approx([2.25, 4.0, 0.0625])
    twice = json.loads(script.eval(f"JSON.stringify(regressionScored({json.dumps(once)}, {json.dumps(FACTS)}))"))
    assert (twice["rounds"], twice["sums"]) == (2, pytest.approx([4.5, 8.0, 0.125]))


@pytest.mark.parametrize(("labels", "reach"), [([0.1], 2), ([1.89, -0.2], 2), ([1.91], 4), ([3, -30], 32)])
def test_the_axis_holds_all_labels(script, labels, reach):
    assert script.eval(f"regressionReach({labels})") == reach


RULES = {"zero": "#000000"}


def flat(number, mean, sigma):
    return {"x": [1.0, 2.0], "y": [1.0, 2.0], "query": [1.0, 1.0]}


def nothing(x, y, mean, sigma):
    return {"slopes": [0.0]}


@pytest.mark.parametrize(
    ("functions", "change", "message"),
    [
        ((flat, nothing), {"name": "A prompt"}, "name: expected lower case"),
        ((flat, nothing), {"start": 3}, "start: expected from 1 to 2 examples, got 3"),
        ((flat, nothing), {"mean": 9.0}, r"mean: expected from -4 to 4, got 9\.0"),
        ((flat, nothing), {"sigma": 0.0}, r"sigma: expected from 0\.1 to 3, got 0\.0"),
        ((flat, nothing), {"rules": {"zero": "black"}}, "rules: expected colours"),
        ((flat, nothing), {"rules": {**RULES, "one": "#111111"}}, "answers: expected slopes of 2 rules, got 1"),
        ((nothing, nothing), {}, "nothing: expected a function of 3 arguments"),
        ((flat, flat), {}, "flat: expected a function of 4 arguments"),
        ((lambda n, m, s: {**flat(n, m, s), "y": [1.0]}, nothing), {}, "prompt: expected 2 labels"),
    ],
)
def test_refusals(functions, change, message):
    given = dict(rules=RULES, name="x", title="X", question="?", start=2) | change
    with pytest.raises(InputError, match=message):
        Regression(*functions, **given)


def test_the_still_picture_shows_every_point_and_line():
    figure = guess.figure()
    still = figure.still()
    assert (still.count("<circle"), still.count("<line")) == (figure.begin, len(figure.rules))
    assert "one step from β*" in still
    assert 'data-poke="linear_block-guess"' in figure.html()


@pytest.mark.browser
def test_a_guess_and_a_drag_in_the_page(chromium, tmp_path):
    figure = guess.figure()
    (tmp_path / "explorer.js").write_text(assets.script())
    (tmp_path / "explorer.css").write_text(assets.style())
    head = '<meta charset="utf-8"><title>Toy</title><link rel="stylesheet" href="explorer.css">'
    body = f'<main>{figure.html()}</main><script src="explorer.js"></script>'
    file = tmp_path / "index.html"
    file.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>')
    page, errors = chromium.new_page(viewport={"width": 390, "height": 900}), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_selector(".le-awake")

    def state():
        return page.evaluate("document.querySelector('.lib-poke').pokeState()")

    def known(found):
        x, y = (found["prompt"][key][: found["count"]] for key in ("x", "y"))
        return list(guess.answers(x, y, found["mean"], found["sigma"])["slopes"])

    height = "document.querySelector('.lib-poke').clientHeight"
    before, first = page.evaluate(height), state()
    drawn = guess.prompt(0, figure.mean, figure.sigma)
    assert first["prompt"] == {key: list(drawn[key]) for key in ("x", "y", "query")}
    assert first["slopes"] == known(first)  # the same bits
    page.locator(".le-regression-guess").focus()
    page.keyboard.press("ArrowUp")
    assert state()["guess"] > 0
    page.get_by_role("button", name="Show the label").click()
    seen = state()
    misses = [(value - seen["label"]) ** 2 for value in (seen["guess"], *seen["predictions"])]
    assert (seen["shown"], seen["score"]["rounds"], seen["score"]["sums"]) == (True, 1, pytest.approx(misses))
    assert page.locator("[role=status]").inner_text().startswith("The hidden label is")
    page.get_by_role("button", name="One example more").click()
    box = page.locator(".le-regression-point").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] - 20, steps=3)
    page.mouse.up()
    dragged = state()
    assert dragged["count"] == figure.begin + 1
    assert dragged["prompt"]["x"][0] != first["prompt"]["x"][0]
    assert dragged["prompt"]["x"][1:] == first["prompt"]["x"][1:]
    assert dragged["slopes"] == known(dragged)
    assert dragged["score"] == seen["score"]  # a moved prompt is not judged again
    page.get_by_role("button", name="Next prompt").click()
    after = state()
    assert (after["number"], after["guess"], after["shown"]) == (1, 0, False)
    assert page.evaluate(height) == before
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []
    page.close()
