"""Points on a circle or a sphere to poke: what is said is true, and a drag turns the sphere."""

import json

import numpy as np
import pytest

from hal.chapters.one_nn.figures import neighbours
from hal.explorer import Sphere
from lib.errors import InputError
from tests.explorer.engine import engine


@pytest.fixture(scope="module")
def script():
    return engine("sphere")


def said(script, **facts):
    return script.eval(f"sphereSaid({json.dumps(facts)})")


def test_what_is_said_of_an_answer(script):
    text = said(script, answer=-0.774, label=-1, share=0.476, sharpness=5)
    assert text == "The answer is −0.77; the nearest point says −1: the sign is right. It gets 48 % of the attention."
    assert "the sign is wrong" in said(script, answer=0.2, label=-1, share=0.4, sharpness=5)
    assert "every point counts alike" in said(script, answer=0.2, label=1, share=0.1, sharpness=0)


def test_the_slider_is_finer_where_little_is_much(script):
    for value in (0, 0.1, 5, 42, 100):
        assert script.eval(f"sharpnessOf(placeOfSharpness({value}, 100), 100)") == pytest.approx(value)


def test_a_drag_turns_the_sphere_as_a_hand_would(script):
    start = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"
    turn = np.array(json.loads(script.eval(f"JSON.stringify(draggedTurn({start}, 0.3, 0.2))")))
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)
    for dx, dy, place in ((0.3, 0, [np.sin(0.3), 0]), (0, 0.2, [0, -np.sin(0.2)])):
        front = json.loads(script.eval(f"JSON.stringify(turned(draggedTurn({start}, {dx}, {dy}), [0, 0, 1]))"))
        np.testing.assert_allclose(front[:2], place, atol=1e-12)
    some = f"draggedTurn({start}, 1, 2)"
    back = f"turnedBack({some}, turned({some}, [0.6, 0, 0.8]))"
    np.testing.assert_allclose(json.loads(script.eval(f"JSON.stringify({back})")), [0.6, 0, 0.8], atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "One NN"}, "name: expected lower case"),
        ({"points": 99}, "points: expected from 2 to 32"),
        ({"start": 200.0}, "start: expected from 0 to 100"),
    ],
)
def test_refusals(change, message):
    given = dict(name="x", title="X", sharpness="ξ") | change
    with pytest.raises(InputError, match=message):
        Sphere(neighbours.prompt, neighbours.answer, **given)


def test_functions_of_another_kind_are_refused():
    with pytest.raises(InputError, match="figure: expected a function of 3 numbers"):
        Sphere(neighbours.figure, neighbours.answer, name="x", title="X", sharpness="ξ")


def test_the_still_picture_shows_every_point():
    figure = neighbours.figure()
    labels = figure.prompt(0, figure.points, 2)["labels"]
    picture = figure.still()
    assert picture.count(">+<") == sum(y > 0 for y in labels)
    assert picture.count(">−<") == sum(y < 0 for y in labels)
    assert 'data-poke="one_nn-neighbours"' in figure.html()
