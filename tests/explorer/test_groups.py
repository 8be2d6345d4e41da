"""Labelled examples of several groups to poke: what is said, refusals, the still picture, a guess in the page."""

import json

import pytest

from hal.chapters.group_sparse.figures import guess
from hal.explorer import Groups, assets
from lib.errors import InputError
from tests.explorer.engine import engine


@pytest.fixture(scope="module")
def script():
    return engine("groups")


def test_what_is_said_of_a_guess(script):
    attention, weights = [0.1, 0.2, 0.616, 0.04, 0.04], [0.2, 0.2, 0.4, 0.1, 0.1]
    facts = {"guess": 2, "right": 2, "attention": attention, "weights": weights, "fresh": [0.925, 0.874]}
    assert script.eval(f"groupsSaid({json.dumps(facts)})") == (
        "Right: group 3 decides. After the same examples the layer puts 62 % of its attention there and is right on "
        "93 % of fresh ones; the linear rule puts 40 % of its weights there and is right on 87 %."
    )
    wrong = script.eval(f"groupsSaid({json.dumps(facts | {'guess': 0})})")
    assert wrong.startswith("No, not group 1: group 3 decides.")


def two_groups(number: int, n: int) -> dict[str, list[float]]:
    shares = {name: [0.0, 1.0] for name in ("right", "attention", "weights", "fresh")}
    return {"points": [0.0] * 4 * n, "labels": [1.0] * n, **shares}


@pytest.mark.parametrize(
    ("function", "change", "message"),
    [
        (two_groups, {"name": "Two groups"}, "name: expected lower case"),
        (two_groups, {"counts": ()}, "counts: expected numbers of at least 1"),
        (lambda n: two_groups(0, n), {}, "examples: expected a function of a number and n"),
        (lambda number, n: {**two_groups(number, n), "labels": []}, {}, "examples: expected results of the sizes"),
    ],
)
def test_refusals(function, change, message):
    with pytest.raises(InputError, match=message):
        Groups(function, **dict(name="x", title="X", question="?") | change)


def test_the_still_picture_shows_every_point():
    figure = guess.figure()
    still = figure.still()
    assert still.count("<circle") == figure.counts[-1] * 5
    right = list(figure.examples(0, figure.counts[-1])["right"]).index(1) + 1
    assert f"Group {right} decides." in still
    assert 'data-poke="group_sparse-guess"' in figure.html()


@pytest.mark.browser
def test_a_guess_in_the_page(chromium, tmp_path):
    figure = guess.figure()
    (tmp_path / "explorer.js").write_text(assets.script())
    (tmp_path / "explorer.css").write_text(assets.style())
    head = '<meta charset="utf-8"><title>Toy</title><link rel="stylesheet" href="explorer.css">'
    body = f'<main>{figure.html()}</main><script src="explorer.js"></script>'
    file = tmp_path / "index.html"
    file.write_text(f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>')
    page, errors = chromium.new_page(viewport={"width": 390, "height": 800}), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_selector(".le-groups-cell")
    state, height = (
        "document.querySelector('.lib-poke').pokeState()",
        "document.querySelector('.lib-poke').clientHeight",
    )
    before = page.evaluate(height)
    known = figure.examples(0, 16)
    assert page.evaluate(state)["sample"] == {name: list(values) for name, values in known.items()}
    right = list(known["right"]).index(1)
    page.locator(".le-groups-cell").nth(right).focus()
    page.keyboard.press("Enter")
    assert page.locator("[role=status]").inner_text().startswith(f"Right: group {right + 1} decides.")
    assert page.evaluate(state)["points"] == {"tries": 1, "hits": 1, "luck": 1 / 5}
    page.locator(".le-groups-cell").nth(1 if right == 0 else 0).click(force=True)  # one guess a sample
    assert page.evaluate(state)["points"]["tries"] == 1
    assert page.evaluate(height) == before
    page.get_by_role("button", name="Other examples").click()
    page.get_by_role("button", name="8 examples").click()
    after = page.evaluate(state)
    assert (after["number"], after["n"], after["guess"], len(after["sample"]["labels"])) == (1, 8, -1, 8)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert errors == []
    page.close()
