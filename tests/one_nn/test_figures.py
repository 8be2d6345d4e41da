"""What the chapter's figures draw is the library's; what holds of all figures is in `tests/explorer/test_figures`."""

import numpy as np
import pytest

from hal.chapters.one_nn.figures import labels, neighbours, shift, training
from hal.explorer import Computed
from lib.models import one_nn as model
from lib.models.one_nn import textbook
from lib.theory import one_nn as theory
from tests.portable.engine import bits, literal, page_of


def band_of(loss):
    return next((k for k, low in enumerate((0.4, 0.2, 0.1, 0.05), 1) if loss > low), 0)


def test_bands_and_arrows_of_the_plane_are_those_of_the_loss(monkeypatch):
    """Arrows point downhill, and the pull has its share of 1/d."""
    monkeypatch.setattr(training, "FIELD", 3)
    scene = training.scene(training.settings(8, 4, 2.0, 16, 3.0, 0.0))
    u, v, band = (np.array(scene[name]).reshape(3, 5) for name in ("u", "v", "band"))
    for j, up in enumerate(scene["y"]):
        for i in (0, 2, 4):
            loss, across, along = theory.reduced_gradient(scene["x"][i], up, 4, 8)
            assert band[j, i] == band_of(loss)
            np.testing.assert_allclose([u[j, i], v[j, i]], [-across / 4, -along], rtol=2e-2, atol=1e-5)


def test_between_computed_columns_the_bands_are_right_too(monkeypatch):
    monkeypatch.setattr(training, "FIELD", 11)
    scene = training.scene(training.settings(8, 4, 2.0, 16, 3.0, 0.0))
    row = np.array(scene["band"]).reshape(11, 21)[5]
    losses = [float(theory.reduced_loss(across, scene["y"][5], 4, 8)) for across in scene["x"]]
    for band, loss in zip(row, losses, strict=True):
        assert band in {band_of(loss), band_of(loss * 1.15), band_of(loss / 1.15)}
    assert 2 in row[:4]


def test_the_shift_figure_tests_the_pair_that_the_flow_has(monkeypatch):
    monkeypatch.setattr(shift, "TIMES", 25)
    monkeypatch.setattr(shift, "PROMPTS", 20)
    found = Computed(shift).compute({"N": 8, "d": 3, "delta": 0.3}, runs=1)
    xi1, xi2 = (np.array(found.theory[f"flow.{name}"]) for name in ("xi1", "xi2"))
    contexts = model.draw_contexts(3, 8, 20_000, np.random.default_rng(0), 0.3)
    scores = model.score(xi1, xi2, contexts)
    assert np.all(np.array(found.theory["flow.bound"]) > scores.loss)
    expected = [float(theory.reduced_loss(a, b, 3, 8)) for a, b in zip(xi1[::6], xi2[::6], strict=True)]
    np.testing.assert_allclose(found.theory["flow.loss"][::6], expected, rtol=5e-3)


def settled(reading):
    return labels.outcome(reading["t"], reading["loss"], reading["off"], reading["label_pull"])["pull"][0]


def test_products_pull_towards_a_label_and_fair_signs_do_not():
    """The figure's default run, nearly whole: W_23 in the mean over time, in the page's engine."""
    page = page_of(textbook)
    page.do('const T = portable["lib.models.one_nn.textbook"];')
    found = {}
    for law in (0, 2):
        chosen = textbook.Settings(3, 8, 1.0, 32, 3.0, 0.0, law, 700)
        found[law] = []
        for seed in (0, 1):
            page.do(f"globalThis.s = T.start({literal(chosen)}, {seed}); while (!T.done(s)) T.step(s);")
            found[law].append(settled(page.run("T.read(s)")))
    assert min(found[2]) > 0.025
    assert max(abs(pull) for pull in found[0]) < 0.02


def test_the_mean_over_time_starts_at_a_sixth():
    t, pull = [0.0, 1.0, 2.0, 6.0, 12.0], [9.0, 9.0, 9.0, 1.0, 2.0]
    # 12 / 6 = 2 is not later than a sixth: 4 units of 1 and 6 of 2
    assert labels.outcome(t, t, t, pull)["pull"][0] == pytest.approx((4 * 1 + 6 * 2) / 10)


@pytest.mark.parametrize("d", [2, 3])
def test_the_circle_answers_as_the_model_does(d):
    drawn = neighbours.prompt(3, 9, d)
    points, y = np.array(drawn["points"]).reshape(9, 3), np.array(drawn["labels"])
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1, atol=1e-12)
    if d == 2:
        np.testing.assert_array_equal(points[:, 2], 0)
    query = np.array([0.6, -0.8, 0.0]) if d == 2 else np.array([2, -1, 2]) / 3
    prompts = model.Prompts(points[None, None, :, :d], query[None, None, :d], y[None, None])
    for xi1 in (0.0, 3.0, 100.0):
        found = neighbours.answer(drawn["points"], drawn["labels"], *query, xi1)
        W = model.as_matrix(model.Pair(np.array([xi1]), np.array([200.0])), d).W
        np.testing.assert_allclose(found["attention"], model.attention(W, prompts)[0, 0, :-1], atol=1e-12)
        assert found["answer"][0] == pytest.approx(model.predict(W, prompts)[0, 0], abs=1e-12)
    assert found["attention"][(points @ query).argmax()] == max(found["attention"])


def test_the_circle_has_the_same_bits_in_the_page():
    page = page_of(textbook)
    figure = neighbours.figure()
    page.do(f"const P = ({figure.program})()[{figure.spec()['module']!r}];")
    for number, N, d in ((0, 12, 2), (4, 5, 3)):
        here = neighbours.prompt(number, N, d)
        assert bits(page.run(f"P.prompt({number}, {N}, {d})")) == bits(here)
        call = f"P.answer({literal(here['points'])}, {literal([float(y) for y in here['labels']])}, 0.5, 0.5, 0.5, 7.5)"
        assert bits(page.run(call)) == bits(neighbours.answer(here["points"], here["labels"], 0.5, 0.5, 0.5, 7.5))
