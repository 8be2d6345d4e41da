"""Every line and bar of the chapter's figures, at random positions of the sliders, against the library's own way.

Training: the flow of the whole model, all its rows and columns. Theory: `reference_run`, which knows no kinds of word.
"""

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import attention, growth
from hal.chapters.scan_snap.models.tasks import single_common_task
from hal.chapters.scan_snap.runs.dynamics import flow
from hal.chapters.scan_snap.runs.learning import task_of
from hal.chapters.scan_snap.theory.reference import reference_run
from hal.figure import Small
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook
from lib.theory import scan_snap as theory
from tests.scan_snap.computed import drawn
from tests.sentences.positions import positions

CLOSE = dict(rtol=2e-4, atol=2e-5)  # the page integrates to 1e-6 a step


@pytest.mark.parametrize("seed", range(4))
def test_growth(seed):
    point = next(positions(Small(growth), np.random.default_rng(seed), 1, corners=0.3)) | {"K": 2 + seed}
    point["lr_Z"] = min(max(point["lr_Z"], point["lr_Y"] / 20), point["lr_Y"] * 5)  # the whole flow is explicit
    found, K, M = drawn(growth, **point), point["K"], (1000, 20, 2 + seed, 1000)[seed]
    t, task = found["falls.t"], single_common_task(K, point["rho"], M)
    joint = flow(task, point["lr_Y"], point["lr_Z"], t, tolerance=1e-7)
    path = reference_run(task.P, task.query, M, point["lr_Y"], point["lr_Z"], t)
    drawn_of = {1000: "training", 20: "some", K: "none"}[M]
    np.testing.assert_allclose(found[f"falls.{drawn_of}"], joint.params.Z[:, 0, 0], **CLOSE)
    share = 100 * joint.params.Z[-1, 0, 0] / path.z[-1, 0, 0]
    assert found["falls.shares"][["none", "some", "training"].index(drawn_of)] == pytest.approx(share, rel=1e-3)
    if M < 1000:
        return
    np.testing.assert_allclose(found["falls.theory"], path.z[:, 0, 0], **CLOSE)
    f = theory.decoder_inputs(task.P, joint.params.Z, task.query)[:, 0]
    many = ss.output_weights(joint.params.Y.shape[-1], task)
    chances = softmax(np.einsum("tc,tcm->tm", f, joint.params.Y) + np.log(many))
    errors = np.diff(t, prepend=0.0) @ np.stack([chances[:, 1:K].sum(1), chances[:, K:].sum(1)], axis=1)
    np.testing.assert_allclose(found["falls.errors"], 100 * errors / errors.sum(), rtol=1e-3, atol=1e-6)


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
    assert [*shown["wrong"], *shown["knows"]] == pytest.approx([wrong, push / wrong])


def test_the_rectangles_of_attention_are_what_the_decoder_knows_times_its_error():
    chosen = attention.settings(64, 40, 5, [0.1] * 10, 2.0, 3.0, 0)
    state, knows, wrong, steps = (
        textbook.start(chosen, 0),
        [0, 1, 3, 4, 16],
        [1, 0.9, 0.6, 0.2, 0.05],
        [0, 4, 10, 40, 100],
    )
    mass = [0.6, 0.6, 0.5, 0.42, 0.36]
    ended = attention.at_end(state, 5 * [0], knows, wrong, steps, mass)
    for name, wide, high in (("start", 0, 1), ("scan", 3, 0.6), ("snap", 15, 0.05)):  # the axis ends at 15
        assert ended[f"{name}_x"] == [0, wide, wide, wide]
        assert ended[name] == [high, high, 0, high]
    assert ended["speed"] == pytest.approx([0, 1, 0.5, 14 / 90, 0.1])
    told = attention.run_metrics(mass, ended["speed"], knows, wrong, steps)
    assert [told[f"{name}_at"] for name in ("start", "scan", "snap")] == [[1], [10], [100]]
    errs = attention.at_end(state, [0, 0], [0, 4], [1, 0.1], [0, 4], [0.6, 0.5])
    told = attention.run_metrics([0.6, 0.5], errs["speed"], [0, 4], [1, 0.1], [0, 4])
    assert np.isnan([*errs["scan"], *errs["snap"], *told["scan_at"], *told["snap_at"]]).all()


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
