"""Interactive samples: the page's samples are Python's, what is said is true, a guess counts once, refusals, stills."""

import json

import numpy as np
import pytest

from hal.chapters.group_sparse.figures import guess as groups
from hal.chapters.linear_block.figures import guess as regression
from hal.chapters.one_nn.figures import neighbours
from hal.figure import Groups, Regression, Sphere
from lib.errors import InputError
from tests.figure.drawn import dragged
from tests.figure.drawn import sample_height as height
from tests.figure.drawn import sample_state as state
from tests.figure.engine import engine


@pytest.fixture(scope="module")
def page():
    return engine("sphere", "groups", "regression")


@pytest.fixture
def opened(alone):
    """opened(figure): a page of the figure alone, on a phone."""
    return lambda figure: alone(figure, width=390)


def two_groups(number, n):
    shares = {name: [0.0, 1.0] for name in ("right", "attention", "best", "line")}
    return {"points": [0.0] * 4 * n, "labels": [1.0] * n, **shares}


def flat(number, mean, sigma):
    return {"x": [1.0, 2.0], "y": [1.0, 2.0], "query": [1.0, 1.0]}


def nothing(x, y, mean, sigma):
    return {"slopes": [0.0]}


RULES = {"zero": "#000000"}
GIVEN = {
    Sphere: dict(prompt=neighbours.prompt, answer=neighbours.answer, sharpness="ξ"),
    Groups: dict(examples=two_groups, question="?"),
    Regression: dict(prompt=flat, answers=nothing, rules=RULES, question="?", start=2),
}


@pytest.mark.parametrize(
    ("kind", "changed", "message"),
    [
        *((kind, dict(name="No Name"), "name: expected lower case") for kind in GIVEN),
        (Sphere, dict(points=99), "points: expected from 2 to 32"),
        (Sphere, dict(prompt=flat), "prompt, answer: expected functions of one module"),
        (Groups, dict(examples=lambda k, n: {**two_groups(k, n), "labels": []}), "examples: expected results of the"),
        (Regression, dict(start=3), "start: expected from 1 to 2 examples, got 3"),
        (Regression, dict(sigma=0.0), r"sigma: expected from 0\.1 to 3, got 0\.0"),
        (Regression, dict(rules={"zero": "black"}), "rules: expected colours"),
        (Regression, dict(rules={**RULES, "one": "#111111"}), "answers: expected slopes of 2 rules, got 1"),
        (Regression, dict(prompt=lambda n, m, s: {**flat(n, m, s), "y": [1.0]}), "prompt: expected 2 labels"),
    ],
)
def test_refusals(kind, changed, message):
    with pytest.raises(InputError, match=message):
        kind(**{"name": "toy-sample", "title": "Toy", **GIVEN[kind], **changed})


def test_the_still_pictures_show_every_point_and_line():
    sphere, of_groups, prompt = neighbours.figure(), groups.figure(), regression.figure()
    labels, picture = sphere.prompt(0, sphere.points, 2)["labels"], sphere.still()
    assert [picture.count(f">{sign}<") for sign in "+−"] == [sum(y > 0 for y in labels), sum(y < 0 for y in labels)]
    right = list(of_groups.examples(0, of_groups.counts[-1])["right"])
    assert of_groups.still().count("<circle") == of_groups.counts[-1] * len(right)
    assert f"Group {right.index(1) + 1} decides." in of_groups.still()
    still = prompt.still()
    assert (still.count("<circle"), still.count("<line")) == (prompt.start, len(prompt.rules))
    assert "one step from β*" in still
    for name, figure in (("one_nn-neighbours", sphere), ("group_sparse-guess", of_groups)):
        assert f'data-sample="{name}"' in figure.html()


FACTS = {"label": -1.1, "guess": 0.4, "names": ["one", "other"], "predictions": [0.9, -1.35]}


@pytest.mark.parametrize(
    ("function", "facts", "said"),
    [
        ("sphereSaid", dict(answer=-0.774, label=-1, share=0.476, sharpness=5),
         "The answer is −0.77, and the nearest point is labelled −1: the sign is right. The nearest point gets 48% of "
         "the attention."),
        ("sphereSaid", dict(answer=0.2, label=-1, share=0.4, sharpness=5), "the sign is wrong"),
        ("sphereSaid", dict(answer=0.2, label=1, share=0.1, sharpness=0), "every point counts equally"),
        ("groupsSaid", dict(guess=2, right=2, attention=[0.1, 0.284, 0.616], best=[0, 0.9, 0.1]),
         "Right: group 3 decides. After the same examples the layer looks most at group 3 (62%); the best bet is "
         "group 2 (90%)."),
        ("groupsSaid", dict(guess=0, right=2, attention=[1, 0, 0], best=[1, 0, 0]), "No, not group 1: group 3"),
        ("regressionSaid", FACTS,
         "The hidden label is −1.10. You missed it by 1.50; the nearest rule, other, by 0.25."),
        ("regressionSaid", FACTS | {"guess": 0}, "The hidden label is −1.10. The nearest rule, other, misses by 0.25."),
    ],
)  # fmt: skip
def test_what_is_said_of_an_answer_is_true(page, function, facts, said):
    assert said in page.eval(f"{function}({json.dumps(facts)})")


def test_the_slider_is_finer_where_little_is_much(page):
    for value in (0, 0.1, 5, 42, 100):
        assert page.eval(f"sharpnessOf(placeOfSharpness({value}, 100), 100)") == pytest.approx(value)


def test_a_drag_turns_the_sphere_as_a_hand_would(page):
    start = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"
    turn = np.array(page.value(f"draggedTurn({start}, 0.3, 0.2)"))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)
    for dx, dy, place in ((0.3, 0, [np.sin(0.3), 0]), (0, 0.2, [0, -np.sin(0.2)])):
        front = page.value(f"turned(draggedTurn({start}, {dx}, {dy}), [0, 0, 1])")
        np.testing.assert_allclose(front[:2], place, atol=1e-12)
    some = f"draggedTurn({start}, 1, 2)"
    back = page.value(f"turnedBack({some}, turned({some}, [0.6, 0, 0.8]))")
    np.testing.assert_allclose(back, [0.6, 0, 0.8], atol=1e-12)


@pytest.mark.browser
def test_a_group_is_guessed_in_the_page(opened):
    figure = groups.figure()
    page = opened(figure)
    before, known = height(page), figure.examples(0, 16)
    assert state(page)["sample"] == {name: list(values) for name, values in known.items()}
    right = list(known["right"]).index(1)
    page.locator(".le-groups-cell").nth(right).focus()
    page.keyboard.press("Enter")
    assert page.locator("[role=status]").inner_text().startswith(f"Right: group {right + 1} decides.")
    assert state(page)["points"] == {"tries": 1, "hits": 1, "luck": 1 / 6}
    layer, best = (int(known[name][right] == max(known[name])) for name in ("attention", "best"))
    told = f"After 1 round: you 1 · layer {layer} · best bet {best} · chance 0.17"
    assert page.locator(".le-sample-score").inner_text() == told
    page.locator(".le-groups-cell").nth(1 if right == 0 else 0).click(force=True)  # one guess a sample
    assert state(page)["points"]["tries"] == 1
    assert height(page) == before
    page.get_by_role("button", name="Other examples").click()
    page.get_by_role("button", name="8 examples").click()
    after = state(page)
    assert (after["number"], after["n"], after["guess"], len(after["sample"]["labels"])) == (1, 8, -1, 8)


@pytest.mark.parametrize(("labels", "reach"), [([0.1], 4), ([3.79, -0.2], 4), ([3.81], 8), ([3, -30], 32)])
def test_the_axis_holds_all_labels(page, labels, reach):
    assert page.eval(f"regressionReach({labels})") == reach


@pytest.mark.browser
def test_a_label_is_guessed_and_a_point_dragged_in_the_page(opened):
    figure = regression.figure()
    page = opened(figure)

    def known(found):
        x, y = (found["prompt"][key][: found["count"]] for key in ("x", "y"))
        return list(regression.answers(x, y, found["mean"], found["sigma"])["slopes"])

    before, first = height(page), state(page)
    drawn = regression.prompt(0, figure.mean, figure.sigma)
    assert first["prompt"] == {key: list(drawn[key]) for key in ("x", "y", "query")}
    assert first["slopes"] == known(first)  # the same bits
    page.locator(".le-regression-guess").focus()
    page.keyboard.press("ArrowUp")
    assert state(page)["guess"] > 0
    page.get_by_role("button", name="Show the label").click()
    seen = state(page)
    assert seen["shown"]
    assert page.locator(".le-regression-rule").count() == len(regression.RULES)
    assert page.locator("[role=status]").inner_text().startswith("The hidden label is")
    miss = abs(seen["predictions"][0] - seen["label"])
    assert page.locator(".le-regression-rule").first.inner_text().endswith(f"off by {miss:.2f}, mean {miss:.2f}")
    page.get_by_role("button", name="Add an example").click()
    dragged(page, page.locator(".le-regression-point").first, 40, -20)
    moved = state(page)
    assert moved["count"] == figure.start + 1
    assert moved["prompt"]["x"][0] != first["prompt"]["x"][0]
    assert moved["prompt"]["x"][1:] == first["prompt"]["x"][1:]
    assert moved["slopes"] == known(moved)
    page.get_by_role("button", name="Next prompt").click()
    after = state(page)
    assert (after["number"], after["guess"], after["shown"]) == (1, 0, False)
    assert height(page) == before
