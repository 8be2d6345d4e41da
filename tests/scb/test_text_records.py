"""Recorded text, generations, thresholds and starts: pieces remade, records that go on, figures, fits, refusals."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.special import ndtr

from hal.chapters.scb import figures
from hal.chapters.scb.figures import _random_starts, shrink
from hal.chapters.scb.figures import starts as starts_figure
from hal.chapters.scb.runs import generations, own_text, starts, text_sign, threshold
from hal.chapters.scb.runs.algorithm import stack
from hal.explorer import Computed
from lib.errors import InputError
from lib.models import scb
from lib.models.scb.textbook_random import centred_normals
from lib.portable.random_numbers import generator
from lib.sampling import generators
from lib.theory import scb as theory

NAMES = ("own_text", "text_sign", "generations", "threshold", "starts")
READERS = {
    "own_text": own_text.recorded_text, "text_sign": text_sign.recorded_signs, "starts": starts.recorded_starts,
    "generations": generations.recorded_generations, "threshold": threshold.recorded_thresholds,
}  # fmt: skip


@pytest.mark.parametrize(
    ("module", "setting", "close"),
    [
        (own_text, {"kind": "random", "T": 8, "N": 4, "Q": 2, "c": 1.0}, {"distance": 1e-4}),
        (generations, {"kind": "random", "T": 32, "method": "soft threshold"}, {"V": 0.01, "signal": 0.01}),
        (threshold, {"T": 64, "B": 64}, {"A": 0.003, "V": 0.003}),
        (starts, {"part": "A", "unit": "own", "size": 1.0, "T": 64}, {"escape": 0.5}),
    ],
)
def test_a_piece_is_remade(module, setting, close):
    name = module.__name__.rpartition(".")[2]
    known = READERS[name]()[tuple(setting.values())]
    again = module.cell(**setting, **({"generations": 1} if module is generations else {}))
    for key, tolerance in close.items():
        new, old = (np.array(one[key], float) for one in (again, known))
        np.testing.assert_allclose(new, old[: len(new)], atol=tolerance)


def test_a_count_on_text_is_remade():
    setting = min(text_sign.GRID, key=lambda one: one["T"] * one["batch"] / one["lr"])
    known, again = text_sign.recorded_signs()[tuple(setting.values())], text_sign.cell(**setting)
    assert again["upright"] == pytest.approx(known["upright"], abs=2)
    assert again["law"] == pytest.approx(known["law"])


def test_text_follows_the_exact_laws():
    task = own_text.some_task("random", 8, 3, 2, 1.0, 3)
    exact = theory.fed_back_laws(task.mu, task.P, task.Q, 24)
    text = own_text.written(task, 100_000, 24, generators([5])[0])
    found = np.stack([(text == n).mean(axis=1) for n in range(3)], axis=-1)
    np.testing.assert_allclose(found, exact, atol=0.008)
    fresh = own_text.written(task, 100_000, 24, generators([5])[0], fresh=True)
    assert np.abs(np.stack([(fresh == n).mean() for n in range(3)]) - task.mu).max() < 0.003


def test_a_reader_of_the_truth_has_the_task_s_labels():
    task = stack([own_text.some_task("random", 16, 3, 2, 1.0, seed) for seed in (1, 2)])
    reader, rngs = generations.Reader(task, generations.truth(task), 4000, [1, 2]), generators([3, 4])
    seen = np.zeros((2, 3, 3))
    for step in range(20):
        batch = reader.sample(4000, rngs, step)
        found = batch.tokens()
        for r in range(2):
            where = np.argmax(task.Q[r], axis=1)[batch.last[r]]
            np.add.at(seen[r], (found[r, np.arange(4000), where], batch.label[r]), 1)
    for r in range(2):
        law = seen[r] / seen[r].sum(axis=1, keepdims=True)
        best = task.Q[r].max(axis=1).mean()
        said = best * task.P[r].T + (1 - best) * np.bincount(batch.label[r], minlength=3)[None] / 4000
        np.testing.assert_allclose(law, said, atol=0.12)


def test_the_still_shows_what_the_records_hold():
    drawn = figures.fed_back()
    left, middle, right = drawn.axes
    record = own_text.recorded_text()
    for line, (kind, sizes) in zip(left.lines, (("random", own_text.SWEPT["T"]), ("ring", own_text.RING)), strict=True):
        kept = [own_text.without_chance(record[kind, T, 4, 2, 1.0], 1)[0] for T in sizes]
        np.testing.assert_allclose(line.get_ydata(), kept)
    shown = np.concatenate([line.get_ydata() for line in middle.lines if line.get_marker() == "o"])
    counted = [
        kept["upright"] / (text_sign.RUNS - kept["lost"]) for kept in text_sign.recorded_signs().values()
        if kept["lost"] < text_sign.RUNS
    ]  # fmt: skip
    np.testing.assert_allclose(np.sort(shown), np.sort(counted))
    known = generations.recorded_generations()
    for line, method in zip(right.lines, generations.METHODS, strict=True):
        np.testing.assert_allclose(line.get_ydata(), np.median(known["random", 128, method]["signal"], axis=1))
    plt.close("all")


def test_points_of_the_clouds_are_those_of_the_records():
    shown = {(p.settings["T"], p.settings["batch"], p.x): p.y for p in shrink.recorded()}
    kept = threshold.recorded_thresholds()[256, 64]
    i = 8
    root = np.sqrt(np.mean(np.square(kept["A"][1 + i])))
    assert shown[256, 64, threshold.LEVELS[i]] == pytest.approx(root)
    points = _random_starts.recorded()
    row = starts.recorded_starts()["A", "own", 1.0, 256]
    (one,) = [p for p in points if p.settings["T"] == 256 and p.settings["size_A"] == pytest.approx(1.0)]
    assert one.y == pytest.approx(np.mean(row["upright"]))
    figure = Computed(starts_figure)
    law = starts_figure.law(figure.settings_of(**figure.check(one.settings)))
    assert law["ratio"][0] == pytest.approx(one.x) == pytest.approx(row["ratio"])
    assert law["share"][0] == pytest.approx(row["law"])


def test_the_best_threshold_and_its_window_are_found():
    levels = np.log(threshold.LEVELS)
    error = np.exp(0.5 * (levels - np.log(0.05)) ** 2)[:, None]
    best, low, high = threshold.best(error)[:, 0]
    assert best == pytest.approx(0.05, rel=0.01)
    half = np.sqrt(2 * np.log(2))
    assert [low, high] == pytest.approx([0.05 * np.exp(-half), 0.05 * np.exp(half)], rel=0.05)
    assert np.isnan(threshold.best(np.exp(levels)[:, None])[1, 0])


def test_the_noise_of_one_step_is_that_of_the_portable_law():
    figure = Computed(shrink)
    for T, B in ((64, 64), (512, 16)):
        said = shrink.law(figure.settings_of(**figure.check({"T": T, "batch": B})))
        assert said["noise"][0] == pytest.approx(threshold.noise_level(T, B), rel=1e-9)


def test_the_curve_without_noise_is_that_of_the_library():
    figure = Computed(shrink)
    chosen = figure.settings_of(**figure.check({"T": 128, "lam": 0.1}))
    path = theory.prox_population_run(
        scb.even_weights(2), 128, 0.02, lambda step: 0.0 if step < chosen.stage1 else 0.002,
        chosen.stage1 + chosen.stage2, record_at=[chosen.stage1 + chosen.stage2],
    )  # fmt: skip
    square = np.square(path.useful[-1] - scb.even_weights(2)).sum() + 126 * path.useless[-1] ** 2
    assert shrink.law(chosen)["bent"][0] == pytest.approx(np.sqrt(square), rel=1e-9)
    assert chosen.stage1 == threshold.begin(128)


def test_the_spread_of_random_starts_is_that_of_the_law():
    task = scb.ring_task(64, rng=0)
    for part, size in (("V", 0.3), ("A", 0.02)):
        begun = starts.start(task, part, size, range(4000))
        own = scb.alpha_V(begun, task) + scb.alpha_A(begun, task)
        z = float(starts.law(task, part, size, batch=10**9))
        assert own.std() * float(task.K_Q) * 64 == pytest.approx(1 / z, rel=0.05)
        np.testing.assert_allclose(begun.A.sum(axis=-1), 1)
    rows = np.array(centred_normals(4, generator(3, 1)))
    np.testing.assert_allclose([rows.sum(axis=0), rows.sum(axis=1)], 0, atol=1e-12)


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: own_text.some_task("line", 8, 3, 2, 1.0, 0), "kind: expected one of random, ring"),
        (
            lambda: own_text.written(own_text.some_task("ring", 8, 3, 2, 1.0, 0), 0, 1, generators([0])[0]),
            "chains, tok",
        ),
        (
            lambda: own_text.moved(own_text.some_task("ring", 8, 3, 2, 1.0, 0), generators([0])[0], 1),
            "chains: expected",
        ),
        (lambda: generations.cell("ring", 8, "Adam"), "method: expected one of gradient descent"),
        (lambda: starts.cell("B", "own", 1.0, 64), "part: expected one of V, A"),
        (lambda: starts.cell("A", "own", -1.0, 64), "size: expected a number of at least 0"),
    ],
)
def test_what_does_not_exist_is_refused(work, message):
    with pytest.raises(InputError, match=message):
        work()


def test_a_reader_refuses_another_batch():
    task = stack([own_text.some_task("ring", 8, 3, 2, 1.0, seed) for seed in (0, 1)])
    reader = generations.Reader(task, generations.truth(task), 4, [0, 1])
    with pytest.raises(InputError, match="batch: expected the number of texts, 4"):
        reader.sample(5, generators([0, 1]))


def test_the_law_of_starts_is_the_sign_law_at_the_paper_s_start():
    task = scb.ring_task(256, rng=0)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    assert ndtr(starts.law(task, "A", 0.0)) == pytest.approx(float(theory.sign_probability(64, 0.02, s2, 256)))
