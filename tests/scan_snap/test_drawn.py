"""Every line and bar of the chapter's figures, at random positions of the sliders, against the library's own way."""

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import attention
from hal.chapters.scan_snap.runs.learning import task_of
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook
from lib.theory import scan_snap as theory


@pytest.mark.parametrize("optimiser", [0, 1])
def test_the_rectangle_of_attention_is_the_average_benefit(optimiser):
    chosen = attention.settings(64, 40, 5, [0.05, 0.15, *8 * [0.1]], 2.0, 3.0, optimiser)._replace(T=0)
    state, task = textbook.start(chosen, 0), task_of(chosen)
    for _ in range(6):
        textbook.step(state)
    shown, Y = attention.probe(state), np.reshape(state.Y, (task.C, -1))
    f = theory.decoder_inputs(task.P, np.reshape(state.Z, (2, -1)), task.query)
    chances = softmax(f @ Y + np.log(ss.output_weights(Y.shape[1], task)))
    delta = np.eye(2, Y.shape[1]) - chances
    wrong, push = np.diag(delta).mean(), np.einsum("nl,lk,nk->n", f, Y, delta).mean()
    assert [*shown["wrong"], *shown["knows"], *shown["area"]] == pytest.approx([wrong, push / wrong, push])


def test_the_scan_of_attention_is_where_the_area_is_more_than_half_its_peak():
    chosen = attention.settings(64, 40, 5, [0.1] * 10, 2.0, 3.0, 0)
    state, steps = textbook.start(chosen, 0), [0, 4, 10, 40, 100]
    knows, wrong = [0, 1, 3, 4, 16], [1, 0.9, 0.6, 0.2, 0.05]
    mass = [0.6, 0.6, 0.5, 0.42, 0.36]
    speed = attention.at_end(state, 5 * [0], steps, mass)["speed"]
    assert speed == pytest.approx([0, 1, 0.5, 14 / 90, 0.1])
    told = attention.run_metrics(mass, speed, knows, wrong, steps)
    assert [told["scan_at"], told["snap_at"]] == [[4], [40]]
    told = attention.run_metrics([0.6, 0.5], [0, 1], [0, 4], [1, 0.1], [0, 4])
    assert np.isnan([*told["scan_at"], *told["snap_at"]]).all()


def test_the_words_of_attention_are_tokens_of_the_task():
    settings = attention.settings(128, 34, 7, [0.1] * 8 + [0.05, 0.15], 1.0, 1.0, 0)
    task, shown = task_of(settings), attention.task(settings)
    assert shown["mu"] == pytest.approx(task.P[0, task.distinct[0]] / task.P[0, task.distinct[0]].sum())
    assert (shown["rank"], shown["size"]) == ([*range(1, 11)], [2 * task.C])
    side, token = np.divmod(np.array(shown["places"], dtype=int), task.C)
    np.testing.assert_array_equal(side, attention.LENGTH * [0] + attention.LENGTH * [1])
    assert (task.P[side, token] > 0).all()
    np.testing.assert_allclose(shown["chances"], task.P[side, token])
    np.testing.assert_array_equal(shown["groups"], ~task.common[token])
    words = np.array(shown["words"], dtype=int)
    np.testing.assert_array_equal(words, np.where(task.common[token], token, 53 + token))
